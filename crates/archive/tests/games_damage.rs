//! Damaged archives: an error that says where, and never another game.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]
#![allow(clippy::cast_possible_truncation)] // The files are small.

use std::num::NonZeroUsize;
use std::ops::Range;

use parquet::file::metadata::ParquetMetaDataReader;
use scoresheet_archive::ArchiveError;
use scoresheet_archive::games::{
    Archive, ArchiveFault, Columns, PackOptions, Verified, open_bytes, pack,
};
use testkit::{Random, mutant};

fn game(i: usize) -> String {
    format!(
        "[Event \"E{}\"]\n[White \"W{i}\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[Mood \"fair\"]\n\n\
         1. e4 {{ [%clk 0:01:{:02}] }} 1... c5 2. Nf3 {{ a word }} 1-0\n\n",
        i / 3,
        i % 60
    )
}

/// Three row groups.
fn archive() -> (Vec<u8>, Vec<u8>) {
    let text: String = (0..20).map(game).collect();
    let options = PackOptions {
        row_group_bytes: 1 << 10,
        ..PackOptions::default()
    };
    let input: Box<dyn std::io::Read + Send> = Box::new(std::io::Cursor::new(text.clone()));
    let inputs = vec![("games.pgn".to_owned(), input)];
    let file = pack(inputs, Vec::new(), &options, |_, _| {}).unwrap().0;
    assert_eq!(open_bytes(&file).unwrap().row_groups(), 3);
    (file, text.into_bytes())
}

fn fault(error: ArchiveError) -> ArchiveFault {
    match error {
        ArchiveError::Archive(fault) => fault,
        error => panic!("{error}"),
    }
}

fn verify_all(archive: &Archive<&[u8]>) -> Vec<Verified> {
    let groups = 0..archive.row_groups();
    groups
        .map(|number| archive.verify(number).unwrap())
        .collect()
}

/// Where the footer begins: metadata, length and magic.
fn footer_start(file: &[u8]) -> usize {
    let tail = file.len() - 8;
    let length = u32::from_le_bytes(file[tail..tail + 4].try_into().unwrap());
    tail - length as usize
}

#[test]
fn an_undamaged_archive_is_whole() {
    let (file, text) = archive();
    let archive = open_bytes(&file).unwrap();
    let groups = verify_all(&archive);
    let mut sums = Verified::default();
    for group in &groups {
        assert_eq!(group.faults, []);
        sums.rows += group.rows;
        sums.games += group.games;
        sums.plies += group.plies;
        sums.text_bytes += group.text_bytes;
    }
    assert_eq!((sums.rows, sums.games, sums.plies), (20, 20, 60));
    assert_eq!(sums.text_bytes, text.len() as u64);
    assert_eq!(archive.verify_sums(&sums), None);
    sums.plies -= 1;
    let what = "number of plies";
    assert_eq!(
        archive.verify_sums(&sums),
        Some(ArchiveFault::Footer { what })
    );
}

#[test]
fn every_flipped_bit_is_seen_and_costs_one_row_group() {
    let (file, _) = archive();
    let whole = open_bytes(&file).unwrap();
    let whole: Vec<Vec<u8>> = (0..3)
        .map(|number| {
            let mut text = Vec::new();
            whole.read(number).unwrap().restore_all(&mut text).unwrap();
            text
        })
        .collect();
    let footer = footer_start(&file);
    let mut damaged = file.clone();
    let mut last_group = 0;
    for bit in 0..file.len() * 8 {
        let mask = 1 << (bit % 8);
        damaged[bit / 8] ^= mask;
        match open_bytes(&damaged) {
            Err(error) => {
                let fault = fault(error);
                let is_footer = bit / 8 >= footer || bit / 8 < 4;
                assert!(is_footer, "bit {bit}: {fault}");
            }
            Ok(archive) => {
                assert!((4..footer).contains(&(bit / 8)), "bit {bit} was not seen");
                // Only the checksums are looked at here, of the row group that was damaged last
                // first: a bit is likely to be in the same.
                let order = [last_group, 0, 1, 2];
                let hit = order.into_iter().find_map(|number| {
                    let error = archive.verify_checksums(number).err()?;
                    Some((number, fault(error)))
                });
                let Some((number, fault)) = hit else {
                    panic!("bit {bit} was not seen");
                };
                last_group = number;
                match fault {
                    ArchiveFault::Checksum {
                        row_group, column, ..
                    } => {
                        assert_eq!(row_group, number);
                        assert!(column == "(page index)" || archive_has(&archive, &column));
                    }
                    fault => panic!("bit {bit}: {fault}"),
                }
                if bit % 499 == 0 {
                    for (other, text) in whole.iter().enumerate() {
                        let mut found = Vec::new();
                        let read = archive.read(other);
                        if other == number {
                            continue;
                        }
                        read.unwrap().restore_all(&mut found).unwrap();
                        assert!(found == *text);
                    }
                    let faults: Vec<usize> = verify_all(&archive)
                        .iter()
                        .map(|group| group.faults.len())
                        .collect();
                    let mut expected = [0; 3];
                    expected[number] = 1;
                    assert_eq!(faults, expected);
                }
            }
        }
        damaged[bit / 8] ^= mask;
    }
}

