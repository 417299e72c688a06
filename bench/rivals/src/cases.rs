//! What is measured, one file each.

mod attack_bulk;
mod attack_leaves;
mod attack_map;
mod bcgn;
mod codec;
mod find;
mod list;
mod modelled;
mod pack;
mod perft_bulk;
mod perft_leaves;
pub mod pgn;
mod play;
mod san;

use std::rc::Rc;

use crate::arena::Work;
use crate::games::Games;

/// A case of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    PerftBulk,
    PerftLeaves,
    List,
    Play,
    San,
    AttackBulk,
    AttackLeaves,
    AttackMap,
    Pgn,
    PgnThreads,
    Codec,
    Bcgn,
    Modelled,
    Pack,
    PackThreads,
    Find,
}

impl Case {
    pub const ALL: [Case; 16] = [
        Case::PerftBulk,
        Case::PerftLeaves,
        Case::List,
        Case::Play,
        Case::San,
        Case::AttackBulk,
        Case::AttackLeaves,
        Case::AttackMap,
        Case::Pgn,
        Case::PgnThreads,
        Case::Codec,
        Case::Bcgn,
        Case::Modelled,
        Case::Pack,
        Case::PackThreads,
        Case::Find,
    ];

    /// As on the command line and in the CSV.
    pub fn name(self) -> &'static str {
        match self {
            Case::PerftBulk => "perft-bulk",
            Case::PerftLeaves => "perft-leaves",
            Case::List => "list",
            Case::Play => "play",
            Case::San => "san",
            Case::AttackBulk => "attack-bulk",
            Case::AttackLeaves => "attack-leaves",
            Case::AttackMap => "attack-map",
            Case::Pgn => "pgn",
            Case::PgnThreads => "pgn-threads",
            Case::Codec => "codec",
            Case::Bcgn => "bcgn",
            Case::Modelled => "modelled",
            Case::Pack => "pack",
            Case::PackThreads => "pack-threads",
            Case::Find => "find",
        }
    }

    /// What is counted.
    pub fn unit(self) -> &'static str {
        match self {
            Case::PerftBulk | Case::PerftLeaves | Case::AttackBulk | Case::AttackLeaves => {
                "nodes/s"
            }
            Case::List | Case::Play | Case::San | Case::AttackMap => "moves/s",
            Case::Codec | Case::Bcgn | Case::Modelled => "moves/s",
            Case::Pgn | Case::PgnThreads => "bytes/s",
            Case::Pack | Case::PackThreads => "games/s",
            Case::Find => "plies/s",
        }
    }

    /// One sentence for the reader of the table.
    pub fn title(self) -> &'static str {
        match self {
            Case::PerftBulk => "perft, last ply counted but not played",
            Case::PerftLeaves => "perft, every leaf played",
            Case::List => "all legal moves written to a list, positions of real games",
            Case::Play => "real games played from stored moves, make only",
            Case::San => "real games read from SAN tokens and played",
            Case::AttackBulk => "perft on the second board, last ply counted but not played",
            Case::AttackLeaves => "perft on the second board, every leaf played",
            Case::AttackMap => "real games played, all attackers of all 64 squares after each move",
            Case::Pgn => "PGN read from memory as a stream, one thread",
            Case::PgnThreads => "PGN read, every move checked, by one thread and by two",
            Case::Pack => "an archive packed with its proof, and unpacked, beside checking moves",
            Case::PackThreads => "an archive packed and unpacked, by one thread and by two",
            Case::Codec => {
                "real games in each encoding (bits a move), decoded or encoded, and played"
            }
            Case::Bcgn => "a BCGN file read, headers too, every game decoded and played",
            Case::Modelled => "games by probability, every move and position given",
            Case::Find => "games with a position found in an archive, no index, one thread",
        }
    }

    /// Who has ratio 1.
    pub fn baseline(self) -> &'static str {
        match self {
            Case::Pgn | Case::Pack => "pgn-reader (with shakmaty)",
            Case::PgnThreads | Case::PackThreads => "one thread",
            Case::Modelled => modelled::BASELINE,
            _ => crate::libraries::BASELINE,
        }
    }

    /// Whether it needs games.
    pub fn needs_games(self) -> bool {
        matches!(
            self,
            Case::List
                | Case::Play
                | Case::San
                | Case::AttackMap
                | Case::Pgn
                | Case::PgnThreads
                | Case::Codec
                | Case::Bcgn
                | Case::Modelled
                | Case::Pack
                | Case::PackThreads
                | Case::Find
        )
    }

    /// The case with the given name.
    pub fn from_name(name: &str) -> Option<Case> {
        Case::ALL.into_iter().find(|case| case.name() == name)
    }

    /// The work, ready to be measured.
    pub fn works(self, games: &Rc<Games>) -> Vec<Work> {
        match self {
            Case::PerftBulk => perft_bulk::works(),
            Case::PerftLeaves => perft_leaves::works(),
            Case::List => vec![list::work(games)],
            Case::Play => vec![play::work(games)],
            Case::San => vec![san::work(games)],
            Case::AttackBulk => attack_bulk::works(),
            Case::AttackLeaves => attack_leaves::works(),
            Case::AttackMap => vec![attack_map::work(games)],
            Case::Pgn => pgn::works(games),
            Case::PgnThreads => vec![pgn::threads(games)],
            Case::Codec => codec::works(games),
            Case::Bcgn => bcgn::works(games),
            Case::Modelled => modelled::works(games),
            Case::Pack => pack::works(games),
            Case::PackThreads => pack::threads(games),
            Case::Find => find::works(games),
        }
    }
}
