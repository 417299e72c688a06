//! Where games come from: a file or standard input, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, stdin};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::exit::{Exit, Failure};

/// What is read from the system at a time.
const BUFFER: usize = 256 << 10;

/// An open input.
pub struct Input {
    /// The bytes, decompressed.
    pub reader: Box<dyn Read>,
    /// How many bytes have been read of the file as it is.
    pub position: Arc<AtomicU64>,
    /// How many there are, if that is known.
    pub length: Option<u64>,
}

/// Opens a file, or standard input for `-`. What is compressed is known by its first bytes.
pub fn open(path: &Path) -> Result<Input, Failure> {
    let fail = |error| Failure::new(Exit::Io, format_args!("{}: {error}", path.display()));
    let (file, length): (Box<dyn Read>, _) = if path == Path::new("-") {
        (Box::new(stdin().lock()), None)
    } else {
        let file = File::open(path).map_err(fail)?;
        let about = file.metadata().map_err(fail)?;
        if about.is_dir() {
            return Err(fail(io::ErrorKind::IsADirectory.into()));
        }
        (Box::new(file), about.is_file().then_some(about.len()))
    };
    let position = Arc::new(AtomicU64::new(0));
    let counted = Counted {
        reader: file,
        position: Arc::clone(&position),
    };
    let reader = decompress(BufReader::with_capacity(BUFFER, counted)).map_err(fail)?;
    Ok(Input {
        reader,
        position,
        length,
    })
}

/// Tells others how far it has come.
struct Counted<R> {
    reader: R,
    position: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(out)?;
        self.position.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// zstd, gzip and bzip2, several of a kind one after the other too.
fn decompress<R: Read + 'static>(mut file: BufReader<R>) -> io::Result<Box<dyn Read>> {
    Ok(match *file.fill_buf()? {
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            Box::new(Packed(zstd::Decoder::with_buffer(file)?))
        }
        [0x1f, 0x8b, ..] => Box::new(Packed(flate2::bufread::MultiGzDecoder::new(file))),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => {
            Box::new(Packed(bzip2::bufread::MultiBzDecoder::new(file)))
        }
        _ => Box::new(file),
    })
}

/// A decompressor. What it cannot read is damaged; only the system has I/O errors.
struct Packed<R>(R);

impl<R: Read> Read for Packed<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out).map_err(|error| {
            if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted {
                return error;
            }
            let text = format!("the compressed data is damaged: {error}");
            io::Error::new(io::ErrorKind::InvalidData, text)
        })
    }
}
