//! Answers by looking through all games: slower than an index, with any filter.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use archive::ArchiveError;
use archive::games::{Archive, Columns, Filter, GameView, ReadAt};
use chess::{Keyed, Move, Position};
use codec::Legality;

use super::answer::{Answer, MoveAnswer, Tally};
use super::builder::facts_of;
use crate::needs::Needs;
use crate::pattern::Pattern;

/// A position that is asked about, without an index.
#[derive(Clone, Debug)]
pub struct Explorer {
    position: Position,
    /// How many threads work.
    pub threads: NonZeroUsize,
    /// What the tags of a game must say.
    pub filter: Filter,
    key: u64,
    /// Keys of the positions after its moves.
    children: HashMap<u64, usize>,
    moves: Vec<Move>,
    needs: Needs,
}

impl Explorer {
    /// Asks about a position.
    #[must_use]
    pub fn new(position: &Position) -> Explorer {
        let mut children = HashMap::new();
        let mut moves = Vec::new();
        let mut needs = Pattern::exact(position).needs();
        for m in position.legal_moves() {
            let mut child = *position;
            child.play_unchecked(m);
            children.insert(child.key(), moves.len());
            moves.push(m);
            needs = needs.or(Pattern::exact(&child).needs());
        }
        Explorer {
            position: *position,
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            filter: Filter::default(),
            key: position.key(),
            children,
            moves,
            needs,
        }
    }

    /// Looks through the games that pass the filter.
    ///
    /// # Errors
    /// Those of the archive.
    pub fn ask<F: ReadAt>(&self, archive: &Archive<F>) -> Result<Answer, ArchiveError> {
        let tags = ["WhiteElo", "BlackElo", "Date", "Result"];
        let columns = tags.into_iter().map(Columns::tag);
        let columns = columns.fold(Columns::MOVES | self.filter.columns(), |columns, tag| {
            columns | tag
        });
        let mut answer = self.nothing();
        let work = |group: usize| {
            if !self.filter.may_match(archive, group) {
                return Ok(self.nothing());
            }
            let rows = archive.row_group(group, columns)?;
            let mut answer = self.nothing();
            for game in rows.games().filter(|game| self.filter.matches(*game)) {
                self.look(game, &mut answer)
                    .map_err(|error| rows.moves_fault(game, error))?;
            }
            Ok(answer)
        };
        archive.for_each_row_group(
            self.threads,
            work,
            |part: Result<Answer, ArchiveError>| -> Result<(), ArchiveError> {
                let part = part?;
                answer.total.merge(&part.total);
                for (own, other) in answer.moves.iter_mut().zip(&part.moves) {
                    own.played.merge(&other.played);
                    own.transposed += other.transposed;
                }
                Ok(())
            },
        )?;
        // So far all games that came to the position after the move are counted.
        for own in &mut answer.moves {
            own.transposed = own.transposed.saturating_sub(own.played.games);
        }
        answer.sort();
        Ok(answer)
    }

    fn nothing(&self) -> Answer {
        let moves = self.moves.iter().map(|&m| MoveAnswer {
            m,
            played: Tally::default(),
            transposed: 0,
        });
        Answer {
            position: self.position,
            total: Tally::default(),
            moves: moves.collect(),
        }
    }

    fn look(&self, game: GameView<'_>, answer: &mut Answer) -> Result<(), codec::CodecError> {
        let Some(moves) = game.moves() else {
            return Ok(());
        };
        let mut keyed = Keyed::new(moves.start);
        // How the game went on from the position, and from those after its moves: each once a game,
        // as in an index.
        let mut here: Vec<Option<Move>> = Vec::new();
        let mut after: Vec<(usize, Option<Move>)> = Vec::new();
        let mut see = |keyed: &Keyed, m: Option<Move>| {
            let is_here =
                keyed.key() == self.key && keyed.position().is_same_position(&self.position);
            if is_here && !here.contains(&m) {
                here.push(m);
            }
            if let Some(&number) = self.children.get(&keyed.key())
                && !after.contains(&(number, m))
            {
                after.push((number, m));
            }
        };
        let (_, plies) = moves.replay(Legality::Trusted, |position, m| {
            see(&keyed, Some(m));
            if !self.needs.can_come(position) {
                return ControlFlow::Break(());
            }
            keyed.play_unchecked(m);
            ControlFlow::Continue(())
        })?;
        if plies == moves.plies as usize {
            see(&keyed, None);
        }
        if here.is_empty() && after.is_empty() {
            return Ok(());
        }
        let (turn, facts) = (self.position.turn(), facts_of(game));
        for m in here {
            answer.total.add(turn, game.number(), facts);
            let played = m.and_then(|m| self.moves.iter().position(|known| *known == m));
            if let Some(own) = played.and_then(|number| answer.moves.get_mut(number)) {
                own.played.add(turn, game.number(), facts);
            }
        }
        for (number, _) in after {
            if let Some(own) = answer.moves.get_mut(number) {
                own.transposed += 1;
            }
        }
        Ok(())
    }
}
