//! Checks every move of a PGN file with pgn-reader and shakmaty: a process to measure `scoresheet pack` beside,
//! see `commands.sh`.
//!
//! usage: pgn_check FILE.pgn

use std::fs::File;
use std::process::ExitCode;

use scoresheet_bench_rivals::cases::pgn::their_check;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: pgn_check FILE.pgn");
        return ExitCode::from(2);
    };
    match File::open(&path) {
        Ok(file) => println!("{:016x}", their_check(file)),
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
