//! Games to text.

use chess::{Color, Move, Position};

use crate::game::Stored;
use crate::lines::Lines;
use crate::tracker::after_null;
use crate::{
    BlackNumber, CheckSigns, CommentKind, CommentPadding, Game, LineId, Nag, NagForm, NoteKind,
    Outcome, RawComment, Style, WrapUnit,
};

/// The seven tag roster (PGN §8.1.1), with what stands where nothing is known.
const ROSTER: [(&[u8], &[u8]); 7] = [
    (b"Event", b"?"),
    (b"Site", b"?"),
    (b"Date", b"????.??.??"),
    (b"Round", b"?"),
    (b"White", b"?"),
    (b"Black", b"?"),
    (b"Result", b"*"),
];

/// Appends a game in a style.
///
/// ```
/// use scoresheet_pgn::{Game, Style, write_game};
/// let game = Game::parse(b"1. e2e4 {King's pawn} (1. d4 d5) e5 *").unwrap();
/// let mut text = Vec::new();
/// write_game(&game, &Style::COMPACT, &mut text);
/// assert_eq!(text, b"1.e4 {King's pawn} (1.d4 d5) 1...e5 *\n");
/// ```
pub fn write_game(game: &Game, style: &Style, out: &mut Vec<u8>) {
    let mut lines = Lines::new(style, out);
    write_tags(game, style, &mut lines);
    MoveWriter {
        game,
        style,
        lines: &mut lines,
        scratch: Vec::new(),
    }
    .write();
    for _ in 0..style.blank_after_game {
        lines.blank();
    }
}

fn write_tags(game: &Game, style: &Style, lines: &mut Lines<'_>) {
    let mut count = 0;
    let mut tag = |name: &[u8], value: &[u8]| {
        let mut line = Vec::with_capacity(name.len() + value.len() + 6);
        line.push(b'[');
        line.extend_from_slice(name);
        line.extend_from_slice(b" \"");
        for &byte in value {
            match byte {
                b'"' | b'\\' => line.extend_from_slice(&[b'\\', byte]),
                b'\n' | b'\r' => line.push(b' '),
                _ => line.push(byte),
            }
        }
        line.extend_from_slice(b"\"]");
        lines.word(&line);
        lines.end_line();
        count += 1;
    };
    if style.roster {
        for (name, unknown) in ROSTER {
            let outcome = game.outcome().map(|outcome| outcome.as_str().as_bytes());
            let fallback = match outcome {
                Some(outcome) if name == b"Result" => outcome,
                _ => unknown,
            };
            tag(name, game.tag(name).unwrap_or(fallback));
        }
    }
    for (name, value) in game.tags() {
        if !style.roster || ROSTER.iter().all(|(known, _)| *known != name) {
            tag(name, value);
        }
    }
    let needs_fen = *game.start() != Position::START && game.tag(b"FEN").is_none();
    if needs_fen {
        tag(b"FEN", game.start().to_string().as_bytes());
        if game.tag(b"SetUp").is_none() {
            tag(b"SetUp", b"1");
        }
    }
    if count > 0 {
        for _ in 0..style.blank_after_tags {
            lines.blank();
        }
    }
}

/// Where in a line the writer is.
struct Frame {
    line: LineId,
    moves: usize,
    notes: usize,
    position: Position,
    /// Before the last move.
    before: Position,
    /// Black's next move needs a number.
    is_interrupted: bool,
}

struct MoveWriter<'a, 'b> {
    game: &'a Game,
    style: &'a Style,
    lines: &'a mut Lines<'b>,
    scratch: Vec<u8>,
}

