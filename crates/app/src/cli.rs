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
    Cat(Box<cmd::cat::Args>),
    Convert(cmd::convert::Args),
    Check(cmd::check::Args),
    Decode(cmd::decode::Args),
    Encode(cmd::encode::Args),
    Explore(Box<cmd::explore::Args>),
    Find(Box<cmd::find::Args>),
    Fmt(cmd::fmt::Args),
    Pack(cmd::pack::Args),
    Unpack(cmd::unpack::Args),
    Info(cmd::info::Args),
    Merge(cmd::merge::Args),
    Verify(cmd::verify::Args),
    Perft(cmd::perft::Args),
    Show(cmd::show::Args),
    Surprise(cmd::surprise::Args),
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> Result<Exit, Failure> {
        match self.command {
            Command::Cat(args) => cmd::cat::run(&args),
            Command::Convert(args) => cmd::convert::run(&args),
            Command::Check(args) => cmd::check::run(&args),
            Command::Decode(args) => cmd::decode::run(&args),
            Command::Encode(args) => cmd::encode::run(&args),
            Command::Explore(args) => cmd::explore::run(&args),
            Command::Find(args) => cmd::find::run(&args),
            Command::Fmt(args) => cmd::fmt::run(&args),
            Command::Pack(args) => cmd::pack::run(&args),
            Command::Unpack(args) => cmd::unpack::run(&args),
            Command::Info(args) => cmd::info::run(&args),
            Command::Merge(args) => cmd::merge::run(&args),
            Command::Verify(args) => cmd::verify::run(&args),
            Command::Perft(args) => cmd::perft::run(&args),
            Command::Show(args) => cmd::show::run(&args),
            Command::Surprise(args) => cmd::surprise::run(&args),
        }
    }
}
