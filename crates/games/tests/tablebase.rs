//! Endgame tables against the rules: one ply ahead, brute force, known longest mates.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use spinney_game::{Game, Notation, Outcome, Rng, Side};
use spinney_games::chess::Chess;
use spinney_games::chess::tablebase::{Ending, Probe, TablebaseError, Tablebases};
use spinney_search::GameValue;

/// The longest mates with three men, in moves: KBvK and KNvK have none.
const LONGEST_3: &[(&str, u32)] = &[("KQvK", 10), ("KRvK", 16), ("KPvK", 28)];
/// The longest mates with four men that the literature tells most often.
const LONGEST_4: &[(&str, u32)] = &[("KBNvK", 33), ("KQvKR", 35), ("KRvKN", 40), ("KRvKP", 43)];

fn position(fen: &str) -> Chess {
    Chess::start().parse_position(fen).unwrap_or_else(|error| panic!("{error}"))
}

fn win(plies: u32) -> Option<Probe> {
    Some(Probe { value: GameValue::Win, plies: Some(plies) })
}

fn loss(plies: u32) -> Option<Probe> {
    Some(Probe { value: GameValue::Loss, plies: Some(plies) })
}

const DRAW: Option<Probe> = Some(Probe { value: GameValue::Draw, plies: None });

/// The tables of four men, new, and then read from their files.
fn four_men_tables(test: &str) -> Tablebases {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tablebase-{test}"));
    let _ = fs::remove_dir_all(&folder);
    let men = Tablebases::build(4, &folder, &|_| {}).expect("a folder for the test").men();
    let tables = Tablebases::load(&folder).expect("a folder for the test");
    assert_eq!([men, tables.men()], [4; 2]);
    fs::remove_dir_all(&folder).expect("a folder for the test");
    tables
}

fn assert_longest(tables: &Tablebases, expected: &[(&str, u32)]) {
    for &(name, moves) in expected {
        let ending = tables.endings().find(|ending| ending.to_string() == name).expect("a table");
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
        let probe = tables.probe(&position).expect("a value");
        let [ours, theirs] = [position.to_move(), !position.to_move()];
        let expected = forced_mate(&position, ours, limit)
            .map(win)
            .or_else(|| forced_mate(&position, theirs, limit).map(loss));
        let known = Some(probe).filter(|probe| probe.plies.is_some_and(|plies| plies <= limit));
        assert_eq!(known, expected.flatten(), "{}", position.position_text());
    }
}

#[test]
fn tables_are_shared_between_threads() {
    fn assert_shareable<T: Clone + Send + Sync>(_: &T) {}
    assert_shareable(&Tablebases::three_men());
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
    assert_eq!(probe("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1").unwrap().value, GameValue::Win);
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
/// The figure is lost; here the men stand where a game of chess begins.
#[test]
fn random_games_rarely_mate_with_a_queen() {
    const GAMES: u32 = 100_000;
    let start = position("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    let mut rng = Rng::new(4);
    let mut mates = 0;
    for _ in 0..GAMES {
        let mut game = start.clone();
        while game.outcome().is_none() {
            let m = game.random_move(&mut rng);
            game.play(m);
        }
        mates += u32::from(game.outcome() == Some(Outcome::Win(Side::First)));
    }
    let share = f64::from(mates) / f64::from(GAMES);
    assert!((0.004..0.007).contains(&share), "{share}");
}

/// After a double step the capture en passant counts; with and without the right the values differ.
fn assert_en_passant_counts(tables: &Tablebases) {
    let mut rng = Rng::new(7);
    let pawns = tables.endings().find(|ending| ending.to_string() == "KPvKP").expect("a table");
    let [mut compared, mut different] = [0; 2];
    while compared < 1000 {
        let position = pawns.random_position(&mut rng);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for m in moves {
            let mut with = position.clone();
            with.play(m);
            // The text names the en passant square only where a capture is legal.
            let text = with.position_text();
            let fields: Vec<&str> = text.split(' ').collect();
            if fields[3] == "-" {
                continue;
            }
            let without = self::position(&format!("{} {} - -", fields[0], fields[1]));
            // The value with the right is that of the best move; captures lead to three men.
            let best = tables.best_move(&with).expect("a move");
            let mut after = with.clone();
            after.play(best);
            let probe = tables.probe(&with).expect("a value");
            let expected = match tables.probe(&after).expect("a value") {
                Probe { value: GameValue::Loss, plies } => win(plies.expect("a value") + 1),
                Probe { value: GameValue::Win, plies } => loss(plies.expect("a value") + 1),
                _ => DRAW,
            };
            assert_eq!(Some(probe), expected, "{text}");
            compared += 1;
            different += u32::from(tables.probe(&without) != Some(probe));
        }
    }
    assert!(different > 100, "{different} of {compared}");
}

#[test]
fn bad_folders_are_refused() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tablebase-bad");
    let _ = fs::remove_dir_all(&folder);
    let refused = |result: Result<Tablebases, TablebaseError>, expected: &str| {
        let error = result.err().expect(expected).to_string();
        assert!(error.contains(expected) && error.contains("tablebase-bad"), "{error}");
    };
    // 1. No folder, no tables.
    refused(Tablebases::load(&folder), "No such file");
    refused(Tablebases::syzygy(&folder), "No such file");
    fs::create_dir(&folder).unwrap();
    refused(Tablebases::load(&folder), "no endgame tables");
    refused(Tablebases::syzygy(&folder), "KQvK.rtbw is missing");
    // 2. A table is missing, or cut off.
    Tablebases::build(3, &folder, &|_| {}).unwrap();
    assert_eq!(Tablebases::load(&folder).unwrap().men(), 3);
    let [queen, pawn] = ["KQvK.dtm", "KPvK.dtm"].map(|name| folder.join(name));
    let bytes = fs::read(&queen).unwrap();
    fs::write(&queen, &bytes[..bytes.len() / 2]).unwrap();
    refused(Tablebases::load(&folder), "KQvK.dtm: the file is cut off");
    fs::remove_file(&queen).unwrap();
    refused(Tablebases::load(&folder), "the table of KQvK is missing");
    // 3. Another table under its name. Building puts all right again and leaves nothing else.
    fs::copy(&pawn, &queen).unwrap();
    refused(Tablebases::load(&folder), "this is the table of KPvK");
    Tablebases::build(3, &folder, &|_| {}).unwrap();
    assert_eq!(fs::read(&queen).unwrap(), bytes);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 5);
    // 4. Files that are no Syzygy tables.
    for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
        fs::write(folder.join(format!("{name}.rtbw")), [0; 80]).unwrap();
    }
    refused(Tablebases::syzygy(&folder), "KQvK.rtbw: this is no Syzygy table");
    let mut table = [0; 81];
    table[..4].copy_from_slice(&[0x71, 0xe8, 0x23, 0x5d]);
    fs::write(folder.join("KQvK.rtbw"), table).unwrap();
    refused(Tablebases::syzygy(&folder), "KQvK.rtbw: the file is cut off");
}