impl MoveWriter<'_, '_> {
    /// Walks through the arena with a stack of its own: depth costs memory, not stack frames.
    fn write(&mut self) {
        let start = *self.game.start();
        let mut stack = vec![Frame {
            line: LineId::MAIN,
            moves: 0,
            notes: 0,
            position: start,
            before: start,
            is_interrupted: true,
        }];
        let mut opens = false;
        while let Some(frame) = stack.last_mut() {
            let Some(line) = self.game.line(frame.line) else {
                stack.pop();
                continue;
            };
            let is_main = frame.line == LineId::MAIN;
            let notes_before = line.notes.len()
                - if is_main {
                    self.game.notes_after_outcome.min(line.notes.len())
                } else {
                    0
                };
            let note = line.notes.get(frame.notes);
            let note = note.filter(|(after, _)| *after <= frame.moves);
            if let Some((_, stored)) = note.filter(|_| frame.notes < notes_before) {
                frame.notes += 1;
                if let Stored::Variation(variation) = stored {
                    frame.is_interrupted = true;
                    let before = frame.before;
                    stack.push(Frame {
                        line: *variation,
                        moves: 0,
                        notes: 0,
                        position: before,
                        before,
                        is_interrupted: true,
                    });
                    self.open();
                    opens = true;
                    continue;
                }
                let is_first = frame.moves == 0 && is_main;
                frame.is_interrupted |= self.note(stored, opens, is_first);
                opens = false;
                continue;
            }
            if let Some(&m) = line.moves.get(frame.moves) {
                let is_interrupted = frame.is_interrupted || frame.moves == 0;
                self.number(&frame.position, is_interrupted, opens);
                let next = self.san(&frame.position, m, opens);
                frame.before = frame.position;
                frame.position = next;
                frame.moves += 1;
                frame.is_interrupted = false;
                opens = false;
                continue;
            }
            if is_main {
                self.outcome();
                for (_, stored) in line.notes.iter().skip(frame.notes.max(notes_before)) {
                    self.note(stored, false, false);
                }
            } else {
                self.close(opens);
                opens = false;
            }
            stack.pop();
        }
        self.lines.end_line();
    }

    fn open(&mut self) {
        self.lines.word(b"(");
    }

    fn close(&mut self, is_empty: bool) {
        if self.style.variation_padding && !is_empty {
            self.lines.word(b")");
        } else {
            self.lines.append(b")");
        }
    }

    /// Puts a word, right after a parenthesis if one has just been opened.
    fn put(&mut self, word: &[u8], opens: bool) {
        if opens && !self.style.variation_padding {
            self.lines.append(word);
        } else {
            self.lines.word(word);
        }
    }

    fn number(&mut self, position: &Position, is_interrupted: bool, opens: bool) {
        let is_white = position.turn() == Color::White;
        if !self.style.numbers || (!is_white && !is_interrupted) {
            return;
        }
        let dots = if is_white { "." } else { "..." };
        let number = format!("{}{dots}", position.fullmoves());
        self.put(number.as_bytes(), opens);
        let stays = matches!(
            self.style.wrap_unit,
            WrapUnit::Move | WrapUnit::MoveAndComment
        );
        if stays || !self.style.number_gap {
            self.lines.glue();
        }
        self.scratch.clear();
        self.scratch.push(1);
    }

    /// Writes the move and returns the position after it.
    fn san(&mut self, position: &Position, m: Option<Move>, opens: bool) -> Position {
        let has_number = !self.scratch.is_empty();
        self.scratch.clear();
        let mut next = *position;
        let text = match m {
            Some(m) => {
                let san = next.play_with_san(m);
                let text = san.as_str().as_bytes();
                match self.style.check_signs {
                    CheckSigns::All => self.scratch.extend_from_slice(text),
                    _ => self.scratch.extend_from_slice(
                        text.strip_suffix(b"#")
                            .or(text.strip_suffix(b"+"))
                            .unwrap_or(text),
                    ),
                }
                if self.style.check_signs == CheckSigns::PlusOnly
                    && (text.ends_with(b"#") || text.ends_with(b"+"))
                {
                    self.scratch.push(b'+');
                }
                std::mem::take(&mut self.scratch)
            }
            None => {
                next = after_null(position).unwrap_or(next);
                b"--".to_vec()
            }
        };
        if has_number && !self.style.number_gap {
            self.lines.append(&text);
            self.lines.unglue();
        } else if has_number {
            self.lines.word(&text);
        } else {
            self.put(&text, opens);
        }
        self.scratch = text;
        self.scratch.clear();
        next
    }

