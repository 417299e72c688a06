//! BCGN to PGN: whole files, on all cores.

use std::io::{Read, Write};

use pgn::{Style, write_game};

use super::batch::{Batch, convert_entries};
use super::{ConvertError, ConvertOptions, Entry, Problem, ProblemCause, Report};

/// The export format of the PGN standard. The roster is in the game, and a tag that a game has twice
/// is written twice.
const STYLE: Style = Style {
    roster: false,
    ..Style::EXPORT
};

/// Reads BCGN and writes PGN in the export format. `watch` hears of every problem in the order of the
/// games, and of the progress now and then.
///
/// A damaged game is left out and reported. Where a length is damaged or the file is cut, nobody
/// knows where the next game begins: the games before it are written, and the report says so.
///
/// # Errors
/// [`ConvertError`]; what has been written then is no whole file.
///
/// ```
/// use scoresheet_archive::bcgn::{export, ConvertOptions, Format, Level};
/// let mut file = Format::new(Level::Index).headerless().to_bytes().to_vec();
/// file.extend([0, 6, 0, 4, 0, 67]);
/// let mut text = Vec::new();
/// let report = export(&file[..], &mut text, &ConvertOptions::default(), |_, _| {})?;
/// assert_eq!(report.games_written, 1);
/// assert!(text.ends_with(b"\n\n1. e4 *\n\n"));
/// # Ok::<(), scoresheet_archive::bcgn::ConvertError>(())
/// ```
pub fn export<R: Read, W: Write>(
    input: R,
    output: W,
    options: &ConvertOptions,
    watch: impl FnMut(Option<&Problem>, &Report),
) -> Result<Report, ConvertError> {
    convert_entries(input, output, options, watch, decode_entry)
}

fn decode_entry(entry: &Entry<'_>, batch: &mut Batch) {
    let restored = match entry.to_pgn() {
        Ok(restored) => restored,
        Err(error) => return batch.note_damage(entry, error),
    };
    let before = batch.out.len();
    write_game(&restored.game, &STYLE, &mut batch.out);
    batch.report.games_written += 1;
    batch.report.plies += restored.game.main_line().moves().len() as u64;
    batch.report.bytes_written += (batch.out.len() - before) as u64;
    let kinds = [
        ("odd tags", restored.odd_tags),
        ("odd ECO codes", u64::from(restored.has_odd_eco)),
        ("contradicting FENs", u64::from(restored.has_odd_fen)),
    ];
    for (kind, count) in kinds.into_iter().filter(|(_, count)| *count > 0) {
        batch.note(Problem::of(entry, ProblemCause::Dropped { kind, count }));
    }
}
