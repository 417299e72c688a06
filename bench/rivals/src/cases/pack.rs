//! Case `pack`: an archive made, with its proof, and unpacked again, by one thread, in games a second;
//! beside pgn-reader with shakmaty merely checking the moves of the same text. The sizes are told
//! too: bytes a game, and the share of the same PGN under `zstd -19`. Case `pack-threads`: what a
//! second core brings to both.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::rc::Rc;

use scoresheet_archive::ArchiveError;
use scoresheet_archive::games::{PackOptions, Packed, open_bytes, pack};

use super::pgn::their_check;
use crate::arena::{Entry, Work};
use crate::games::Games;

/// Both ways.
pub fn works(games: &Rc<Games>) -> Vec<Work> {
    let (archive, packed) = packed(&games.text, NonZeroUsize::MIN);
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
            std::hint::black_box(their_check(&games.text[..]));
            length
        })
    };
    let one = NonZeroUsize::MIN;
    let pack = pack_by(one, "scoresheet", games);
    let unpack = unpack_by(one, "scoresheet", games, archive.into());
    let work = |name: &str, ours: Entry| Work {
        name: name.to_owned(),
        units: packed.games,
        answer: Some(length),
        entries: vec![ours, rival()],
    };
    vec![work("pack", pack), work("unpack", unpack)]
}

/// Both ways by one thread and by two, in memory: one file as it is, with its first row group, which
/// nobody can have read before, and the last, which few threads can share.
pub fn threads(games: &Rc<Games>) -> Vec<Work> {
    let (one, two) = (NonZeroUsize::MIN, NonZeroUsize::MIN.saturating_add(1));
    let (archive, packed) = packed(&games.text, two);
    let archive: Rc<[u8]> = archive.into();
    let work = |name: &str, entries: Vec<Entry>| Work {
        name: name.to_owned(),
        units: packed.games,
        answer: Some(games.text.len() as u64),
        entries,
    };
    let all = [(two, "two threads"), (one, "one thread")];
    let pack = all.map(|(threads, name)| pack_by(threads, name, games));
    let unpack = all.map(|(threads, name)| unpack_by(threads, name, games, archive.clone()));
    vec![work("pack", pack.into()), work("unpack", unpack.into())]
}

fn pack_by(threads: NonZeroUsize, contestant: &str, games: &Rc<Games>) -> Entry {
    let games = games.clone();
    Entry::new(contestant, move || {
        packed(&games.text, threads).1.text_bytes
    })
}

fn unpack_by(
    threads: NonZeroUsize,
    contestant: &str,
    games: &Rc<Games>,
    archive: Rc<[u8]>,
) -> Entry {
    let expected = crc32c::crc32c(&games.text);
    Entry::new(contestant, move || {
        let mut sum = Sum::default();
        let archive = open_bytes(&archive).expect("it was just packed");
        let unpacked = archive.unpack_on(threads, |text| {
            sum.write_all(text.all()).map_err(ArchiveError::from)
        });
        unpacked.expect("it was just packed");
        assert_eq!(sum.checksum, expected, "the text comes back");
        sum.length
    })
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

fn packed(text: &[u8], threads: NonZeroUsize) -> (Vec<u8>, Packed) {
    let options = PackOptions {
        threads,
        ..PackOptions::default()
    };
    let inputs = [("games.pgn".to_owned(), text)];
    pack(inputs, Vec::new(), &options, |_, _| {}).expect("memory gives no I/O errors")
}
