//! The matcher finds what a search without any shortcut finds.

use chess::{Color, Move, Position, Square};
use scoresheet_search::{Extent, Matcher, Query, Step};
use serde_json::{Value, json};
use testkit::{GameKind, Random, random_game};

/// All moments of a game: positions, and the moves that are played in them.
fn moments(start: Position, moves: &[Move]) -> Vec<(Position, Option<Move>)> {
    let mut position = start;
    let mut moments = Vec::new();
    for &m in moves {
        moments.push((position, Some(m)));
        position.play_unchecked(m);
    }
    moments.push((position, None));
    moments
}

/// The first match, by trying every place: for each step the earliest end is the best.
fn brute_force(query: &Query, moments: &[(Position, Option<Move>)]) -> Option<Vec<u32>> {
    let mut plies = Vec::new();
    let mut from = 0;
    for step in query.steps() {
        let Step::Streak(streak) = step else {
            panic!("paths have their own test");
        };
        let begin = (from..=moments.len().checked_sub(streak.len())?).find(|&begin| {
            let there = streak.iter().zip(moments.iter().skip(begin));
            there.clone().count() == streak.len()
                && there
                    .into_iter()
                    .all(|(condition, (position, m))| condition.holds(position, *m))
        })?;
        plies.push(u32::try_from(begin).expect("short games"));
        from = begin + streak.len();
    }
    Some(plies)
}

fn by_matcher(query: &Query, moments: &[(Position, Option<Move>)]) -> Option<Vec<u32>> {
    let mut matcher = Matcher::new(query, Extent::First);
    matcher.begin();
    for (position, m) in moments {
        if m.is_none() || matcher.look(position, *m).is_break() {
            return matcher.end(position).first().cloned();
        }
    }
    None
}

fn sub_fen(random: &mut Random, position: &Position) -> String {
    let mut text = String::new();
    let share = 2 + random.below(12);
    for rank in (0..8).rev() {
        for file in 0..8 {
            let square = Square::from_index(rank * 8 + file).expect("a square");
            let piece = position.board().piece_at(square);
            text.push(match piece {
                _ if random.below(share) > 0 => '.',
                Some(piece) => piece.char(),
                None => '?',
            });
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

fn material(position: &Position) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        text.push_str(if color == Color::White { "K" } else { "vK" });
        for role in [
            chess::Role::Queen,
            chess::Role::Rook,
            chess::Role::Bishop,
            chess::Role::Knight,
            chess::Role::Pawn,
        ] {
            let count = (position.board().by_role(role) & position.board().by_color(color)).len();
            text.extend(std::iter::repeat_n(role.upper_char(), count));
        }
    }
    text
}

/// Rules that hold at a moment of some game, most of the time.
fn rules(random: &mut Random, moment: &(Position, Option<Move>)) -> Value {
    let (position, m) = moment;
    let fields: Vec<String> = position.to_string().split(' ').map(str::to_owned).collect();
    let mut rules = json!({});
    match random.below(8) {
        0 => rules["fen"] = fields[..1 + random.below(4)].join(" ").into(),
        1 | 2 => rules["sub-fen"] = sub_fen(random, position).into(),
        3 => rules["material"] = material(position).into(),
        4 => rules["pawns"] = fields[0].clone().into(),
        5 => {
            if let Some(m) = m {
                let san = position.san(*m).to_string();
                let name = ["move", "white-move", "black-move"][random.below(3)];
                rules[name] = san.into();
            }
        }
        6 => rules["captured"] = ["", "P", "QR", "N"][random.below(4)].into(),
        _ => {
            rules["event"] = ["check", "castling", "promotion", "checkmate", "en-passant"]
                [random.below(5)]
            .into()
        }
    }
    if random.below(4) == 0 {
        rules["stm"] = ["white", "black"][random.below(2)].into();
    }
    rules
}

fn query(random: &mut Random, moments: &[(Position, Option<Move>)]) -> Value {
    let mut steps = Vec::new();
    let mut from = 0;
    for _ in 0..1 + random.below(3) {
        let Some(left) = moments.len().checked_sub(from).filter(|left| *left > 0) else {
            break;
        };
        let at = from + random.below(left);
        let length = 1 + random.below(3).min(moments.len() - at - 1);
        let mut streak = Vec::new();
        for moment in &moments[at..at + length] {
            streak.push(rules(random, moment));
        }
        steps.push(if length == 1 {
            streak.remove(0)
        } else {
            json!({ "streak": streak })
        });
        from = at + length;
    }
    json!({ "sequence": steps })
}

#[test]
fn shortcuts_change_no_answer() {
    let mut found = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let kind = [GameKind::Standard, GameKind::Chess960][random.below(2)];
        let game = random_game(kind, seed, 20 + random.below(150));
        let other = random_game(kind, seed + 10_000, 60);
        let (own, others) = (
            moments(game.start, &game.moves),
            moments(other.start, &other.moves),
        );
        for _ in 0..8 {
            let from = if random.below(3) == 0 { &others } else { &own };
            let document = query(&mut random, from).to_string();
            let query = Query::parse_json(&document).expect(&document);
            let expected = brute_force(&query, &own);
            assert_eq!(by_matcher(&query, &own), expected, "{document}");
            found += usize::from(expected.is_some());
        }
    }
    assert!(found > 500, "most queries must find something, {found} did");
}