#[test]
#[ignore = "a minute: run by ./check --nightly"]
fn four_men() {
    let tables = four_men_tables("rules");
    assert_longest(&tables, LONGEST_3);
    assert_longest(&tables, LONGEST_4);
    for ending in tables.endings() {
        assert_eq!(tables.find_contradiction(ending, 20_000, &mut Rng::new(5)), None);
        assert_short_mates(&tables, ending, 200, 3, 6);
    }
    assert_en_passant_counts(&tables);
}

/// A million random positions, and files with bytes changed: no value may be wrong without damage,
/// and nothing panics with it.
#[test]
#[ignore = "a minute: run by ./check --nightly"]
fn four_men_agree_with_syzygy() {
    const POSITIONS: u32 = 1_000_000;
    let installed = Command::new("../../testdata/syzygy.sh").output().unwrap();
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    let folder = PathBuf::from(String::from_utf8(installed.stdout).unwrap().trim());
    let (tables, syzygy) = (four_men_tables("syzygy"), Tablebases::syzygy(&folder).unwrap());
    assert_eq!(syzygy.men(), 4);
    // 1. Win, draw and loss.
    let mut rng = Rng::new(8);
    let endings: Vec<Ending> = tables.endings().collect();
    let result =
        |tables: &Tablebases, position: &Chess| tables.probe(position).map(|probe| probe.value);
    for index in 0..POSITIONS as usize {
        let position = endings[index % endings.len()].random_position(&mut rng);
        let [ours, theirs] = [&tables, &syzygy].map(|tables| result(tables, &position));
        assert!(ours.is_some() && ours == theirs, "{}", position.position_text());
    }
    assert_eq!(syzygy.find_syzygy_contradiction(1000, &mut rng), None);
    // 2. Syzygy tables answer for what the others do not have.
    let both = Tablebases::three_men().with_syzygy(&folder).unwrap();
    let queens = position("8/8/8/8/8/k7/8/K5QQ w - - 0 1");
    assert_eq!(both.probe(&queens), Some(Probe { value: GameValue::Win, plies: None }));
    assert_eq!(Tablebases::three_men().probe(&queens), None);
    // 3. Damage.
    let damaged = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("syzygy-damaged");
    let _ = fs::remove_dir_all(&damaged);
    fs::create_dir(&damaged).unwrap();
    for file in fs::read_dir(&folder).unwrap() {
        let file = file.unwrap();
        let mut bytes = fs::read(file.path()).unwrap();
        for _ in 0..20 {
            let at = 4 + rng.below(bytes.len() as u32 - 4) as usize;
            bytes[at.min(4 + rng.below(1000) as usize)] = rng.below(256) as u8;
        }
        fs::write(damaged.join(file.file_name()), bytes).unwrap();
    }
    let damaged = Tablebases::syzygy(&damaged).unwrap();
    for &ending in &endings {
        for _ in 0..1000 {
            let _ = damaged.probe(&ending.random_position(&mut rng));
        }
    }
}
