//! The command line, read by hand: five options do not pay for a dependency.

use std::path::PathBuf;

use crate::cases::Case;

pub const USAGE: &str = "\
usage: rivals [--only CASE,CASE] [--rounds N] [--games FILE] [--count N] [--csv FILE]

  --only    perft-bulk, perft-leaves, list, play, san, attack-bulk, attack-leaves,
            attack-map, pgn, pgn-threads, codec, bcgn, modelled, pack, pack-threads, find (default: all)
  --rounds  rounds to measure (default 9)
  --games   PGN, or PGN in zstd (default: ../shared/data/games/master.pgn.zst beside the repository)
  --count   games to take from it (default 3000)
  --csv     file to append the results to, for bench/record";

/// What was asked for.
#[derive(Debug)]
pub struct Options {
    pub cases: Vec<Case>,
    pub rounds: usize,
    pub games: Option<PathBuf>,
    pub count: usize,
    pub csv: Option<PathBuf>,
}

impl Options {
    /// # Errors
    ///
    /// The text to print, when an option is unknown or has a bad value.
    pub fn parse(args: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            cases: Case::ALL.to_vec(),
            rounds: 9,
            games: None,
            count: 3_000,
            csv: None,
        };
        let mut args = args;
        while let Some(name) = args.next() {
            if name == "--help" || name == "-h" {
                return Err(USAGE.to_owned());
            }
            let value = args
                .next()
                .ok_or_else(|| format!("{name} needs a value\n{USAGE}"))?;
            match name.as_str() {
                "--only" => options.cases = cases(&value)?,
                "--rounds" => options.rounds = at_least_one(&name, &value)?,
                "--games" => options.games = Some(PathBuf::from(value)),
                "--count" => options.count = at_least_one(&name, &value)?,
                "--csv" => options.csv = Some(PathBuf::from(value)),
                _ => return Err(format!("{name} is not known\n{USAGE}")),
            }
        }
        Ok(options)
    }
}

fn cases(value: &str) -> Result<Vec<Case>, String> {
    let unknown = |name: &str| format!("{name} is not a case\n{USAGE}");
    value
        .split(',')
        .map(|name| Case::from_name(name).ok_or_else(|| unknown(name)))
        .collect()
}

fn at_least_one(name: &str, value: &str) -> Result<usize, String> {
    match value.parse() {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(format!("{name} needs a number above zero, not {value}")),
    }
}
