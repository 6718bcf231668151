//! What is known about chess, against brute force.

use cozy_chess::{BitBoard, Color, Piece, Rank, Square};
use spinney_game::conformance::legal_moves;
use spinney_game::{Game, Move as _, Notation, Outcome, Rng};
use spinney_games::chess::knowledge::{
    best_exchange, evaluate, exchange, man_value, mate_in_one, promises, tactical_moves,
};
use spinney_games::chess::{Chess, Move};

/// Positions of random games, none of them finished.
fn random_positions(seed: u64, count: usize) -> Vec<Chess> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::with_capacity(count);
    let mut position = Chess::start();
    while positions.len() < count {
        position.play_random(&mut rng);
        if position.outcome().is_some() {
            position = Chess::start();
        } else if rng.below(4) == 0 {
            positions.push(position.clone());
        }
    }
    positions
}

/// Men on squares, and nothing of the board that the program uses.
#[derive(Clone)]
struct Naive {
    men: [Option<(Color, Piece)>; 64],
}

impl Naive {
    fn new(position: &Chess) -> Self {
        let board = position.board();
        let man = |square: Square| board.color_on(square).zip(board.piece_on(square));
        Naive { men: std::array::from_fn(|index| man(Square::index(index))) }
    }

    /// Whether the man on one square attacks another.
    fn attacks(&self, from: usize, to: usize) -> bool {
        let Some((color, piece)) = self.men[from] else { return false };
        let (file, rank) =
            ((to % 8) as i32 - (from % 8) as i32, (to / 8) as i32 - (from / 8) as i32);
        let ahead = if color == Color::White { 1 } else { -1 };
        let straight = file == 0 || rank == 0;
        let diagonal = file.abs() == rank.abs();
        let on_line = match piece {
            Piece::Pawn => return rank == ahead && file.abs() == 1,
            Piece::Knight => return file.abs() * rank.abs() == 2,
            Piece::King => return file.abs().max(rank.abs()) == 1,
            Piece::Bishop => diagonal,
            Piece::Rook => straight,
            Piece::Queen => straight || diagonal,
        };
        let step = file.signum() + 8 * rank.signum();
        let mut square = from as i32;
        on_line
            && from != to
            && loop {
                square += step;
                if square == to as i32 {
                    break true;
                }
                if self.men[square as usize].is_some() {
                    break false;
                }
            }
    }

    fn attackers(&self, to: usize, color: Color) -> Vec<usize> {
        let is_ours = |&from: &usize| self.men[from].is_some_and(|(owner, _)| owner == color);
        (0..64).filter(is_ours).filter(|&from| self.attacks(from, to)).collect()
    }

    /// What the side gains at most by capturing on a square or not.
    fn best(&self, to: usize, color: Color) -> i32 {
        let attackers = self.attackers(to, color);
        let value = |&from: &usize| self.men[from].map_or(0, |(_, piece)| piece as usize);
        let Some(from) = attackers.into_iter().min_by_key(value) else { return 0 };
        let mut next = self.clone();
        next.men[to] = next.men[from].take();
        let is_king = next.men[to].is_some_and(|(_, piece)| piece == Piece::King);
        if is_king && !next.attackers(to, !color).is_empty() {
            return 0;
        }
        let prize = self.men[to].map_or(0, |(_, piece)| man_value(piece));
        (prize - next.best(to, !color)).max(0)
    }
}

fn brute_force_exchange(position: &Chess, m: Move) -> i32 {
    let us = position.board().side_to_move();
    let mut naive = Naive::new(position);
    let (from, to) = (m.from as usize, m.to as usize);
    let (_, mover) = naive.men[from].expect("a man");
    if naive.men[to].is_some_and(|(color, _)| color == us) {
        return 0;
    }
    let mut gain = naive.men[to].map_or(0, |(_, piece)| man_value(piece));
    if mover == Piece::Pawn && from % 8 != to % 8 && naive.men[to].is_none() {
        gain = man_value(Piece::Pawn);
        naive.men[from / 8 * 8 + to % 8] = None;
    }
    let becomes = m.promotion.unwrap_or(mover);
    naive.men[from] = None;
    naive.men[to] = Some((us, becomes));
    gain + man_value(becomes) - man_value(mover) - naive.best(to, !us)
}

#[test]
fn exchanges_equal_brute_force() {
    let (mut captures, mut quiet, mut losing) = (0, 0, 0);
    for position in random_positions(1, 20_000) {
        for m in legal_moves(&position) {
            let takes = position.board().colors(!position.board().side_to_move()).has(m.to);
            let en_passant = position.board().piece_on(m.from) == Some(Piece::Pawn)
                && m.from.file() != m.to.file();
            if !takes && !en_passant && m.promotion.is_none() && quiet > 20_000 {
                continue;
            }
            let gain = exchange(position.board(), m);
            let expected = brute_force_exchange(&position, m);
            assert_eq!(gain, expected, "{} {m:?}", position.position_text());
            if takes || en_passant {
                captures += 1;
                losing += i32::from(gain < 0);
            } else {
                quiet += 1;
            }
        }
    }
    assert!(captures > 10_000 && losing > 1000, "{captures} captures, {losing} of them losing");
}

