//! Stockfish as a counter of nodes: one long-lived child process spoken to over UCI.

use std::io::{BufRead, BufReader, Error, Result, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Where Debian puts it; `STOCKFISH` overrides.
const USUAL_PATHS: [&str; 3] = [
    "/usr/games/stockfish",
    "/usr/bin/stockfish",
    "/usr/local/bin/stockfish",
];

/// A running engine. Dropped means quit.
#[derive(Debug)]
pub struct Stockfish {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// As the engine names itself, for example `Stockfish 17.1`.
    pub name: String,
}

impl Stockfish {
    /// The engine, or `None` if none is installed.
    pub fn find() -> Option<Stockfish> {
        let named = std::env::var("STOCKFISH").ok();
        let path = named
            .as_deref()
            .into_iter()
            .chain(USUAL_PATHS)
            .find(|p| Path::new(p).exists())?;
        Stockfish::start(path).ok()
    }

    /// Starts the engine at `path`.
    pub fn start(path: &str) -> Result<Stockfish> {
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().expect("stdin is piped");
        let output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut engine = Stockfish {
            child,
            input,
            output,
            name: String::new(),
        };
        engine.say("uci")?;
        let name = engine.wait_for("id name ")?;
        engine.name = name;
        engine.wait_for("uciok")?;
        Ok(engine)
    }

    /// Reads castling as Chess960 or as orthodox chess from now on.
    pub fn set_chess960(&mut self, on: bool) -> Result<()> {
        self.say(&format!("setoption name UCI_Chess960 value {on}"))?;
        self.ready()
    }

    /// `go perft`: Stockfish bulk counts, that is, it never plays the last move.
    pub fn perft(&mut self, fen: &str, depth: u32) -> Result<u64> {
        self.say(&format!("position fen {fen}"))?;
        self.say(&format!("go perft {depth}"))?;
        let nodes = self.wait_for("Nodes searched: ")?;
        nodes.parse().map_err(Error::other)
    }

    /// Waits until everything said before is done.
    pub fn ready(&mut self) -> Result<()> {
        self.say("isready")?;
        self.wait_for("readyok").map(|_| ())
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")?;
        self.input.flush()
    }

    /// The rest of the first line which begins with `start`.
    fn wait_for(&mut self, start: &str) -> Result<String> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                // It crashes on positions it thinks impossible, and says nothing.
                return Err(Error::other("Stockfish went away"));
            }
            if let Some(rest) = line.strip_prefix(start) {
                return Ok(rest.trim().to_owned());
            }
        }
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        let _ = self.say("quit");
        let _ = self.child.wait();
    }
}
