//! Tables for people, rows for `bench/record`.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

use crate::arena::{Line, Score, geometric_mean};
use crate::cases::Case;

/// Where and with what the figures were made. A figure without these is worth nothing.
#[derive(Debug)]
pub struct Circumstances {
    pub date: String,
    pub commit: String,
    pub cpu: String,
    /// Its version and whether it was told of the CPU: the rivals cannot look themselves.
    pub compiler: String,
}

impl Circumstances {
    pub fn here() -> Circumstances {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let commit = ["-C", root, "describe", "--always", "--dirty", "--abbrev=12"];
        let build = if cfg!(target_feature = "popcnt") {
            "built for this CPU"
        } else {
            "portable build"
        };
        Circumstances {
            date: output("date", &["-u", "+%Y-%m-%d"]),
            commit: output("git", &commit),
            cpu: cpu(),
            compiler: format!("{}; {build}", output("rustc", &["--version"])),
        }
    }
}

fn output(program: &str, args: &[&str]) -> String {
    let run = Command::new(program).args(args).output().ok();
    let text = run.filter(|o| o.status.success());
    let text = text.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    text.unwrap_or_else(|| "unknown".to_owned())
}

fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find(|l| l.starts_with("model name"));
    let name = line
        .and_then(|l| l.split_once(':'))
        .map(|(_, name)| name.trim());
    name.unwrap_or("unknown").to_owned()
}

/// Millions a second, and the ratio behind each; the last line is the geometric mean.
pub fn table(case: Case, lines: &[Line]) -> String {
    const FIRST: usize = 16;
    const COLUMN: usize = 19;
    let mut text = format!(
        "{}: {}\n  (million {}, best round; then the ratio to {}, median of the rounds)\n",
        case.name(),
        case.title(),
        case.unit(),
        case.baseline()
    );
    let columns = lines[0].scores.len();
    let _ = write!(text, "  {:FIRST$}", "");
    for score in &lines[0].scores {
        let _ = write!(text, "{:>COLUMN$}", score.contestant);
    }
    text.push('\n');
    for line in lines {
        push_line(&mut text, &line.work, &line.scores);
    }
    if lines.len() > 1 {
        let means: Vec<Score> = (0..columns).map(|i| geometric_mean(lines, i)).collect();
        push_line(&mut text, "geometric mean", &means);
    }
    text
}

fn push_line(text: &mut String, name: &str, scores: &[Score]) {
    let _ = write!(text, "  {name:16}");
    for score in scores {
        let _ = write!(text, "{:>11.2} {:>6.2}x", score.rate / 1e6, score.ratio);
    }
    text.push('\n');
}

/// Appends one row for each contestant and line, and a head if the file is new.
pub fn append_csv(
    path: &Path,
    place: &Circumstances,
    case: Case,
    lines: &[Line],
) -> io::Result<()> {
    let mut text = String::new();
    if !path.exists() {
        text.push_str("date,commit,cpu,compiler,case,contestant,value,unit,ratio\n");
    }
    let Circumstances {
        date,
        commit,
        cpu,
        compiler,
    } = place;
    let mut row = |work: &str, s: &Score| {
        let (name, unit) = (case.name(), case.unit());
        let Score {
            contestant,
            rate,
            ratio,
        } = s;
        let _ = writeln!(
            text,
            "{date},{commit},{},{},{name} {work},{contestant},{rate:.0},{unit},{ratio:.3}",
            plain(cpu),
            plain(compiler),
        );
    };
    for line in lines {
        line.scores.iter().for_each(|s| row(&line.work, s));
    }
    if lines.len() > 1 {
        (0..lines[0].scores.len()).for_each(|i| row("mean", &geometric_mean(lines, i)));
    }
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(text.as_bytes())
}

/// A field without commas needs no quotes.
fn plain(field: &str) -> String {
    field.replace([',', '"'], " ")
}
