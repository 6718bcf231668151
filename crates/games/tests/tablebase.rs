//! Endgame tables against the rules: one ply ahead, brute force, known longest mates.

use std::collections::HashMap;
use std::path::PathBuf;

use spinney_game::{Game, Notation, Outcome, Rng, Side};
use spinney_games::chess::Chess;
use spinney_games::chess::tablebase::{Ending, GameResult, Probe, Tablebases};

/// The longest mates with three men, in moves: KBvK and KNvK have none.
const LONGEST_3: &[(&str, u32)] = &[("KQvK", 10), ("KRvK", 16), ("KPvK", 28)];
/// The longest mates with four men that the literature tells most often.
const LONGEST_4: &[(&str, u32)] = &[("KBNvK", 33), ("KQvKR", 35), ("KRvKN", 40), ("KRvKP", 43)];

fn position(fen: &str) -> Chess {
    Chess::start().parse_position(fen).unwrap()
}

fn win(plies: u32) -> Option<Probe> {
    Some(Probe { result: GameResult::Win, plies: Some(plies) })
}

fn loss(plies: u32) -> Option<Probe> {
    Some(Probe { result: GameResult::Loss, plies: Some(plies) })
}

const DRAW: Option<Probe> = Some(Probe { result: GameResult::Draw, plies: None });

/// The tables of four men, kept between runs.
fn four_men_tables() -> Tablebases {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tablebase");
    Tablebases::build(4, &folder, &|_| {}).unwrap()
}

fn assert_longest(tables: &Tablebases, expected: &[(&str, u32)]) {
    for &(name, moves) in expected {
        let ending = tables.endings().find(|ending| ending.to_string() == name).unwrap();
        assert_eq!(tables.longest(ending).map(|plies| plies.div_ceil(2)), Some(moves), "{name}");
    }
}