fn archive_has(archive: &Archive<&[u8]>, column: &str) -> bool {
    let root = column.split('.').next().unwrap();
    archive.columns().iter().any(|known| known.name == root)
}

#[test]
fn a_column_that_is_not_read_is_not_missed() {
    let (mut file, _) = archive();
    // The first column of the first row group is `event`.
    file[10] ^= 1;
    let archive = open_bytes(&file).unwrap();
    let error = fault(archive.read(0).unwrap_err());
    let text = error.to_string();
    assert!(
        text.starts_with("damaged: row group 0, column event: the checksum is"),
        "{text}"
    );
    let rows = archive.row_group(0, Columns::MOVES).unwrap();
    assert_eq!(
        rows.games().filter_map(|game| game.moves()).count(),
        rows.len()
    );
    assert!(archive.row_range(0, 0..1, Columns::ALL).is_err());
    assert!(archive.read(1).is_ok() && archive.read(2).is_ok());
}

#[test]
fn every_cut_is_seen() {
    let (file, _) = archive();
    for cut in 0..file.len() {
        let error = fault(open_bytes(&file[..cut]).unwrap_err());
        let is_named = match error {
            ArchiveFault::NotParquet => cut < 4,
            ArchiveFault::Truncated => cut >= 4,
            _ => false,
        };
        assert!(is_named, "cut at {cut}: {error}");
    }
    let longer = [&file[..], b"x"].concat();
    assert_eq!(
        fault(open_bytes(&longer).unwrap_err()),
        ArchiveFault::Truncated
    );
}

#[test]
fn what_is_no_archive_is_told() {
    for (bytes, expected) in [
        (&b""[..], ArchiveFault::NotParquet),
        (b"PAR", ArchiveFault::NotParquet),
        (b"[Event \"?\"]\n\n1. e4 *", ArchiveFault::NotParquet),
        (b"PAR1", ArchiveFault::Truncated),
        (b"PAR1\0\0\0\0PAR1", ArchiveFault::NotAnArchive),
        (b"PAR1\xff\xff\xff\xffPAR1", ArchiveFault::Truncated),
    ] {
        assert_eq!(fault(open_bytes(bytes).unwrap_err()), expected);
    }
}

/// The file with another footer, and its checksum made right.
fn with_footer(file: &[u8], metadata: &[u8]) -> Vec<u8> {
    let mut footer = metadata.to_vec();
    footer.extend_from_slice(&u32::try_from(metadata.len()).unwrap().to_le_bytes());
    footer.extend_from_slice(b"PAR1");
    let mark = b"scoresheet-footer-crc32c=";
    let at = footer
        .windows(mark.len())
        .rposition(|window| window == mark);
    if let Some(at) = at
        .map(|at| at + mark.len())
        .filter(|at| at + 8 <= footer.len())
    {
        footer[at..at + 8].fill(b'0');
        let checksum = format!("{:08x}", crc32c::crc32c(&footer));
        footer[at..at + 8].copy_from_slice(checksum.as_bytes());
    }
    [&file[..footer_start(file)], &footer].concat()
}

fn metadata(file: &[u8]) -> &[u8] {
    &file[footer_start(file)..file.len() - 8]
}

/// The metadata with the value of a key changed to one of the same length.
fn with_value(metadata: &[u8], key: &str, from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut metadata = metadata.to_vec();
    let at = metadata
        .windows(key.len())
        .position(|window| window == key.as_bytes());
    let start = at.unwrap() + key.len();
    let value = metadata[start..]
        .windows(from.len())
        .position(|window| window == from.as_bytes());
    let value = start + value.unwrap();
    metadata[value..value + to.len()].copy_from_slice(to.as_bytes());
    metadata
}

#[test]
fn a_footer_whose_mark_is_damaged_is_damaged_and_no_strangers() {
    let (mut file, _) = archive();
    let mark = b"scoresheet-footer-crc32c=";
    let at = file.windows(mark.len()).rposition(|text| text == mark);
    file[at.unwrap() + 3] ^= 1;
    let error = fault(open_bytes(&file).unwrap_err());
    assert_eq!(error, ArchiveFault::Footer { what: "checksum" });
}

