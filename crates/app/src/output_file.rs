//! Where results go: a file that appears whole or not at all, a device, or standard output.

use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write, stdout};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, PoisonError};

use archive::{Disk, WholeFile};

use crate::exit::{Exit, Failure};

/// Unfinished files, to be removed when the program is interrupted.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// An open output.
pub enum OutputFile {
    /// Standard output.
    Standard(BufWriter<Stdout>),
    /// A pipe or a device, which cannot be renamed.
    Device(BufWriter<File>),
    /// A file that has its name when all is written.
    Whole(WholeFile),
}

impl OutputFile {
    /// Opens a file, or standard output for `-`. An existing file is refused unless it may be
    /// replaced.
    pub fn create(path: &Path, may_replace: bool) -> Result<OutputFile, Failure> {
        let fail = |error| Failure::new(Exit::Io, format_args!("{}: {error}", path.display()));
        if path == Path::new("-") {
            return Ok(OutputFile::Standard(BufWriter::new(stdout())));
        }
        match fs::metadata(path) {
            Ok(about) if about.is_dir() => return Err(fail(io::ErrorKind::IsADirectory.into())),
            Ok(about) if !about.is_file() => {
                let file = File::options().write(true).open(path).map_err(fail)?;
                return Ok(OutputFile::Device(BufWriter::new(file)));
            }
            Ok(_) if !may_replace => return Err(exists(path)),
            _ => {}
        }
        // The file behind a link is replaced, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let file = create_to_be_removed(&target, may_replace);
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(path),
            _ => fail(error),
        })?;
        Ok(OutputFile::Whole(file))
    }

    /// Ends the output. A file has its name now.
    pub fn finish(self, path: &Path) -> Result<(), Failure> {
        let done = match self {
            OutputFile::Standard(mut out) => return Ok(out.flush()?),
            OutputFile::Device(mut out) => out.flush(),
            OutputFile::Whole(file) => file.commit(),
        };
        done.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(path),
            _ => Failure::new(Exit::Io, format_args!("{}: {error}", path.display())),
        })
    }
}

fn exists(path: &Path) -> Failure {
    let path = path.display();
    Failure::new(
        Exit::Usage,
        format_args!("{path} exists; --force replaces it"),
    )
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            OutputFile::Standard(out) => out.write(bytes),
            OutputFile::Device(out) => out.write(bytes),
            OutputFile::Whole(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            OutputFile::Standard(out) => out.flush(),
            OutputFile::Device(out) => out.flush(),
            OutputFile::Whole(out) => out.flush(),
        }
    }
}

/// Creates a file that is removed when the program is interrupted or told to end, at whatever
/// moment: while it is being created, a signal has to wait for the list of files.
fn create_to_be_removed(target: &Path, may_replace: bool) -> io::Result<WholeFile> {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    // A second handler is refused, and not needed.
    let _ = ctrlc::set_handler(|| {
        let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        for path in unfinished.iter() {
            // It is gone already if it was finished or given up.
            let _ = fs::remove_file(path);
        }
        // 128 + SIGINT, as shells expect it.
        process::exit(130);
    });
    let file = WholeFile::create(Disk, target, may_replace)?;
    unfinished.push(file.temporary().to_owned());
    Ok(file)
}
