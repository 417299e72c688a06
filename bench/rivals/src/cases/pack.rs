//! Case `pack`: an archive made, with its proof, and unpacked again, by one thread, in games a second;
//! beside pgn-reader with shakmaty merely checking the moves of the same text. The sizes are told
//! too: bytes a game, and the share of the same PGN under `zstd -19`.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::rc::Rc;

use scoresheet_archive::games::{PackOptions, open_bytes, pack};

use super::pgn::their_check;
use crate::arena::{Entry, Work};
use crate::games::Games;

/// Both ways.
pub fn works(games: &Rc<Games>) -> Vec<Work> {
    let options = PackOptions {
        threads: NonZeroUsize::MIN,
        ..PackOptions::default()
    };
    let (archive, packed) = packed(&games.text, &options);
    let plain = zstd::encode_all(&games.text[..], 19).expect("memory gives no I/O errors");
    let each = |bytes: usize| bytes as f64 / packed.games as f64;
    eprintln!(
        "pack: {:.1} bytes a game, {:.3} of zstd -19 ({:.1} bytes a game)",
        each(archive.len()),
        archive.len() as f64 / plain.len() as f64,
        each(plain.len()),
    );
    let length = games.text.len() as u64;
    let rival = || {
        let games = games.clone();
        Entry::new("pgn-reader", move || {
            std::hint::black_box(their_check(&games.text));
            length
        })
    };
    let text = games.clone();
    let pack = Entry::new("scoresheet", move || {
        self::packed(&text.text, &options).1.text_bytes
    });
    let expected = crc32c::crc32c(&games.text);
    let unpack = Entry::new("scoresheet", move || {
        let mut sum = Sum::default();
        let archive = open_bytes(&archive).expect("it was just packed");
        archive
            .unpack(&mut sum, |_| {})
            .expect("it was just packed");
        assert_eq!(sum.checksum, expected, "the text comes back");
        sum.length
    });
    let work = |name: &str, ours: Entry| Work {
        name: name.to_owned(),
        units: packed.games,
        answer: Some(length),
        entries: vec![ours, rival()],
    };
    vec![work("pack", pack), work("unpack", unpack)]
}

/// Takes a text and keeps its checksum: neither what the kernel does for fresh pages nor reading the text
/// that is expected is unpacking.
#[derive(Default)]
struct Sum {
    length: u64,
    checksum: u32,
}

impl Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.length += bytes.len() as u64;
        self.checksum = crc32c::crc32c_append(self.checksum, bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn packed(text: &[u8], options: &PackOptions) -> (Vec<u8>, scoresheet_archive::games::Packed) {
    pack(
        [("games.pgn".to_owned(), text)],
        Vec::new(),
        options,
        |_, _| {},
    )
    .expect("memory gives no I/O errors")
}