    /// Writes what is no move. Whether Black's next move needs a number after it.
    fn note(&mut self, stored: &Stored, opens: bool, is_first: bool) -> bool {
        match self.game.note_kind(stored) {
            NoteKind::Nag(nag, is_suffix) => {
                self.nag(nag, is_suffix, opens);
                false
            }
            NoteKind::Comment(comment) => {
                self.comment(comment, opens);
                if is_first && self.style.first_comment_line {
                    self.lines.end_line();
                }
                self.style.black_number == BlackNumber::AfterInterruption
            }
            NoteKind::Outcome(outcome) => {
                self.put(outcome.as_str().as_bytes(), opens);
                false
            }
            NoteKind::Variation(_) => true,
        }
    }

    fn nag(&mut self, nag: Nag, is_suffix: bool, opens: bool) {
        let as_suffix = match self.style.nags {
            NagForm::Keep => is_suffix,
            NagForm::Number => false,
            NagForm::Suffix => true,
        };
        match nag.suffix().filter(|_| as_suffix) {
            Some(suffix) => self.lines.append(suffix.as_bytes()),
            None => {
                if self.style.wrap_unit == WrapUnit::MoveAndComment {
                    self.lines.glue();
                }
                self.put(nag.to_string().as_bytes(), opens);
            }
        }
    }

    fn comment(&mut self, comment: RawComment<'_>, opens: bool) {
        let bytes = comment.bytes();
        if comment.kind() == CommentKind::Line && self.style.line_comments {
            self.put(b";", opens);
            self.lines.append(bytes);
            self.lines.end_line();
            return;
        }
        let mut text = Vec::with_capacity(bytes.len() + 4);
        text.push(b'{');
        match self.style.comment_padding {
            CommentPadding::Keep => text.extend_from_slice(bytes),
            CommentPadding::Tight => text.extend_from_slice(bytes.trim_ascii()),
            CommentPadding::Spaced => {
                text.push(b' ');
                text.extend_from_slice(bytes.trim_ascii());
                text.push(b' ');
            }
        }
        for byte in &mut text {
            if *byte == b'}' {
                *byte = b')';
            }
        }
        text.push(b'}');
        let in_words = self.style.width.is_some()
            && matches!(self.style.wrap_unit, WrapUnit::Word | WrapUnit::Move);
        if in_words {
            self.words(&text, opens);
        } else {
            if self.style.wrap_unit == WrapUnit::MoveAndComment {
                self.lines.glue();
            }
            self.put(&text, opens);
        }
    }

    /// Fills the lines with the words of a comment. Line ends in it are spaces like others.
    fn words(&mut self, text: &[u8], opens: bool) {
        let mut gap = 0;
        for word in text.split(|byte| matches!(byte, b' ' | b'\n')) {
            let word = word.strip_suffix(b"\r").unwrap_or(word);
            if gap == 0 {
                self.put(word, opens);
            } else if !word.is_empty() {
                self.lines.word_after(gap, word);
                gap = 0;
            }
            gap += 1;
        }
    }

    fn outcome(&mut self) {
        let outcome = match self.game.outcome() {
            Some(outcome) => Some(outcome),
            None if self.style.force_outcome => {
                Some(self.game.tag_outcome().unwrap_or(Outcome::Unknown))
            }
            None => None,
        };
        if let Some(outcome) = outcome {
            if self.style.outcome_line {
                self.lines.end_line();
            }
            let gap = usize::from(self.style.outcome_gap);
            self.lines.word_after(gap, outcome.as_str().as_bytes());
        }
    }
}
