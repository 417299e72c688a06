//! `scoresheet fmt`: write PGN anew, in the standard's form or in another.

use std::io::{Write, stdout};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use pgn::{
    Flow, GameBuilder, GameError, Nag, Outcome, Parallel, RawComment, RawGame, RawTag, Stop, Style,
    Variation, Visitor, write_game,
};

use crate::exit::{Exit, Failure};
use crate::output_file::OutputFile;
use crate::text_input::{TextInput, at};

/// Write PGN anew: every move checked, tags in order, lines of even length.
///
/// Bad games are reported and left out.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet fmt ragged.pgn -o neat.pgn
  scoresheet fmt --style lichess < games.pgn > lines.pgn
  zstdcat games.pgn.zst | scoresheet fmt --style compact")]
pub struct Args {
    /// PGN files, packed with zstd, gzip or bzip2 or not at all; `-` is standard input.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Where to write; standard output if not given.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// In which style to write.
    #[arg(long, short, default_value = "export", value_parser = style_names())]
    style: String,

    /// Copy bad games as they are, instead of leaving them out.
    #[arg(long)]
    keep_bad: bool,

    /// Replace a file that exists.
    #[arg(long)]
    force: bool,

    /// How many threads share the work; all cores if not given.
    #[arg(long, short, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

fn style_names() -> clap::builder::PossibleValuesParser {
    Style::NAMED.map(|(name, _)| name).into()
}

/// Builds a game and writes it at once: text crosses from thread to thread, and not trees.
struct Rewriter {
    builder: GameBuilder,
    style: Style,
}

impl Visitor for Rewriter {
    type Output = Vec<u8>;

    fn begin_game(&mut self) -> Flow {
        self.builder.begin_game()
    }

    fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Flow {
        self.builder.tag(name, value)
    }

    fn san(&mut self, token: &[u8]) -> Flow {
        self.builder.san(token)
    }

    fn nag(&mut self, nag: Nag, is_suffix: bool) -> Flow {
        self.builder.nag(nag, is_suffix)
    }

    fn comment(&mut self, comment: RawComment<'_>) -> Flow {
        self.builder.comment(comment)
    }

    fn begin_variation(&mut self) -> ControlFlow<Stop, Variation> {
        self.builder.begin_variation()
    }

    fn end_variation(&mut self) -> Flow {
        self.builder.end_variation()
    }

    fn outcome(&mut self, outcome: Outcome) -> Flow {
        self.builder.outcome(outcome)
    }

    fn end_game(&mut self, game: RawGame<'_>) -> Vec<u8> {
        let mut text = Vec::with_capacity(game.bytes.len() + game.bytes.len() / 8);
        write_game(&self.builder.end_game(game), &self.style, &mut text);
        text
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    match &args.output {
        None => rewrite(args, &mut stdout().lock()),
        Some(path) => {
            let mut file = OutputFile::create(path, args.force)?;
            let exit = rewrite(args, &mut file)?;
            file.finish(path)?;
            Ok(exit)
        }
    }
}

fn rewrite(args: &Args, out: &mut impl Write) -> Result<Exit, Failure> {
    let style = Style::named(&args.style).unwrap_or_default();
    let mut parallel = Parallel::new();
    if let Some(threads) = args.threads {
        parallel.threads = threads.get();
    }
    let input = TextInput::new(&args.files)?;
    let mut bad = 0u64;
    input.for_each(|name, text| {
        let mut written = Ok(());
        let make = || Rewriter {
            builder: GameBuilder::new(),
            style,
        };
        let each = |raw: RawGame<'_>, result: Result<Vec<u8>, GameError>| {
            match result {
                Ok(text) => written = out.write_all(&text),
                Err(error) => {
                    bad += 1;
                    input.say(&format!("{}:{}: {error}", name.escape_debug(), error.line));
                    if args.keep_bad {
                        written = out.write_all(raw.bytes);
                    }
                }
            }
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let read = parallel.read(text, make, each);
        written?;
        read.map_err(|error| at(name, &error))
    })?;
    out.flush()?;
    Ok(if bad > 0 { Exit::BadInput } else { Exit::Ok })
}
