//! Learning by descent: soft-max over the legal moves, a step size for each weight (Adagrad).

use chess::attacks::{self, Job, Sliders};
use chess::{Move, Position, Square};
use codec::modelled::features::{
    ManWeights, Memory, PawnWeights, RoleWeights, StepVisitor, StepWeights, phase, seen_by,
    visit_steps,
};
use codec::modelled::layout::{
    COLUMNS, LANDINGS, PHASES, PLACES, REPLIES, SEQUELS, WEIGHTS, column,
};

/// A weight and the sum of its squared gradients.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    pub value: f32,
    squares: f32,
}

/// A legal move as its column and its other weights.
#[derive(Clone, Copy, Debug)]
struct Step {
    word: u16,
    column: u32,
    weights: [u32; 6],
    len: u32,
}

/// The features of one position.
#[derive(Debug, Default)]
pub struct Scene {
    rows: Vec<u32>,
    steps: Vec<Step>,
    role: RoleWeights,
    man: Option<ManWeights>,
    /// Scores, then probabilities.
    pub odds: Vec<f32>,
    errors: Vec<(usize, f32)>,
}

impl Scene {
    #[allow(clippy::cast_possible_truncation)] // Fewer than a million weights.
    fn push(&mut self, word: u16, column: usize, weights: impl IntoIterator<Item = usize>) {
        let mut step = Step {
            word,
            column: column as u32,
            weights: [0; 6],
            len: 0,
        };
        for (to, weight) in step.weights.iter_mut().zip(weights) {
            *to = weight as u32;
            step.len += 1;
        }
        self.steps.push(step);
    }
}

impl StepVisitor for Scene {
    fn role(&mut self, role: RoleWeights) {
        self.role = role;
    }

    fn man(&mut self, man: ManWeights) {
        self.man = Some(man);
    }

    fn step(&mut self, to: Square, step: StepWeights) {
        let (role, Some(man)) = (self.role, self.man) else {
            return;
        };
        let landing = [role.landings + step.landing, man.leavings + step.leaving];
        let weights = man.own.into_iter().flatten().chain(landing);
        self.push(man.word(to), role.columns + step.column, weights);
    }

    fn pawn_step(&mut self, word: u16, step: StepWeights, pawn: PawnWeights) {
        let role = self.role;
        let landing = [
            pawn.origin,
            role.landings + step.landing,
            pawn.leavings + step.leaving,
            pawn.road,
        ];
        let weights = landing.into_iter().chain(pawn.promotion);
        self.push(word, role.columns + step.column, weights);
    }

    fn castle(&mut self, word: u16, column: usize) {
        self.push(word, column, []);
    }
}

struct Fill<'a> {
    scene: &'a mut Scene,
    position: &'a Position,
    memory: Memory,
}

impl Job for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) {
        visit_steps(self.position, self.memory, sliders, self.scene);
    }
}

impl Scene {
    /// Takes in a position.
    #[allow(clippy::cast_possible_truncation)]
    pub fn fill(&mut self, position: &Position, memory: Memory) {
        self.rows.clear();
        self.steps.clear();
        let us = position.turn();
        for (square, piece) in position.board().pieces() {
            let side = usize::from(piece.color != us) * COLUMNS;
            let row = side + column(piece.role, seen_by(us, square));
            self.rows.push((PLACES + row * COLUMNS) as u32);
        }
        self.rows
            .push((REPLIES + memory.reply_row() * COLUMNS) as u32);
        self.rows
            .push((SEQUELS + memory.sequel_row() * COLUMNS) as u32);
        self.rows.push((PHASES + phase(position) * COLUMNS) as u32);
        attacks::dispatch(Fill {
            scene: self,
            position,
            memory,
        });
    }

    /// The moves in the order of the format.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.steps
            .iter()
            .filter_map(|step| Move::from_word(step.word))
    }

    /// The rows of the position.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The column of a move, and the weight of the square it leaves.
    pub fn columns(&self, i: usize) -> (usize, Option<usize>) {
        let step = self.steps[i];
        let origin = (step.len > 0).then_some(step.weights[0] as usize);
        (step.column as usize, origin)
    }

    /// The number of a move in the order of the format.
    pub fn index_of(&self, m: Move) -> Option<usize> {
        self.steps.iter().position(|step| step.word == m.word())
    }
}

/// What is learnt.
#[derive(Debug)]
pub struct Linear {
    pub weights: Vec<Weight>,
    pub rate: f32,
    random: u32,
}

