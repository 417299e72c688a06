//! Writes games to a file.

use std::io::Write;

use super::header::{HAS_START, HAS_TAGS, result_number};
use super::position::refusal_of;
use super::{
    Draft, Format, Info, MAX_GAME_BYTES, MAX_PLIES, MAX_STRING_BYTES, MAX_TAGS, START_BYTES,
    encode_start,
};
use crate::{ArchiveError, Limit, Refusal};

/// Writes a file game by game. Nothing is written of a game that is refused.
///
/// ```
/// use scoresheet_archive::bcgn::{Draft, Format, Level, Writer};
/// let mut writer = Writer::new(Vec::new(), Format::new(Level::Index).headerless())?;
/// writer.write(&Draft::default())?;
/// let file = writer.finish()?;
/// assert_eq!(file[32..], [0, 5, 0, 0, 0]);
/// # Ok::<(), scoresheet_archive::ArchiveError>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    format: Format,
    games: u64,
    entry: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// [`ArchiveError::Io`].
    pub fn new(mut out: W, format: Format) -> Result<Writer<W>, ArchiveError> {
        out.write_all(&format.to_bytes())?;
        Ok(Writer {
            out,
            format,
            games: 0,
            entry: Vec::new(),
        })
    }

    /// Writes a game.
    ///
    /// # Errors
    /// [`ArchiveError::Refused`] if the format cannot hold it, [`ArchiveError::Io`].
    pub fn write(&mut self, draft: &Draft<'_>) -> Result<(), ArchiveError> {
        self.entry.clear();
        self.format.encode(draft, &mut self.entry)?;
        self.out.write_all(&self.entry)?;
        self.games += 1;
        Ok(())
    }

    /// Writes games that [`Format::encode`] made for this format.
    ///
    /// # Errors
    /// [`ArchiveError::Io`].
    pub fn write_encoded(&mut self, entries: &[u8], games: u64) -> Result<(), ArchiveError> {
        self.out.write_all(entries)?;
        self.games += games;
        Ok(())
    }

    /// How many games have been written.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Ends the file. A file has nothing at its end, but buffers must be flushed.
    ///
    /// # Errors
    /// [`ArchiveError::Io`].
    pub fn finish(mut self) -> Result<W, ArchiveError> {
        self.out.flush()?;
        Ok(self.out)
    }
}

impl Format {
    /// Appends a game as an entry of a file of this format. Names and tags are left out if it has no
    /// headers.
    ///
    /// # Errors
    /// [`Refusal`] if the format cannot hold it; `out` is as before then.
    pub fn encode(self, draft: &Draft<'_>, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let before = out.len();
        let done = self.encode_entry(draft, out);
        if done.is_err() {
            out.truncate(before);
        }
        done
    }

    fn encode_entry(self, draft: &Draft<'_>, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let entry = out.len();
        let plies = Limit::check("plies", draft.moves.len(), MAX_PLIES)?;
        let word = narrow("plies", plies << 2)? | result_number(draft.result);
        let start = draft.start.as_ref().map(encode_start).transpose()?;
        let start_flag = if start.is_some() { HAS_START } else { 0 };
        let start_bytes = start
            .as_ref()
            .map_or(&[][..], <[u8; START_BYTES]>::as_slice);
        out.extend([0, 0]);
        if self.is_headerless {
            out.extend(word.to_be_bytes());
            out.push(start_flag);
            out.extend(start_bytes);
        } else {
            let tags = Limit::check("tags", draft.tags.len(), MAX_TAGS)?;
            let tags_flag = if tags > 0 { HAS_TAGS } else { 0 };
            out.extend([0, 0]);
            out.extend(word.to_be_bytes());
            extend_numbers(&draft.info, out);
            out.push(start_flag | tags_flag);
            out.extend(start_bytes);
            extend_names(&draft.info, out)?;
            if tags > 0 {
                extend_tags(&draft.tags, out)?;
            }
            let length = narrow("game bytes", out.len() - entry)?;
            put_word(out, entry + 2, length);
        }
        extend_moves(self, draft, out)?;
        let length = narrow("game bytes", out.len() - entry)?;
        put_word(out, entry, length);
        Ok(())
    }
}

/// A length as it is written: the limit of a game is the tightest, and checked here.
fn narrow(what: &'static str, size: usize) -> Result<u16, Refusal> {
    let max = if what == "game bytes" {
        MAX_GAME_BYTES
    } else {
        usize::from(u16::MAX)
    };
    let limit = Limit {
        what,
        found: size,
        max,
    };
    Limit::check(what, size, max)?;
    u16::try_from(size).map_err(|_| Refusal::Limit(limit))
}

fn put_word(out: &mut [u8], at: usize, word: u16) {
    if let Some(place) = out.get_mut(at..at + 2) {
        place.copy_from_slice(&word.to_be_bytes());
    }
}

fn extend_numbers(info: &Info<'_>, out: &mut Vec<u8>) {
    out.extend(info.date.year.to_be_bytes());
    out.extend([info.date.month, info.date.day]);
    out.extend(info.white_elo.to_be_bytes());
    out.extend(info.black_elo.to_be_bytes());
    out.extend(info.round.to_be_bytes());
    out.extend(info.eco);
}

fn extend_names(info: &Info<'_>, out: &mut Vec<u8>) -> Result<(), Refusal> {
    extend_string("White bytes", info.white, out)?;
    extend_string("Black bytes", info.black, out)?;
    extend_string("Event bytes", info.event, out)?;
    extend_string("Site bytes", info.site, out)
}

fn extend_tags(tags: &[(&[u8], &[u8])], out: &mut Vec<u8>) -> Result<(), Refusal> {
    let limit = Limit {
        what: "tags",
        found: tags.len(),
        max: MAX_TAGS,
    };
    out.push(u8::try_from(tags.len()).map_err(|_| limit)?);
    for (name, value) in tags {
        extend_string("tag name bytes", name, out)?;
        extend_string("tag value bytes", value, out)?;
    }
    Ok(())
}

fn extend_string(what: &'static str, text: &[u8], out: &mut Vec<u8>) -> Result<(), Refusal> {
    let limit = Limit {
        what,
        found: text.len(),
        max: MAX_STRING_BYTES,
    };
    out.push(u8::try_from(text.len()).map_err(|_| limit)?);
    out.extend(text);
    Ok(())
}

fn extend_moves(format: Format, draft: &Draft<'_>, out: &mut Vec<u8>) -> Result<(), Refusal> {
    let start = draft.start.as_ref().unwrap_or(&chess::Position::START);
    if let Some(refusal) = refusal_of(start) {
        return Err(refusal);
    }
    let moves = draft.moves.iter().copied();
    let codec = format.level.codec();
    codec.encode(start, moves, out).map_err(Refusal::Moves)?;
    Ok(())
}
