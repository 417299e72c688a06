//! The hidden layers of the level `max`: what rows of weights mean only together.
//!
//! Every row that is true of the position adds a vector to [`UNITS`] numbers; each is clipped, and a
//! move's score is raised by their product with two vectors: of its column, and of the column that it
//! leaves. There are two such layers, one learnt from all games, the other from games online: two
//! opinions, and the moves of a game tell which one to trust.

use std::sync::OnceLock;

use chess::attacks::{Job, Sliders};
use chess::{CastlingSide, Position, Role, Square};

use super::features::{Memory, phase, seen_by};
use super::layout::{COLUMNS, LANDINGS, PHASES, REPLIES, SEQUELS, castling_column, column};
use super::model::{Aligned, HEAD};
use super::odds::Odds;

/// How many hidden units a layer has.
pub const UNITS: usize = 32;
/// One vector for every row.
pub const INPUTS: usize = LANDINGS / COLUMNS;

/// The number of the model that is model 1 with these layers on top.
pub(super) const NUMBER: u16 = 2;

pub(super) static BYTES: &[u8] = &FILE.bytes;

static FILE: Aligned<{ include_bytes!("model-2.bin").len() }> =
    Aligned::new(*include_bytes!("model-2.bin"));

/// What a unit begins with: 1/2, in units of 1/128.
const BEGIN: i16 = 64;

type Vector = [u8; UNITS];
const NONE: &Vector = &[0; UNITS];

/// The numbers of the rows of a position: 32 men, the last two moves, the phase.
struct Rows {
    rows: [u16; 36],
    len: usize,
}

impl Rows {
    #[inline(always)]
    fn of(position: &Position, memory: Memory) -> Rows {
        let us = position.turn();
        let board = position.board();
        let mut rows = Rows {
            rows: [0; 36],
            len: 0,
        };
        rows.push(REPLIES / COLUMNS + memory.reply_row());
        rows.push(SEQUELS / COLUMNS + memory.sequel_row());
        rows.push(PHASES / COLUMNS + phase(position));
        for role in Role::ALL {
            let men = board.by_role(role);
            for (side, color) in [us, !us].into_iter().enumerate() {
                for square in men & board.by_color(color) {
                    rows.push(side * COLUMNS + column(role, seen_by(us, square)));
                }
            }
        }
        rows
    }

    #[inline(always)]
    fn push(&mut self, row: usize) {
        if let Some(place) = self.rows.get_mut(self.len) {
            *place = row as u16;
            self.len += 1;
        }
    }

    #[inline(always)]
    fn all(&self) -> &[u16] {
        self.rows.get(..self.len).unwrap_or_default()
    }
}

/// One layer, as it is in the file: a signed byte a number, of inputs in units of 1/128, of others 1/64.
#[derive(Clone, Copy, Debug, Default)]
struct Layer<'a> {
    inputs: &'a [Vector],
    targets: &'a [Vector],
    origins: &'a [Vector],
}

/// Both layers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Net<'a> {
    layers: [Layer<'a>; 2],
}

/// The layers that are built in.
pub(super) fn built_in() -> &'static Net<'static> {
    static NET: OnceLock<Net<'_>> = OnceLock::new();
    NET.get_or_init(|| Net::new(BYTES).unwrap_or_default())
}

impl<'a> Layer<'a> {
    const LEN: usize = INPUTS + 2 * COLUMNS;

    fn new(vectors: &'a [Vector]) -> Option<Layer<'a>> {
        let (inputs, rest) = vectors.split_at_checked(INPUTS)?;
        let (targets, origins) = rest.split_at_checked(COLUMNS)?;
        Some(Layer {
            inputs,
            targets,
            origins: origins.get(..COLUMNS)?,
        })
    }

    /// The units of a position with these rows, clipped to a byte.
    #[inline(always)]
    fn units(&self, rows: &Rows) -> [i16; UNITS] {
        let mut units = [BEGIN; UNITS];
        for &row in rows.all() {
            let vector = self.inputs.get(usize::from(row)).unwrap_or(NONE);
            for i in 0..UNITS {
                // 36 bytes and the begin: no sum leaves 16 bits.
                units[i] = units[i].wrapping_add(i16::from(vector[i].cast_signed()));
            }
        }
        units.map(|unit| unit.clamp(0, 255))
    }

    /// What is added to the score of a move.
    #[inline(always)]
    fn more<S: Sliders>(
        &self,
        sliders: S,
        units: &[i16; UNITS],
        to: usize,
        from: Option<usize>,
    ) -> i16 {
        let target = self.targets.get(to).unwrap_or(NONE);
        let origin = from.and_then(|from| self.origins.get(from)).unwrap_or(NONE);
        // 32 × 255 × 256 >> 7 is below 2^15.
        (sliders.products(units, target, origin) >> 7) as i16
    }
}

impl<'a> Net<'a> {
    fn new(bytes: &'a [u8]) -> Option<Net<'a>> {
        let (vectors, _) = bytes.get(HEAD..)?.as_chunks();
        let (first, second) = vectors.split_at_checked(Layer::LEN)?;
        Some(Net {
            layers: [Layer::new(first)?, Layer::new(second)?],
        })
    }

    /// Gives the moves that the model has scored the shares of both opinions, mixed: the first is
    /// trusted by so much of 65,536.
    #[inline(always)]
    pub(super) fn share_out<S: Sliders>(
        &self,
        position: &Position,
        memory: Memory,
        trust: u32,
        sliders: S,
        odds: &mut Odds,
    ) {
        // In a function of its own, compiled for the CPU: the usual level does not grow by it.
        sliders.run(ShareOut {
            net: self,
            position,
            memory,
            trust,
            odds,
        });
    }
}

struct ShareOut<'a> {
    net: &'a Net<'a>,
    position: &'a Position,
    memory: Memory,
    trust: u32,
    odds: &'a mut Odds,
}

impl Job for ShareOut<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) {
        let [first, second] = &self.net.layers;
        let rows = Rows::of(self.position, self.memory);
        let units = [first.units(&rows), second.units(&rows)];
        let position = self.position;
        self.odds.share_out_twice(self.trust, |name| {
            let (to, from) = columns(position, name);
            [
                first.more(sliders, &units[0], to, from),
                second.more(sliders, &units[1], to, from),
            ]
        });
    }
}

