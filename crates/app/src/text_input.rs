//! Text to read: files, packed or not, or standard input, with a progress bar on a terminal.

use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use pgn::Input;

use crate::exit::{Exit, Failure};
use crate::named::Named;
use crate::output::grouped;

/// What is read, one after the other.
#[derive(Debug)]
pub struct TextInput {
    paths: Vec<PathBuf>,
    bar: ProgressBar,
}

impl TextInput {
    /// The files, or standard input where the path is `-` or there is none. A directory stands for
    /// the PGN files in it, in the order of their names.
    pub fn new(paths: &[PathBuf]) -> Result<TextInput, Failure> {
        let paths = match paths {
            [] => vec![PathBuf::from("-")],
            paths => expand(paths)?,
        };
        let sizes = paths.iter().map(fs::metadata);
        let total: Option<u64> = sizes.map(|data| data.ok().map(|data| data.len())).sum();
        Ok(TextInput {
            paths,
            bar: progress_bar(total),
        })
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
        Ok(())
    }

    /// The texts, each opened when its turn has come: its name without directories and the ending
    /// of its packing, and what gives it. Errors name the file; one that cannot be opened says so
    /// when it is read.
    pub fn texts(&self) -> impl Iterator<Item = (String, Named<Opened>)> {
        self.paths.iter().map(|path| {
            let opened = Opened(self.open(path));
            (
                plain_name(path),
                Named::new(path.display().to_string(), opened),
            )
        })
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
        if self.bar.is_hidden() {
            return;
        }
        let millis = self.bar.elapsed().as_millis().max(1);
        let speed = u128::from(games) * 1000 / millis;
        let speed = grouped(u64::try_from(speed).unwrap_or(u64::MAX));
        self.bar
            .set_message(format!("{} games, {speed} games/s", grouped(games)));
    }
}

/// A text, or why there is none.
pub struct Opened(io::Result<Box<dyn Read + Send>>);

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Ok(text) => text.read(buffer),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        }
    }
}

/// The bar goes when the reading is over, well or not.
impl Drop for TextInput {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

const PACKINGS: [&str; 3] = [".zst", ".gz", ".bz2"];

/// A directory stands for the PGN files in it and in those below, in the order of their paths.
fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let name = path.display().to_string();
        let mut found = Vec::new();
        let mut directories = vec![path.clone()];
        while let Some(directory) = directories.pop() {
            let failed = |error| at(&directory.display().to_string(), &error);
            for entry in fs::read_dir(&directory).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let path = entry.path();
                // Not what links lead to: it may be a directory above.
                if entry.file_type().map_err(failed)?.is_dir() {
                    directories.push(path);
                } else if plain_name(&path).to_lowercase().ends_with(".pgn") && path.is_file() {
                    found.push(path);
                }
            }
        }
        if found.is_empty() {
            let message = format!("{name}: there are no PGN files in this directory or below");
            return Err(Failure::new(Exit::BadInput, message));
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// The name of a file, without its directory and the ending of its packing.
fn plain_name(path: &Path) -> String {
    let name = path
        .file_name()
        .map_or("-".into(), |name| name.to_string_lossy());
    let plain = PACKINGS.iter().find_map(|ending| name.strip_suffix(ending));
    plain.unwrap_or(&name).to_owned()
}

/// An I/O error with the name of the file.
pub fn at(name: &str, error: &io::Error) -> Failure {
    Failure::new(exit_of(error), format!("{name}: {error}"))
}

/// How the program ends when text cannot be read.
pub fn exit_of(error: &io::Error) -> Exit {
    // A decoder calls packed text that it cannot read invalid: that is damage, not I/O.
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => Exit::Damaged,
        _ => Exit::Io,
    }
}

/// A bar on a terminal for work that is counted in games.
pub fn games_bar(games: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(
        "{bar:32} {human_pos}/{human_len} games, {per_sec}, {eta} left",
    );
    let bar = ProgressBar::new(games);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn progress_bar(total: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = match total {
        Some(_) => "{wide_bar} {percent}% of {total_bytes}, {bytes_per_sec}, {msg}, {eta} left",
        None => "{spinner} {bytes}, {bytes_per_sec}, {msg}",
    };
    let bar = match total {
        Some(total) => ProgressBar::new(total),
        None => ProgressBar::new_spinner(),
    };
    let bar = bar.with_message("0 games");
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_packing() {
        for (path, name) in [
            ("a/b/games.pgn.zst", "games.pgn"),
            ("games.pgn", "games.pgn"),
            ("-", "-"),
            ("x.gz", "x"),
        ] {
            assert_eq!(plain_name(Path::new(path)), name);
        }
    }
}
