//! The program `scoresheet`.
#![forbid(unsafe_code)]

mod archive_file;
mod cli;
mod cmd;
mod exit;
mod game_text;
mod move_bits;
mod named;
mod output;
mod output_file;
mod row_numbers;
mod table;
mod text_input;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(exit) => exit.into(),
        Err(failure) => {
            // A reader that has seen enough (`… | head`) is no failure worth a word.
            if !failure.is_broken_pipe() {
                eprintln!("error: {failure}");
            }
            failure.exit().into()
        }
    }
}