#[test]
fn exchanges_of_the_textbooks() {
    let gain = |fen: &str, text: &str| {
        let position = Chess::start().parse_position(fen).expect("a position");
        exchange(position.board(), position.parse_move(text).expect("a move"))
    };
    assert_eq!(gain("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"), 100);
    // The queen behind the rook on the file, the bishop behind the queen: knight takes pawn fails.
    let fen = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";
    assert_eq!(gain(fen, "d3e5"), -220);
    // A quiet move to an attacked square loses the man.
    assert_eq!(gain("4k3/8/3p4/8/2N5/8/8/4K3 w - - 0 1", "c4e5"), -320);
    assert_eq!(gain("4k3/8/3p4/8/2N5/8/8/4K3 w - - 0 1", "c4e3"), 0);
}

#[test]
fn the_best_exchange_is_the_first_of_the_highest() {
    for position in random_positions(5, 3000) {
        let moves = legal_moves(&position);
        let gains: Vec<i32> = moves.iter().map(|&m| exchange(position.board(), m)).collect();
        let highest = gains.iter().max().expect("a move");
        let first = gains.iter().position(|gain| gain == highest).expect("it is there");
        assert_eq!(best_exchange(&position), Some(moves[first]), "{}", position.position_text());
    }
}

/// In check all moves; else exactly the sound captures and promotions to a queen.
#[test]
fn tactical_moves_are_sound_captures() {
    let (mut in_check, mut en_passant) = (0, 0);
    for position in random_positions(6, 10_000) {
        let board = position.board();
        let mut found = Vec::new();
        tactical_moves(&position, &mut found);
        let mut found: Vec<u32> = found.into_iter().map(|(m, _)| m.pack()).collect();
        let is_sound = |m: &Move| {
            let is_pawn = board.piece_on(m.from) == Some(Piece::Pawn);
            let goes_aside = is_pawn && m.from.file() != m.to.file();
            let takes = board.colors(!board.side_to_move()).has(m.to) || goes_aside;
            en_passant += i32::from(goes_aside && !board.occupied().has(m.to));
            let is_tactical = takes && m.promotion.is_none() || m.promotion == Some(Piece::Queen);
            is_tactical && exchange(board, *m) >= 0
        };
        let mut expected = legal_moves(&position);
        if board.checkers().is_empty() {
            expected = expected.into_iter().filter(is_sound).collect();
        } else {
            in_check += 1;
        }
        let mut expected: Vec<u32> = expected.into_iter().map(|m| m.pack()).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{}", position.position_text());
    }
    assert!(in_check > 300 && en_passant > 10, "{in_check} checks, {en_passant} en passant");
}

#[test]
fn promises_prefer_what_gains() {
    let promise = |fen: &str, text: &str| {
        let position = Chess::start().parse_position(fen).expect("a position");
        let moves = legal_moves(&position);
        let mut found = Vec::new();
        promises(&position, &moves, &mut found);
        assert_eq!(found.len(), moves.len());
        let m = position.parse_move(text).expect("a move");
        found[moves.iter().position(|&other| other == m).expect("legal")]
    };
    // A queen to take, a knight to lose, a rook to save, a check.
    let fen = "4k3/8/2p5/3q4/4P3/1N6/8/4K3 w - - 0 1";
    assert!(promise(fen, "e4d5") > promise(fen, "b3d2") + 500);
    assert!(promise(fen, "b3d2") > promise(fen, "b3d4") + 200);
    let fen = "4k3/8/8/8/5b2/8/3R4/6K1 w - - 0 1";
    assert!(promise(fen, "d2c2") > promise(fen, "g1h1") + 200, "the rook is attacked");
    assert!(promise(fen, "d2e2") > promise(fen, "d2c2"), "with a check");
}

/// Every move that mates at once, by making all moves.
fn mates(position: &Chess) -> Vec<Move> {
    let wins = |m: &Move| {
        let mut next = position.clone();
        next.play(*m);
        next.outcome() == Some(Outcome::Win(position.to_move()))
    };
    legal_moves(position).into_iter().filter(wins).collect()
}

fn check_mate_in_one(position: &Chess) -> bool {
    let found = mate_in_one(position);
    let expected = mates(position);
    let text = position.position_text();
    match found {
        Some(m) => assert!(expected.contains(&m), "{m:?} does not mate in {text}"),
        None => assert!(expected.is_empty(), "missed {expected:?} in {text}"),
    }
    found.is_some()
}

