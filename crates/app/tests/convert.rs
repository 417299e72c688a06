//! `scoresheet convert`, the program itself: files, pipes, refusals, exit codes.
#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const GOOD: &str = "[Event \"x\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Round \"3.1\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
                    [Event \"y\"]\n\n1. d4 *\n";
const ANNOTATED: &str = "[Event \"x\"]\n\n1. e4! {best} (1. d4 d5) 1... e5 1-0\n";
const BAD: &str =
    "[Event \"x\"]\n\n1. e4 1-0\n\n[Event \"bad\"]\n\n1. e5 *\n\n[Event \"z\"]\n\n1. d4 *\n";
const CHESS960: &str = "[Event \"x\"]\n[FEN \"bqrbnkrn/pppppppp/8/8/8/8/PPPPPPPP/BQRBNKRN w GCgc - 0 1\"]\n\n1. e4 *\n";

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), content).unwrap();
    }

    fn get(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let names = entries.map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scoresheet"));
        command
            .arg("convert")
            .args(args.split_whitespace())
            .current_dir(&self.0);
        command
    }

    fn convert(&self, args: &str) -> (i32, String, String) {
        told(self.command(args).output().unwrap())
    }

    fn pipe(&self, args: &str, input: &[u8]) -> Output {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn told(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn there_and_back_in_all_six_forms() {
    let folder = Folder::new("there_and_back");
    folder.put("in.pgn", GOOD);
    for level in 0..3 {
        for form in ["", "--headerless"] {
            let args = format!("in.pgn out.bcgn --force --level {level} {form}");
            let (code, out, err) = folder.convert(&args);
            assert_eq!((code, out.as_str()), (0, ""), "{err}");
            assert!(
                err.starts_with("2 games read, 2 written: 4 moves, "),
                "{err}"
            );
            let head = folder.get("out.bcgn")[..8].to_vec();
            assert_eq!(
                head,
                [
                    b"BCGN\0".as_slice(),
                    &[level, 0, 128 * u8::from(!form.is_empty())]
                ]
                .concat()
            );
            let (code, _, err) = folder.convert("out.bcgn back.pgn --force");
            assert_eq!(code, 0, "{err}");
            let back = String::from_utf8(folder.get("back.pgn")).unwrap();
            assert!(back.contains("1. e4 e5 2. Nf3 1-0\n"), "{back}");
            assert_eq!(
                back.contains("[Round \"3.1\"]\n[White \"Ann\"]\n"),
                form.is_empty()
            );
        }
    }
    assert_eq!(folder.names(), ["back.pgn", "in.pgn", "out.bcgn"]);
}

#[test]
fn pipes_need_formats_and_carry_games() {
    let folder = Folder::new("pipes");
    let (code, _, err) = folder.convert("- -");
    assert_eq!(code, 2);
    assert!(err.contains("say --from pgn or --from bcgn"), "{err}");
    let there = folder.pipe("- - --from pgn --to bcgn --json", GOOD.as_bytes());
    assert_eq!(there.status.code(), Some(0));
    assert!(there.stdout.starts_with(b"BCGN\0\x02"));
    // Games go to standard output, so the report goes to the other.
    let report = String::from_utf8(there.stderr).unwrap();
    assert!(report.contains("\"games_written\":2"), "{report}");
    let back = folder.pipe("- - --from bcgn --to pgn", &there.stdout);
    assert!(String::from_utf8(back.stdout).unwrap().contains("1. d4 *"));
    assert!(folder.names().is_empty());
}

#[test]
fn what_is_lost_is_told_and_strict_refuses_it() {
    let folder = Folder::new("lost");
    for (text, code, kinds) in [
        (ANNOTATED, 0, "not kept: 1 NAGs, 1 comments, 1 variations"),
        (BAD, 3, "games left out: 1 illegal-move"),
        (CHESS960, 3, "games left out: 1 chess960"),
    ] {
        folder.put("in.pgn", text);
        let (found, _, err) = folder.convert("in.pgn out.bcgn --force");
        assert_eq!(found, code, "{err}");
        assert!(err.contains(kinds), "{err}");
        fs::remove_file(folder.0.join("out.bcgn")).unwrap();
        let (found, _, err) = folder.convert("in.pgn out.bcgn --strict");
        assert_eq!(found, 3, "{err}");
        assert!(
            err.contains("--strict allows no loss; nothing is written"),
            "{err}"
        );
        assert_eq!(folder.names(), ["in.pgn"]);
    }
    folder.put("in.pgn", BAD);
    let (_, _, err) = folder.convert("in.pgn out.bcgn");
    assert!(
        err.contains("warning: in.pgn: game 2, line 7, byte "),
        "{err}"
    );
    let (_, _, err) = folder.convert("out.bcgn out.pgn");
    assert!(err.starts_with("2 games read, 2 written"), "{err}");
}

#[test]
fn a_game_over_a_limit_is_left_out_by_name() {
    let folder = Folder::new("limit");
    folder.put(
        "in.pgn",
        format!("[White \"{}\"]\n\n1. e4 *\n\n{GOOD}", "x".repeat(256)),
    );
    let (code, _, err) = folder.convert("in.pgn out.bcgn");
    assert_eq!(code, 3);
    let expected =
        "game 1, line 1, byte 0: too large for BCGN: White bytes: 256, and the limit is 255";
    assert!(err.contains(expected), "{err}");
    assert!(err.contains("games left out: 1 White bytes"), "{err}");
    let (code, _, _) = folder.convert("in.pgn bare.bcgn --headerless");
    assert_eq!(code, 0, "without headers there is no name");
}

#[test]
fn an_existing_output_is_refused_without_force() {
    let folder = Folder::new("exists");
    folder.put("in.pgn", GOOD);
    folder.put("out.bcgn", "mine");
    let (code, _, err) = folder.convert("in.pgn out.bcgn");
    assert_eq!(
        (code, err.as_str()),
        (2, "error: out.bcgn exists; --force replaces it\n")
    );
    assert_eq!(folder.get("out.bcgn"), b"mine");
    assert_eq!(folder.convert("in.pgn out.bcgn --force").0, 0);
    assert!(folder.get("out.bcgn").starts_with(b"BCGN"));
    // What fails on the way leaves the old file.
    folder.put("in.bcgn", "no such thing");
    folder.put("old.pgn", "mine");
    assert_eq!(folder.convert("in.bcgn old.pgn --force").0, 3);
    assert_eq!(folder.get("old.pgn"), b"mine");
    assert_eq!(folder.names(), ["in.bcgn", "in.pgn", "old.pgn", "out.bcgn"]);
}

#[test]
fn exit_codes_tell_damage_from_input_and_output() {
    let folder = Folder::new("exit_codes");
    folder.put("in.pgn", GOOD);
    folder.convert("in.pgn good.bcgn");
    let good = folder.get("good.bcgn");
    folder.put("cut.bcgn", &good[..good.len() - 1]);
    let (code, _, err) = folder.convert("cut.bcgn cut.pgn");
    assert_eq!(code, 4);
    assert!(err.contains("the file ends"), "{err}");
    assert!(
        err.contains("games after the damage cannot be found"),
        "{err}"
    );
    assert!(
        String::from_utf8(folder.get("cut.pgn"))
            .unwrap()
            .contains("Nf3")
    );
    assert_eq!(folder.convert("cut.bcgn strict.pgn --strict").0, 4);
    folder.put("new.bcgn", [b"BCGN\x01".as_slice(), &good[5..]].concat());
    let (code, _, err) = folder.convert("new.bcgn new.pgn");
    assert_eq!(code, 4);
    assert!(
        err.contains("byte 4: BCGN version 1, only version 0 is known"),
        "{err}"
    );
    assert_eq!(folder.convert("missing.pgn out.bcgn").0, 5);
    assert_eq!(folder.convert("in.pgn no/such/folder.bcgn").0, 5);
    assert_eq!(folder.convert("in.pgn out.txt").0, 2);
    assert_eq!(folder.convert("in.pgn out.pgn").0, 2);
    assert_eq!(folder.convert("in.pgn out.bcgn --level 3").0, 2);
    folder.put("empty.pgn", "");
    assert_eq!(folder.convert("empty.pgn empty.bcgn").0, 1);
    assert_eq!(folder.get("empty.bcgn").len(), 32);
    let names = folder.names();
    assert!(
        !names
            .iter()
            .any(|name| name.ends_with(".tmp") || name == "out.bcgn"),
        "{names:?}"
    );
}

#[test]
fn the_json_report_adds_up() {
    let folder = Folder::new("json");
    folder.put("in.pgn", format!("{BAD}\n{ANNOTATED}\n{CHESS960}"));
    let (code, out, err) = folder.convert("in.pgn out.bcgn --json");
    assert_eq!((code, err.as_str()), (3, ""));
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["games_read"], 5);
    assert_eq!(report["games_written"], 3);
    assert_eq!(
        report["games_left_out"],
        serde_json::json!({"chess960": 1, "illegal-move": 1})
    );
    assert_eq!(
        report["not_kept"],
        serde_json::json!({"NAGs": 1, "comments": 1, "variations": 1})
    );
    assert_eq!(report["bytes_written"], folder.get("out.bcgn").len());
    assert_eq!(report["exit_code"], 3);
    assert_eq!(report["problems"].as_array().unwrap().len(), 2);
}

#[test]
fn threads_do_not_matter() {
    let folder = Folder::new("threads");
    folder.put(
        "in.pgn",
        format!("{GOOD}\n{ANNOTATED}\n{BAD}\n").repeat(6_000),
    );
    for threads in [1, 2, 8] {
        folder.convert(&format!("in.pgn {threads}.bcgn --threads {threads}"));
        folder.convert(&format!("{threads}.bcgn {threads}.pgn --threads {threads}"));
    }
    for name in ["bcgn", "pgn"] {
        let first = folder.get(&format!("1.{name}"));
        assert!(first.len() > 500_000);
        assert!(first == folder.get(&format!("2.{name}")));
        assert!(first == folder.get(&format!("8.{name}")));
    }
}

#[test]
fn a_device_is_written_and_not_replaced() {
    if !Path::new("/dev/null").exists() {
        return;
    }
    let folder = Folder::new("device");
    folder.put("in.pgn", GOOD);
    assert_eq!(folder.convert("in.pgn /dev/null --to bcgn --force").0, 0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

/// Ctrl-C, and being told to end.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_leaves_nothing_behind() {
    for signal in ["INT", "TERM"] {
        let folder = Folder::new(&format!("interrupt-{signal}"));
        let mut child = folder
            .command("- out.bcgn --from pgn")
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(GOOD.as_bytes()).unwrap();
        // The output has its temporary name as soon as the program waits for more.
        let start = Instant::now();
        while folder.names().is_empty() && start.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        // And its handler a moment later.
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(folder.names().len(), 1);
        let id = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-s", signal, &id])
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(folder.names().is_empty(), "{:?}", folder.names());
        drop(input);
    }
}

#[test]
fn packed_inputs_are_read_as_they_are() {
    let folder = Folder::new("packed");
    folder.put("in.pgn", GOOD);
    assert_eq!(folder.convert("in.pgn plain.bcgn").0, 0);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(GOOD.as_bytes()).unwrap();
    folder.put("in.pgn.gz", gzip.finish().unwrap());
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(GOOD.as_bytes()).unwrap();
    folder.put("in.pgn.bz2", bzip2.finish().unwrap());
    folder.put("in.pgn.zst", zstd::encode_all(GOOD.as_bytes(), 3).unwrap());
    for end in ["gz", "bz2", "zst"] {
        let (code, _, err) = folder.convert(&format!("in.pgn.{end} {end}.bcgn"));
        assert_eq!(code, 0, "{end}: {err}");
        assert_eq!(folder.get(&format!("{end}.bcgn")), folder.get("plain.bcgn"));
        // A cut one is damaged, and no file appears.
        let whole = folder.get(&format!("in.pgn.{end}"));
        folder.put("cut.pgn", &whole[..whole.len() - 9]);
        let (code, _, err) = folder.convert("cut.pgn cut.bcgn");
        assert_eq!(code, 4, "{end}: {err}");
        assert!(!folder.names().contains(&"cut.bcgn".to_owned()));
    }
    // BCGN that is packed, too.
    let packed = zstd::encode_all(&folder.get("plain.bcgn")[..], 3).unwrap();
    folder.put("plain.bcgn.zst", packed);
    assert_eq!(folder.convert("plain.bcgn.zst again.bcgn").0, 0);
    assert_eq!(folder.get("again.bcgn"), folder.get("plain.bcgn"));
}

#[test]
fn bcgn_becomes_bcgn_of_another_level() {
    let folder = Folder::new("recode");
    folder.put("in.pgn", GOOD);
    for (name, args) in [
        ("a", "--level 0"),
        ("b", "--level 2"),
        ("h", "--level 2 --headerless"),
    ] {
        assert_eq!(folder.convert(&format!("in.pgn {name}.bcgn {args}")).0, 0);
    }
    let (code, _, err) = folder.convert("a.bcgn b2.bcgn --level 2");
    assert_eq!(code, 0, "{err}");
    assert!(
        err.starts_with("2 games read, 2 written: 4 moves, "),
        "{err}"
    );
    assert_eq!(folder.get("b2.bcgn"), folder.get("b.bcgn"));
    assert_eq!(folder.convert("a.bcgn h2.bcgn --level 2 --headerless").0, 0);
    assert_eq!(folder.get("h2.bcgn"), folder.get("h.bcgn"));
    let mut damaged = folder.get("a.bcgn");
    *damaged.last_mut().unwrap() ^= 0xff;
    folder.put("damaged.bcgn", damaged);
    let (code, _, err) = folder.convert("damaged.bcgn left.bcgn");
    assert_eq!(code, 4, "{err}");
    assert!(err.contains("games left out: 1 damaged"), "{err}");
    assert_eq!(folder.convert("damaged.bcgn none.bcgn --strict").0, 4);
    assert!(!folder.names().contains(&"none.bcgn".to_owned()));
}

/// Killed at any moment, there is the old file or the new one.
#[cfg(unix)]
#[test]
fn a_kill_leaves_the_old_file_or_the_new_one() {
    let is_full = std::env::var_os("SCORESHEET_FULL").is_some_and(|value| value == "1");
    let times: u32 = if is_full { 200 } else { 24 };
    let folder = Folder::new("kill");
    folder.put("in.pgn", format!("{GOOD}\n").repeat(2_000));
    let start = Instant::now();
    assert_eq!(folder.convert("in.pgn new.bcgn").0, 0);
    let whole = start.elapsed();
    let new = folder.get("new.bcgn");
    let mut outcomes = [0; 2];
    for n in 0..times {
        folder.put("out.bcgn", b"old");
        let mut child = folder
            .command("in.pgn out.bcgn --force")
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // From at once to somewhat after the end.
        std::thread::sleep(whole * n * 5 / (times * 4));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = folder.get("out.bcgn");
        assert!(
            found == b"old" || found == new,
            "kill {n}: {} bytes",
            found.len()
        );
        outcomes[usize::from(found == new)] += 1;
        // Nobody can clean up who was killed, but what is left has another name.
        for name in folder.names().iter().filter(|name| name.starts_with('.')) {
            assert!(
                name.starts_with(".out.bcgn.") && name.ends_with(".tmp"),
                "{name}"
            );
            fs::remove_file(folder.0.join(name)).unwrap();
        }
        assert_eq!(folder.names(), ["in.pgn", "new.bcgn", "out.bcgn"]);
    }
    assert!(outcomes[0] > 0, "{outcomes:?}");
}
