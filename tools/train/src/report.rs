//! What the built-in model makes of games that it has not seen.

use std::collections::BTreeMap;
use std::path::Path;

use chess::Position;
use codec::modelled::{encode_game, surprises};

use crate::games;

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
pub fn print(path: &Path, most: usize) -> Result<(), Box<dyn std::error::Error>> {
    let games = games::read(path, most)?;
    let mut whole = Band::default();
    let mut exact = Band::default();
    let mut ratings: BTreeMap<u16, Band> = BTreeMap::new();
    let mut plies: BTreeMap<usize, Band> = BTreeMap::new();
    let mut bytes = Vec::new();
    for game in &games {
        bytes.clear();
        encode_game(&Position::START, game.moves.iter().copied(), &mut bytes)?;
        #[allow(clippy::cast_precision_loss)]
        whole.add(game.moves.len(), 8.0 * bytes.len() as f64);
        let band = ratings.entry(game.rating / 200 * 200).or_default();
        for (ply, surprise) in surprises(&Position::START, game.moves.iter().copied())?
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
