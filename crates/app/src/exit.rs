//! How the program ends.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// Exit codes: documented, tested, never renumbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(dead_code)] // The whole table is the contract; each command uses its part.
pub enum Exit {
    /// Done.
    Ok = 0,
    /// Nothing was found.
    NothingFound = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Some input is bad; what could be done was done.
    BadInput = 3,
    /// A file is damaged.
    Damaged = 4,
    /// Reading or writing failed.
    Io = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command could not do its work: one sentence for people, one code for programs.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    message: String,
    is_broken_pipe: bool,
}

impl Failure {
    /// A failure with its exit code.
    pub fn new(exit: Exit, message: impl fmt::Display) -> Failure {
        Failure {
            exit,
            message: message.to_string(),
            is_broken_pipe: false,
        }
    }

    /// The code to exit with.
    pub const fn exit(&self) -> Exit {
        self.exit
    }

    /// Whether somebody downstream stopped reading.
    pub const fn is_broken_pipe(&self) -> bool {
        self.is_broken_pipe
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        let is_broken_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        let exit = if is_broken_pipe { Exit::Ok } else { Exit::Io };
        Failure {
            exit,
            message: error.to_string(),
            is_broken_pipe,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
