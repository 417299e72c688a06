//! `scoresheet info`: what is in an archive.

use std::io::{Write as _, stdout};
use std::path::PathBuf;

use serde_json::json;

use crate::archive_file;
use crate::exit::{Exit, Failure};
use crate::output::grouped;

/// Tell what is in an archive: games, plies, and the bytes of each column.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet info games.scoresheet
  scoresheet info games.scoresheet --json")]
pub struct Args {
    /// The archive.
    archive: PathBuf,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let archive = archive_file::open(&args.archive)?;
    let columns = archive.columns();
    let moves = columns.iter().find(|column| column.name == "moves");
    let moves = moves.map_or(0, |column| column.bytes);
    let bits_per_move = moves as f64 * 8.0 / archive.plies().max(1) as f64;
    let mut out = stdout().lock();
    if args.json {
        let sizes: serde_json::Map<String, serde_json::Value> = columns
            .iter()
            .map(|column| (column.name.clone(), column.bytes.into()))
            .collect();
        let inputs: Vec<_> = archive
            .inputs()
            .iter()
            .map(|input| json!({ "name": input.name, "rows": input.rows }))
            .collect();
        let document = json!({
            "games": archive.games(),
            "plies": archive.plies(),
            "bytes": archive.bytes(),
            "pgn_bytes": archive.text_bytes(),
            "bits_per_move": bits_per_move,
            "codec": archive.codec().as_str(),
            "row_groups": archive.row_groups(),
            "columns": sizes,
            "inputs": inputs,
        });
        writeln!(out, "{document}")?;
        return Ok(Exit::Ok);
    }
    let games = archive.games().max(1) as f64;
    writeln!(out, "games          {:>14}", grouped(archive.games()))?;
    writeln!(out, "plies          {:>14}", grouped(archive.plies()))?;
    writeln!(out, "bytes of PGN   {:>14}", grouped(archive.text_bytes()))?;
    writeln!(out, "bytes          {:>14}", grouped(archive.bytes()))?;
    writeln!(out, "codec          {:>14}", archive.codec().as_str())?;
    writeln!(out, "bits per move  {bits_per_move:>14.2}")?;
    writeln!(out, "\n{:<18} {:>12} {:>8}", "column", "bytes", "a game")?;
    for column in columns {
        let size = grouped(column.bytes);
        let share = column.bytes as f64 / games;
        writeln!(out, "{:<18} {size:>12} {share:>8.2}", column.name)?;
    }
    Ok(Exit::Ok)
}
