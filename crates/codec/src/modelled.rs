//! `modelled`: every legal move has a probability, and a range coder writes the one that was played.

mod attack_maps;
pub mod features;
pub mod layout;
