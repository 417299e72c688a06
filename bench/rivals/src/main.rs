//! The benchmark: prints one table a case. See `--help`.

use std::hint::black_box;
use std::process::ExitCode;
use std::rc::Rc;

use scoresheet_bench_rivals::games::Games;
use scoresheet_bench_rivals::options::Options;
use scoresheet_bench_rivals::report::{Circumstances, append_csv, table};

fn main() -> ExitCode {
    keep_memory();
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(text) => {
            eprintln!("{text}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// As the program `scoresheet` does: the C library learns from the largest piece that was freed how much to keep.
/// Otherwise it is chance whether threads get their memory from the kernel anew in every round.
fn keep_memory() {
    drop(black_box(Vec::<u8>::with_capacity(31 << 20)));
}

fn run(options: &Options) -> std::io::Result<()> {
    let place = Circumstances::here();
    println!("{}, commit {}", place.date, place.commit);
    println!("{}, {}", place.cpu, place.compiler);
    println!("cozy-chess 0.3.4, shakmaty 0.30.1, chess 3.2.0, Stockfish as installed");
    let games = if options.cases.iter().any(|c| c.needs_games()) {
        let games = Games::load(options.games.as_deref(), options.count)?;
        println!("{}, {} moves", games.source, games.plies());
        games
    } else {
        Games::default()
    };
    let games = Rc::new(games);
    println!("{} rounds", options.rounds);
    for &case in &options.cases {
        let works = case.works(&games);
        let lines: Vec<_> = works
            .into_iter()
            .map(|w| w.measure(options.rounds))
            .collect();
        println!("\n{}", table(case, &lines).trim_end());
        if let Some(path) = &options.csv {
            append_csv(path, &place, case, &lines)?;
        }
    }
    Ok(())
}
