//! Measures how much of a file comes back byte for byte: `cargo run --release --example restore FILE…`

use std::time::Instant;

use scoresheet_pgn::{GameBuilder, Reader, Style, StyleSet};

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path)?;
        let one = Style::detect(&text);
        let mut reader = Reader::from_slice(&text);
        let mut builder = GameBuilder::new();
        let mut styles = StyleSet::new(64);
        let (mut games, mut by_one, mut by_set, mut bytes) = (0, 0, 0, 0);
        let mut shown = 0;
        let start = Instant::now();
        while let Some(result) = reader.read_game(&mut builder)? {
            games += 1;
            let Ok(game) = result else { continue };
            let raw = reader.last_game().bytes;
            by_one += u32::from(one.restores(&game, raw));
            if styles.find(&game, raw).is_some() {
                by_set += 1;
                bytes += raw.len();
            } else if shown < 2 && std::env::var_os("SHOW").is_some() {
                shown += 1;
                let mut text = Vec::new();
                scoresheet_pgn::write_game(&game, &one, &mut text);
                let same = text.iter().zip(raw).take_while(|(a, b)| a == b).count();
                let from = same.saturating_sub(80);
                let cut = |t: &[u8]| {
                    let end = (same + 60).min(t.len());
                    String::from_utf8_lossy(&t[from..end]).into_owned()
                };
                println!("--- text:\n{:?}\n--- written:\n{:?}", cut(raw), cut(&text));
            }
        }
        let share = |n: u32| 100.0 * f64::from(n) / f64::from(games.max(1u32));
        println!(
            "{path}: {games} games, one style {:.2} %, {} styles {:.2} % ({:.2} % of bytes), {:.1} s",
            share(by_one),
            styles.styles().len(),
            share(by_set),
            100.0 * bytes as f64 / text.len().max(1) as f64,
            start.elapsed().as_secs_f64(),
        );
        if std::env::var_os("SHOW").is_some() {
            println!("{one:?}");
        }
    }
    Ok(())
}
