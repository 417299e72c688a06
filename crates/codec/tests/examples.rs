//! The worked examples of the description of the encodings.
#![allow(clippy::unwrap_used)] // What fails here fails the test.

mod support;

use chess::attacks::TwoStage;
use chess::{Move, Position, Square};
use scoresheet_codec::{
    Bits, CodecName, GameEncoder, Legality, MoveCodec, MoveFault, MoveIndex, Packed, Plies,
};
use support::{line, position, uci};

/// The bits of the last move of a line.
fn last_bits<C: MoveCodec>(codec: C, start: &Position, sans: &str) -> Bits {
    let mut bytes = Vec::new();
    let mut game = GameEncoder::new(codec, start, Legality::Checked, &mut bytes).unwrap();
    let mut last = Bits::EMPTY;
    for m in line(start, sans) {
        last = game.push(m).unwrap();
    }
    last
}

/// Both fields of the last move of a line, as they are printed.
fn last_fields(start: &Position, sans: &str) -> String {
    let mut memory = Packed.begin(start).unwrap();
    let mut position = *start;
    let mut fields = String::new();
    for m in line(start, sans) {
        let [piece, destination] = Packed.fields(memory, &position, m).unwrap();
        fields = format!("{piece}|{destination}");
        memory = Packed.follow(TwoStage, memory, &position, m);
        position.play_unchecked(m);
    }
    fields
}

fn bytes_of(codec: CodecName, start: &Position, moves: &[Move]) -> Vec<u8> {
    let mut bytes = Vec::new();
    codec
        .encode(start, moves.iter().copied(), &mut bytes)
        .unwrap();
    bytes
}

#[test]
fn the_first_moves_of_most_games() {
    let start = &Position::START;
    assert_eq!(last_fields(start, "e4"), "1100|1");
    assert_eq!(
        bytes_of(CodecName::Packed, start, &line(start, "e4")),
        [0xc8]
    );
    assert_eq!(last_fields(start, "e4 e5"), "0100|0");
    assert_eq!(last_bits(MoveIndex, start, "e4").value(), 67);
    assert_eq!(last_bits(MoveIndex, start, "e4 e5").value(), 67);
    assert_eq!(last_bits(MoveIndex, start, "Nf3").value(), 115);
    assert_eq!(last_fields(start, "e4 e5 Nf3 Nc6 Bb5 a6 O-O"), "0100|11");
}

#[test]
fn compressed_moves_are_as_printed() {
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let cases = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "e2e4",
            0x0c70,
        ),
        (castling, "e1g1", 0x841c),
        (castling, "e1c1", 0x8400),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8", 0xbcfc),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", 0xbce0),
        ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a7a8n", 0x70e0),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", 0xdb50u16),
    ];
    for (fen, name, word) in cases {
        let start = position(fen);
        let bytes = bytes_of(CodecName::Compressed, &start, &[uci(&start, name)]);
        assert_eq!(bytes, word.to_be_bytes(), "{name}");
    }
}

/// In a game the square is set although the rook pins the pawn along the rank; in the same position
/// from a FEN it is not.
#[test]
fn the_en_passant_trap_both_ways() {
    let played = position("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1");
    assert_eq!(last_fields(&played, "e4 d3"), "1|0");
    let set_up = position("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1");
    assert_eq!(last_fields(&set_up, "d3"), "1|");
    // The push discovers a check from e1 to a5, so d3 cannot be taken; BCGN thinks it can.
    let discovered = position("8/8/8/k7/2p5/8/3P4/4B1K1 w - - 0 1");
    let memory = Packed.begin(&discovered).unwrap();
    let d4 = uci(&discovered, "d2d4");
    let memory = Packed.follow(TwoStage, memory, &discovered, d4);
    assert_eq!(memory.ep_square(), Some(Square::D3));
    let mut after = discovered;
    after.play(d4).unwrap();
    assert_eq!((after.is_check(), after.legal_ep_square()), (true, None));
    assert_eq!(last_fields(&discovered, "d4 Kb5"), "1|010");
    // Where the capture is legal both agree.
    let plain = position("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    assert_eq!(last_fields(&plain, "e4 dxe3"), "0|1");
    // And where a bishop pins the taker along a diagonal, both see it.
    let diagonal = position("8/8/1k6/8/3p4/4B3/2P5/6K1 w - - 0 1");
    let mut memory = Packed.begin(&diagonal).unwrap();
    let c4 = uci(&diagonal, "c2c4");
    memory = Packed.follow(TwoStage, memory, &diagonal, c4);
    assert_eq!(memory.ep_square(), None);
}

#[test]
fn nine_queens_take_two_bytes() {
    let start = position("4k3/pppppppp/8/8/8/8/QQQQQQQQ/3QK3 w - - 0 1");
    let moves = line(&start, "Qaa3 e5 Qhh4 a6");
    let bytes = bytes_of(CodecName::Index, &start, &moves);
    assert_eq!(bytes, [0, 46, 67, 0, 211, 23]);
    assert_eq!(
        CodecName::Index.decode(&start, Plies::ToEnd, &bytes),
        Ok(moves)
    );
    // Two queens and thirteen rooks: 246 numbers, one byte.
    let start = position("4k3/pppppppp/8/8/8/8/RRRRRRQQ/RRRRRRRK w - - 0 1");
    let bits = last_bits(MoveIndex, &start, "Qhxh7");
    assert_eq!((bits.value(), bits.len()), (10 + 13 * 14 + 27 + 18, 8));
}

#[test]
fn a_lone_king_says_only_where_it_goes() {
    let start = position("8/8/8/3k4/8/8/8/K7 w - - 0 1");
    assert_eq!(last_fields(&start, "Ka2"), "|01");
    assert_eq!(last_fields(&start, "Ka2 Kd4"), "|001");
}

#[test]
fn both_positions_with_218_moves_fit_a_byte() {
    for fen in [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    ] {
        let start = position(fen);
        let mut numbers: Vec<u8> = start
            .legal_moves()
            .into_iter()
            .flat_map(|m| bytes_of(CodecName::List, &start, &[m]))
            .collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..218).collect::<Vec<u8>>());
        let fault = MoveFault::NoMove { found: 218 };
        let error = CodecName::List.decode(&start, Plies::Exactly(1), &[218]);
        assert!(format!("{error:?}").contains(&format!("{fault:?}")));
    }
}

/// The order that `list` promises, spelled out for a position that has everything.
#[test]
fn the_order_of_the_list_is_part_of_the_format() {
    let start = position("r3k3/1P6/8/3pP3/8/8/8/R3K2R w KQ d6 0 1");
    let moves: Vec<String> = (0..)
        .map_while(|i| CodecName::List.decode(&start, Plies::Exactly(1), &[i]).ok())
        .map(|moves| {
            format!(
                "{}{}",
                moves[0],
                if moves[0].castling_side().is_some() {
                    " castling"
                } else {
                    ""
                }
            )
        })
        .collect();
    let mut expected: Vec<Move> = start.legal_moves().to_vec();
    expected.sort_by_key(|m| (m.castling_side(), m.from(), m.to(), m.promotion()));
    assert_eq!(moves.len(), expected.len());
    assert_eq!(&moves[..3], ["a1b1", "a1c1", "a1d1"]);
    assert_eq!(moves[moves.len() - 2], "e1g1 castling");
    assert_eq!(moves[moves.len() - 1], "e1c1 castling");
    let steps: Vec<String> = expected
        .iter()
        .filter(|m| m.castling_side().is_none())
        .map(ToString::to_string)
        .collect();
    assert_eq!(moves[..moves.len() - 2], steps);
}
