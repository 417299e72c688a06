//! The opening table: counted, then cut to what pays.

use std::collections::HashMap;

use chess::{Move, Position};
use codec::modelled::book::{Entry, MOST_MOVES, key, write};
use codec::modelled::features::Memory;

use crate::descent::{Linear, Scene};
use crate::games::Game;

/// Positions after more moves than this are not counted.
const PLIES: usize = 50;

/// A position that was met several times.
#[derive(Debug)]
pub struct Known {
    position: Position,
    memory: Memory,
    /// How often it was met, and each of its moves.
    pub games: u32,
    pub moves: Vec<(Move, u32)>,
}

impl Known {
    pub fn count(&self, m: Move) -> u32 {
        let found = self.moves.iter().find(|(other, _)| *other == m);
        found.map_or(0, |(_, count)| *count)
    }
}

/// All positions that were met at least `least` times.
pub fn count(games: &[Game], least: u32) -> HashMap<u64, Known> {
    let mut met: HashMap<u64, u32> = HashMap::new();
    each(games, |position, _, _| {
        *met.entry(key(position)).or_default() += 1
    });
    met.retain(|_, count| *count >= least);
    let mut known = HashMap::new();
    each(games, |position, memory, m| {
        let key = key(position);
        if !met.contains_key(&key) {
            return;
        }
        let known = known.entry(key).or_insert_with(|| Known {
            position: *position,
            memory,
            games: 0,
            moves: Vec::new(),
        });
        known.games += 1;
        match known.moves.iter_mut().find(|(other, _)| *other == m) {
            Some((_, count)) => *count += 1,
            None => known.moves.push((m, 1)),
        }
    });
    known
}

fn each(games: &[Game], mut visit: impl FnMut(&Position, Memory, Move)) {
    for game in games {
        let mut position = Position::START;
        let mut memory = Memory::default();
        for &m in game.moves.iter().take(PLIES) {
            visit(&position, memory, m);
            memory = memory.after(&position, m);
            position.play_unchecked(m);
        }
    }
}

/// The table of at most `most` bytes that saves the most bits over the model alone.
pub fn table(
    known: &HashMap<u64, Known>,
    model: &Linear,
    model_games: f64,
    most: usize,
) -> Vec<u8> {
    let mut scene = Scene::default();
    let mut candidates = Vec::new();
    let mut total = 0.0;
    for (&key, known) in known {
        scene.fill(&known.position, known.memory);
        model.foretell(&mut scene);
        let moves: Vec<Move> = scene.moves().collect();
        let mut gain = 0.0;
        let games = f64::from(known.games);
        let mut entries = Vec::new();
        for &(m, count) in &known.moves {
            let Some(index) = moves.iter().position(|&other| other == m) else {
                continue;
            };
            // Each game is foretold from the others.
            let odds = f64::from(scene.odds[index]);
            let others = f64::from(count) - 1.0;
            let mixed = (others + model_games * odds) / (games - 1.0 + model_games);
            gain += f64::from(count) * (mixed / odds).log2();
            // A move that was played once in many games tells nothing.
            let is_rare = count == 1 && (known.games > 4 || odds > 0.2);
            if let (Ok(index), false) = (u8::try_from(index), is_rare) {
                entries.push((count, Entry::new(index, Entry::code(count))));
            }
        }
        entries.sort_by_key(|(count, entry)| (u32::MAX - count, entry.index()));
        entries.truncate(MOST_MOVES);
        total += gain.max(0.0);
        if gain > 0.0 && !entries.is_empty() {
            #[allow(clippy::cast_precision_loss)]
            let bytes = (3 + 2 * entries.len()) as f64;
            let entries: Vec<Entry> = entries.into_iter().map(|(_, entry)| entry).collect();
            candidates.push((gain / bytes, gain, key, entries));
        }
    }
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    let mut bytes = 8 + 8 * (codec::modelled::book::BUCKETS + 1);
    let mut saved = 0.0;
    let mut kept = Vec::new();
    let all = candidates.len();
    for (_, gain, key, entries) in candidates {
        bytes += 3 + 2 * entries.len();
        if bytes > most {
            break;
        }
        saved += gain;
        kept.push((key, entries));
    }
    eprintln!(
        "opening table: {} of {all} positions that pay, {:.1} % of what all would save",
        kept.len(),
        100.0 * saved / total,
    );
    write(kept)
}
