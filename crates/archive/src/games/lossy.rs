//! What an archive leaves out because it was told to.

use core::fmt;
use core::str::FromStr;

/// What an archive leaves out because it was told to. Games come back in a plain layout then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lossy {
    /// Comments are left out.
    NoComments,
    /// Everything is left out but tags, moves of the main line and results.
    MovesOnly,
}

impl Lossy {
    /// The name in files and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Lossy::NoComments => "no-comments",
            Lossy::MovesOnly => "moves-only",
        }
    }
}

impl fmt::Display for Lossy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Lossy {
    type Err = ();

    fn from_str(name: &str) -> Result<Lossy, ()> {
        let all = [Lossy::NoComments, Lossy::MovesOnly];
        all.into_iter()
            .find(|known| known.as_str() == name)
            .ok_or(())
    }
}
