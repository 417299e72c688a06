//! Which games are wanted, on the command line.

use archive::games::{Dates, Ecos, Filter, FilterError, Name, Ratings};
use pgn::Outcome;

use crate::exit::{Exit, Failure};

/// Tags that games must have.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Filters")]
pub struct FilterArgs {
    /// White's name, or part of it; =NAME for exactly this.
    #[arg(long, value_name = "NAME")]
    white: Option<String>,

    /// Black's name.
    #[arg(long, value_name = "NAME")]
    black: Option<String>,

    /// The name of either player.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// The ratings of both: 2500, 2400-2600, 2500-, -1800.
    #[arg(long, value_name = "RATINGS", allow_hyphen_values = true)]
    elo: Option<String>,

    /// White's rating.
    #[arg(long, value_name = "RATINGS", allow_hyphen_values = true)]
    white_elo: Option<String>,

    /// Black's rating.
    #[arg(long, value_name = "RATINGS", allow_hyphen_values = true)]
    black_elo: Option<String>,

    /// The date: 1999, 1990-2000, 1999.05.31-, -1899.
    #[arg(long, value_name = "DATES", allow_hyphen_values = true)]
    date: Option<String>,

    /// The result: 1-0, 0-1, 1/2-1/2 or *.
    #[arg(long, value_name = "RESULT")]
    result: Option<String>,

    /// The opening: B90, B9, B90-B99.
    #[arg(long, value_name = "ECO")]
    eco: Option<String>,

    /// The identity that a site has given the game.
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

impl FilterArgs {
    /// Whether all games are wanted.
    pub fn is_empty(&self) -> bool {
        let texts = [
            &self.white,
            &self.black,
            &self.player,
            &self.elo,
            &self.white_elo,
            &self.black_elo,
            &self.date,
            &self.result,
            &self.eco,
            &self.id,
        ];
        texts.into_iter().all(Option::is_none)
    }

    /// The filter.
    pub fn to_filter(&self) -> Result<Filter, Failure> {
        fn read<T: std::str::FromStr<Err = FilterError>>(
            option: &str,
            text: Option<&String>,
        ) -> Result<Option<T>, Failure> {
            let read = text.map(|text| text.parse()).transpose();
            read.map_err(|error| Failure::new(Exit::Usage, format!("--{option}: {error}")))
        }
        let result = match &self.result {
            None => None,
            Some(text) => {
                let known = Outcome::parse(text.as_bytes());
                let message = format!("--result: \"{text}\", expected 1-0, 0-1, 1/2-1/2 or *");
                Some(known.ok_or_else(|| Failure::new(Exit::Usage, message))?)
            }
        };
        Ok(Filter {
            white: read::<Name>("white", self.white.as_ref())?,
            black: read::<Name>("black", self.black.as_ref())?,
            player: read::<Name>("player", self.player.as_ref())?,
            elo: read::<Ratings>("elo", self.elo.as_ref())?,
            white_elo: read::<Ratings>("white-elo", self.white_elo.as_ref())?,
            black_elo: read::<Ratings>("black-elo", self.black_elo.as_ref())?,
            date: read::<Dates>("date", self.date.as_ref())?,
            result,
            eco: read::<Ecos>("eco", self.eco.as_ref())?,
            id: self.id.clone(),
        })
    }
}