/// Plies to the mate that `side` forces from here, up to `limit`; found by trying every move.
fn forced_mate(position: &Chess, side: Side, limit: u32) -> Option<u32> {
    match position.outcome() {
        Some(Outcome::Win(winner)) => return (winner == side).then_some(0),
        Some(Outcome::Draw) => return None,
        None if limit == 0 => return None,
        None => {}
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut plies = moves.into_iter().map(|m| {
        let mut after = position.clone();
        after.play(m);
        Some(1 + forced_mate(&after, side, limit - 1)?)
    });
    if position.to_move() == side {
        plies.flatten().min()
    } else {
        plies.try_fold(0, |a, b| Some(a.max(b?)))
    }
}

/// Every position with a mate in up to `limit` plies is told so, and no other.
fn assert_short_mates(tables: &Tablebases, ending: Ending, positions: u32, limit: u32, seed: u64) {
    let mut rng = Rng::new(seed);
    for _ in 0..positions {
        let position = ending.random_position(&mut rng);
        let probe = tables.probe(&position).unwrap();
        let [ours, theirs] = [position.to_move(), !position.to_move()];
        let expected = forced_mate(&position, ours, limit)
            .map(win)
            .or_else(|| forced_mate(&position, theirs, limit).map(loss));
        let known = Some(probe).filter(|probe| probe.plies.is_some_and(|plies| plies <= limit));
        assert_eq!(known, expected.flatten(), "{}", position.position_text());
    }
}

#[test]
fn longest_mates_with_three_men() {
    let tables = Tablebases::three_men();
    assert_longest(&tables, LONGEST_3);
    let mateless = tables.endings().filter(|&ending| tables.longest(ending).is_none());
    assert_eq!(mateless.map(|ending| ending.to_string()).collect::<Vec<_>>(), ["KBvK", "KNvK"]);
}

#[test]
fn three_men_agree_with_a_look_ahead() {
    let tables = Tablebases::three_men();
    for ending in tables.endings() {
        assert_eq!(tables.find_contradiction(ending, 20_000, &mut Rng::new(1)), None);
    }
}

#[test]
fn three_men_agree_with_brute_force() {
    let tables = Tablebases::three_men();
    for ending in tables.endings() {
        assert_short_mates(&tables, ending, 1000, 3, 2);
    }
}

#[test]
fn known_positions() {
    let tables = Tablebases::three_men();
    let probe = |fen: &str| tables.probe(&position(fen));
    // A mate, a stalemate, the bare kings, and the same with colours reversed.
    assert_eq!(probe("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"), loss(0));
    assert_eq!(probe("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1"), DRAW);
    assert_eq!(probe("k7/8/1K6/8/8/8/8/8 w - - 0 1"), DRAW);
    assert_eq!(probe("8/8/8/8/8/1k6/1q6/K7 w - - 0 1"), loss(0));
    assert_eq!(probe("8/8/8/8/8/1k6/2q5/K7 b - - 0 1"), win(1));
    // A rook's pawn with the king in front of it; opposition.
    assert_eq!(probe("k7/8/K7/P7/8/8/8/8 w - - 0 1"), DRAW);
    assert_eq!(probe("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1").unwrap().result, GameResult::Win);
    assert_eq!(probe("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"), DRAW);
    // What no table has: more men, the right to castle.
    assert_eq!(probe("k7/8/K7/P7/8/8/8/6Q1 w - - 0 1"), None);
    assert_eq!(probe("8/8/8/8/8/8/k7/4K2R w K - 0 1"), None);
    assert!(probe("8/8/8/8/8/8/k7/4K2R w - - 0 1").is_some());
}

#[test]
fn best_moves_mate_in_time() {
    let tables = Tablebases::three_men();
    let mut rng = Rng::new(3);
    for ending in tables.endings() {
        let mut position = ending.random_position(&mut rng);
        let Some(plies) = tables.probe(&position).and_then(|probe| probe.plies) else { continue };
        for _ in 0..plies {
            position.play(tables.best_move(&position).unwrap());
        }
        assert!(matches!(position.outcome(), Some(Outcome::Win(_))));
    }
}

/// `mcc` 5.1.1, Figure 6: king and queen against king. Of a million random games 4988 ended in mate.
/// The figure is lost; over all positions with White to move the share is near it.
#[test]
fn random_games_rarely_mate_with_a_queen() {
    const GAMES: u32 = 20_000;
    let queen = Ending::up_to(3)[0];
    let mut rng = Rng::new(4);
    let mut ends: HashMap<Option<Outcome>, u32> = HashMap::new();
    for _ in 0..GAMES {
        let mut game = queen.random_position(&mut rng);
        while game.outcome().is_none() {
            let m = game.random_move(&mut rng);
            game.play(m);
        }
        *ends.entry(game.outcome()).or_default() += 1;
    }
    println!("{ends:?}");
}

#[test]
#[ignore = "half a minute: run by ./check --nightly"]
fn four_men() {
    let tables = four_men_tables();
    assert_longest(&tables, LONGEST_3);
    assert_longest(&tables, LONGEST_4);
    for ending in tables.endings() {
        assert_eq!(tables.find_contradiction(ending, 20_000, &mut Rng::new(5)), None);
        assert_short_mates(&tables, ending, 200, 3, 6);
    }
}

#[test]
fn tmp_syzygy() {
    let tables = four_men_tables();
    let syzygy = Tablebases::syzygy(std::path::Path::new(
        "/tmp/tablebase-scratch/chess-1.11.2/data/syzygy/regular",
    ))
    .unwrap();
    let mut rng = Rng::new(5);
    for ending in tables.endings() {
        let mut bad = 0;
        let mut none = 0;
        let mut example = String::new();
        for _ in 0..10000 {
            let position = ending.random_position(&mut rng);
            let ours = tables.probe(&position).unwrap().result;
            match syzygy.probe(&position) {
                None => none += 1,
                Some(p) => {
                    if p.result != ours {
                        bad += 1;
                        example = position.position_text();
                    }
                }
            }
        }
        println!("{ending} {bad} {none} {example}");
    }
}
