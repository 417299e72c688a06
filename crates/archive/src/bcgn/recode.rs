//! BCGN to BCGN: another level, with headers or without, on all cores.

use std::io::{Read, Write};

use super::batch::{Batch, convert_entries};
use super::{
    ConvertError, ConvertOptions, Draft, Entry, Format, Info, Problem, ProblemCause, Report,
};
use crate::ArchiveError;

/// Reads BCGN and writes it in another format. `watch` hears of every problem in the order of the
/// games, and of the progress now and then.
///
/// Every move is checked on the way. A damaged game is left out and reported, as by
/// [`export`](super::export); so is a game that the other level cannot hold. Names that a headerless
/// file does not have are `?`, as they would be by way of PGN.
///
/// # Errors
/// [`ConvertError`]; what has been written then is no whole file.
///
/// ```
/// use scoresheet_archive::bcgn::{recode, ConvertOptions, Format, Level};
/// let mut file = Format::new(Level::Index).headerless().to_bytes().to_vec();
/// file.extend([0, 6, 0, 4, 0, 67]);
/// let mut packed = Vec::new();
/// let format = Format::new(Level::Packed).headerless();
/// let report = recode(&file[..], &mut packed, format, &ConvertOptions::default(), |_, _| {})?;
/// assert_eq!(report.games_written, 1);
/// assert_eq!(packed[32..], [0, 6, 0, 4, 0, 0xc8]);
/// # Ok::<(), scoresheet_archive::bcgn::ConvertError>(())
/// ```
pub fn recode<R: Read, W: Write>(
    input: R,
    mut output: W,
    format: Format,
    options: &ConvertOptions,
    watch: impl FnMut(Option<&Problem>, &Report),
) -> Result<Report, ConvertError> {
    let head = format.to_bytes();
    output.write_all(&head).map_err(ConvertError::Write)?;
    let has_extra_tags = options.has_extra_tags;
    let mut report = convert_entries(input, output, options, watch, |entry, batch| {
        recode_entry(entry, format, has_extra_tags, batch);
    })?;
    report.bytes_written += head.len() as u64;
    Ok(report)
}

fn recode_entry(entry: &Entry<'_>, format: Format, has_extra_tags: bool, batch: &mut Batch) {
    let mut draft = match draft_of(entry) {
        Ok(draft) => draft,
        Err(error) => return batch.note_damage(entry, error),
    };
    let mut tags = 0;
    if !has_extra_tags && !format.is_headerless {
        tags = std::mem::take(&mut draft.tags).len() as u64;
    }
    let before = batch.out.len();
    if let Err(refusal) = format.encode(&draft, &mut batch.out) {
        return batch.note(Problem::of(entry, ProblemCause::Refused(refusal)));
    }
    batch.report.drop("tags", tags);
    batch.report.games_written += 1;
    batch.report.plies += draft.moves.len() as u64;
    batch.report.bytes_written += (batch.out.len() - before) as u64;
}

fn draft_of<'a>(entry: &Entry<'a>) -> Result<Draft<'a>, ArchiveError> {
    let header = entry.header()?;
    let unknown = Info {
        white: b"?",
        black: b"?",
        event: b"?",
        site: b"?",
        ..header.info
    };
    Ok(Draft {
        info: if entry.format().is_headerless {
            unknown
        } else {
            header.info
        },
        result: header.result,
        start: header.start,
        tags: header.tags.collect(),
        moves: entry.moves()?,
    })
}
