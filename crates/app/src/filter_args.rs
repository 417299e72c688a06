//! Which games are wanted, on the command line.

use archive::games::{Dates, Ecos, Filter, Name, Ratings};
use pgn::Outcome;

/// Tags that games must have.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Filters")]
pub struct FilterArgs {
    /// The identity of a game: its tag GameId, or the end of the address in Site.
    #[arg(long)]
    id: Option<String>,

    /// White's name.
    #[arg(long, value_name = "NAME")]
    white: Option<Name>,

    /// Black's name.
    #[arg(long, value_name = "NAME")]
    black: Option<Name>,

    /// The name of either player.
    #[arg(long, value_name = "NAME")]
    player: Option<Name>,

    /// Ratings of both players: 2500, 2400-2600, 2500- or -1800.
    #[arg(long, value_name = "RATINGS", allow_hyphen_values = true)]
    elo: Option<Ratings>,

    /// Ratings of White.
    #[arg(long, value_name = "RATINGS", allow_hyphen_values = true)]
    white_elo: Option<Ratings>,

    /// Ratings of Black.
    #[arg(long, value_name = "RATINGS", allow_hyphen_values = true)]
    black_elo: Option<Ratings>,

    /// Dates: 1999, 1990-2000, 1999.05.31- or -1899.
    #[arg(long, value_name = "DATES", allow_hyphen_values = true)]
    date: Option<Dates>,

    /// The result: 1-0, 0-1, 1/2-1/2 or *; also white, black, draw.
    #[arg(long, value_parser = parse_result)]
    result: Option<Outcome>,

    /// Openings: B90, B9, B90-B99 or C-E.
    #[arg(long, value_name = "CODES")]
    eco: Option<Ecos>,
}

impl FilterArgs {
    /// The filter.
    pub fn to_filter(&self) -> Filter {
        Filter {
            id: self.id.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            player: self.player.clone(),
            elo: self.elo,
            white_elo: self.white_elo,
            black_elo: self.black_elo,
            date: self.date,
            result: self.result,
            eco: self.eco,
        }
    }
}

fn parse_result(text: &str) -> Result<Outcome, String> {
    match text {
        "white" => Ok(Outcome::WhiteWins),
        "black" => Ok(Outcome::BlackWins),
        "draw" | "1/2" => Ok(Outcome::Draw),
        _ => Outcome::parse(text.as_bytes())
            .ok_or_else(|| "expected 1-0, 0-1, 1/2-1/2, *, white, black or draw".to_owned()),
    }
}
