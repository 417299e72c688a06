//! One run of one contestant, to be put under `valgrind --tool=callgrind`: instruction
//! counts do not depend on what else the machine does. See `instructions.sh`.
//!
//! usage: instructions CONTESTANT perft-bulk|perft-leaves POSITION DEPTH

use std::hint::black_box;
use std::process::ExitCode;

use scoresheet_bench_rivals::libraries::{Chess, CozyChess, Ours, Shakmaty};
use scoresheet_bench_rivals::library::Library;
use scoresheet_bench_rivals::standard::STANDARD;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match nodes(&args) {
        Some(nodes) => {
            println!("{nodes}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("usage: instructions CONTESTANT perft-bulk|perft-leaves POSITION DEPTH");
            ExitCode::from(2)
        }
    }
}

fn nodes(args: &[String]) -> Option<u64> {
    let [contestant, case, position, depth] = args else {
        return None;
    };
    let fen = STANDARD.iter().find(|s| s.name == position)?.fen;
    let depth = depth.parse().ok().filter(|&d| d > 0)?;
    match contestant.as_str() {
        Ours::NAME => count::<Ours>(case, fen, depth),
        CozyChess::NAME => count::<CozyChess>(case, fen, depth),
        Shakmaty::NAME => count::<Shakmaty>(case, fen, depth),
        Chess::NAME => count::<Chess>(case, fen, depth),
        _ => None,
    }
}

fn count<L: Library>(case: &str, fen: &str, depth: u32) -> Option<u64> {
    let board = L::from_fen(black_box(fen));
    match case {
        "perft-bulk" => Some(L::perft_bulk(black_box(&board), depth)),
        "perft-leaves" => Some(L::perft_leaves(black_box(&board), depth)),
        _ => None,
    }
}
