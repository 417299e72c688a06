//! Cuts texts into pieces, at borders of games.

use std::io::{self, Read};

use memchr::memmem;
use pgn::Reader;

/// Part of the input: whole games, of one file or of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: Vec<u8>,
    /// The files that end in this piece.
    pub(crate) ends: Vec<FileEnd>,
    /// Whether the text is to be kept as it is: part of something too large to be a game.
    pub(crate) is_raw: bool,
}

/// Where in a piece a file ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileEnd {
    pub(crate) at: usize,
    pub(crate) name: String,
}

/// Gives the texts of files piece by piece. A file is opened when the one before it has been read.
pub(crate) struct Cutter<I, R> {
    inputs: I,
    input: Option<(String, R)>,
    size: usize,
    /// A game of more bytes is no game.
    game_bytes: usize,
    /// The next piece. Its text is longer than what has been read of it: to make room is to write zeros, and a
    /// text that is used again has had that.
    piece: Piece,
    /// So many bytes of its text have been read.
    filled: usize,
    has_begun: bool,
    /// Memory that somebody has used, for the next piece.
    pub(crate) room: Option<Vec<u8>>,
}

impl<R: Read, I: Iterator<Item = (String, R)>> Cutter<I, R> {
    pub(crate) fn new(inputs: I, size: usize, game_bytes: usize) -> Cutter<I, R> {
        Cutter {
            inputs,
            input: None,
            size,
            game_bytes,
            piece: Piece::default(),
            filled: 0,
            has_begun: false,
            room: None,
        }
    }

    pub(crate) fn next_piece(&mut self) -> io::Result<Option<Piece>> {
        if !self.has_begun {
            self.input = self.inputs.next();
            self.has_begun = true;
        }
        let mut wanted = self.size;
        loop {
            self.fill(wanted)?;
            if self.input.is_none() {
                let mut rest = std::mem::take(&mut self.piece);
                rest.text.truncate(std::mem::take(&mut self.filled));
                let is_over = rest.text.is_empty() && rest.ends.is_empty();
                return Ok((!is_over).then_some(rest));
            }
            let last_end = self.piece.ends.last().map_or(0, |end| end.at);
            let open = self.piece.text.get(last_end..self.filled);
            let open = open.unwrap_or_default();
            if let Some(border) = last_border(open) {
                return Ok(Some(self.cut(last_end + border)));
            }
            if last_end > 0 {
                return Ok(Some(self.cut(last_end)));
            }
            if wanted >= self.game_bytes {
                let mut piece = self.cut(self.filled);
                piece.is_raw = true;
                return Ok(Some(piece));
            }
            wanted *= 2;
        }
    }

    /// Cuts the piece in two and returns the first.
    fn cut(&mut self, at: usize) -> Piece {
        let room = self.room.take();
        let mut rest = room.unwrap_or_else(|| Vec::with_capacity(self.size + (64 << 10)));
        let open = self.piece.text.get(at..self.filled).unwrap_or_default();
        rest.resize(rest.len().max(open.len()), 0);
        if let Some(start) = rest.get_mut(..open.len()) {
            start.copy_from_slice(open);
        }
        self.filled = open.len();
        let mut text = std::mem::replace(&mut self.piece.text, rest);
        text.truncate(at);
        Piece {
            text,
            ends: std::mem::take(&mut self.piece.ends),
            is_raw: false,
        }
    }

    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        while self.filled < wanted {
            let Some((name, input)) = &mut self.input else {
                return Ok(());
            };
            let text = &mut self.piece.text;
            text.resize(text.len().max(wanted), 0);
            let room = text.get_mut(self.filled..wanted).unwrap_or_default();
            match input.read(room) {
                Ok(0) => {
                    self.piece.ends.push(FileEnd {
                        at: self.filled,
                        name: std::mem::take(name),
                    });
                    self.input = self.inputs.next();
                }
                Ok(read) => self.filled += read.min(room.len()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The last place where a game certainly begins: `[Event ` after an empty line.
fn last_border(text: &[u8]) -> Option<usize> {
    let mut end = text.len();
    while let Some(at) = memmem::rfind(text.get(..end)?, b"\n[Event ") {
        let before = text.get(..at)?;
        let before = before.strip_suffix(b"\r").unwrap_or(before);
        if before.ends_with(b"\n") {
            return Some(at + 1);
        }
        end = at;
    }
    // No tags: the reader says where the last game begins.
    let mut reader = Reader::from_slice(text);
    let mut border = 0;
    loop {
        let at = usize::try_from(reader.offset()).ok()?;
        if !reader.skip_game().ok()? {
            break;
        }
        border = at;
    }
    (border > 0).then_some(border)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(files: &[&str], size: usize) -> Vec<Piece> {
        let inputs = files.iter().enumerate();
        let inputs = inputs.map(|(i, text)| (i.to_string(), text.as_bytes()));
        let mut cutter = Cutter::new(inputs, size, 2 * size);
        std::iter::from_fn(|| cutter.next_piece().unwrap()).collect()
    }

    #[test]
    fn every_byte_and_every_end_is_in_one_piece() {
        let game = "[Event \"x\"]\n\n1. e4 e5 *\n\n";
        let many = game.repeat(20);
        let files = [many.as_str(), "", game, "1. d4 *\n1. c4 *\n", "", "\u{1}"];
        for size in [1, 10, 64, 200, 1 << 20] {
            let pieces = pieces(&files, size);
            let text: Vec<u8> = pieces.iter().flat_map(|piece| piece.text.clone()).collect();
            assert_eq!(text, files.concat().as_bytes(), "size {size}");
            let mut before = 0;
            let mut ends = Vec::new();
            for piece in &pieces {
                ends.extend(piece.ends.iter().map(|end| (before + end.at, &*end.name)));
                before += piece.text.len();
            }
            let mut at = 0;
            let expected: Vec<_> = files
                .iter()
                .map(|file| {
                    at += file.len();
                    at
                })
                .zip(["0", "1", "2", "3", "4", "5"])
                .collect();
            assert_eq!(ends, expected, "size {size}");
        }
        assert!(pieces(&[], 10).is_empty());
    }

    #[test]
    fn pieces_end_where_games_do() {
        let game = "[Event \"x\"]\n\n1. e4 e5 *\n\n";
        let pieces = pieces(&[&game.repeat(20)], 100);
        assert!(pieces.len() > 5);
        for piece in pieces {
            assert!(piece.text.len() % game.len() == 0 && !piece.is_raw);
        }
    }

    #[test]
    fn what_is_too_large_to_be_a_game_is_raw() {
        let pieces = pieces(&[&"x".repeat(1000)], 64);
        assert!(pieces.len() > 2 && pieces[0].is_raw);
    }
}
