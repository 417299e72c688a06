//! Cases `pgn` and `pgn-threads`: a whole file read, beside pgn-reader with shakmaty.

use std::io::Read;
use std::ops::ControlFlow;
use std::rc::Rc;

use pgn_reader::{RawTag, SanPlus, Skip};
use scoresheet_chess::SanToken;
use scoresheet_pgn as ours;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

use crate::arena::{Entry, Work};
use crate::games::Games;

/// The three ways through a file.
pub fn works(games: &Rc<Games>) -> Vec<Work> {
    vec![
        work("checked", games, our_check, |text| their_check(text)),
        work("tokens", games, our_tokens, their_tokens),
        work("tags only", games, our_tags, their_tags),
    ]
}

type Run = fn(&[u8]) -> u64;

fn work(name: &str, games: &Rc<Games>, ours: Run, theirs: Run) -> Work {
    let entry = |contestant: &str, run: Run| {
        let games = games.clone();
        Entry::new(contestant, move || run(&games.text))
    };
    Work {
        name: name.to_owned(),
        units: games.text.len() as u64,
        answer: None,
        entries: vec![entry("scoresheet", ours), entry("pgn-reader", theirs)],
    }
}

/// Two threads are measured on no less than this: starting them, and the last piece, for which one of
/// them waits, must be little beside the rest.
const LEAST_FOR_THREADS: usize = 128 << 20;

/// What a second core brings.
pub fn threads(games: &Rc<Games>) -> Work {
    let mut text = games.text.clone();
    text.extend_from_slice(b"\n\n");
    let text: Rc<[u8]> = text.repeat(LEAST_FOR_THREADS.div_ceil(text.len())).into();
    let units = text.len() as u64;
    let entry = |contestant: &str, threads: usize| {
        let text = text.clone();
        Entry::new(contestant, move || {
            let parallel = ours::Parallel {
                threads,
                ..ours::Parallel::new()
            };
            let mut digest = 0;
            let each = |_: ours::RawGame<'_>, game: Result<ours::Checked, ours::GameError>| {
                digest = mix(digest, game.map_or(0, |game| u64::from(game.plies)));
                ControlFlow::Continue(())
            };
            let read = parallel.read(&text[..], ours::Checker::new, each);
            read.expect("memory gives no I/O errors");
            digest
        })
    };
    Work {
        name: "checked".to_owned(),
        units,
        answer: None,
        entries: vec![entry("two threads", 2), entry("one thread", 1)],
    }
}

/// Order matters: games must come one after the other.
fn mix(digest: u64, value: u64) -> u64 {
    (digest ^ value)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
}

fn our_read<V: ours::Visitor>(
    text: &[u8],
    visitor: &mut V,
    mut each: impl FnMut(Option<V::Output>),
) {
    let mut reader = ours::Reader::new(text);
    while let Some(game) = reader
        .read_game(visitor)
        .expect("memory gives no I/O errors")
    {
        each(game.ok());
    }
}

fn their_read<V: pgn_reader::Visitor>(
    text: impl Read,
    visitor: &mut V,
    mut each: impl FnMut(V::Output),
) {
    let mut reader = pgn_reader::Reader::new(text);
    while let Some(game) = reader.read_game(visitor).expect("it can be read") {
        each(game);
    }
}

/// Checks main lines, and passes over variations as the rival does.
#[derive(Default)]
struct MainLine(ours::Checker);

impl ours::Visitor for MainLine {
    type Output = ours::Checked;

    fn begin_game(&mut self) -> ours::Flow {
        self.0.begin_game()
    }

    fn tag(&mut self, name: &[u8], value: ours::RawTag<'_>) -> ours::Flow {
        self.0.tag(name, value)
    }

    #[inline(always)]
    fn plain_san(&mut self, token: SanToken) -> bool {
        self.0.plain_san(token)
    }

    fn san(&mut self, token: &[u8]) -> ours::Flow {
        self.0.san(token)
    }

    fn begin_variation(&mut self) -> ControlFlow<ours::Stop, ours::Variation> {
        ControlFlow::Continue(ours::Variation::Skip)
    }

