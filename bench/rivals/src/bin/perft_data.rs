//! Makes `testdata/perft/*.perft`: positions with node counts on which two independent
//! generators, shakmaty and Stockfish, agree. Deterministic; see SOURCE.txt beside the data.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use scoresheet_bench_rivals::rng::Rng;
use scoresheet_bench_rivals::sample::{epd, mirrored, random_game, random_start};
use scoresheet_bench_rivals::standard::STANDARD;
use scoresheet_bench_rivals::stockfish::Stockfish;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, perft};

const SEED: u64 = 20_260_101;
/// Keeps a whole file inside a quick test run.
const MAX_NODES: u64 = 300_000;
const MAX_DEPTH: u32 = 5;
/// Every record has at least this depth, or making a move is not tested.
const MIN_DEPTH: u32 = 2;

const TRICKY: &str = include_str!("../../data/tricky.txt");

type Result<T> = std::result::Result<T, Box<dyn Error>>;

struct Record {
    id: String,
    epd: String,
    /// `None`: as deep as the node limit lets us.
    depth: Option<u32>,
    /// Printed above the record when it changes.
    section: String,
}

impl Record {
    /// Why shakmaty refuses the position, if it does: Stockfish would only crash.
    fn fault(&self, mode: CastlingMode) -> Option<String> {
        let fen: Fen = match self.epd.parse() {
            Ok(fen) => fen,
            Err(e) => return Some(format!("{}: {e}", self.id)),
        };
        let faults = fen.into_position::<Chess>(mode).err()?;
        Some(format!("{}: {faults}", self.id))
    }
}

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/perft");
    let out = std::env::args_os().nth(1).map_or(root, PathBuf::from);
    fs::create_dir_all(&out)?;
    let mut engine = Stockfish::find().ok_or("Stockfish is not installed; set STOCKFISH")?;
    eprintln!("counting with shakmaty and {}", engine.name);

    let mut seen = HashSet::new();
    let files = [
        ("standard", false, standard()),
        ("random", false, random(&mut seen)),
        ("chess960", true, chess960(&mut seen)),
        ("tricky", true, tricky(&mut seen)?),
    ];
    for (name, is_chess960, records) in files {
        engine.set_chess960(is_chess960)?;
        let text = write_records(&mut engine, name, &records, is_chess960)?;
        fs::write(out.join(format!("{name}.perft")), text)?;
        eprintln!("{name}.perft: {} positions", records.len());
    }
    Ok(())
}

fn standard() -> Vec<Record> {
    STANDARD
        .iter()
        .map(|s| Record {
            id: s.name.to_owned(),
            epd: s.fen.to_owned(),
            depth: Some(s.data_depth),
            section: "The six positions of the well-known list".to_owned(),
        })
        .collect()
}

/// Random games from the usual start; the ply grows from 4 to 120 over the file.
fn random(seen: &mut HashSet<String>) -> Vec<Record> {
    const COUNT: u32 = 150;
    let mut rng = Rng::new(SEED);
    let mut records = Vec::new();
    for i in 0..COUNT {
        let ply = 4 + i * 116 / (COUNT - 1);
        let keep_rights = i % 3 == 0;
        let text = loop {
            let game = random_game(&mut rng, &Chess::default(), ply, keep_rights);
            let Some(pos) = game else { continue };
            let text = epd(&pos, false);
            if !pos.legal_moves().is_empty() && seen.insert(text.clone()) {
                break text;
            }
        };
        records.push(Record {
            id: format!("random-{:03}", i + 1),
            epd: text,
            depth: None,
            section: "Random games; game n has more plies than game n-1".to_owned(),
        });
    }
    records
}

/// Random games from random arrays. Two in three records can castle at once.
fn chess960(seen: &mut HashSet<String>) -> Vec<Record> {
    const COUNT: u32 = 84;
    let mut rng = Rng::new(SEED + 960);
    let mut records = Vec::new();
    for i in 0..COUNT {
        let can_castle = i % 3 != 0;
        let ply = i * 60 / (COUNT - 1);
        let text = loop {
            let start = random_start(&mut rng);
            let Some(pos) = random_game(&mut rng, &start, ply, true) else {
                continue;
            };
            let castles = pos.legal_moves().iter().any(|m| m.is_castle());
            let is_wanted = if can_castle && ply > 8 {
                castles
            } else {
                !pos.castles().is_empty()
            };
            let text = epd(&pos, true);
            if is_wanted && seen.insert(text.clone()) {
                break text;
            }
        };
        records.push(Record {
            id: format!("chess960-{:03}", i + 1),
            epd: text,
            depth: None,
            section: "Random games from random arrays; rights in Shredder-FEN".to_owned(),
        });
    }
    records
}

fn tricky(seen: &mut HashSet<String>) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    let mut section = String::new();
    for line in TRICKY.lines().skip(1) {
        if let Some(title) = line.strip_prefix('#') {
            section = title.trim().to_owned();
        } else if !line.trim().is_empty() {
            let (id, text) = line
                .split_once(" : ")
                .ok_or_else(|| format!("no colon: {line}"))?;
            for (id, text) in [
                (id.to_owned(), text.to_owned()),
                (format!("{id}-mirrored"), mirrored(text)),
            ] {
                if seen.insert(text.clone()) {
                    let section = section.clone();
                    records.push(Record {
                        id,
                        epd: text,
                        depth: None,
                        section,
                    });
                }
            }
        }
    }
    Ok(records)
}

/// Counts every record twice and stops at the first disagreement.
fn write_records(
    engine: &mut Stockfish,
    name: &str,
    records: &[Record],
    is_chess960: bool,
) -> Result<String> {
    let mode = if is_chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    let mut text = format!("# {name}.perft: made by bench/rivals perft_data, see SOURCE.txt\n");
    let mut section = "";
    let faults: Vec<String> = records.iter().filter_map(|r| r.fault(mode)).collect();
    if !faults.is_empty() {
        return Err(faults.join("\n").into());
    }
    for record in records {
        if section != record.section {
            section = &record.section;
            write!(text, "\n# {section}\n")?;
        }
        let pos: Chess = record.epd.parse::<Fen>()?.into_position(mode)?;
        write!(text, "\nid {}\nepd {}\n", record.id, record.epd)?;
        let full = match record.epd.split(' ').count() {
            4 => format!("{} 0 1", record.epd),
            _ => record.epd.clone(),
        };
        for depth in 1..=record.depth.unwrap_or(MAX_DEPTH) {
            let nodes = perft(&pos, depth);
            if record.depth.is_none() && depth > MIN_DEPTH && nodes > MAX_NODES {
                break;
            }
            let other = engine
                .perft(&full, depth)
                .map_err(|e| format!("{}: {full}: {e}", record.id))?;
            if nodes != other {
                let id = &record.id;
                return Err(
                    format!("{id} depth {depth}: shakmaty {nodes}, Stockfish {other}").into(),
                );
            }
            writeln!(text, "perft {depth} {nodes}")?;
        }
    }
    Ok(text)
}
