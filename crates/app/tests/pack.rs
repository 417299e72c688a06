//! `scoresheet pack`, `unpack` and `merge`, the program itself: files, pipes, refusals, exit codes,
//! and what is left when it is killed.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const GOOD: &str =
    "[Event \"x\"]\n[White \"Ann\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Event \"y\"]\n\n1. d4 *\n";
const BAD: &str = "[Event \"x\"]\n\n1. e4 1-0\n\n[Event \"bad\"]\n\n1. e5 *\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn is_full() -> bool {
    std::env::var_os("SCORESHEET_FULL").is_some_and(|value| value == "1")
}

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pack-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
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
        command.args(args.split_whitespace()).current_dir(&self.0);
        command
    }

    fn run(&self, args: &str) -> (i32, String, String) {
        told(self.command(args).output().unwrap())
    }

    /// Runs a command that must do its work.
    fn done(&self, args: &str) -> String {
        let (code, out, err) = self.run(args);
        assert_eq!(code, 0, "{args}: {err}");
        out
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
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn there_and_back() {
    let folder = Folder::new("there_and_back");
    folder.put("in.pgn", GOOD);
    let (code, out, err) = folder.run("pack in.pgn -o a.scoresheet");
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(err.starts_with("a.scoresheet: 2 games, "), "{err}");
    assert_eq!(folder.done("unpack a.scoresheet"), GOOD);
    folder.done("unpack a.scoresheet -o back.pgn");
    assert_eq!(folder.get("back.pgn"), GOOD.as_bytes());
    let (code, _, err) = folder.run("pack in.pgn -o a.scoresheet");
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("--force"), "{err}");
    let (code, _, err) = folder.run("unpack a.scoresheet -o back.pgn");
    assert_eq!(code, 2, "{err}");
    folder.done("pack in.pgn -o a.scoresheet --force --quiet --codec word");
    assert_eq!(folder.done("unpack a.scoresheet"), GOOD);
    let (code, _, err) = folder.run("pack in.pgn -o b.scoresheet --codec extended");
    assert_eq!(code, 2);
    assert!(err.contains("word, index, packed"), "{err}");
    assert_eq!(folder.names(), ["a.scoresheet", "back.pgn", "in.pgn"]);
}

#[test]
fn packed_texts_directories_and_pipes() {
    let folder = Folder::new("inputs");
    folder.put("d/a.pgn", GOOD);
    folder.put("d/notes.txt", "no games");
    for (name, program) in [
        ("d/b.pgn.gz", "gzip"),
        ("d/c.pgn.bz2", "bzip2"),
        ("d/d.pgn.zst", "zstd"),
    ] {
        let packed = Command::new(program)
            .arg("-c")
            .stdin(fs::File::open(folder.0.join("d/a.pgn")).unwrap())
            .output();
        match packed {
            Ok(output) if output.status.success() => folder.put(name, output.stdout),
            _ => {
                eprintln!("skipped: no {program} here");
                folder.put(name.rsplit_once('.').unwrap().0, GOOD);
            }
        }
    }
    folder.done("pack d -o all.scoresheet");
    assert_eq!(folder.done("unpack all.scoresheet"), GOOD.repeat(4));
    // With all that is below it.
    folder.put("above/d/x/e.PGN", BAD.replace("e5", "d4"));
    folder.put("above/f.pgn", GOOD);
    folder.done("pack above -o above.scoresheet");
    let below = BAD.replace("e5", "d4");
    assert_eq!(folder.done("unpack above.scoresheet"), below + GOOD);
    folder.done("unpack all.scoresheet --split out");
    for name in ["a.pgn", "b.pgn", "c.pgn", "d.pgn"] {
        assert_eq!(folder.get(&format!("out/{name}")), GOOD.as_bytes());
    }
    let (code, _, err) = told(folder.pipe("pack - d/a.pgn -o pipe.scoresheet", GOOD.as_bytes()));
    assert_eq!(code, 0, "{err}");
    assert_eq!(folder.done("unpack pipe.scoresheet"), GOOD.repeat(2));
    // Through a pipe on both sides.
    let packed = folder.pipe("pack - -o - --quiet", GOOD.as_bytes());
    folder.put("out.scoresheet", packed.stdout);
    assert_eq!(folder.done("unpack out.scoresheet"), GOOD);
    let (code, _, err) = folder.run("pack empty -o x.scoresheet");
    assert_eq!(code, 5);
    assert!(err.contains("empty"), "{err}");
    folder.put("none/x.txt", "x");
    let (code, _, err) = folder.run("pack none -o x.scoresheet");
    assert_eq!(code, 3);
    assert!(err.contains("no PGN files"), "{err}");
    folder.put("cut.pgn.gz", [0x1f, 0x8b, 8, 0, 0, 0]);
    let (code, _, err) = folder.run("pack d/a.pgn cut.pgn.gz -o x.scoresheet");
    assert_eq!(code, 4, "{err}");
    assert!(err.contains("cut.pgn.gz"), "{err}");
    assert!(
        !folder
            .names()
            .iter()
            .any(|name| name.contains("x.scoresheet")),
        "{:?}",
        folder.names()
    );
}

