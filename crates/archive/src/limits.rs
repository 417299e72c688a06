//! Sizes are checked before they are believed.
#![deny(clippy::arithmetic_side_effects)]

use core::fmt;

/// Something is larger than it may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// What it is.
    pub what: &'static str,
    /// How large it is.
    pub found: usize,
    /// How large it may be.
    pub max: usize,
}

impl Limit {
    /// The size, if it is within the limit.
    ///
    /// # Errors
    /// The limit that is passed.
    pub const fn check(what: &'static str, found: usize, max: usize) -> Result<usize, Limit> {
        if found <= max {
            Ok(found)
        } else {
            Err(Limit { what, found, max })
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limit { what, found, max } = self;
        write!(f, "{what}: {found}, and the limit is {max}")
    }
}

impl core::error::Error for Limit {}
