//! What statistics need to know of a game.

use pgn::Outcome;

/// Ratings, date and result of a game, in 64 bits.
///
/// ```
/// use pgn::Outcome;
/// use scoresheet_search::GameFacts;
/// let facts = GameFacts {
///     elos: [Some(2851), None],
///     date: Some(19_990_120),
///     outcome: Some(Outcome::WhiteWins),
/// };
/// assert_eq!(GameFacts::from_bits(facts.to_bits()), facts);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameFacts {
    /// The ratings of White and Black.
    pub elos: [Option<u16>; 2],
    /// The date as a number, year, month and day; parts that are not known are 0.
    pub date: Option<u32>,
    /// The result.
    pub outcome: Option<Outcome>,
}

/// Ratings of more are not believed.
const MOST_ELO: u16 = 4095;

impl GameFacts {
    /// The facts as bits: 12 for each rating, 27 for the date, 3 for the result; 0 is not known.
    #[must_use]
    pub fn to_bits(self) -> u64 {
        let [white, black] = self.elos.map(|elo| {
            let elo = elo.filter(|elo| *elo <= MOST_ELO);
            u64::from(elo.unwrap_or(0))
        });
        let date = self.date.filter(|date| *date < 1 << 27);
        let outcome = match self.outcome {
            None => 0,
            Some(Outcome::WhiteWins) => 1,
            Some(Outcome::BlackWins) => 2,
            Some(Outcome::Draw) => 3,
            Some(Outcome::Unknown) => 4,
        };
        white | black << 12 | u64::from(date.unwrap_or(0)) << 24 | outcome << 51
    }

    /// The facts that bits stand for.
    #[must_use]
    pub fn from_bits(bits: u64) -> GameFacts {
        let elo = |shift: u32| {
            let elo = u16::try_from(bits >> shift & 0xfff).unwrap_or(0);
            (elo > 0).then_some(elo)
        };
        let date = u32::try_from(bits >> 24 & 0x7ff_ffff).unwrap_or(0);
        GameFacts {
            elos: [elo(0), elo(12)],
            date: (date > 0).then_some(date),
            outcome: match bits >> 51 & 7 {
                1 => Some(Outcome::WhiteWins),
                2 => Some(Outcome::BlackWins),
                3 => Some(Outcome::Draw),
                4 => Some(Outcome::Unknown),
                _ => None,
            },
        }
    }
}
