//! Certificates of small games and of LOA's endgames: right ones are accepted, wrong ones refused.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{endgames, game};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec;
use spinney_game::certificate::{Aim, Problem, check};
use spinney_game::{Notation, Outcome, file};
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::domineering::Domineering;
use spinney_games::dummy::{Dummy, RandomTree};
use spinney_games::knightthrough::Knightthrough;
use spinney_games::loa::Loa;
use spinney_games::nogo::NoGo;
use spinney_games::tictactoe::TicTacToe;
use spinney_session::{
    Algorithm, Certified, GameHandle, GameInfo, GameValue, Limits, Registry, Rng, Session, Side,
    Solving, Stop, verify,
};

/// All games, and one of graphs.
fn registry() -> Registry {
    let mut registry = Registry::builtin();
    let info = GameInfo::new("dummy", "Dummy", "A game that is written down as its graph");
    registry.add(info, |_| "(+ -)".parse::<Dummy>().map_err(|error| error.to_string()));
    registry
}

/// A file of this process alone, which is removed at the end.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> File {
        File(
            std::env::temp_dir().join(format!("spinney-certificate-{name}-{}", std::process::id())),
        )
    }

    fn verify(&self) -> Result<Certified, String> {
        verify(&registry(), &self.0, &Stop::new(), &mut |_| ())
    }

    /// The lines, and the moves.
    fn parts(&self) -> (String, Vec<u8>) {
        let bytes = fs::read(&self.0).expect("a file");
        let end = 2 + bytes.windows(2).position(|window| window == b"\n\n").expect("an empty line");
        let moves = decompress_to_vec(&bytes[end..bytes.len() - 8]).expect("moves");
        (String::from_utf8(bytes[..end].to_vec()).expect("text"), moves)
    }

    /// Writes a file whose checksum is right.
    fn write(&self, head: &str, moves: &[u8]) {
        let mut bytes = head.as_bytes().to_vec();
        bytes.extend(compress_to_vec(moves, 1));
        bytes.extend(file::fnv_1a(&bytes).to_le_bytes());
        fs::write(&self.0, bytes).expect("a file");
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn algorithm(game: &GameHandle, text: &str) -> Algorithm {
    game.algorithm(text).expect("an algorithm")
}

/// Solves a position and writes its certificate.
fn solve(session: &Session, by: &str, file: &File) -> GameValue {
    let solving =
        Solving { memory: 1 << 24, certificate: Some(file.0.clone()), ..Solving::default() };
    let algorithm = algorithm(session.game(), by);
    let report = session.solve_with(&algorithm, solving, &Limits::default(), &Stop::new());
    report.expect("a certificate").proven.expect("a value")
}

/// The value of a position as the side to move sees it, if it is found soon.
fn value(session: &Session) -> Option<GameValue> {
    let algorithm = algorithm(session.game(), "df-pn");
    let report = session.solve(&algorithm, 1 << 24, &Limits::nodes(100_000), &Stop::new());
    report.expect("a search").proven
}

/// Replaces a move of a certificate by one that misses the aim of its side, if there is such a move. All moves
/// are below 128, so that a byte is a move.
fn damage<G: Notation>(
    start: &G,
    session: &Session,
    value: GameValue,
    file: &File,
    rng: &mut Rng,
) -> bool {
    let (head, moves) = file.parts();
    // 1. What the strategies were asked.
    let side = start.to_move();
    let claims = match value {
        GameValue::Win => vec![(side, Aim::Win)],
        GameValue::Loss => vec![(!side, Aim::Win)],
        GameValue::Draw => vec![(side, Aim::Hold), (!side, Aim::Hold)],
    };
    let mut asked: Vec<(G, Vec<G::Move>, Aim)> = Vec::new();
    for (side, aim) in claims {
        let mut choose = |position: &G, legal: &[G::Move]| {
            asked.push((position.clone(), legal.to_vec(), aim));
            Some(moves[asked.len() - 1].into())
        };
        check(start, side, aim, &mut choose).expect("a right certificate");
    }
    // 2. A wrong move somewhere.
    for _ in 0..30_u32.min(asked.len() as u32) {
        let place = rng.below(asked.len() as u32) as usize;
        let (position, legal, aim) = &asked[place];
        let other = rng.below(legal.len() as u32);
        let mut next = position.clone();
        next.play(legal[other as usize]);
        let for_opponent = match next.outcome() {
            Some(Outcome::Draw) => Some(GameValue::Draw),
            Some(Outcome::Win(winner)) if winner == next.to_move() => Some(GameValue::Win),
            Some(Outcome::Win(_)) => Some(GameValue::Loss),
            None => self::value(&session.at(&next.position_text()).expect("a position")),
        };
        let is_wrong = |for_opponent| match aim {
            Aim::Win => for_opponent != GameValue::Loss,
            Aim::Hold => for_opponent == GameValue::Win,
        };
        if for_opponent.is_some_and(is_wrong) {
            let mut damaged = moves.clone();
            damaged[place] = other as u8;
            file.write(&head, &damaged);
            return true;
        }
    }
    false
}

/// The ways to solve that are tried by turns.
const SOLVERS: &[&str] =
    &["df-pn", "brute-force", "df-pn:symmetry=on", "pds", "pn", "alpha-beta", "mcts"];

/// How many certificates were made, and how many of them were damaged and refused.
#[derive(Default)]
struct Count {
    right: usize,
    wrong: usize,
}

impl Count {
    fn try_out<G: Notation>(&mut self, start: &G, session: &Session, by: &str, rng: &mut Rng) {
        let file = File::new(&format!("{}-{}", session.game(), session.key()).replace(':', "-"));
        let found = solve(session, by, &file);
        let certified =
            file.verify().unwrap_or_else(|problem| panic!("{session:?}, {by}: {problem}"));
        assert_eq!((certified.value, certified.session.key()), (found, session.key()));
        assert_eq!(found, value(session).unwrap_or(found), "{session:?}, {by}");
        self.right += 1;
        if damage(start, session, found, &file, rng) {
            let problem = file.verify().map(|_| session).expect_err("a wrong certificate");
            assert!(!problem.contains("checksum"), "{problem}");
            self.wrong += 1;
        }
    }

    /// Positions after some random moves.
    fn random<G: Notation>(&mut self, name: &str, start: &G, plies: u32, count: u32) {
        let mut rng = Rng::new(count.into());
        let game = game(name);
        let mut tried = 0;
        while tried < count {
            let mut session = game.start();
            for _ in 0..plies + rng.below(3) {
                if session.outcome().is_none() {
                    session.play(session.random_move(&mut rng));
                }
            }
            if session.outcome().is_some() {
                continue;
            }
            let session = session.from_here();
            let start = start.parse_position(&session.position_text()).expect("a position");
            self.try_out(&start, &session, SOLVERS[tried as usize % SOLVERS.len()], &mut rng);
            tried += 1;
        }
    }

    /// All games, a share of `count` each.
    fn all(count: u32) -> Count {
        let size = |files, ranks| Size::new(files, ranks).expect("a size");
        let mut all = Count::default();
        all.random("tictactoe", &TicTacToe::default(), 0, count / 8);
        all.random("breakthrough:4x4", &Breakthrough::new(size(4, 4)), 2, count / 4);
        all.random("knightthrough:3x4", &Knightthrough::new(size(3, 4)), 0, count / 8);
        all.random("domineering:4x4", &Domineering::new(size(4, 4)), 1, count / 8);
        all.random("nogo:3x3", &NoGo::new(size(3, 3)), 1, count / 8);
        let mut rng = Rng::new(1);
        let endgames = endgames();
        for endgame in endgames.iter().step_by(endgames.len() / (count as usize / 4)) {
            let session = &endgame.position;
            let start =
                Loa::<8>::default().parse_position(&session.position_text()).expect("a position");
            all.try_out(&start, session, "df-pn", &mut rng);
        }
        // Graphs full of cycles.
        let dummy = registry().game("dummy").expect("a game");
        let shape = RandomTree {
            draws: 0.3,
            transpositions: 0.2,
            cycles: 0.2,
            drawn_at: Some(3),
            ..RandomTree::default()
        };
        for number in 0..count / 4 {
            let graph = Dummy::random(&shape, &mut rng);
            let session = dummy.at(Some(&graph.position_text())).expect("a position");
            if session.outcome().is_none() {
                all.try_out(&graph, &session, SOLVERS[number as usize % 4], &mut rng);
            }
        }
        all
    }
}

#[test]
fn right_certificates_are_accepted_and_wrong_ones_refused() {
    let Count { right, wrong } = Count::all(80);
    assert!(right >= 80 && wrong >= 40, "{right} right, {wrong} wrong");
}

#[test]
#[ignore = "takes minutes: run by ./check --nightly"]
fn a_thousand_certificates() {
    let Count { right, wrong } = Count::all(2000);
    assert!(right >= 1000 && wrong >= 1000, "{right} right, {wrong} wrong");
}

/// Lines of Action on 6x6 is won by the side that moves first.
#[test]
fn loa_on_6x6_is_solved() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../records/loa6/loa6.certificate");
    let certified = verify(&registry(), file.as_ref(), &Stop::new(), &mut |_| ()).unwrap();
    assert_eq!(certified.session.key(), game("loa6").start().key());
    assert_eq!((certified.value, certified.positions), (GameValue::Win, 767_523));
}

