//! Text to read: files, packed or not, or standard input, with a progress bar on a terminal.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use pgn::Input;

use crate::exit::{Exit, Failure};

/// What is read, one after the other.
#[derive(Debug)]
pub struct TextInput {
    paths: Vec<PathBuf>,
    bar: ProgressBar,
}

impl TextInput {
    /// The files, or standard input where the path is `-` or there is none.
    pub fn new(paths: &[PathBuf]) -> TextInput {
        let paths = match paths {
            [] => vec![PathBuf::from("-")],
            paths => paths.to_vec(),
        };
        let sizes = paths.iter().map(std::fs::metadata);
        let total: Option<u64> = sizes.map(|data| data.ok().map(|data| data.len())).sum();
        TextInput {
            paths,
            bar: progress_bar(total),
        }
    }

    /// Opens each and calls `read` with its name and its text.
    pub fn for_each(
        &self,
        mut read: impl FnMut(&str, Box<dyn Read + Send>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for path in &self.paths {
            let name = path.display().to_string();
            let text = self.open(path).map_err(|error| at(&name, &error))?;
            read(&name, text)?;
        }
        self.bar.finish_and_clear();
        Ok(())
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        if path.as_os_str() == "-" {
            return Ok(Box::new(Input::new(self.bar.wrap_read(io::stdin()))?));
        }
        Ok(Box::new(Input::new(self.bar.wrap_read(File::open(path)?))?))
    }

    /// Says something without tearing the progress bar.
    pub fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Shows how many games are done.
    pub fn show_games(&self, games: u64) {
        self.bar.set_message(format!("{games} games"));
    }
}

/// An I/O error with the name of the file.
pub fn at(name: &str, error: &io::Error) -> Failure {
    // A decoder calls packed text that it cannot read invalid: that is damage, not I/O.
    let exit = match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => Exit::Damaged,
        _ => Exit::Io,
    };
    Failure::new(exit, format!("{name}: {error}"))
}

fn progress_bar(total: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = match total {
        Some(_) => "{bar:32} {bytes}/{total_bytes}, {bytes_per_sec}, {msg}, {eta} left",
        None => "{spinner} {bytes}, {bytes_per_sec}, {msg}",
    };
    let bar = match total {
        Some(total) => ProgressBar::new(total),
        None => ProgressBar::new_spinner(),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