/// The most that a row's weight can be: 127 units of 1/64.
const ROW_MOST: f32 = 127.0 / 64.0;

/// Moves with less than this are learnt from now and then, and then as if they had this.
const RARE: f32 = 0.02;

impl Linear {
    pub fn new(rate: f32, seed: u32) -> Linear {
        let nothing = Weight {
            value: 0.0,
            squares: 1.0,
        };
        Linear {
            weights: vec![nothing; WEIGHTS],
            rate,
            random: seed | 1,
        }
    }

    /// What was learnt, as it stands.
    pub fn to_bytes(&self) -> Vec<u8> {
        let values = self.weights.iter();
        values
            .flat_map(|weight| weight.value.to_le_bytes())
            .collect()
    }

    /// What was learnt before; it can foretell, and learn on with small steps.
    pub fn from_bytes(bytes: &[u8], rate: f32, seed: u32) -> Option<Linear> {
        let mut model = Linear::new(rate, seed);
        let (values, _) = bytes.as_chunks();
        if values.len() != model.weights.len() {
            return None;
        }
        for (weight, value) in model.weights.iter_mut().zip(values) {
            weight.value = f32::from_le_bytes(*value);
        }
        Some(model)
    }

    fn random(&mut self) -> f32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        (self.random >> 8) as f32 / (1 << 24) as f32
    }

    /// The weights as the codec has them: in units of 1/64.
    pub fn quantised(&self) -> Vec<i16> {
        #[allow(clippy::cast_possible_truncation)] // Clamped.
        self.weights
            .iter()
            .enumerate()
            .map(|(at, weight)| {
                let most = if at < LANDINGS { 127.0 } else { 600.0 };
                (weight.value * 64.0).round().clamp(-most, most) as i16
            })
            .collect()
    }

    /// What a file of the codec holds.
    pub fn from_file(bytes: &[u8]) -> Option<Linear> {
        let mut model = Linear::new(0.0, 1);
        let weights = codec::modelled::weights(bytes)?;
        for (weight, value) in model.weights.iter_mut().zip(weights) {
            weight.value = f32::from(value) / 64.0;
        }
        Some(model)
    }

    /// The probabilities of the moves of a scene.
    pub fn foretell(&self, scene: &mut Scene) {
        self.score(scene);
        let odds = &mut scene.odds;
        let most = odds.iter().copied().fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for odds in odds.iter_mut() {
            *odds = (*odds - most).exp();
            sum += *odds;
        }
        for odds in odds.iter_mut() {
            *odds /= sum;
        }
    }

    /// The scores of the moves of a scene, as its odds.
    pub fn score(&self, scene: &mut Scene) {
        let Scene {
            rows, steps, odds, ..
        } = scene;
        odds.clear();
        odds.extend(steps.iter().map(|step| {
            let own = &step.weights[..step.len as usize];
            own.iter()
                .map(|&at| self.weights[at as usize].value)
                .sum::<f32>()
        }));
        for &row in rows.iter() {
            let row = &self.weights[row as usize..row as usize + COLUMNS];
            for (step, odds) in steps.iter().zip(odds.iter_mut()) {
                *odds += row[step.column as usize].value;
            }
        }
    }

    /// Learns that a move was played, after [`Linear::foretell`]. `share` is how much of it there
    /// is to learn: less where an opening table knows better.
    pub fn learn(&mut self, scene: &mut Scene, played: usize, share: f32) {
        scene.errors.clear();
        for (i, &odds) in scene.odds.iter().enumerate() {
            let mut error = odds - f32::from(u8::from(i == played));
            if i != played && odds < RARE {
                if self.random() * RARE > odds {
                    continue;
                }
                error = RARE;
            }
            scene.errors.push((i, error * share));
        }
        for &row in &scene.rows {
            for &(i, error) in &scene.errors {
                self.adjust((row + scene.steps[i].column) as usize, error);
            }
        }
        for &(i, error) in &scene.errors {
            let step = scene.steps[i];
            for &at in &step.weights[..step.len as usize] {
                self.adjust(at as usize, error);
            }
        }
    }

    #[inline(always)]
    fn adjust(&mut self, at: usize, error: f32) {
        let weight = &mut self.weights[at];
        weight.squares += error * error;
        let value = weight.value - self.rate * error / weight.squares.sqrt();
        // A row's weight has eight bits.
        weight.value = if at < LANDINGS {
            value.clamp(-ROW_MOST, ROW_MOST)
        } else {
            value
        };
    }
}