#[test]
fn every_damaged_byte_is_found() {
    let file = File::new("bytes");
    solve(&game("tictactoe").start(), "df-pn", &file);
    let bytes = fs::read(&file.0).unwrap();
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        fs::write(&file.0, &damaged).unwrap();
        assert!(file.verify().is_err(), "byte {place}");
        fs::write(&file.0, &bytes[..place]).unwrap();
        assert!(file.verify().is_err(), "cut at {place}");
    }
    for short in ["", "\n\n", "a\n\n", "12345678\n\n", "spinney-certificate 1\n\n"] {
        fs::write(&file.0, short).unwrap();
        assert!(file.verify().is_err(), "{short:?}");
    }
}

#[test]
fn other_values_and_missing_moves_are_refused() {
    let file = File::new("values");
    solve(&game("tictactoe").start(), "brute-force", &file);
    let (head, moves) = file.parts();
    let refused = |head: &str, moves: &[u8], reason: &str| {
        file.write(head, moves);
        let problem = file.verify().map(|_| head).unwrap_err();
        assert!(problem.contains(reason), "{problem}");
    };
    refused(&head.replace("draw", "win"), &moves, "otherwise than claimed");
    refused(&head.replace("draw", "best"), &moves, "the value is unknown");
    refused(&head, &moves[..moves.len() - 1], "there is no move for this position");
    refused(&head, &[&moves[..], &[0]].concat(), "unpacked");
    let longer = head.replace(&moves.len().to_string(), "999");
    refused(&longer, &[&moves[..], &[0]].concat(), "no position asks for");
    refused(&head.replace("tictactoe", "chess"), &moves, "position");
}

/// The first side wins by its second move; its first leads in a circle.
#[test]
fn a_win_must_not_go_in_circles() {
    let start: Dummy = "a:((a) +) first 2".parse().unwrap();
    let always = |place| check(&start, Side::First, Aim::Win, &mut |_, _| Some(place));
    // A win at once needs no move.
    assert_eq!(always(0), Ok(0));
    let start: Dummy = "a:((a) ((+))) first 2".parse().unwrap();
    let always = |aim, place| check(&start, Side::First, aim, &mut |_, _| Some(place));
    assert_eq!(always(Aim::Win, 1), Ok(1));
    assert_eq!(always(Aim::Win, 0).unwrap_err().problem, Problem::Circle);
    assert_eq!(always(Aim::Hold, 0), Ok(1));
    assert_eq!(always(Aim::Win, 2).unwrap_err().problem, Problem::NotLegal);
}