#[test]
fn a_newer_version_is_refused_by_number() {
    let (file, _) = archive();
    let same = with_footer(&file, metadata(&file));
    assert!(same == file);
    let newer = with_value(metadata(&file), "scoresheet.version", "2", "7");
    let error = fault(open_bytes(&with_footer(&file, &newer)).unwrap_err());
    assert_eq!(error, ArchiveFault::Newer { found: 7, known: 2 });
    let text = error.to_string();
    assert_eq!(
        text,
        "format version 7 is newer than this program, which knows version 2"
    );
}

#[test]
fn numbers_that_cannot_be_are_told() {
    let (file, _) = archive();
    let open = |metadata: &[u8]| {
        let file = with_footer(&file, metadata);
        open_bytes(&file)
            .map(|archive| archive.games())
            .map_err(fault)
    };
    let games = with_value(metadata(&file), "scoresheet.games", "20", "99");
    assert_eq!(
        open(&games),
        Err(ArchiveFault::Footer {
            what: "number of rows"
        })
    );
    let codec = with_value(metadata(&file), "scoresheet.codec", "index", "indix");
    assert_eq!(open(&codec), Err(ArchiveFault::Footer { what: "codec" }));
    let none = with_value(metadata(&file), "scoresheet.version", "2", "x");
    assert_eq!(open(&none), Err(ArchiveFault::Footer { what: "version" }));
}

/// Footers that lie, with a right checksum: no panic, no memory that is not there, and of what can
/// be opened either the texts or an error.
#[test]
fn footers_that_lie_are_told_or_do_no_harm() {
    let (file, text) = archive();
    let footer = metadata(&file);
    let mut random = Random::new(7);
    let mut opened = 0;
    for _ in 0..6_000 {
        let mutated = with_footer(&file, &mutant(footer, &mut random));
        let Ok(archive) = open_bytes(&mutated) else {
            continue;
        };
        opened += 1;
        let mut found = Vec::new();
        let unpacked = archive.unpack(&mut found, |_| {});
        // A mutant may have changed what is not looked at, such as the name of the program.
        assert!(
            unpacked.is_err() || found == text,
            "a footer that lies gave another text"
        );
        for number in 0..archive.row_groups().min(4) {
            let _ = archive.row_range(number, 0..2, Columns::ALL);
            let _ = archive.summary(number);
            let _ = archive.verify(number);
        }
    }
    assert!(opened > 100, "{opened} were opened");
}