#[test]
fn mate_in_one_equals_brute_force() {
    let found = random_positions(2, 60_000).iter().filter(|p| check_mate_in_one(p)).count();
    assert!(found > 500, "only {found} mates");
    // Kings among many strong men, where mates of all kinds are frequent.
    let mut rng = Rng::new(3);
    let mut mates = 0;
    for _ in 0..60_000 {
        mates += usize::from(random_setup(&mut rng).is_some_and(|p| check_mate_in_one(&p)));
    }
    assert!(mates > 1000, "only {mates} mates");
}

/// A random legal position with few pawns and many officers; `None` if it came out illegal.
fn random_setup(rng: &mut Rng) -> Option<Chess> {
    let mut builder = cozy_chess::BoardBuilder::empty();
    let mut free = !BitBoard::EMPTY;
    let mut place = |color, piece, rng: &mut Rng| {
        let square = Square::index(rng.below(64) as usize);
        let on_edge = square.rank() == Rank::First || square.rank() == Rank::Eighth;
        if free.has(square) && !(piece == Piece::Pawn && on_edge) {
            free ^= square.bitboard();
            *builder.square_mut(square) = Some((piece, color));
        }
    };
    for color in Color::ALL {
        place(color, Piece::King, rng);
        for _ in 0..2 + rng.below(8) {
            place(color, Piece::ALL[rng.below(5) as usize], rng);
        }
    }
    let text = builder.build().ok()?.to_string();
    let position = Chess::start().parse_position(&text).ok()?;
    position.outcome().is_none().then_some(position)
}

#[test]
fn mates_of_every_kind() {
    for (fen, text) in [
        // Castling, the king guarding g2; en passant (Gundersen against Faul, 1928).
        ("4R3/8/8/8/8/5k1P/7P/4K2R w K - 0 1", "e1g1"),
        ("r1bq1r2/pp2n3/4N2k/3pPppP/1b1n2Q1/2N5/PP3PP1/R1B1K2R w KQ g6 0 15", "h5g6"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", "h5f7"),
        ("6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1", "g5f7"),
        ("6k1/P4ppp/8/8/8/8/5PPP/6K1 w - - 0 1", "a7a8q"),
    ] {
        let position = Chess::start().parse_position(fen).expect("a position");
        let m = position.parse_move(text).expect("a move");
        assert!(mates(&position).contains(&m), "{fen}");
        assert_eq!(mate_in_one(&position), Some(m), "{fen}");
    }
}

/// The same position with the colours exchanged has the same value for the side to move.
#[test]
fn evaluation_knows_no_colour() {
    for position in random_positions(4, 3000) {
        let mut builder = cozy_chess::BoardBuilder::empty();
        for square in Square::ALL {
            let board = position.board();
            let man = board.piece_on(square).zip(board.color_on(square));
            *builder.square_mut(square.flip_rank()) = man.map(|(piece, color)| (piece, !color));
        }
        builder.side_to_move = !position.board().side_to_move();
        let Ok(board) = builder.build() else { continue };
        let mirror = Chess::start().parse_position(&board.to_string()).expect("a position");
        assert_eq!(evaluate(&position), evaluate(&mirror), "{}", position.position_text());
    }
}

#[test]
fn evaluation_prefers_what_is_better() {
    let value = |fen: &str| evaluate(&Chess::start().parse_position(fen).expect("a position"));
    let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((0..=20).contains(&start), "{start}");
    // A queen more is worth about a queen.
    let up = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((800..1200).contains(&up), "{up}");
    // One term at a time: structure, passed pawns, mobility, attack, the bare king.
    let better = [
        ("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "4k3/8/8/8/8/P7/P7/4K3 w - - 0 1"),
        ("4k3/7p/8/P7/8/8/8/4K3 w - - 0 1", "4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1"),
        ("4k3/p7/8/8/3N4/8/8/4K3 w - - 0 1", "4k3/p7/8/8/8/8/8/N3K3 w - - 0 1"),
        (
            "r4rk1/ppp2ppp/8/6N1/2B5/3Q4/PPP2PPP/R4RK1 w - - 0 1",
            "rk3r2/ppp2ppp/8/6N1/2B5/3Q4/PPP2PPP/R4RK1 w - - 0 1",
        ),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "8/8/8/3k4/8/8/8/K6R w - - 0 1"),
    ];
    for (one, other) in better {
        assert!(value(one) > value(other), "{one} {} {other} {}", value(one), value(other));
    }
    assert_eq!(value("8/8/8/3k4/8/8/8/K6N w - - 0 1"), 0, "nobody can win");
}
