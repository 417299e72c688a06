//! The command line.

use std::error::Error;
use std::path::PathBuf;

use codec::modelled::Level;

pub const HELP: &str = "\
Learns the models of the encodings modelled and modelled-max, and reports what they do.

  train learn RAW [--games N] [--rate R] [--seed S] FILE…
      Learns the weights of model 1's features in one pass, and writes them as they stand.
  train pack OUT --raw RAW [--games N] [--seed S] FILE…
      Makes the file that the codec embeds: weights of 8 and 16 bits, and the opening table that saves
      the most bits within 4 MB.
  train layer LAYER --raw WEIGHTS [--from LAYER] [--games N] [--rate R] [--seed S] FILE…
      Learns a hidden layer of modelled-max on top of a file that pack has made, and writes it as it stands.
      What it prints is of games before they were learnt from.
  train net OUT LAYER LAYER
      Makes the file that the codec embeds: two layers, of which each game chooses the better one.
  train report [--level usual|max] [--games N] FILE…
      Bits a move with a built-in model, in whole bytes and as information, by rating and by ply, and
      moves a second. Only games that were not learnt from say something.

FILE is PGN, an archive (.scoresheet), or lines of two ratings, a result and moves (.txt); PGN and lines may
be packed (.zst, .gz, .bz2). Games that do not begin at the usual start are left out.

  --games N   the first N games of each file (all)
  --rate R    how far one game moves a weight (learn 0.1, layer 0.02)
  --seed S    the order of the games, and what else is random (1)

One thread. The same seed and files give the same bytes.

Model 1 was made so, and model 2 nearly so (EXPERIMENTS.md, beside the codec, tells the difference):
  train learn raw.bin master.pgn.zst lichess.pgn.zst moves.txt.zst
  train pack model-1.bin --raw raw.bin master.pgn.zst lichess.pgn.zst moves.txt.zst
  train layer all.bin --raw model-1.bin master.pgn.zst lichess.pgn.zst moves.txt.zst
  train layer online.bin --raw model-1.bin --from all.bin lichess.pgn.zst
  train net model-2.bin all.bin online.bin
A model that was published is never made anew: a new one gets a new number.
";

/// What was asked for.
#[derive(Debug)]
pub struct Options {
    pub out: PathBuf,
    pub raw: Option<PathBuf>,
    pub from: Option<PathBuf>,
    pub most: usize,
    pub rate: Option<f32>,
    pub seed: u32,
    pub level: Level,
    pub files: Vec<PathBuf>,
}

impl Options {
    /// What follows the name of a command; the first may be the file to write.
    pub fn parse(args: &[String], has_out: bool) -> Result<Options, Box<dyn Error>> {
        let mut options = Options {
            out: PathBuf::new(),
            raw: None,
            from: None,
            most: usize::MAX,
            rate: None,
            seed: 1,
            level: Level::Usual,
            files: Vec::new(),
        };
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("{arg} what?"));
            match arg.as_str() {
                "--raw" => options.raw = Some(value()?.into()),
                "--from" => options.from = Some(value()?.into()),
                "--games" => options.most = value()?.parse()?,
                "--rate" => options.rate = Some(value()?.parse()?),
                "--seed" => options.seed = value()?.parse()?,
                "--level" => {
                    options.level = match value()?.as_str() {
                        "usual" => Level::Usual,
                        "max" => Level::Max,
                        other => return Err(format!("no level {other}: usual, max").into()),
                    }
                }
                option if option.starts_with("--") => {
                    return Err(format!("no option {option}; see --help").into());
                }
                file => options.files.push(file.into()),
            }
        }
        if has_out {
            if options.files.is_empty() {
                return Err("where to? see --help".into());
            }
            options.out = options.files.remove(0);
        }
        if options.files.is_empty() {
            return Err("which games? see --help".into());
        }
        Ok(options)
    }
}