    fn outcome(&mut self, outcome: ours::Outcome) -> ours::Flow {
        self.0.outcome(outcome)
    }

    fn end_game(&mut self, game: ours::RawGame<'_>) -> ours::Checked {
        self.0.end_game(game)
    }
}

fn our_check(text: &[u8]) -> u64 {
    let mut digest = 0;
    our_read(text, &mut MainLine::default(), |game| {
        digest = mix(digest, game.map_or(0, |game| u64::from(game.plies)));
    });
    digest
}

/// Every move of a text, or of an open file, checked by pgn-reader with shakmaty.
pub fn their_check(text: impl Read) -> u64 {
    let mut digest = 0;
    their_read(text, &mut Check, |plies| digest = mix(digest, plies));
    digest
}

/// Plays the main line; 0 plies for a bad game.
struct Check;

impl pgn_reader::Visitor for Check {
    type Tags = Option<Chess>;
    type Movetext = (Chess, u64);
    type Output = u64;

    fn begin_tags(&mut self) -> ControlFlow<u64, Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        start: &mut Option<Chess>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<u64> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).ok();
            let position = fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
            match position {
                Some(position) => *start = Some(position),
                None => return ControlFlow::Break(0),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<u64, (Chess, u64)> {
        ControlFlow::Continue((start.unwrap_or_default(), 0))
    }

    fn begin_variation(&mut self, _: &mut (Chess, u64)) -> ControlFlow<u64, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, (position, plies): &mut (Chess, u64), san: SanPlus) -> ControlFlow<u64> {
        let Ok(m) = san.san.to_move(position) else {
            return ControlFlow::Break(0);
        };
        position.play_unchecked(m);
        *plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, plies): (Chess, u64)) -> u64 {
        plies
    }
}

/// Counts what it is told. With `tags_only` it leaves where the movetext begins.
#[derive(Default)]
struct Count {
    count: u64,
    /// By themselves: the rival is deaf to those after a semicolon and after a result.
    comments: u64,
    tags_only: bool,
}

impl ours::Visitor for Count {
    type Output = ();

    fn tag(&mut self, _: &[u8], _: ours::RawTag<'_>) -> ours::Flow {
        self.count += 1;
        ControlFlow::Continue(())
    }

    fn begin_moves(&mut self) -> ours::Flow {
        if self.tags_only {
            return ControlFlow::Break(ours::Stop::Skip);
        }
        ControlFlow::Continue(())
    }

    fn san(&mut self, _: &[u8]) -> ours::Flow {
        self.count += 1;
        ControlFlow::Continue(())
    }

    fn nag(&mut self, _: ours::Nag, _: bool) -> ours::Flow {
        self.count += 1;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, _: ours::RawComment<'_>) -> ours::Flow {
        self.comments += 1;
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, _: ours::Outcome) -> ours::Flow {
        self.count += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: ours::RawGame<'_>) {}
}

impl pgn_reader::Visitor for Count {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<()> {
        self.count += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        if self.tags_only {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.count += 1;
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (): &mut (), _: pgn_reader::Nag) -> ControlFlow<()> {
        self.count += 1;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), _: pgn_reader::RawComment<'_>) -> ControlFlow<()> {
        self.comments += 1;
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), _: pgn_reader::Outcome) -> ControlFlow<()> {
        self.count += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

fn our_count(text: &[u8], tags_only: bool) -> u64 {
    let mut count = Count {
        tags_only,
        ..Count::default()
    };
    our_read(text, &mut count, |_| {});
    std::hint::black_box(count.comments);
    count.count
}

fn their_count(text: &[u8], tags_only: bool) -> u64 {
    let mut count = Count {
        tags_only,
        ..Count::default()
    };
    their_read(text, &mut count, |()| {});
    std::hint::black_box(count.comments);
    count.count
}

fn our_tokens(text: &[u8]) -> u64 {
    our_count(text, false)
}

fn their_tokens(text: &[u8]) -> u64 {
    their_count(text, false)
}

fn our_tags(text: &[u8]) -> u64 {
    our_count(text, true)
}

fn their_tags(text: &[u8]) -> u64 {
    their_count(text, true)
}
