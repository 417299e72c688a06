//! `scoresheet perft`: count the paths of legal moves.

use std::io::{Write as _, stdout};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use chess::perft::{self, Perft};
use chess::{AttackBoard, Move, Position};
use clap::ValueEnum;
use serde_json::json;

use crate::exit::{Exit, Failure};
use crate::output::grouped;

/// Count all sequences of legal moves of a given length: the proof and measure of a move generator.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet perft --depth 6
  scoresheet perft --depth 5 --divide --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'
  scoresheet perft --depth 6 --threads 2 --json
  scoresheet perft --depth 5 --board attack --leaves")]
pub struct Args {
    /// Where to start: a FEN, X-FEN or Shredder-FEN for Chess960.
    #[arg(long, value_name = "FEN", default_value_t = Position::START)]
    fen: Position,

    /// How many plies deep.
    #[arg(long, short, default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=32))]
    depth: u32,

    /// Show the count below each first move.
    #[arg(long)]
    divide: bool,

    /// Make the last move of every sequence too, instead of counting it.
    #[arg(long)]
    leaves: bool,

    /// How many threads share the work.
    #[arg(long, short, default_value = "1", value_name = "N")]
    threads: NonZeroUsize,

    /// Which board does the work.
    #[arg(long, value_enum, default_value_t = Board::Bitboard)]
    board: Board,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Board {
    /// Sets of squares: the board that the library uses.
    Bitboard,
    /// Piece lists and attack tables: the second board.
    Attack,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let start = Instant::now();
    let counts = match args.board {
        Board::Bitboard => split(args, &args.fen),
        Board::Attack => split(args, &AttackBoard::from(&args.fen)),
    };
    let seconds = start.elapsed().as_secs_f64();
    let nodes = if args.depth == 0 {
        1
    } else {
        counts.iter().map(|(_, nodes)| nodes).sum()
    };
    let rate = nodes as f64 / seconds.max(1e-9);

    let mut out = stdout().lock();
    if args.json {
        let divide = args.divide.then(|| {
            let moves = counts
                .iter()
                .map(|(m, n)| (args.fen.uci(*m).to_string(), json!(n)));
            serde_json::Map::from_iter(moves)
        });
        let report = json!({
            "fen": args.fen.to_string(), "depth": args.depth, "nodes": nodes, "seconds": seconds,
            "nodes_per_second": rate, "threads": args.threads, "divide": divide,
        });
        writeln!(out, "{report}")?;
        return Ok(Exit::Ok);
    }
    if args.divide {
        for (m, nodes) in &counts {
            writeln!(
                out,
                "{:<6} {:>18}",
                args.fen.uci(*m).to_string(),
                grouped(*nodes)
            )?;
        }
        writeln!(out)?;
    }
    writeln!(out, "depth    {:>16}", args.depth)?;
    writeln!(out, "nodes    {:>16}", grouped(nodes))?;
    writeln!(out, "seconds  {seconds:>16.3}")?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A rate in whole nodes.
    writeln!(out, "nodes/s  {:>16}", grouped(rate as u64))?;
    Ok(Exit::Ok)
}

/// The count below every first move. The threads take positions two plies deep from one queue: first
/// moves alone are few and of very different weight.
fn split<B: Perft + Sync>(args: &Args, start: &B) -> Vec<(Move, u64)> {
    let mut firsts = start.legal_moves().to_vec();
    firsts.sort_by_key(|m| (m.butterfly_index(), m.flags()));
    if args.depth == 0 {
        return Vec::new();
    }
    let mut jobs = Vec::new();
    for (first, &m) in firsts.iter().enumerate() {
        let mut next = *start;
        next.play_unchecked(m);
        if args.depth == 1 {
            jobs.push((first, next, 0));
            continue;
        }
        for reply in next.legal_moves() {
            let mut after = next;
            after.play_unchecked(reply);
            jobs.push((first, after, args.depth - 2));
        }
    }
    let queue = AtomicUsize::new(0);
    let work = || {
        let mut counts = vec![0; firsts.len()];
        while let Some((first, board, depth)) = jobs.get(queue.fetch_add(1, Ordering::Relaxed)) {
            counts[*first] += if args.leaves {
                perft::play_leaves(board, *depth)
            } else {
                perft::count(board, *depth)
            };
        }
        counts
    };
    let mut totals = vec![0; firsts.len()];
    thread::scope(|scope| {
        let helpers: Vec<_> = (1..args.threads.get().min(jobs.len().max(1)))
            .map(|_| scope.spawn(work))
            .collect();
        let shares = std::iter::once(work()).chain(
            helpers
                .into_iter()
                .map(|helper| helper.join().expect("perft does not panic")),
        );
        for share in shares {
            totals
                .iter_mut()
                .zip(share)
                .for_each(|(total, nodes)| *total += nodes);
        }
    });
    firsts.into_iter().zip(totals).collect()
}