/// A number as Thrift writes it after the type of its field.
fn field(number: u64) -> Vec<u8> {
    let mut bytes = vec![0x16];
    let mut rest = number << 1;
    while rest >= 0x80 {
        bytes.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(u8::try_from(rest).unwrap());
    bytes
}

fn places(bytes: &[u8], part: &[u8]) -> Vec<usize> {
    let windows = bytes.windows(part.len()).enumerate();
    windows
        .filter(|(_, window)| *window == part)
        .map(|(at, _)| at)
        .collect()
}

fn replaced(bytes: &[u8], at: usize, length: usize, with: &[u8]) -> Vec<u8> {
    [&bytes[..at], with, &bytes[at + length..]].concat()
}

/// The most memory that the test has had, where the system tells.
fn peak_kilobytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

#[test]
fn rows_that_are_not_there_ask_for_no_memory() {
    let (file, _) = archive();
    let rows = open_bytes(&file).unwrap().rows_in(0);
    let footer = metadata(&file);
    let (group, whole) = (field(rows), field(20));
    let mut opened = 0;
    for more in [
        1,
        1 << 20,
        1 << 30,
        (1 << 31) - rows,
        1 << 40,
        (1 << 62) - rows,
    ] {
        // Which of the numbers is that of the row group, and which that of the file, is tried out.
        for at in places(footer, &group) {
            let lied = replaced(footer, at, group.len(), &field(rows + more));
            for at in places(&lied, &whole) {
                let lied = replaced(&lied, at, whole.len(), &field(20 + more));
                let file = with_footer(&file, &lied);
                let Ok(archive) = open_bytes(&file) else {
                    continue;
                };
                if archive.rows_in(0) != rows + more {
                    continue;
                }
                opened += 1;
                assert!(archive.read(0).is_err());
                assert!(archive.row_group(0, Columns::MOVES).is_err());
                let last = usize::try_from(rows + more).unwrap();
                let _ = archive.row_range(0, last - 1..last, Columns::ALL);
                assert!(archive.read(1).is_ok());
            }
        }
    }
    assert!(opened >= 3, "{opened}");
    assert!(peak_kilobytes().is_none_or(|peak| peak < 1 << 20));
}

/// Where the column chunks lie.
fn chunks(file: &[u8]) -> Vec<Range<usize>> {
    let parsed = ParquetMetaDataReader::decode_metadata(metadata(file)).unwrap();
    let columns = parsed.row_groups().iter().flat_map(|group| group.columns());
    let ranges = columns.map(|column| {
        let (offset, length) = column.byte_range();
        offset as usize..(offset + length) as usize
    });
    ranges.collect()
}

/// The file with a bit of its chunks flipped, and all checksums made right.
fn with_flipped_bit(file: &[u8], chunks: &[Range<usize>], at: usize, bit: usize) -> Vec<u8> {
    let digits = |file: &[u8]| -> String {
        let checksums = chunks
            .iter()
            .map(|chunk| crc32c::crc32c(&file[chunk.clone()]));
        checksums
            .map(|checksum| format!("{checksum:08x}"))
            .collect()
    };
    let mut lied = file.to_owned();
    lied[at] ^= 1 << bit;
    let (before, after) = (digits(file), digits(&lied));
    let footer = with_value(metadata(file), "chunks.crc32c", &before, &after);
    with_footer(&lied, &footer)
}

/// Chunks that lie, with right checksums all over: an error that names a place, or text that is what
/// the chunks say; never a panic.
#[test]
fn chunks_that_lie_are_told_or_do_no_harm() {
    let (file, _) = archive();
    let chunks = chunks(&file);
    let end = chunks.last().unwrap().end;
    let mut random = Random::new(11);
    let (mut parquet, mut rows) = (0, 0);
    for _ in 0..1_500 {
        let at = 4 + random.below(end - 4);
        let lied = with_flipped_bit(&file, &chunks, at, random.below(8));
        let archive = open_bytes(&lied).unwrap();
        let _ = archive.unpack(&mut Vec::new(), |_| {});
        for (number, group) in verify_all(&archive).into_iter().enumerate() {
            for fault in group.faults {
                match fault {
                    ArchiveFault::Parquet { row_group, .. } => {
                        assert_eq!(row_group, number);
                        parquet += 1;
                    }
                    ArchiveFault::Row { row_group, row, .. } => {
                        assert_eq!(row_group, number);
                        let first = archive.rows_before(number);
                        assert!(row > first && row <= first + archive.rows_in(number));
                        rows += 1;
                    }
                    fault => panic!("{fault}"),
                }
            }
        }
    }
    assert!(parquet > 50 && rows > 50, "{parquet} {rows}");
}

/// What so many threads restore, and the error that ends it.
fn unpacked(file: &[u8], threads: usize) -> (Vec<u8>, Option<String>) {
    let mut text = Vec::new();
    let mut rows = 0;
    let threads = NonZeroUsize::new(threads).unwrap();
    let done = open_bytes(file).unwrap().unpack_on(threads, |restored| {
        assert_eq!(restored.rows_between(rows, u64::MAX), restored.all());
        assert!(restored.rows() > rows);
        rows = restored.rows();
        text.extend_from_slice(restored.all());
        Ok::<(), ArchiveError>(())
    });
    (text, done.err().map(|error| error.to_string()))
}

/// Far inside of row groups, which are decoded a part at a time: the texts before the fault come out, in
/// order, and then the error, the same for any number of threads.
#[test]
fn any_number_of_threads_restores_the_same_up_to_the_same_fault() {
    let text: String = (0..13_000).map(game).collect();
    let options = PackOptions {
        row_group_bytes: 1 << 20,
        ..PackOptions::default()
    };
    let inputs = [("games.pgn".to_owned(), text.as_bytes())];
    let (file, _) = pack(inputs, Vec::new(), &options, |_, _| {}).unwrap();
    let archive = open_bytes(&file).unwrap();
    assert!(archive.row_groups() > 1 && archive.rows_in(0) > 4096);
    for threads in [1, 2, 3, 8] {
        assert!(unpacked(&file, threads) == (text.clone().into_bytes(), None));
    }
    let chunks = chunks(&file);
    let end = chunks.last().unwrap().end;
    let mut random = Random::new(13);
    let mut late = 0;
    for threads in [2, 3, 8].repeat(25) {
        let at = 4 + random.below(end - 4);
        let lied = with_flipped_bit(&file, &chunks, at, random.below(8));
        let (text, error) = unpacked(&lied, 1);
        late += u32::from(error.is_some() && !text.is_empty());
        assert!((text, error) == unpacked(&lied, threads), "byte {at}");
    }
    assert!(late > 5, "{late}");
}
