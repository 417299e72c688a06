//! Making and unmaking from 32 bits alone.
#![allow(clippy::unwrap_used)] // What fails here fails the test.

mod support;

use chess::{Board, Color, MoveKind, Role};
use scoresheet_codec::{CastlingRooks, ExtendedMove};
use testkit::{GameKind, random_game};

/// A game is played forward and all the way back on a bare board, with the words as the only memory.
#[test]
fn a_game_is_taken_back_from_its_words() {
    for kind in GameKind::ALL {
        for seed in 0..100 {
            let game = random_game(kind, seed, 200);
            let rooks = CastlingRooks::of(&game.start);
            let mut board: Board = *game.start.board();
            let mut turn: Color = game.start.turn();
            let mut played: Vec<ExtendedMove> = Vec::new();
            let mut boards: Vec<Board> = Vec::new();
            game.walk(|position, m| {
                assert_eq!(board, *position.board());
                let word = ExtendedMove::new(position, m).unwrap();
                assert_eq!(ExtendedMove::from_word(word.word()), Some(word));
                boards.push(board);
                played.push(word);
                word.make(&mut board, turn, &rooks);
                turn = !turn;
            });
            assert_eq!(board, *game.end().board());
            while let Some(word) = played.pop() {
                turn = !turn;
                word.unmake(&mut board, turn, &rooks);
                assert_eq!(Some(board), boards.pop());
            }
        }
    }
}

#[test]
fn the_low_half_is_the_word_and_the_rest_does_not_disturb_it() {
    for seed in 0..20 {
        random_game(GameKind::Standard, seed, 100).walk(|position, m| {
            let word = ExtendedMove::new(position, m).unwrap();
            assert_eq!(word.to_move(), m);
            assert_eq!(word.word() & 0xffff, u32::from(m.word()));
            assert_eq!(word.role(), position.board().role_at(m.from()).unwrap());
            let expected = match m.kind() {
                MoveKind::EnPassant => Some(Role::Pawn),
                _ if m.castling_side().is_some() => None,
                _ => position.board().role_at(m.to()),
            };
            assert_eq!(word.captured(), expected);
            assert!(!word.gives_check(), "nobody has asked");
            let mut after = *position;
            after.play_unchecked(m);
            let noted = word.with_check_noted(position).with_score(-256);
            assert_eq!(noted.gives_check(), after.is_check());
            assert_eq!((noted.to_move(), noted.role()), (m, word.role()));
            assert_eq!(ExtendedMove::from_word(noted.word()), Some(noted));
        });
    }
}

#[test]
fn scores_keep_to_their_nine_bits() {
    let position = chess::Position::START;
    let m = position.legal_moves()[0];
    let word = ExtendedMove::new(&position, m).unwrap();
    for score in [-256, -255, -1, 0, 1, 100, 255] {
        assert_eq!(word.with_score(score).score(), score);
        assert_eq!(word.with_score(score).with_score(0), word);
    }
    assert_eq!(word.with_score(i16::MAX).score(), 255);
    assert_eq!(word.with_score(i16::MIN).score(), -256);
}

#[test]
fn words_that_contradict_themselves_are_refused() {
    let position = support::position("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    let takes = support::uci(&position, "e4d5");
    let word = ExtendedMove::new(&position, takes).unwrap().word();
    let bad = [
        word & !(7 << 16),           // nothing moves
        word | 7 << 16,              // no such piece
        word & !(7 << 19),           // a capture of nothing
        word & !(7 << 19) | 6 << 19, // a taken king
        word | 7 << 19,              // no such piece taken
        word & !(4 << 12),           // something is taken by a quiet move
        word | 2 << 12,              // flags that are no kind
        0,
    ];
    for word in bad {
        assert_eq!(ExtendedMove::from_word(word), None, "{word:08x}");
    }
    let empty = chess::Move::new(chess::Square::A1, chess::Square::A2, MoveKind::Quiet);
    assert_eq!(ExtendedMove::new(&position, empty), None);
}
