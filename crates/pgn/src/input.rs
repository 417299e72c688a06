//! Compressed text: `.zst`, `.gz` and `.bz2`, told by their first bytes and not by their names.

use std::fmt;
use std::io::{self, BufReader, Chain, Cursor, Read};

/// How a text is packed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compression {
    /// Not at all.
    None,
    /// Zstandard, one frame or many, skippable frames too.
    Zstd,
    /// gzip, one member or many.
    Gzip,
    /// bzip2, one stream or many.
    Bzip2,
}

impl Compression {
    /// The compression whose magic bytes these are.
    ///
    /// ```
    /// use scoresheet_pgn::Compression;
    /// assert_eq!(Compression::of(b"\x1f\x8b\x08"), Compression::Gzip);
    /// assert_eq!(Compression::of(b"[Event \"x\"]"), Compression::None);
    /// ```
    #[must_use]
    pub fn of(head: &[u8]) -> Compression {
        match head {
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Compression::Bzip2,
            _ => Compression::None,
        }
    }
}

/// The first bytes of a stream, put back in front of it.
type Whole<R> = Chain<Cursor<Vec<u8>>, R>;

/// A stream that unpacks what it reads.
///
/// ```
/// use scoresheet_pgn::{Checker, Compression, Input, Reader};
/// let packed = zstd::encode_all(&b"1. e4 e5 1-0"[..], 1)?;
/// let input = Input::new(&packed[..])?;
/// assert_eq!(input.compression(), Compression::Zstd);
/// let mut reader = Reader::new(input);
/// assert_eq!(reader.read_game(&mut Checker::new())?.unwrap().unwrap().plies, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Input<R: Read> {
    kind: Kind<R>,
}

enum Kind<R: Read> {
    Plain(Whole<R>),
    Zstd(Box<zstd::Decoder<'static, BufReader<Whole<R>>>>),
    Gzip(Box<flate2::read::MultiGzDecoder<Whole<R>>>),
    Bzip2(Box<bzip2::read::MultiBzDecoder<Whole<R>>>),
}

impl<R: Read> Input<R> {
    /// Looks at the first bytes of the stream and chooses.
    ///
    /// # Errors
    /// Those of the stream, and of a decoder that cannot be made.
    pub fn new(mut reader: R) -> io::Result<Input<R>> {
        let mut head = Vec::with_capacity(4);
        (&mut reader).take(4).read_to_end(&mut head)?;
        let compression = Compression::of(&head);
        let whole = Cursor::new(head).chain(reader);
        let kind = match compression {
            Compression::None => Kind::Plain(whole),
            Compression::Zstd => Kind::Zstd(Box::new(zstd::Decoder::new(whole)?)),
            Compression::Gzip => Kind::Gzip(Box::new(flate2::read::MultiGzDecoder::new(whole))),
            Compression::Bzip2 => Kind::Bzip2(Box::new(bzip2::read::MultiBzDecoder::new(whole))),
        };
        Ok(Input { kind })
    }

    /// How the text is packed.
    #[must_use]
    pub fn compression(&self) -> Compression {
        match self.kind {
            Kind::Plain(_) => Compression::None,
            Kind::Zstd(_) => Compression::Zstd,
            Kind::Gzip(_) => Compression::Gzip,
            Kind::Bzip2(_) => Compression::Bzip2,
        }
    }
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.kind {
            Kind::Plain(reader) => reader.read(buffer),
            Kind::Zstd(reader) => reader.read(buffer),
            Kind::Gzip(reader) => reader.read(buffer),
            Kind::Bzip2(reader) => reader.read(buffer),
        }
    }
}

impl<R: Read> fmt::Debug for Input<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("compression", &self.compression())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn unpack(packed: &[u8]) -> io::Result<(Compression, Vec<u8>)> {
        let mut input = Input::new(packed)?;
        let mut text = Vec::new();
        input.read_to_end(&mut text)?;
        Ok((input.compression(), text))
    }

    #[test]
    fn all_kinds_are_unpacked_and_so_are_several_in_a_row() {
        let text = b"1. e4 e5 1-0\n".repeat(1000);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&text).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(&text).unwrap();
        let zstd = zstd::encode_all(&text[..], 1).unwrap();
        for (kind, packed) in [
            (Compression::None, text.clone()),
            (Compression::Zstd, zstd),
            (Compression::Gzip, gzip.finish().unwrap()),
            (Compression::Bzip2, bzip2.finish().unwrap()),
        ] {
            assert_eq!(unpack(&packed).unwrap(), (kind, text.clone()));
            assert_eq!(unpack(&packed.repeat(2)).unwrap(), (kind, text.repeat(2)));
            if kind != Compression::None {
                let cut = &packed[..packed.len() - 3];
                assert!(unpack(cut).is_err(), "{kind:?} cut short");
            }
        }
    }

    #[test]
    fn short_and_empty_streams_are_plain() {
        for text in [&b""[..], b"1", b"BZ", b"BZh", b"\x28\xb5"] {
            assert_eq!(unpack(text).unwrap(), (Compression::None, text.to_vec()));
        }
    }
}
