//! `scoresheet find` and `scoresheet explore`: a small collection with known answers.
#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Five games. Games 1 and 2 come to the same Sicilian by different ways; game 3 castles, takes in
/// passing and promotes to a knight; game 4 ends in mate; game 5 starts from a rook ending.
const GAMES: &str = r#"[Event "A"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[Date "2001.02.03"]
[WhiteElo "2600"]
[BlackElo "2500"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 1-0

[Event "B"]
[White "Bob"]
[Black "Cid"]
[Result "1/2-1/2"]
[Date "2002.??.??"]
[WhiteElo "2500"]
[BlackElo "2400"]

1. Nf3 c5 2. e4 Nc6 3. Bb5 1/2-1/2

[Event "C"]
[White "Cid"]
[Black "Ann"]
[Result "0-1"]
[Date "1999.12.31"]

1. e4 e6 2. e5 d5 3. exd6 Nf6 4. dxc7 Bd6 5. cxb8=N O-O 0-1

[Event "D"]
[White "Dan"]
[Black "Ann"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "E"]
[White "Eve"]
[Black "Bob"]
[Result "*"]
[SetUp "1"]
[FEN "8/5k2/5p2/8/8/4P3/3PK3/r6R w - - 0 40"]

40. Rh7+ Kg6 41. Rh8 Ra2 42. Kf3 *
"#;

/// A question, and games with the plies of their matches.
type Case<'a> = (&'a [&'a str], &'a [(u64, &'a [u64])]);

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("games.pgn"), GAMES).unwrap();
        let folder = Folder(path);
        let (code, _, err) = folder.run(&["pack", "games.pgn", "-o", "games.scoresheet"]);
        assert_eq!(code, 0, "{err}");
        folder
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_scoresheet"))
            .args(args)
            .current_dir(&self.0)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    }

    /// Games and first plies, from the archive and from the text: they must agree.
    fn find(&self, args: &[&str]) -> Vec<(u64, Vec<u64>)> {
        let mut both = Vec::new();
        for file in ["games.scoresheet", "games.pgn"] {
            let (code, out, err) = self.run(&[&["find", file, "--json"], args].concat());
            assert!(code == 0 || code == 1, "{code} {err}");
            let found: Vec<(u64, Vec<u64>)> = out
                .lines()
                .map(|line| {
                    let hit: Value = serde_json::from_str(line).unwrap();
                    let plies = hit["matches"][0]["plies"].as_array().unwrap();
                    let plies = plies.iter().map(|ply| ply.as_u64().unwrap());
                    (hit["game"].as_u64().unwrap(), plies.collect())
                })
                .collect();
            assert_eq!(code, i32::from(found.is_empty()));
            both.push(found);
        }
        assert_eq!(both[0], both[1], "{args:?}");
        both.remove(0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn known_answers_by_every_kind_of_question() {
    let folder = Folder::new("find-known");
    let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R";
    let cases: &[Case] = &[
        (&["--fen", sicilian], &[(1, &[3]), (2, &[3])]),
        (
            &["--fen", &format!("{sicilian} b KQkq -")],
            &[(1, &[3]), (2, &[3])],
        ),
        (&["--fen", &format!("{sicilian} w KQkq -")], &[]),
        (&["--subfen", "8/8/8/1B6/4P3/5N2/8/8"], &[(2, &[5])]),
        (&["--subfen", "8/8/8/8/8/5B2/8/8"], &[]),
        (&["--subfen", "8/8/8/6B1/3P4/2N5/8/8"], &[]),
        (
            &["--subfen", "8/8/8/6B1/3P4/2N5/8/8", "--mirror"],
            &[(2, &[5])],
        ),
        (
            &[
                "--subfen",
                "8/8/5n2/4p3/1b6/8/8/8",
                "--flip-colors",
                "--mirror",
            ],
            &[(2, &[5])],
        ),
        (&["--material", "KRPPvKRP"], &[(5, &[0])]),
        (&["--material", "KRPvKRP+", "--flip-colors"], &[(5, &[0])]),
        (&["--material", "KRPPvKRP", "--for", "6"], &[(5, &[0])]),
        (&["--material", "KRPPvKRP", "--for", "7"], &[]),
        (&["--imbalance", "vP"], &[(1, &[6])]),
        (&["--moves", "Nf3 ... Bb5"], &[(2, &[0, 4])]),
        (&["--moves", "e4 c5"], &[(1, &[0])]),
        (&["--moves", "2. e4"], &[(2, &[2])]),
        (&["--path", "e2-e4-e5-d6"], &[(3, &[4])]),
        (&["--path", "e4-e5-d6-c7-b8"], &[(3, &[8])]),
        (&["--event", "checkmate"], &[(4, &[4])]),
        (&["--event", "en-passant"], &[(3, &[4])]),
        (&["--event", "underpromotion"], &[(3, &[8])]),
        (&["--event", "castling", "--turn", "black"], &[(3, &[9])]),
        (&["--event", "castling", "--turn", "white"], &[]),
        (
            &["--pawns", "8/pp2pppp/3p4/8/3pP3/8/PPP2PPP/8"],
            &[(1, &[6])],
        ),
        (
            &["--player", "ann", "--moves", "e4"],
            &[(1, &[0]), (3, &[0])],
        ),
        (&["--white", "Bob", "--moves", "e4"], &[(2, &[2])]),
        (&["--result", "0-1", "--moves", "e4"], &[(3, &[0])]),
        (&["--elo", "2450-", "--moves", "e4"], &[(1, &[0])]),
        (&["--date", "1999", "--moves", "e4"], &[(3, &[0])]),
        (
            &[
                "--query",
                r#"{ "captured": "P", "moved": "P", "stm": "black" }"#,
            ],
            &[(1, &[5])],
        ),
        (
            &["--query", r#"{ "white-move": "Nf3", "result": "1/2-1/2" }"#],
            &[(2, &[0])],
        ),
        (
            &["--query", r#"{ "pass": "", "result-type": "mate" }"#],
            &[(4, &[0])],
        ),
        (
            &[
                "--query",
                r#"{ "sequence": [ { "white-move": "e4" }, { "streak": [ { "white-move": "d4" }, { "black-move": "cxd4" } ] } ] }"#,
            ],
            &[(1, &[0, 4])],
        ),
        (
            &["--query", r#"{ "pass": "", "skip": 1, "limit": 2 }"#],
            &[(2, &[0]), (3, &[0])],
        ),
    ];
    for (args, expected) in cases {
        let expected: Vec<(u64, Vec<u64>)> = expected
            .iter()
            .map(|(game, plies)| (*game, plies.to_vec()))
            .collect();
        assert_eq!(folder.find(args), expected, "{args:?}");
    }
}

#[test]
fn every_form_of_output() {
    let folder = Folder::new("find-forms");
    let find = |args: &[&str]| {
        folder.run(&[&["find", "games.scoresheet", "--moves", "e4"], args].concat())
    };
    assert_eq!(
        find(&["--count", "-q"]),
        (0, "3\n".to_owned(), String::new())
    );
    let (_, table, talk) = find(&[]);
    assert!(
        table.starts_with("game  white") && table.contains("2. e4"),
        "{table}"
    );
    assert!(talk.contains("3 of 5 games match"), "{talk}");
    let (_, fens, _) = find(&["--fens", "--limit", "1"]);
    assert_eq!(
        fens,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
    );
    let (_, pgn, _) = find(&["--pgn", "--limit", "1"]);
    assert!(
        pgn.contains("[MatchPly \"0\"]\n[MatchFEN \"rnbqkbnr/") && pgn.contains("\n{match} 1. e4"),
        "{pgn}"
    );
    fs::write(folder.0.join("found.pgn"), pgn).unwrap();
    assert_eq!(folder.run(&["check", "found.pgn"]).0, 0);
    let (_, all, _) = folder.run(&[
        "find",
        "games.scoresheet",
        "--event",
        "capture",
        "--all",
        "--json",
    ]);
    let captures = all.lines().map(|line| {
        let hit: Value = serde_json::from_str(line).unwrap();
        hit["matches"].as_array().unwrap().len()
    });
    assert_eq!(captures.collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn a_match_is_marked_among_the_moves() {
    let folder = Folder::new("find-marked");
    let game = "[White \"Ann\"]\n\n1. e4 {[%clk 1:00] Nf3} e5!? $10 (1... c5 2. Nf3) 2. Nf3!{good}\n Nc6 3. Bb5 *\n";
    fs::write(folder.0.join("marked.pgn"), game).unwrap();
    let find = |query: &str| {
        let (code, pgn, err) = folder.run(&[
            "find",
            "marked.pgn",
            "--pgn",
            "--all",
            "-q",
            "--query",
            query,
        ]);
        assert_eq!(code, 0, "{err}");
        fs::write(folder.0.join("again.pgn"), &pgn).unwrap();
        assert_eq!(folder.run(&["check", "again.pgn"]).0, 0, "{pgn}");
        pgn
    };
    // Before the move of the match, and after what belongs to the one before it.
    let pgn = find(r#"{ "moved": "N" }"#);
    assert!(
        pgn.contains("1. e4 {[%clk 1:00] Nf3} e5!? {match} $10 (1..."),
        "{pgn}"
    );
    assert!(pgn.contains("2. Nf3! {match}{good}\n Nc6 3."), "{pgn}");
    let pgn = find(r#"{ "moves": "e4 ... Bb5" }"#);
    assert!(
        pgn.contains("\n\n{match} 1. e4") && pgn.contains("Nc6 {match} 3. Bb5 *"),
        "{pgn}"
    );
    assert_eq!(pgn.matches("MatchPly").count(), 1);
}

/// Ctrl-C while it reads, and while an index is built.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_leaves_nothing_behind() {
    let folder = Folder::new("find-interrupt");
    let interrupt = |child: &mut Child| {
        let id = child.id().to_string();
        let done = Command::new("kill").args(["-s", "INT", &id]).status();
        assert!(done.unwrap().success());
        child.wait().unwrap()
    };
    let start = |args: &[&str]| {
        // A shell that starts the tests in the background has them ignore Ctrl-C.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_scoresheet")]);
        command
            .current_dir(&folder.0)
            .args(args)
            .stdin(Stdio::piped());
        command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    // It waits for more input, and must not wait any longer.
    let mut child = start(&["find", "-", "--moves", "e4"]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(GAMES.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    assert!(!interrupt(&mut child).success());

    fs::write(folder.0.join("many.pgn"), GAMES.repeat(4_000)).unwrap();
    assert_eq!(
        folder.run(&["pack", "many.pgn", "-o", "many.scoresheet"]).0,
        0
    );
    let index = folder.0.join("many.scoresheet.index");
    let build = [
        "explore",
        "index",
        "many.scoresheet",
        "--force",
        "--memory",
        "1",
    ];
    let begin = Instant::now();
    assert!(start(&build).wait().unwrap().success());
    let whole = begin.elapsed();
    let new = fs::read(&index).unwrap();
    let mut unfinished = 0;
    for round in 0..8 {
        fs::write(&index, "old").unwrap();
        let mut child = start(&build);
        std::thread::sleep(whole * round / 8 + Duration::from_millis(1));
        interrupt(&mut child);
        let found = fs::read(&index).unwrap();
        assert!(
            found == b"old" || found == new,
            "round {round}: half an index"
        );
        unfinished += u32::from(found == b"old");
        let names = fs::read_dir(&folder.0).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), 5, "{names:?}");
    }
    assert!(unfinished > 0, "it was never in time");
}

#[test]
fn bad_questions_are_told_with_their_place() {
    let folder = Folder::new("find-bad");
    for (args, told) in [
        (&["--fen", "nonsense"][..], "fen: character 1"),
        (&["--subfen", "8/8/8"], "eight ranks"),
        (&["--material", "KXvK"], "character 2"),
        (&["--moves", "e4 Zz9"], "character 4"),
        (&["--path", "Nb1-z9"], "character 5"),
        (&["--query", "{ \"nonsense\": 1 }"], "a rule"),
        (&["--query", "{"], "JSON"),
        (&["--query", "[]"], "braces"),
        (&["--event", "tea"], "checkmate"),
        (&[], "nothing is asked"),
    ] {
        let (code, out, err) = folder.run(&[&["find", "games.scoresheet"], args].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{args:?} {err}");
        assert!(err.contains(told), "{args:?} {err}");
    }
    assert_eq!(
        folder
            .run(&["find", "games.scoresheet", "--moves", "h4 h5 Rh3"])
            .0,
        1
    );
    assert_eq!(folder.run(&["find", "missing.pgn", "--moves", "e4"]).0, 5);
    // Columns that are not asked for are not read: damage is told, or does not matter.
    let find = |name: &str| folder.run(&["find", name, "--pgn", "--moves", "e4"]);
    let (_, answer, _) = find("games.scoresheet");
    let bytes = fs::read(folder.0.join("games.scoresheet")).unwrap();
    let mut told = 0;
    for place in (4..bytes.len()).step_by(bytes.len() / 40) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        fs::write(folder.0.join("damaged.scoresheet"), damaged).unwrap();
        let (code, out, err) = find("damaged.scoresheet");
        told += u32::from(code == 4);
        assert!(
            code == 4 || code == 0 && out == answer,
            "{place}: {code} {err}"
        );
    }
    assert!(told > 20, "{told}");
}

fn explore(folder: &Folder, args: &[&str]) -> (i32, Value) {
    let (code, out, err) = folder.run(&[&["explore", "games.scoresheet", "--json"], args].concat());
    (
        code,
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}")),
    )
}

#[test]
fn the_index_answers_as_the_scan_does() {
    let folder = Folder::new("explore");
    let (code, _, err) = folder.run(&["explore", "index", "games.scoresheet"]);
    assert_eq!(code, 0, "{err}");
    for moves in [
        "",
        "e4",
        "e4 c5",
        "Nf3 c5",
        "e4 c5 Nf3",
        "f3 e5 g4",
        "f3 e5 g4 Qh4#",
        "h4",
    ] {
        let (code, by_index) = explore(&folder, &["--moves", moves]);
        let (scan_code, by_scan) = explore(&folder, &["--moves", moves, "--no-index"]);
        assert_eq!(code, scan_code);
        assert_eq!(by_index["by_index"], true);
        assert_eq!(by_scan["by_index"], false);
        for part in ["fen", "opening", "total", "moves", "games"] {
            assert_eq!(by_index[part], by_scan[part], "{part} after {moves}");
        }
    }
    let (_, answer) = explore(&folder, &["--moves", "e4 c5"]);
    assert_eq!(answer["total"]["games"], 1);
    let nf3 = &answer["moves"][0];
    // Bob came to the position after 2. Nf3 by 1. Nf3 c5 2. e4.
    assert_eq!(
        (&nf3["move"], &nf3["games"], &nf3["transposed"]),
        (&"Nf3".into(), &1.into(), &1.into())
    );
    assert_eq!(nf3["average_elo"], 2600);
    assert!(
        answer["opening"]["name"]
            .as_str()
            .unwrap()
            .starts_with("Sicilian")
    );
    let (_, answer) = explore(&folder, &["--white", "Bob"]);
    assert_eq!(
        (&answer["total"]["games"], &answer["by_index"]),
        (&1.into(), &false.into())
    );
    assert_eq!(explore(&folder, &["--moves", "h4"]).0, 1);
}

#[test]
fn the_same_index_for_any_number_of_threads_and_little_memory() {
    let folder = Folder::new("explore-threads");
    // Several row groups, and more entries than a mebibyte holds: they go to files and come back.
    let classics = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/classics.pgn");
    let classics = fs::read(classics).unwrap();
    fs::write(folder.0.join("many.pgn"), classics.repeat(100)).unwrap();
    let args = [
        "pack",
        "many.pgn",
        "-o",
        "many.scoresheet",
        "--memory",
        "8M",
        "-q",
    ];
    assert_eq!(folder.run(&args).0, 0);
    let mut indices = Vec::new();
    for (name, threads, memory) in [("a", "1", "256"), ("b", "2", "1"), ("c", "8", "1")] {
        let args = ["explore", "index", "many.scoresheet", "-o", name];
        let more = ["--threads", threads, "--memory", memory];
        assert_eq!(folder.run(&[&args[..], &more].concat()).0, 0);
        indices.push(fs::read(folder.0.join(name)).unwrap());
    }
    assert!(indices.windows(2).all(|pair| pair[0] == pair[1]));
}

/// What games have left at their end rules them out before their moves are read, and that is told.
#[test]
fn games_that_are_skipped_are_told() {
    let folder = Folder::new("find-skipped");
    // After 1. f3 e5 2. g4: in games 1, 2 and 3 the pawns of f2 and g2 never leave.
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let (code, out, err) = folder.run(&["find", "games.scoresheet", "--fen", fen, "--count"]);
    assert_eq!((code, out.trim()), (0, "1"), "{err}");
    assert!(err.contains("1 of 5 games match"), "{err}");
    assert!(err.contains("3 skipped unread"), "{err}");
}

/// The number of the format is looked at before anything that could be otherwise in another version.
#[test]
fn indices_of_other_versions_are_refused_by_number() {
    let folder = Folder::new("explore-version");
    assert_eq!(folder.run(&["explore", "index", "games.scoresheet"]).0, 0);
    let index = folder.0.join("games.scoresheet.index");
    let whole = fs::read(&index).unwrap();
    let name = b"scoresheet.index.version";
    let key = whole.windows(name.len()).position(|part| part == name);
    let value = key.unwrap() + name.len() + 2;
    assert_eq!(whole[value], b'2');
    for (version, words) in [(b'1', "no checksums"), (b'3', "use a newer program")] {
        let mut other = whole.clone();
        other[value] = version;
        fs::write(&index, other).unwrap();
        let (code, _, err) = folder.run(&["explore", "games.scoresheet"]);
        assert!(code == 3 && err.contains(words), "{code} {err}");
    }
}

#[test]
fn foreign_and_broken_indices_are_refused() {
    let folder = Folder::new("explore-stale");
    assert_eq!(folder.run(&["explore", "index", "games.scoresheet"]).0, 0);
    let index = folder.0.join("games.scoresheet.index");
    // It is there already.
    assert_eq!(folder.run(&["explore", "index", "games.scoresheet"]).0, 2);
    fs::write(folder.0.join("games.pgn"), &GAMES[..GAMES.len() / 2]).unwrap();
    folder.run(&["pack", "games.pgn", "-o", "games.scoresheet", "--force"]);
    let (code, _, err) = folder.run(&["explore", "games.scoresheet"]);
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("another archive"), "{err}");
    assert_eq!(
        folder
            .run(&["explore", "index", "games.scoresheet", "--force"])
            .0,
        0
    );
    let whole = fs::read(&index).unwrap();
    for cut in [0, 3, whole.len() / 2, whole.len() - 1] {
        fs::write(&index, &whole[..cut]).unwrap();
        let (code, _, err) = folder.run(&["explore", "games.scoresheet"]);
        assert!(code == 4 || code == 3, "{code} {err}");
    }
    let (code, _, err) =
        folder.run(&["explore", "games.scoresheet", "--index", "games.scoresheet"]);
    assert_eq!(code, 3, "{err}");
    assert_eq!(
        folder
            .run(&["explore", "games.scoresheet", "--moves", "e5"])
            .0,
        2
    );
    assert_eq!(
        folder.run(&["explore", "games.scoresheet", "--fen", "x"]).0,
        2
    );
}
