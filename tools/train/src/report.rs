//! What the built-in model makes of games that it has not seen.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use chess::Position;
use codec::Plies;
use codec::modelled::{Level, encode_game, replay, surprises};

use crate::games::{self, Game};

#[derive(Default)]
struct Band {
    plies: usize,
    bits: f64,
}

impl Band {
    fn add(&mut self, plies: usize, bits: f64) {
        self.plies += plies;
        self.bits += bits;
    }

    #[allow(clippy::cast_precision_loss)]
    fn print(&self, name: &str) {
        let mean = self.bits / self.plies as f64;
        println!("{name:>16} {:>10} plies {mean:8.4} bits a move", self.plies);
    }
}

/// Prints bits per move: whole bytes of every game, then by rating and by ply.
pub fn print(path: &Path, most: usize, level: Level) -> Result<(), Box<dyn std::error::Error>> {
    let games = games::read(path, most)?;
    let mut whole = Band::default();
    let mut exact = Band::default();
    let mut ratings: BTreeMap<u16, Band> = BTreeMap::new();
    let mut plies: BTreeMap<usize, Band> = BTreeMap::new();
    let mut bytes = Vec::new();
    for game in &games {
        bytes.clear();
        encode_game(
            level,
            &Position::START,
            game.moves.iter().copied(),
            &mut bytes,
        )?;
        #[allow(clippy::cast_precision_loss)]
        whole.add(game.moves.len(), 8.0 * bytes.len() as f64);
        let band = ratings.entry(game.rating / 200 * 200).or_default();
        for (ply, surprise) in surprises(level, &Position::START, game.moves.iter().copied())?
            .into_iter()
            .enumerate()
        {
            exact.add(1, surprise.bits());
            band.add(1, surprise.bits());
            plies
                .entry(ply / 10 * 10)
                .or_default()
                .add(1, surprise.bits());
        }
    }
    println!("{}: {} games", path.display(), games.len());
    speed(&games, level)?;
    whole.print("in whole bytes");
    exact.print("information");
    for (rating, band) in ratings {
        let name = if rating == 0 {
            "no rating".into()
        } else {
            format!("rating {rating}+")
        };
        band.print(&name);
    }
    for (ply, band) in plies.into_iter().filter(|(ply, _)| *ply < 160) {
        band.print(&format!("ply {}+", ply + 1));
    }
    Ok(())
}

/// Prints moves a second: the sum of the best rounds over a few games each, since a busy machine
/// interrupts longer ones.
fn speed(games: &[Game], level: Level) -> Result<(), Box<dyn std::error::Error>> {
    let mut seconds = [0.0; 2];
    let mut plies = 0;
    for games in games.chunks(20).take(50) {
        let mut best = [f64::MAX; 2];
        let mut encoded = Vec::new();
        for _ in 0..9 {
            encoded.clear();
            let clock = Instant::now();
            for game in games {
                let mut bytes = Vec::new();
                encode_game(
                    level,
                    &Position::START,
                    game.moves.iter().copied(),
                    &mut bytes,
                )?;
                encoded.push(bytes);
            }
            best[0] = clock.elapsed().as_secs_f64().min(best[0]);
            let clock = Instant::now();
            for (game, bytes) in games.iter().zip(&encoded) {
                let plies = Plies::Exactly(game.moves.len());
                replay(level, &Position::START, plies, bytes, |_, _| {
                    ControlFlow::Continue(())
                })?;
            }
            best[1] = clock.elapsed().as_secs_f64().min(best[1]);
        }
        plies += games.iter().map(|game| game.moves.len()).sum::<usize>();
        seconds = [seconds[0] + best[0], seconds[1] + best[1]];
    }
    #[allow(clippy::cast_precision_loss)]
    let [encode, decode] = seconds.map(|seconds| plies as f64 / seconds / 1e6);
    println!("encoded {encode:.2}, decoded {decode:.2} million moves a second");
    Ok(())
}