/// The column of a move by its name, and the column it leaves; castling leaves none.
#[inline(always)]
fn columns(position: &Position, name: u16) -> (usize, Option<usize>) {
    let us = position.turn();
    let square = |bits: u16| Square::from_low_bits((bits & 63) as u8);
    match name >> 12 {
        2 => (castling_column(CastlingSide::KingSide), None),
        3 => (castling_column(CastlingSide::QueenSide), None),
        _ => {
            let (from, to) = (square(name >> 6), square(name));
            let role = position.board().role_at(from).unwrap_or(Role::Pawn);
            let origin = column(role, seen_by(us, from));
            (column(role, seen_by(us, to)), Some(origin))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::{self, MAGIC, hash, hash_in_head};
    use super::*;
    use chess::attacks::{self, TwoStage};
    use testkit::{GameKind, random_game};

    #[test]
    fn the_built_in_file_is_whole() {
        assert_eq!(BYTES[..8], MAGIC);
        assert_eq!(BYTES[8..10], NUMBER.to_le_bytes());
        assert_eq!(hash(&BYTES[HEAD..]), hash_in_head(BYTES));
        assert_eq!(BYTES.len(), HEAD + 2 * Layer::LEN * UNITS);
        assert!(Net::new(&BYTES[..BYTES.len() - 1]).is_none());
        // All models together.
        assert!(BYTES.len() + model::BYTES.len() <= 4 << 20);
    }

    /// One number after the other, in 64 bits, from what the documentation says.
    fn slow(layer: &Layer<'_>, position: &Position, memory: Memory, m: chess::Move) -> i64 {
        let us = position.turn();
        let number = |byte: u8| i64::from(byte.cast_signed());
        let mut rows: Vec<usize> = position
            .board()
            .pieces()
            .map(|(square, piece)| {
                let seen = usize::from(seen_by(us, square) as u8);
                usize::from(piece.color != us) * 384 + piece.role.index() * 64 + seen
            })
            .collect();
        let phase = phase(position);
        rows.extend([
            768 + memory.reply_row(),
            1153 + memory.sequel_row(),
            1538 + phase,
        ]);
        let mut sum = 0;
        for unit in 0..UNITS {
            let inputs: i64 = rows
                .iter()
                .map(|&row| number(layer.inputs[row][unit]))
                .sum();
            let value = (64 + inputs).clamp(0, 255);
            let role = position.board().role_at(m.from()).unwrap().index() * 64;
            let seen = |square| usize::from(seen_by(us, square) as u8);
            sum += value
                * match m.castling_side() {
                    Some(CastlingSide::KingSide) => number(layer.targets[6][unit]),
                    Some(CastlingSide::QueenSide) => number(layer.targets[2][unit]),
                    None => {
                        number(layer.targets[role + seen(m.to())][unit])
                            + number(layer.origins[role + seen(m.from())][unit])
                    }
                };
        }
        sum >> 7
    }

    struct Units<'a>(&'a Layer<'a>, &'a Position, Memory);

    impl Job for Units<'_> {
        type Output = [i16; UNITS];

        #[inline(always)]
        fn run<S: Sliders>(self, _: S) -> [i16; UNITS] {
            self.0.units(&Rows::of(self.1, self.2))
        }
    }

    #[test]
    fn fast_products_are_the_slow_ones() {
        let net = built_in();
        let mut castlings = 0;
        for kind in GameKind::ALL {
            for seed in 0..6 {
                let mut memory = Memory::default();
                random_game(kind, 40 + seed, 90).walk(|position, played| {
                    for layer in &net.layers {
                        let units = layer.units(&Rows::of(position, memory));
                        let same = attacks::dispatch_wide(Units(layer, position, memory));
                        assert_eq!(
                            (same, TwoStage.run(Units(layer, position, memory))),
                            (units, units)
                        );
                        for m in position.legal_moves() {
                            let (to, from) = columns(position, m.word() & !(4 << 12));
                            let more = i64::from(layer.more(TwoStage, &units, to, from));
                            assert_eq!(more, slow(layer, position, memory, m), "{m:?} {position}");
                            castlings += usize::from(m.castling_side().is_some());
                        }
                    }
                    memory = memory.after(position, played);
                });
            }
        }
        assert!(castlings > 0);
    }
}
