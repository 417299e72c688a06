//! What a contestant must be able to do. Each does it in the way its own documentation
//! recommends, or in a cheaper way if there is one.

/// A chess library under test.
pub trait Library: 'static {
    /// As printed in tables.
    const NAME: &'static str;
    /// A position.
    type Board: Clone + 'static;
    /// A stored move: 16 bits wherever the library can play from that.
    type Word: Copy + 'static;
    /// A reusable list of moves.
    type List: 'static;

    /// Reads six FEN fields that are known to be good.
    fn from_fen(fen: &str) -> Self::Board;

    /// Nodes at `depth` ≥ 1; the last ply is counted, not played.
    fn perft_bulk(board: &Self::Board, depth: u32) -> u64;

    /// Nodes at `depth` ≥ 1; every leaf is played and shown to `black_box`, so that no
    /// compiler can leave out a part of the make that nobody reads.
    fn perft_leaves(board: &Self::Board, depth: u32) -> u64;

    /// An empty list.
    fn new_list() -> Self::List;

    /// Writes all legal moves to the list, shows it to `black_box`, returns their number.
    fn list_moves(board: &Self::Board, list: &mut Self::List) -> usize;

    /// The stored form of a move. Not measured.
    fn word(board: &Self::Board, m: shakmaty::Move, san: &str) -> Self::Word;

    /// Plays a stored move.
    fn play(board: &mut Self::Board, word: Self::Word);

    /// White, black, pawns, knights, bishops, rooks, queens, kings.
    fn sets(board: &Self::Board) -> [u64; 8];

    /// A number in which two different boards almost surely differ.
    fn digest(board: &Self::Board) -> u64 {
        Self::sets(board).iter().fold(0, |h, s| {
            (h ^ s).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        })
    }
}

/// A library that reads SAN.
pub trait ReadsSan: Library {
    /// Reads a SAN, finds the legal move it means, plays it.
    fn play_san(board: &mut Self::Board, san: &str);
}