#[test]
fn what_is_no_good_game_is_told_and_kept() {
    let folder = Folder::new("bad");
    folder.put("bad.pgn", BAD);
    folder.put("noise", [0u8, 159, 146, 150, 10, 255].repeat(100));
    let (code, _, err) = folder.run("pack bad.pgn -o bad.scoresheet");
    assert_eq!(code, 3);
    assert!(
        err.contains("game 2 is kept as text: bad.pgn, byte 42: 'e5': no "),
        "{err}"
    );
    // Places count in each file, however far behind others it comes: pieces are of a megabyte.
    let long = GOOD.repeat(20_000);
    folder.put("long.pgn", format!("{long}\n{BAD}"));
    folder.put("empty.pgn", "");
    folder.put("open.pgn", "[Event \"x\"]\n\n1. e4 (");
    let (code, _, err) = folder.run("pack long.pgn empty.pgn open.pgn bad.pgn -o x.scoresheet");
    assert_eq!(code, 3);
    for place in [
        format!(
            "game 40,002 is kept as text: long.pgn, byte {}: ",
            long.len() + 1 + 42
        ),
        "game 40,003 is kept as text: open.pgn, byte 19: ".to_owned(),
        "game 40,005 is kept as text: bad.pgn, byte 42: ".to_owned(),
    ] {
        assert!(err.contains(&place), "{place}: {err}");
    }
    // A few mistakes are told, and what is no PGN is called so.
    folder.put("rubbish", "[a \"b\"]\n\nno game\n\n".repeat(20));
    let (code, _, err) = folder.run("pack rubbish -o rubbish.scoresheet");
    assert_eq!(code, 3);
    assert!(
        err.lines().count() < 6 && err.contains("is it PGN?"),
        "{err}"
    );
    assert_eq!(folder.done("unpack bad.scoresheet"), BAD);
    let (code, _, err) = folder.run("pack noise -o noise.scoresheet");
    assert_eq!(code, 3, "{err}");
    folder.done("unpack noise.scoresheet -o back");
    assert_eq!(folder.get("back"), folder.get("noise"));
    folder.put("words", "There is no game of chess in here.\n");
    let (code, _, err) = folder.run("pack words -o words.scoresheet --quiet");
    assert_eq!(code, 3, "{err}");
    assert_eq!(
        folder.done("unpack words.scoresheet"),
        "There is no game of chess in here.\n"
    );
    let (code, _, err) = folder.run("unpack bad.pgn");
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("not an archive"), "{err}");
}

#[test]
fn an_archive_a_day_makes_a_dataset() {
    let folder = Folder::new("append");
    folder.put("a.pgn", GOOD);
    folder.put("b.pgn", "[Event \"z\"]\n\n1. c4 *\n");
    folder.done("pack a.pgn -o all --append");
    folder.done("pack b.pgn -o all --append");
    assert_eq!(fs::read_dir(folder.0.join("all")).unwrap().count(), 2);
    let both = format!("{GOOD}[Event \"z\"]\n\n1. c4 *\n");
    assert_eq!(folder.done("unpack all"), both);
    folder.done("merge all/part-000001.scoresheet all/part-000002.scoresheet -o one.scoresheet");
    assert_eq!(folder.done("unpack one.scoresheet"), both);
    folder.done("verify one.scoresheet");
    folder.done("merge all -o two.scoresheet");
    assert_eq!(folder.get("two.scoresheet"), folder.get("one.scoresheet"));
    folder.done("pack b.pgn -o word.scoresheet --codec word");
    let (code, _, err) = folder.run("merge one.scoresheet word.scoresheet -o three.scoresheet");
    assert_eq!(code, 3, "{err}");
    assert!(
        err.contains("word.scoresheet") && err.contains("codec"),
        "{err}"
    );
    assert!(!folder.names().iter().any(|name| name.contains("three")));
}

