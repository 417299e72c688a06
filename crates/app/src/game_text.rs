//! A game of an archive as text: PGN, a line of JSON, or its positions.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use archive::ArchiveError;
use archive::games::{ArchiveFault, Buffer, Columns, GameView, RowFault, RowGroup, RowKind};
use chess::Position;
use codec::Legality;
use serde_json::{Map, Value, json};

/// The form in which games are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The text as it was packed.
    Pgn,
    /// A line of JSON.
    Json {
        /// Whether moves are written as `g1f3`.
        is_uci: bool,
        /// Whether the archive is named.
        has_files: bool,
    },
    /// A line for every position of the main line.
    Fen,
}

impl Form {
    /// What must be read for it.
    pub fn columns(self) -> Columns {
        match self {
            Form::Pgn => Columns::ALL,
            Form::Json { .. } => ["clocks", "evals", "error"]
                .into_iter()
                .filter_map(Columns::named)
                .fold(Columns::TAGS | Columns::MOVES, |all, column| all | column),
            Form::Fen => Columns::MOVES,
        }
    }
}

/// How games of an archive are written.
#[derive(Clone, Copy, Debug)]
pub struct GameText<'a> {
    pub form: Form,
    /// The archive.
    pub path: &'a Path,
    /// How many rows come before those of the archive.
    pub first_row: u64,
}

impl GameText<'_> {
    /// Appends a game. What has no such form (text that is no game, moves of a bad game) has none.
    pub fn write(
        &self,
        rows: &RowGroup,
        row: usize,
        buffer: &mut Buffer,
        out: &mut Vec<u8>,
    ) -> Result<(), ArchiveError> {
        let game = rows.game(row);
        match self.form {
            Form::Pgn => rows.restore(row, buffer, out),
            Form::Json { .. } if game.kind() == RowKind::Text => Ok(()),
            Form::Json { is_uci, has_files } => {
                rows.read_tags(row, buffer)?;
                let mut object = self.object(game, buffer, is_uci, rows)?;
                if has_files {
                    object.insert("file".to_owned(), self.path.display().to_string().into());
                }
                // A map of texts and numbers can always be written.
                let _ = serde_json::to_writer(&mut *out, &Value::Object(object));
                out.push(b'\n');
                Ok(())
            }
            Form::Fen => {
                let mut lines = String::new();
                let end = replay(game, rows, |position, _| {
                    let _ = writeln!(lines, "{position}");
                })?;
                if let Some(end) = end {
                    let _ = writeln!(lines, "{end}");
                }
                out.extend_from_slice(lines.as_bytes());
                Ok(())
            }
        }
    }

    fn object(
        &self,
        game: GameView<'_>,
        buffer: &Buffer,
        is_uci: bool,
        rows: &RowGroup,
    ) -> Result<Map<String, Value>, ArchiveError> {
        let mut object = Map::new();
        let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
        put("number", (self.first_row + game.number()).into());
        let mut tags = Map::new();
        for (name, value) in buffer.tags() {
            let name = pgn::decode_text(name).into_owned();
            let value = pgn::decode_text(value).into_owned();
            tags.entry(name).or_insert(value.into());
        }
        put("tags", tags.into());
        if let Some(error) = game.error() {
            put("error", error.into());
            return Ok(object);
        }
        let mut moves: Vec<Value> = Vec::with_capacity(game.plies() as usize);
        let end = replay(game, rows, |position, m| {
            moves.push(if is_uci {
                position.uci(m).to_string().into()
            } else {
                position.san(m).to_string().into()
            });
        })?;
        let start = game.start();
        if start != Position::START {
            put("start", start.to_string().into());
        }
        put("plies", game.plies().into());
        put("moves", moves.into());
        if let Some(end) = end {
            put("end", end.to_string().into());
        }
        if let Some(result) = game.result() {
            put("result", result.as_str().into());
        }
        let clocks: Vec<i32> = game.clocks().collect();
        if !clocks.is_empty() {
            put("clocks", clocks.into());
        }
        if !game.evals().is_empty() {
            let evals: Vec<Value> = game.evals().iter().map(|&eval| eval_json(eval)).collect();
            put("evals", evals.into());
        }
        Ok(object)
    }
}

/// Hundredths of a pawn, or `{"mate": n}`.
fn eval_json(eval: i32) -> Value {
    const MATE: i32 = 1_000_000;
    if eval.abs() >= MATE {
        json!({ "mate": eval - eval.signum() * MATE })
    } else {
        eval.into()
    }
}

/// Plays through a game; `None` if it has no moves because it is none.
fn replay(
    game: GameView<'_>,
    rows: &RowGroup,
    mut visit: impl FnMut(&Position, chess::Move),
) -> Result<Option<Position>, ArchiveError> {
    let Some(moves) = game.moves() else {
        return Ok(None);
    };
    let replayed = moves.replay(Legality::Checked, |position, m| {
        visit(position, m);
        ControlFlow::Continue(())
    });
    match replayed {
        Ok((end, _)) => Ok(Some(end)),
        Err(error) => Err(ArchiveError::Archive(ArchiveFault::Row {
            row_group: rows.row_group(),
            row: game.number(),
            fault: RowFault::Moves(error),
        })),
    }
}
