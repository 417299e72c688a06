//! Trains the model of the modelled codec.
use std::path::Path;
use std::time::Instant;
use chess::Position;
use codec::modelled::features::Memory;
mod descent;
mod games;
use descent::{Linear, Scene};

fn exam(model: &Linear, games: &[games::Game]) -> (f64, usize) {
    let mut scene = Scene::default();
    let (mut bits, mut plies) = (0.0, 0);
    for game in games {
        let mut position = Position::START;
        let mut memory = Memory::default();
        for &m in &game.moves {
            scene.fill(&position, memory);
            model.foretell(&mut scene);
            let i = scene.index_of(m).expect("legal");
            bits -= f64::from(scene.odds[i]).log2();
            plies += 1;
            memory = memory.after(&position, m);
            position.play_unchecked(m);
        }
    }
    (bits / plies as f64, plies)
}

fn main() {
    let arg = |n: usize, d: f64| std::env::args().nth(n).map_or(d, |a| a.parse().unwrap());
    let data = Path::new("/work/shared/data");
    let t = Instant::now();
    let master = games::read(&data.join("games/master.pgn.zst"), 1000).unwrap();
    let lichess = games::read(&data.join("games/lichess.pgn.zst"), 1000).unwrap();
    let n = arg(1, 20000.0) as usize;
    let a = games::read(&data.join("train/train-master-200k.pgn.zst"), n).unwrap();
    let b = games::read(&data.join("train/train-lichess.pgn.zst"), n/2).unwrap();
    eprintln!("read {:?}", t.elapsed());
    let mut all: Vec<_> = a.into_iter().chain(b).collect();
    let mut seed = 12345u64;
    for i in (1..all.len()).rev() {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let j = (seed >> 33) as usize % (i + 1);
        all.swap(i, j);
    }
    let mut model = Linear::new(arg(2, 0.05) as f32, 1);
    let mut scene = Scene::default();
    let t = Instant::now();
    let mut plies = 0;
    for game in &all {
        let mut position = Position::START;
        let mut memory = Memory::default();
        for &m in &game.moves {
            scene.fill(&position, memory);
            model.foretell(&mut scene);
            let i = scene.index_of(m).expect("legal");
            model.learn(&scene, i, 1.0);
            plies += 1;
            memory = memory.after(&position, m);
            position.play_unchecked(m);
        }
    }
    eprintln!("{plies} plies in {:?}", t.elapsed());
    let t = Instant::now();
    let m = exam(&model, &master);
    let l = exam(&model, &lichess);
    println!("master {:.4} lichess {:.4}  ({} plies, {:?})", m.0, l.0, m.1 + l.1, t.elapsed());
}
