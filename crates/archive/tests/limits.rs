//! Every limit one below, at, and one above: `FORMAT.md` §1.7.
#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use chess::{Move, Position, Square};
use pgn::Outcome;
use scoresheet_archive::bcgn::{
    Draft, Format, Level, MAX_GAME_BYTES, MAX_PLIES, MAX_STRING_BYTES, MAX_TAGS, Reader, Writer,
};
use scoresheet_archive::{ArchiveError, FormatFault, Limit, Refusal};

fn file(format: Format, draft: &Draft<'_>) -> Result<Vec<u8>, ArchiveError> {
    let mut writer = Writer::new(Vec::new(), format)?;
    writer.write(draft)?;
    writer.finish()
}

/// Written and read back: the refusal, or the draft again.
fn round_trip(format: Format, draft: &Draft<'_>) -> Result<(), Refusal> {
    let bytes = match file(format, draft) {
        Ok(bytes) => bytes,
        Err(ArchiveError::Refused(refusal)) => return Err(refusal),
        Err(error) => panic!("{error}"),
    };
    let mut reader = Reader::new(&bytes[..]).unwrap();
    let entry = reader.next_entry().unwrap().unwrap();
    let header = entry.header().unwrap();
    let read = Draft {
        info: header.info,
        result: header.result,
        start: header.start,
        tags: header.tags.collect(),
        moves: entry.moves().unwrap(),
    };
    assert_eq!(&read, draft);
    assert!(reader.next_entry().unwrap().is_none());
    Ok(())
}

fn limit(what: &'static str, found: usize, max: usize) -> Result<(), Refusal> {
    Err(Refusal::Limit(Limit { what, found, max }))
}

/// Knights out and back.
fn shuffle(plies: usize) -> Vec<Move> {
    let cycle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let quiet = |text: &str| {
        let square = |text: &str| text.parse::<Square>().unwrap();
        Move::new(
            square(&text[..2]),
            square(&text[2..]),
            chess::MoveKind::Quiet,
        )
    };
    cycle
        .iter()
        .cycle()
        .take(plies)
        .map(|text| quiet(text))
        .collect()
}

#[test]
fn plies() {
    for format in Format::all() {
        for plies in [MAX_PLIES - 1, MAX_PLIES, MAX_PLIES + 1] {
            let draft = Draft {
                moves: shuffle(plies),
                result: Outcome::Draw,
                ..Draft::default()
            };
            let expected = if plies > MAX_PLIES {
                limit("plies", plies, MAX_PLIES)
            } else {
                Ok(())
            };
            assert_eq!(round_trip(format, &draft), expected);
        }
    }
}

#[test]
fn strings() {
    let format = Format::new(Level::Packed);
    for length in [MAX_STRING_BYTES - 1, MAX_STRING_BYTES, MAX_STRING_BYTES + 1] {
        let text = vec![b'x'; length];
        let whats = [
            "White bytes",
            "Black bytes",
            "Event bytes",
            "Site bytes",
            "tag name bytes",
            "tag value bytes",
        ];
        for (i, what) in whats.into_iter().enumerate() {
            let mut draft = Draft::default();
            match i {
                0 => draft.info.white = &text,
                1 => draft.info.black = &text,
                2 => draft.info.event = &text,
                3 => draft.info.site = &text,
                4 => draft.tags = vec![(&text, b"y")],
                _ => draft.tags = vec![(b"y", &text)],
            }
            let expected = if length > MAX_STRING_BYTES {
                limit(what, length, MAX_STRING_BYTES)
            } else {
                Ok(())
            };
            assert_eq!(round_trip(format, &draft), expected);
            // Without headers there is nothing to refuse.
            assert!(file(format.headerless(), &draft).is_ok());
        }
    }
}

#[test]
fn tags() {
    for count in [MAX_TAGS - 1, MAX_TAGS, MAX_TAGS + 1] {
        let draft = Draft {
            tags: vec![(b"Name", b"Value"); count],
            ..Draft::default()
        };
        let expected = if count > MAX_TAGS {
            limit("tags", count, MAX_TAGS)
        } else {
            Ok(())
        };
        assert_eq!(round_trip(Format::new(Level::Index), &draft), expected);
    }
}

#[test]
fn game_bytes() {
    let long = [b'x'; 255];
    for format in Level::ALL.map(Format::new) {
        for size in [MAX_GAME_BYTES - 1, MAX_GAME_BYTES, MAX_GAME_BYTES + 1] {
            // 24 bytes without tags; 128 tags of 512 bytes would be 65,536.
            let mut left = size - 24;
            let mut tags: Vec<(&[u8], &[u8])> = Vec::new();
            while left > 0 {
                let both = (left - 2).min(400);
                tags.push((&long[..both / 2], &long[..both - both / 2]));
                left -= both + 2;
                // Not less than a tag may be left.
                if left == 1 {
                    let (name, value) = tags.pop().unwrap();
                    tags.push((&name[..name.len() - 1], value));
                    left += 1;
                }
            }
            let draft = Draft {
                tags,
                ..Draft::default()
            };
            let expected = if size > MAX_GAME_BYTES {
                limit("game bytes", size, MAX_GAME_BYTES)
            } else {
                Ok(())
            };
            assert_eq!(round_trip(format, &draft), expected, "{size}");
        }
    }
}

#[test]
fn an_entry_of_65_535_bytes_is_refused_by_the_reader() {
    let mut bytes = Format::new(Level::Index).to_bytes().to_vec();
    bytes.extend([0xff; 65_535]);
    let error = Reader::new(&bytes[..]).unwrap().next_entry().unwrap_err();
    let fault = FormatFault::Limit(Limit {
        what: "game bytes",
        found: 65_535,
        max: MAX_GAME_BYTES,
    });
    assert!(matches!(error, ArchiveError::Format { offset: 32, fault: f } if f == fault));
}

#[test]
fn castling_rights_without_their_corner_are_refused() {
    for (fen, refusal) in [
        (
            "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1",
            Refusal::CastlingRook { square: Square::G1 },
        ),
        (
            "1r2k3/8/8/8/8/8/8/4K3 w b - 0 1",
            Refusal::CastlingRook { square: Square::B8 },
        ),
        (
            "4k3/8/8/8/8/8/8/3K3R w H - 0 1",
            Refusal::CastlingKing { square: Square::D1 },
        ),
        (
            "r5k1/8/8/8/8/8/8/4K3 w a - 0 1",
            Refusal::CastlingKing { square: Square::G8 },
        ),
    ] {
        let start: Position = fen.parse().unwrap();
        let draft = Draft {
            start: Some(start),
            ..Draft::default()
        };
        for format in Format::all() {
            assert_eq!(round_trip(format, &draft), Err(refusal.clone()), "{fen}");
        }
        assert_eq!(refusal.kind(), "chess960");
    }
    // The same letters with the rook on its corner are fine.
    let start: Position = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1".parse().unwrap();
    let draft = Draft {
        start: Some(start),
        ..Draft::default()
    };
    Format::all()
        .iter()
        .for_each(|f| round_trip(*f, &draft).unwrap());
}

#[test]
fn a_null_move_and_an_illegal_one_are_refused() {
    let game = pgn::Game::parse(b"1. e4 -- 2. d4 *").unwrap();
    assert_eq!(
        Draft::from_pgn(&game).unwrap_err(),
        Refusal::NullMove { ply: 1 }
    );
    let draft = Draft {
        moves: vec![shuffle(1)[0], shuffle(1)[0]],
        ..Draft::default()
    };
    for format in Format::all() {
        assert!(matches!(round_trip(format, &draft), Err(Refusal::Moves(_))));
    }
}
