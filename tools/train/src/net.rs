//! A hidden layer on top of the linear model: what is true of a position only together.
//!
//! Every row of the position adds a vector to the hidden units; a unit is clipped to [0, 2). A move gets
//! more by the product of the units with two vectors: of its column, and of the column it leaves.

use codec::modelled::layout::{COLUMNS, ORIGINS};
use codec::modelled::{INPUTS, UNITS};

use crate::descent::Scene;

/// Where a unit is clipped.
const MOST: f32 = 255.0 / 128.0;
/// The most that a vector of an input, and of a move, can have: they are kept in eight bits.
const MOST_INPUT: f32 = 127.0 / 128.0;
const MOST_OUTPUT: f32 = 127.0 / 64.0;

type Units = [f32; UNITS];

/// Vectors that are learnt, with a step size for each of them (Adagrad).
#[derive(Debug)]
struct Vectors {
    values: Vec<Units>,
    squares: Vec<f32>,
}

impl Vectors {
    fn new(len: usize, mut value: impl FnMut() -> f32) -> Vectors {
        Vectors {
            values: (0..len).map(|_| [(); UNITS].map(|()| value())).collect(),
            squares: vec![0.01; len],
        }
    }

    fn learn(&mut self, at: usize, gradient: &Units, rate: f32, most: f32) {
        #[allow(clippy::cast_precision_loss)]
        let mean = sum(gradient, gradient) / UNITS as f32;
        self.squares[at] += mean;
        let rate = rate / self.squares[at].sqrt();
        for (value, gradient) in self.values[at].iter_mut().zip(gradient) {
            *value = (*value - rate * gradient).clamp(-most, most);
        }
    }

    fn quantised(&self, unit: f32) -> impl Iterator<Item = u8> + '_ {
        #[allow(clippy::cast_possible_truncation)] // Clamped.
        let whole = move |value: &f32| (value * unit).round().clamp(-127.0, 127.0) as i8;
        let values = self.values.iter().flatten();
        values.map(move |value| whole(value).cast_unsigned())
    }

    fn read<'a>(&mut self, mut values: impl Iterator<Item = &'a [u8; 4]>) {
        for to in self.values.iter_mut().flatten() {
            *to = values
                .next()
                .map_or(0.0, |bytes| f32::from_le_bytes(*bytes));
        }
    }
}

/// The sum of the products, in eight sums of their own so that the compiler can take them together.
fn sum(a: &Units, b: &Units) -> f32 {
    let mut sums = [0.0; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

fn add(to: &mut Units, factor: f32, from: &Units) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// What is learnt.
#[derive(Debug)]
pub struct Net {
    inputs: Vectors,
    targets: Vectors,
    origins: Vectors,
    rate: f32,
    /// Sums of the last position, and the units they give.
    raw: Units,
    units: Units,
}

impl Net {
    pub fn new(rate: f32, seed: u32) -> Net {
        let mut state = seed | 1;
        let random = move || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            ((state >> 8) as f32 / (1 << 24) as f32 - 0.5) * 0.2
        };
        Net {
            inputs: Vectors::new(INPUTS, random),
            targets: Vectors::new(COLUMNS, || 0.0),
            origins: Vectors::new(COLUMNS + 1, || 0.0),
            rate,
            raw: [0.0; UNITS],
            units: [0.0; UNITS],
        }
    }

    /// The probabilities of a scene whose linear scores are known, as `odds`.
    pub fn foretell(&mut self, scene: &mut Scene) {
        self.raw = [0.5; UNITS];
        for &row in scene.rows() {
            add(
                &mut self.raw,
                1.0,
                &self.inputs.values[row as usize / COLUMNS],
            );
        }
        self.units = self.raw.map(|raw| raw.clamp(0.0, MOST));
        let units = self.units;
        let mut most = f32::MIN;
        for i in 0..scene.odds.len() {
            let (to, from) = columns(scene, i);
            scene.odds[i] +=
                sum(&units, &self.targets.values[to]) + sum(&units, &self.origins.values[from]);
            most = most.max(scene.odds[i]);
        }
        let mut total = 0.0;
        for odds in &mut scene.odds {
            *odds = (*odds - most).exp();
            total += *odds;
        }
        scene.odds.iter_mut().for_each(|odds| *odds /= total);
    }

    /// Learns that a move was played, after [`Net::foretell`].
    pub fn learn(&mut self, scene: &Scene, played: usize) {
        let mut back = [0.0; UNITS];
        let units = self.units;
        for i in 0..scene.odds.len() {
            let error = scene.odds[i] - f32::from(u8::from(i == played));
            if error.abs() < 0.001 {
                continue;
            }
            let (to, from) = columns(scene, i);
            add(&mut back, error, &self.targets.values[to]);
            add(&mut back, error, &self.origins.values[from]);
            let gradient = units.map(|unit| unit * error);
            self.targets.learn(to, &gradient, self.rate, MOST_OUTPUT);
            if from < COLUMNS {
                self.origins.learn(from, &gradient, self.rate, MOST_OUTPUT);
            }
        }
        for (back, raw) in back.iter_mut().zip(self.raw) {
            if raw <= 0.0 || raw >= MOST {
                *back = 0.0;
            }
        }
        for &row in scene.rows() {
            self.inputs
                .learn(row as usize / COLUMNS, &back, self.rate, MOST_INPUT);
        }
    }

    /// What was learnt, as it stands.
    pub fn to_bytes(&self) -> Vec<u8> {
        let all = [&self.inputs, &self.targets, &self.origins];
        let values = all
            .into_iter()
            .flat_map(|vectors| vectors.values.iter().flatten());
        values.flat_map(|value| value.to_le_bytes()).collect()
    }

    /// What was learnt before, to learn on from there.
    pub fn from_bytes(bytes: &[u8], rate: f32, seed: u32) -> Option<Net> {
        let mut net = Net::new(rate, seed);
        let (values, _) = bytes.as_chunks();
        if values.len() != (INPUTS + COLUMNS + COLUMNS + 1) * UNITS {
            return None;
        }
        let mut values = values.iter();
        for vectors in [&mut net.inputs, &mut net.targets, &mut net.origins] {
            vectors.read(values.by_ref());
        }
        Some(net)
    }

    /// What was learnt, as the codec has it: inputs in units of 1/128, targets and origins of 1/64, in
    /// eight bits.
    pub fn quantised(&self) -> Vec<u8> {
        let outputs = self
            .targets
            .quantised(64.0)
            .chain(self.origins.quantised(64.0));
        let outputs = outputs.take(2 * COLUMNS * UNITS);
        self.inputs.quantised(128.0).chain(outputs).collect()
    }
}

/// The column of a move and the column it leaves; castling leaves none.
fn columns(scene: &Scene, i: usize) -> (usize, usize) {
    let (column, origin) = scene.columns(i);
    (
        column,
        origin.map_or(COLUMNS, |at| (at - ORIGINS) % COLUMNS),
    )
}