#[test]
fn lossy_archives_say_so() {
    let folder = Folder::new("lossy");
    folder.put("in.pgn", "[Event \"x\"]\n\n1. e4! {best} e5 1-0\n\n");
    folder.done("pack in.pgn -o a.scoresheet --moves-only");
    let (code, out, err) = folder.run("unpack a.scoresheet");
    assert_eq!(
        (code, out.as_str()),
        (0, "[Event \"x\"]\n\n1. e4 e5 1-0\n\n")
    );
    assert!(err.contains("--moves-only"), "{err}");
    assert!(
        folder
            .done("info a.scoresheet --json")
            .contains("\"lossy\":[\"moves-only\"]")
    );
    folder.done("pack in.pgn -o b.scoresheet --no-comments --memory 2M");
    let (_, out, _) = folder.run("unpack b.scoresheet");
    assert_eq!(out, "[Event \"x\"]\n\n1. e4! e5 1-0\n\n");
    folder.done("verify a.scoresheet b.scoresheet");
    let (code, _, _) = folder.run("pack in.pgn -o c.scoresheet --memory 5");
    assert_eq!(code, 2);
}

/// A collection that takes a while to pack.
fn large(games: usize) -> Vec<u8> {
    let classics = fs::read(root().join("examples/classics.pgn")).unwrap();
    let mut text = classics.repeat(games / 29 + 1);
    text.push(b'\n');
    text
}

fn start_pack(folder: &Folder) -> Child {
    folder
        .command("pack in.pgn -o a.scoresheet --force --quiet --threads 2 --memory 8M")
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Ends the program somewhere on its way and looks at what is left.
fn interrupted(name: &str, signal: &str, leaves_nothing: bool) {
    let folder = Folder::new(name);
    folder.put("in.pgn", GOOD);
    folder.done("pack in.pgn -o a.scoresheet");
    let old = folder.get("a.scoresheet");
    let text = large(3_000);
    folder.put("in.pgn", &text);
    folder.done("pack in.pgn -o new.scoresheet --memory 8M");
    let new = folder.get("new.scoresheet");
    let begin = std::time::Instant::now();
    assert!(start_pack(&folder).wait().unwrap().success());
    let whole = begin.elapsed();
    let rounds: u32 = if is_full() { 100 } else { 10 };
    let mut unfinished = 0;
    for round in 0..rounds {
        folder.put("a.scoresheet", &old);
        let mut child = start_pack(&folder);
        std::thread::sleep(whole * round / rounds + Duration::from_millis(1));
        let id = child.id().to_string();
        let _ = Command::new("kill").args([signal, &id]).status().unwrap();
        child.wait().unwrap();
        let found = folder.get("a.scoresheet");
        assert!(
            found == old || found == new,
            "round {round}: neither the old nor the new file"
        );
        unfinished += u32::from(found == old);
        let others = folder
            .names()
            .into_iter()
            .filter(|name| name.ends_with(".tmp"));
        let others: Vec<_> = others.collect();
        assert!(!leaves_nothing || others.is_empty(), "{others:?}");
        for name in others {
            fs::remove_file(folder.0.join(name)).unwrap();
        }
    }
    assert!(unfinished > 0, "it was never in time");
}

#[test]
#[cfg(unix)]
fn killed_at_any_moment_leaves_the_old_file_or_the_new_one() {
    interrupted("killed", "-KILL", false);
}

#[test]
#[cfg(unix)]
fn ctrl_c_at_any_moment_leaves_nothing_half_written() {
    interrupted("ctrl_c", "-INT", true);
}

#[test]
fn the_archive_is_the_same_for_any_number_of_threads() {
    let folder = Folder::new("threads");
    folder.put("in.pgn", large(1_000));
    let mut first = Vec::new();
    for threads in [1, 2, 8] {
        folder.done(&format!(
            "pack in.pgn -o {threads}.scoresheet --memory 4M --threads {threads}"
        ));
        let archive = folder.get(&format!("{threads}.scoresheet"));
        if first.is_empty() {
            first.clone_from(&archive);
        }
        assert!(archive == first, "{threads} threads");
    }
    folder.done("unpack 8.scoresheet -o back.pgn --threads 2");
    assert!(folder.get("back.pgn") == folder.get("in.pgn"));
}

/// The commands of the README that need nothing but the program, in order.
#[test]
fn the_commands_of_the_readme_run() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let folder = Folder::new("readme");
    folder.put(
        "examples/classics.pgn",
        fs::read(root().join("examples/classics.pgn")).unwrap(),
    );
    let mut count = 0;
    for line in readme.lines() {
        let Some(args) = line.strip_prefix("cargo run --release -- ") else {
            continue;
        };
        folder.done(args);
        count += 1;
    }
    assert!(count >= 2, "the README has no commands any more");
    let before = folder.get("examples/classics.pgn");
    assert!(folder.get("back.pgn") == before, "unpack gives other bytes");
    assert!(folder.get("classics.scoresheet").len() < before.len());
}
