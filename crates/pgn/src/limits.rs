//! How much a file may ask for.

/// The bounds that the reader keeps, whatever the file says.
///
/// ```
/// use scoresheet_pgn::Limits;
/// let limits = Limits { game_bytes: 1 << 20, ..Limits::default() };
/// assert_eq!(limits.depth, 256);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The largest game in bytes. A larger one is reported as bad and skipped.
    pub game_bytes: usize,
    /// How deep variations may be nested.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            game_bytes: 16 << 20,
            depth: 256,
        }
    }
}
