//! The bar on a terminal; nothing in a pipe.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::grouped;

/// Shows how far an input has been read.
pub struct Progress {
    bar: ProgressBar,
    position: Arc<AtomicU64>,
}

impl Progress {
    /// A bar on standard error, if that is a terminal and nobody asked for silence.
    pub fn new(position: Arc<AtomicU64>, length: Option<u64>, is_quiet: bool) -> Progress {
        let target = if is_quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(10)
        };
        let bar = ProgressBar::with_draw_target(length, target);
        let template = match length {
            Some(_) => "{bar:32} {bytes}/{total_bytes}  {msg}  {bytes_per_sec}  {eta} left",
            None => "{spinner} {bytes}  {msg}  {bytes_per_sec}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Progress { bar, position }
    }

    /// So many games are done.
    pub fn show(&self, games: u64) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_position(self.position.load(Ordering::Relaxed));
        let seconds = self
            .bar
            .elapsed()
            .max(Duration::from_millis(1))
            .as_secs_f64();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A rate for people.
        let rate = (games as f64 / seconds) as u64;
        let text = format!("{} games, {}/s", grouped(games), grouped(rate));
        self.bar.set_message(text);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
