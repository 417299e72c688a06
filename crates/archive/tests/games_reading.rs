//! Games as they lie in the columns of an archive: what was packed, whatever columns are read.
#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::ops::ControlFlow;

use chess::Position;
use codec::{CodecName, Legality};
use pgn::{Game, Outcome};
use scoresheet_archive::games::{
    Archive, Buffer, Columns, Filter, GameDate, PackOptions, RowKind, TagValue, pack,
};
use testkit::Random;

const GAMES: &str = r#"[Event "Cup"]
[Site "https://lichess.org/abcd1234"]
[Date "2017.08.30"]
[Round "1"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[WhiteElo "2500"]
[BlackElo "2400?"]
[ECO "B90"]
[UTCDate "2017.08.30"]
[UTCTime "21:53:20"]
[WhiteRatingDiff "+5"]
[PlyCount "3"]
[Mood "fair"]

1. e4 { [%eval 0.17] [%clk 0:01:00] } 1... c5 { [%clk 0:00:59] } 2. Nf3 { [%eval #-3] [%clk 0:00:58] } 1-0

[Event "two places for a start"]
[Fen "4k3/8/8/8/8/8/7P/4K3 w - - 0 1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[fen "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"]

1. a4 *

[Event "Chess960"]
[SetUp "1"]
[Variant "Chess960"]
[FEN "bqrbnkrn/pppppppp/8/8/8/8/PPPPPPPP/BQRBNKRN w GCgc - 0 1"]
[Date "1999.??.??"]

1. e4 0-1

[Event "bad"]
[White "Cy"]
[Result "0-1"]

1. e5 *

[Event "an old date"]
[Date "30/8/1925"]
[Result "1/2"]

1. d4 d5 1/2-1/2
"#;

fn packed(text: &str, options: &PackOptions) -> Vec<u8> {
    let text: Box<dyn std::io::Read + Send> = Box::new(std::io::Cursor::new(text.to_owned()));
    let inputs = vec![("games.pgn".to_owned(), text)];
    pack(inputs, Vec::new(), options, |_, _| {}).unwrap().0
}

fn small_groups() -> PackOptions {
    PackOptions {
        row_group_bytes: 1 << 10,
        ..PackOptions::default()
    }
}

#[test]
fn a_game_is_what_was_packed() {
    let archive = Archive::open(packed(GAMES, &PackOptions::default())).unwrap();
    assert_eq!((archive.games(), archive.rows()), (5, 5));
    let group = archive.read(0).unwrap();
    let game = group.game(0);
    assert_eq!((game.number(), game.kind()), (1, RowKind::Game));
    assert_eq!((game.white(), game.black()), (Some("Ann"), Some("Bob")));
    assert_eq!((game.white_elo(), game.black_elo()), (Some(2500), None));
    let date = GameDate {
        year: 2017,
        month: 8,
        day: 30,
    };
    assert_eq!(game.date(), Some(date));
    assert_eq!(game.result(), Some(Outcome::WhiteWins));
    assert_eq!(
        (game.event(), game.eco(), game.round()),
        (Some("Cup"), Some("B90"), Some("1"))
    );
    for (name, value) in [
        ("Site", "https://lichess.org/abcd1234"),
        ("BlackElo", "2400?"),
        ("UTCDate", "2017.08.30"),
        ("UTCTime", "21:53:20"),
        ("WhiteRatingDiff", "+5"),
        ("PlyCount", "3"),
        ("Mood", "fair"),
    ] {
        assert_eq!(game.tag(name).unwrap().to_string(), value, "{name}");
    }
    assert_eq!(game.tag("Mood"), Some(TagValue::Text("fair")));
    assert_eq!(game.tag("BlackTitle"), None);
    assert_eq!(game.plies(), 3);
    assert_eq!(game.clocks().collect::<Vec<_>>(), [60, 59, 58]);
    assert_eq!(game.evals(), [17, -1_000_003]);
    assert_eq!(game.final_pawns(), Some(0x88));
    assert_eq!(game.final_pieces(), Some(0x1222_1222));
    // g1, e2, c7.
    assert_eq!(game.home_left(), Some(1 << 6 | 1 << 12 | 1 << 18));

    let moves = group.game(2).moves().unwrap();
    assert_eq!((moves.codec, moves.plies), (CodecName::Word, 1));
    assert_eq!(group.game(2).home_left(), None);
    let date = GameDate {
        year: 1999,
        month: 0,
        day: 0,
    };
    assert_eq!(group.game(2).date(), Some(date));

    let bad = group.game(3);
    assert_eq!((bad.kind(), bad.white()), (RowKind::Bad, Some("Cy")));
    assert!(bad.error().unwrap().contains("illegal"));
    assert_eq!(bad.moves(), None);

    assert_eq!(group.game(4).date(), None);
    assert_eq!(group.game(4).result(), Some(Outcome::Draw));
    let nothing = group.game(99);
    assert_eq!(
        (nothing.white(), nothing.moves(), nothing.plies()),
        (None, None, 0)
    );
    assert_eq!(nothing.start(), Position::START);
}

#[test]
fn moves_are_played_from_the_last_start_that_is_one() {
    let archive = Archive::open(packed(GAMES, &PackOptions::default())).unwrap();
    let group = archive.row_group(0, Columns::MOVES).unwrap();
    let mut played = 0;
    let mut reader = pgn::Reader::from_slice(GAMES.as_bytes());
    let mut builder = pgn::GameBuilder::new();
    for game in group.games() {
        let expected = reader.read_game(&mut builder).unwrap().unwrap();
        let Some(moves) = game.moves() else {
            assert!(expected.is_err());
            continue;
        };
        let expected: Game = expected.unwrap();
        assert_eq!(moves.start, *expected.start());
        let mut found = Vec::new();
        let replayed = moves.replay(Legality::Checked, |_, m| {
            found.push(m);
            ControlFlow::Continue(())
        });
        assert_eq!(replayed.unwrap().1, found.len());
        assert_eq!(
            found,
            expected
                .main_line()
                .moves()
                .iter()
                .flatten()
                .copied()
                .collect::<Vec<_>>()
        );
        played += 1;
        // Nothing else was read.
        assert_eq!((game.white(), game.final_pawns()), (None, None));
    }
    assert_eq!(played, 4);
}

#[test]
fn row_groups_are_read_by_many_threads_and_in_any_order() {
    let text = GAMES.repeat(20);
    let archive = Archive::open(packed(&text, &small_groups())).unwrap();
    assert!(archive.row_groups() > 5);
    let numbers: Vec<usize> = (0..archive.row_groups()).rev().collect();
    let mut parts: Vec<(usize, String)> = std::thread::scope(|scope| {
        let threads: Vec<_> = numbers
            .chunks(3)
            .map(|numbers| {
                let archive = &archive;
                scope.spawn(move || {
                    let restore = |&number: &usize| {
                        let group = archive.read(number).unwrap();
                        assert_eq!(group.first_row(), archive.rows_before(number));
                        let mut text = Vec::new();
                        group.restore_all(&mut text).unwrap();
                        (number, String::from_utf8(text).unwrap())
                    };
                    numbers.iter().map(restore).collect::<Vec<_>>()
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    parts.sort();
    let restored: String = parts.into_iter().map(|(_, text)| text).collect();
    assert!(restored == text);
}

#[test]
fn rows_are_found_by_number() {
    let archive = Archive::open(packed(&GAMES.repeat(20), &small_groups())).unwrap();
    for row in 0..archive.rows() {
        let (group, place) = archive.find_row(row).unwrap();
        assert_eq!(archive.rows_before(group) + place as u64, row);
        assert!((place as u64) < archive.rows_in(group));
    }
    assert_eq!(archive.find_row(archive.rows()), None);
    assert_eq!(archive.find_row(u64::MAX), None);
    assert!(
        archive
            .row_group(archive.row_groups(), Columns::ALL)
            .is_err()
    );
}

#[test]
fn all_tags_come_in_order() {
    let archive = Archive::open(packed(GAMES, &PackOptions::default())).unwrap();
    let group = archive.row_group(0, Columns::TAGS).unwrap();
    let mut buffer = Buffer::default();
    group.read_tags(0, &mut buffer).unwrap();
    let mut text = String::new();
    for (name, value) in buffer.tags() {
        text += &format!("[{} \"{}\"]\n", name.escape_ascii(), value.escape_ascii());
    }
    assert!(
        GAMES.starts_with(&text) && text.ends_with("[Mood \"fair\"]\n"),
        "{text}"
    );
}

/// More rows than a page has, and a column that is read in several pieces.
fn many_games() -> (String, Vec<String>) {
    let mut texts = Vec::new();
    let mut random = Random::new(5);
    let letters: Vec<char> = ('a'..='z').collect();
    let mut site = || -> String { (0..24).map(|_| random.pick(&letters)).collect() };
    for i in 0..9_000 {
        let clocks: String = (0..i % 7)
            .map(|j| ["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4"][j])
            .enumerate()
            .map(|(j, san)| match j % 2 {
                0 => format!("{}. {san} {{ [%clk 0:0{}:{:02}] }} ", j / 2 + 1, j, i % 60),
                _ => format!(
                    "{}... {san} {{ [%clk 0:0{}:{:02}] }} ",
                    j / 2 + 1,
                    j,
                    i % 60
                ),
            })
            .collect();
        let mood = if i % 9 == 0 { "[Mood \"fair\"]\n" } else { "" };
        texts.push(format!(
            "[Site \"{}\"]\n[White \"W{i}\"]\n[Black \"B{}\"]\n[Result \"*\"]\n{mood}\n{clocks}*\n\n",
            site(),
            i % 10
        ));
    }
    (texts.concat(), texts)
}

#[test]
fn single_games_are_read_from_their_pages() {
    let (text, texts) = many_games();
    let archive = Archive::open(packed(&text, &PackOptions::default())).unwrap();
    assert_eq!((archive.rows(), archive.row_groups()), (9_000, 1));
    let mut buffer = Buffer::default();
    for row in [
        0, 5, 1_023, 1_024, 4_094, 4_095, 4_096, 4_097, 8_191, 8_192, 8_999,
    ] {
        for count in [1, 2, 30] {
            let rows = archive
                .row_range(0, row..row + count, Columns::ALL)
                .unwrap();
            assert_eq!(rows.len(), count.min(9_000 - row));
            for (i, text) in texts[row..].iter().take(count).enumerate() {
                assert_eq!(rows.game(i).number(), (row + i + 1) as u64);
                let mut restored = Vec::new();
                rows.restore(i, &mut buffer, &mut restored).unwrap();
                assert_eq!(String::from_utf8(restored).unwrap(), *text);
            }
            let rows = archive.row_range(0, row..row + count, Columns::tag("White"));
            let white = format!("W{row}");
            assert_eq!(rows.unwrap().game(0).white(), Some(white.as_str()));
        }
    }
    for rows in [0..0, 9_000..9_001, 99_999..100_000] {
        assert!(archive.row_range(0, rows, Columns::ALL).unwrap().is_empty());
    }
    assert!(archive.row_range(1, 0..1, Columns::ALL).is_err());
}

#[test]
fn row_groups_without_such_games_are_skipped_and_no_game_is_missed() {
    let text: String = (0..60)
        .map(|i| {
            let date = match i % 5 {
                0 => format!("[UTCDate \"{}.01.01\"]\n", 1900 + i),
                1 => format!("[Date \"{}.??.??\"]\n", 1900 + i),
                2 => "[Date \"unknown\"]\n".to_owned(),
                _ => format!("[Date \"{}.05.06\"]\n", 1900 + i),
            };
            let elo = if i % 3 == 0 {
                "?".to_owned()
            } else {
                (1000 + i * 10).to_string()
            };
            format!(
                "[Event \"E\"]\n{date}[White \"W{i:02}\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\
                 [WhiteElo \"{elo}\"]\n[BlackElo \"{}\"]\n[ECO \"A{i:02}\"]\n\n1. e4 1-0\n\n",
                1000 + i * 10
            )
        })
        .collect();
    let archive = Archive::open(packed(&text, &small_groups())).unwrap();
    assert!(archive.row_groups() > 4);
    let filter = || Filter::default();
    let filters = [
        Filter {
            white: Some("=W07".parse().unwrap()),
            ..filter()
        },
        Filter {
            player: Some("=W33".parse().unwrap()),
            ..filter()
        },
        Filter {
            elo: Some("1500-".parse().unwrap()),
            ..filter()
        },
        Filter {
            white_elo: Some("-1050".parse().unwrap()),
            ..filter()
        },
        Filter {
            black_elo: Some("1200-1210".parse().unwrap()),
            ..filter()
        },
        Filter {
            date: Some("1910-1915".parse().unwrap()),
            ..filter()
        },
        Filter {
            date: Some("1943.05-1944".parse().unwrap()),
            ..filter()
        },
        Filter {
            eco: Some("A10-A12".parse().unwrap()),
            ..filter()
        },
        Filter {
            eco: Some("B".parse().unwrap()),
            ..filter()
        },
    ];
    for filter in filters {
        let (mut skipped, mut found) = (0, 0);
        for number in 0..archive.row_groups() {
            let rows = archive.row_group(number, filter.columns()).unwrap();
            let whole = archive.read(number).unwrap();
            let count = rows.games().filter(|game| filter.matches(*game)).count();
            // The columns of the filter are enough for it.
            let again = whole.games().filter(|game| filter.matches(*game)).count();
            assert_eq!(count, again, "{filter:?}");
            if !filter.may_match(&archive, number) {
                assert_eq!(count, 0, "{filter:?}");
                skipped += 1;
            }
            found += count;
        }
        assert!(skipped > 0, "{filter:?}");
        assert!(found > 0 || skipped == archive.row_groups(), "{filter:?}");
    }
    assert!(filter().matches(archive.read(0).unwrap().game(0)));
}
