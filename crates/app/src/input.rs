//! Where games come from: files, directories, standard input, packed or not.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::exit::{Exit, Failure};

/// The files that arguments mean: a directory stands for the PGN files in it, in order of names.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut found = Vec::new();
            for entry in fs::read_dir(path).map_err(|error| at(path, error))? {
                let entry = entry.map_err(|error| at(path, error))?.path();
                let name = entry.to_string_lossy().to_lowercase();
                let plain = [".zst", ".gz", ".bz2"]
                    .iter()
                    .find_map(|ending| name.strip_suffix(ending))
                    .unwrap_or(&name);
                if plain.ends_with(".pgn") && entry.is_file() {
                    found.push(entry);
                }
            }
            if found.is_empty() {
                let message = format!("{}: no PGN files in this directory", path.display());
                return Err(Failure::new(Exit::BadInput, message));
            }
            found.sort();
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// An I/O error with the file it happened to.
pub fn at(path: &Path, error: io::Error) -> Failure {
    Failure::new(Exit::Io, format!("{}: {error}", path.display()))
}

/// The name of an input, without its directory and the ending of its packing.
pub fn plain_name(path: &Path) -> String {
    let name = path
        .file_name()
        .map_or_else(|| "-".into(), |name| name.to_string_lossy().into_owned());
    for ending in [".zst", ".gz", ".bz2"] {
        if let Some(plain) = name.strip_suffix(ending) {
            return plain.to_owned();
        }
    }
    name
}

/// Opens an input; `-` is standard input. What is packed is told by its first bytes.
pub fn open(path: &Path) -> Result<Box<dyn Read + Send>, Failure> {
    let raw: Box<dyn Read + Send> = if path.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(|error| at(path, error))?)
    };
    unpacked(raw).map_err(|error| at(path, error))
}

fn unpacked(mut raw: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::new();
    raw.by_ref().take(4).read_to_end(&mut head)?;
    let magic: [u8; 4] = head.as_slice().try_into().unwrap_or_default();
    let whole = BufReader::with_capacity(1 << 18, io::Cursor::new(head).chain(raw));
    Ok(match magic {
        // A skippable frame may come first.
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(whole)?;
            decoder.window_log_max(31)?;
            Box::new(decoder)
        }
        [0x1f, 0x8b, ..] => Box::new(flate2::bufread::MultiGzDecoder::new(whole)),
        [b'B', b'Z', b'h', b'1'..=b'9'] => Box::new(bzip2::bufread::MultiBzDecoder::new(whole)),
        _ => Box::new(whole),
    })
}
