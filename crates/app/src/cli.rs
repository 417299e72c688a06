//! The command line.

use clap::{Parser, Subcommand};

use crate::cmd;
use crate::exit::{Exit, Failure};

/// Chess games stored small, restored exactly, searched fast.
#[derive(Parser, Debug)]
#[command(
    name = "scoresheet",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
#[command(
    after_help = "Exit codes: 0 done, 1 nothing found, 2 usage, 3 bad input, 4 damaged file, 5 I/O."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Convert(cmd::convert::Args),
    Check(cmd::check::Args),
    Decode(cmd::decode::Args),
    Encode(cmd::encode::Args),
    Fmt(cmd::fmt::Args),
    Perft(cmd::perft::Args),
    Show(cmd::show::Args),
    Surprise(cmd::surprise::Args),
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> Result<Exit, Failure> {
        match self.command {
            Command::Convert(args) => cmd::convert::run(&args),
            Command::Check(args) => cmd::check::run(&args),
            Command::Decode(args) => cmd::decode::run(&args),
            Command::Encode(args) => cmd::encode::run(&args),
            Command::Fmt(args) => cmd::fmt::run(&args),
            Command::Perft(args) => cmd::perft::run(&args),
            Command::Show(args) => cmd::show::run(&args),
            Command::Surprise(args) => cmd::surprise::run(&args),
        }
    }
}
