//! The six positions every move generator is tried on.

/// A named position with its depths.
#[derive(Debug, Clone, Copy)]
pub struct Standard {
    /// Short name, used on command lines too.
    pub name: &'static str,
    /// All six fields.
    pub fen: &'static str,
    /// As deep as `standard.perft` goes.
    pub data_depth: u32,
    /// About 0.1 s for a fast generator that bulk counts.
    pub bulk: Run,
    /// About 0.1 s for a fast generator that plays every leaf.
    pub leaves: Run,
}

/// One timed piece of work: perft to `depth`, so many times over.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    pub depth: u32,
    pub times: u32,
    /// The nodes of one time.
    pub nodes: u64,
}

/// In the usual order.
pub const STANDARD: [Standard; 6] = [
    Standard {
        name: "start",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        data_depth: 6,
        bulk: Run {
            depth: 5,
            times: 4,
            nodes: 4_865_609,
        },
        leaves: Run {
            depth: 5,
            times: 1,
            nodes: 4_865_609,
        },
    },
    Standard {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        data_depth: 5,
        bulk: Run {
            depth: 4,
            times: 5,
            nodes: 4_085_603,
        },
        leaves: Run {
            depth: 4,
            times: 1,
            nodes: 4_085_603,
        },
    },
    Standard {
        name: "pos3",
        fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        data_depth: 7,
        bulk: Run {
            depth: 6,
            times: 2,
            nodes: 11_030_083,
        },
        leaves: Run {
            depth: 5,
            times: 6,
            nodes: 674_624,
        },
    },
    Standard {
        name: "pos4",
        fen: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        data_depth: 5,
        bulk: Run {
            depth: 5,
            times: 1,
            nodes: 15_833_292,
        },
        leaves: Run {
            depth: 4,
            times: 10,
            nodes: 422_333,
        },
    },
    Standard {
        name: "pos5",
        fen: "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        data_depth: 5,
        bulk: Run {
            depth: 4,
            times: 10,
            nodes: 2_103_487,
        },
        leaves: Run {
            depth: 4,
            times: 2,
            nodes: 2_103_487,
        },
    },
    Standard {
        name: "pos6",
        fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        data_depth: 5,
        bulk: Run {
            depth: 4,
            times: 5,
            nodes: 3_894_594,
        },
        leaves: Run {
            depth: 4,
            times: 1,
            nodes: 3_894_594,
        },
    },
];
