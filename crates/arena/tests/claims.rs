//! Claims and their verdicts: calibration, the records of this tree, and the pages made from them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use spinney_arena::experiment::{
    self, Evidence, Experiment, PAPERS, Part, Report, Store, Verdict, judge,
};
use spinney_arena::{GameResult, Tally};
use spinney_session::{Registry, Rng};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Games of pairs, in which A scores `share` on average and some are drawn.
fn games(share: f64, pairs: u64, rng: &mut Rng) -> Tally {
    let mut tally = Tally::default();
    // A draw is as likely as the score leaves room for.
    let drawn = 0.3 * share.min(1.0 - share);
    let mut game = || {
        let (random, won) = (rng.unit(), share - drawn / 2.0);
        if random < won {
            GameResult::A
        } else if random < won + drawn {
            GameResult::Draw
        } else {
            GameResult::B
        }
    };
    for _ in 0..pairs {
        let first = game();
        tally.add(first, None);
        tally.add(game(), Some(first));
    }
    tally
}

fn scores(task: usize, tally: Tally) -> Evidence {
    Evidence::Scores { matches: vec![(task.to_string(), tally, 100.0)], constant: 0.0 }
}

fn part(terms: &[(usize, f64)], constant: f64) -> Part {
    Part { text: String::new(), terms: terms.to_vec(), constant }
}

/// A paper with claims of every kind over cells whose truth is known: many are just true or just
/// false, by a quarter of a percent. Undecided claims get four times the games and are judged again. Of
/// 1000 such papers at most 1 % have any wrong verdict, so each
/// verdict is wrong far less often.
#[test]
fn verdicts_are_wrong_in_at_most_one_paper_of_a_hundred() {
    const PAPERS: u64 = 1000;
    let mut wrong = [0, 0];
    let mut decided = 0;
    let mut wrong_papers = 0;
    for number in 0..PAPERS {
        let mut rng = Rng::stream(5, number);
        let near = |rng: &mut Rng| if rng.unit() < 0.5 { -0.25 } else { 0.25 };
        // 1. The truth, in percent, and the games.
        let mut truth: Vec<f64> = Vec::new();
        let mut looks: [Vec<Evidence>; 2] = Default::default();
        let mut counts = Vec::new();
        for cell in 0..8 {
            let share = match cell % 4 {
                0 => 50.0 + near(&mut rng),
                1 => 90.0 + near(&mut rng),
                2 => 100.0 * (0.05 + 0.9 * rng.unit()),
                _ => truth[cell - 1] + near(&mut rng),
            };
            let pairs = [10, 50, 250][rng.below(3) as usize];
            truth.push(share);
            let first = games(share / 100.0, pairs, &mut rng);
            let more = games(share / 100.0, 3 * pairs, &mut rng);
            looks[0].push(scores(cell, first));
            looks[1].push(scores(cell, first.plus(&more)));
            counts.push(2 * pairs);
        }
        // Efforts with heavy tails: the logarithm is normal. Cell 9 takes 10 % less or more.
        let factor = if rng.unit() < 0.5 { 0.9 } else { 1.1 };
        let mut normal = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
        let efforts: Vec<[f64; 2]> = (0..200)
            .map(|_| {
                let common = (2.0 * normal()).exp();
                [common * (0.3 * normal()).exp(), factor * common * (0.3 * normal()).exp()]
            })
            .collect();
        for player in 0..2 {
            let values: BTreeMap<u64, f64> =
                (0..).zip(&efforts).map(|(run, effort)| (run, effort[player])).collect();
            for cells in &mut looks {
                cells.push(Evidence::Runs { values: values.clone(), is_share: false });
            }
            truth.push([1.0, factor][player]);
            counts.push(200);
        }
        // 2. The claims: values, differences, orders, ratios, trends, sums, conjunctions, efforts.
        let claims = [
            vec![part(&[(0, 1.0)], -50.0)],
            vec![part(&[(1, -1.0)], 90.0)],
            vec![part(&[(2, 1.0), (3, -1.0)], 0.0)],
            vec![part(&[(0, 1.0)], -50.0), part(&[(4, 1.0)], -50.0), part(&[(5, 1.0)], -50.0)],
            vec![part(&[(6, 1.0), (7, -1.1)], 0.0)],
            vec![part(&[(0, -1.5), (4, -0.5), (1, 0.5), (5, 1.5)], 0.0)],
            vec![part(&[(0, 0.5), (4, 0.5), (2, -0.5), (3, -0.5)], 0.0)],
            vec![part(&[(8, 1.0), (9, -1.0)], 0.0)],
            vec![part(&[(5, 1.0)], -85.0), part(&[(5, -1.0)], 95.0)],
        ];
        let is_true = |part: &Part| {
            part.constant + part.terms.iter().map(|(cell, w)| w * truth[*cell]).sum::<f64>() > 0.0
        };
        let mut is_wrong = false;
        for parts in &claims {
            let look = |cells: &[Evidence]| judge(parts, claims.len(), cells, &counts).verdict;
            let verdict = match look(&looks[0]) {
                Verdict::Undecided { .. } => look(&looks[1]),
                verdict => verdict,
            };
            let claim = parts.iter().all(is_true);
            wrong[0] += u64::from(claim && verdict == Verdict::Contradicted);
            wrong[1] += u64::from(!claim && verdict == Verdict::Holds);
            decided += u64::from(matches!(verdict, Verdict::Holds | Verdict::Contradicted));
            is_wrong |= (claim && verdict == Verdict::Contradicted)
                || (!claim && verdict == Verdict::Holds);
        }
        wrong_papers += u64::from(is_wrong);
    }
    // 1 % of 9000 claims would be 90 of each kind.
    assert!(wrong[0] <= 10 && wrong[1] <= 10, "{wrong:?} of {decided} decided");
    assert!(wrong_papers <= PAPERS / 100, "{wrong_papers} papers");
    assert!(decided > 1000, "{decided} decided: some are clear");
}

#[test]
fn verdicts_follow_from_the_games() {
    let score = |wins: u64, losses: u64| {
        let games = [losses, 0, wins];
        scores(0, Tally { singles: games, games, ..Tally::default() })
    };
    let above = [part(&[(0, 1.0)], -50.0)];
    let verdict =
        |wins, losses| judge(&above, 10, &[score(wins, losses)], &[wins + losses]).verdict;
    assert_eq!(verdict(70, 30), Verdict::Holds);
    assert_eq!(verdict(30, 70), Verdict::Contradicted);
    assert_eq!(verdict(20, 0), Verdict::Holds, "a clean sweep");
    // Whichever player of the task is meant, and whatever the number of games.
    for games in 1..=300 {
        let sweep = Tally { singles: [games, 0, 0], games: [games, 0, 0], ..Tally::default() };
        let matches = vec![("t".to_owned(), sweep, -100.0)];
        let lost = Evidence::Scores { matches, constant: 100.0 };
        let likelihood = |evidence: Evidence| {
            judge(&[part(&[(0, 1.0)], -80.0)], 1, &[evidence], &[games]).likelihood
        };
        let (one, two) = (likelihood(score(games, 0)), likelihood(lost));
        assert!((one - two).abs() < 1e-9 && one > 0.7, "{games} games: {one}, {two}");
    }
    // 56 of 100 has z = 1.2 and 0.05 % needs 3.3: (3.3 / 1.2)² times the games.
    let Verdict::Undecided { more: Some(more) } = verdict(56, 44) else { panic!("decided") };
    assert!((600..=700).contains(&more), "{more}");
    assert_eq!(verdict(50, 50), Verdict::Undecided { more: None });
    // A conjunction: one part that is sure to be false is enough, and none may be missing.
    let both = [part(&[(0, 1.0)], -50.0), part(&[(1, 1.0)], -50.0)];
    let of = |one: Evidence, two: Evidence| judge(&both, 10, &[one, two], &[100, 100]).verdict;
    let swap = |evidence: Evidence| match evidence {
        Evidence::Scores { matches, .. } => {
            let matches = matches.into_iter().map(|(_, tally, _)| ("1".to_owned(), tally, 100.0));
            Evidence::Scores { matches: matches.collect(), constant: 0.0 }
        }
        other => other,
    };
    assert_eq!(of(score(70, 30), swap(score(75, 25))), Verdict::Holds);
    assert_eq!(of(score(70, 30), swap(score(25, 75))), Verdict::Contradicted);
    assert_eq!(of(score(70, 30), Evidence::None), Verdict::Open);
    assert_eq!(of(score(25, 75), Evidence::None), Verdict::Contradicted);
    // The same games in two cells: a score and its mirror are never equal by chance.
    let mirror = [part(&[(0, 1.0), (1, -1.0)], 0.0)];
    let games = Tally { singles: [40, 0, 60], games: [40, 0, 60], ..Tally::default() };
    let one = Evidence::Scores { matches: vec![("t".to_owned(), games, 100.0)], constant: 0.0 };
    let two = Evidence::Scores { matches: vec![("t".to_owned(), games, -100.0)], constant: 100.0 };
    let alone = judge(&above, 1, std::slice::from_ref(&one), &[100]).likelihood;
    let against = judge(&mirror, 1, &[one, two], &[100, 100]).likelihood;
    assert!((alone - against).abs() < 1e-9, "{alone} {against}");
}

#[test]
fn a_mistake_in_a_condition_has_its_line() {
    let source = |condition: &str| {
        format!(
            "id = \"own\"\npaper = \"none\"\ntitle = \"T\"\nconversion = \"C\"\n[scale.quick]\nclock = \"count\"\n\
             [players.p]\nspec = \"uct\"\n[[column]]\nname = \"Score\"\n[[row]]\nname = \"First\"\n\
             [[claim]]\ntext = \"X\"\nsource = \"Y\"\nholds-if = [\n  \"First/Score > 1\",\n  {condition:?},\n]\n"
        )
    };
    let read =
        |condition: &str| Experiment::with_inputs("own.toml", &source(condition), BTreeMap::new());
    assert_eq!(read("First/Score < 5").expect("right").claim[0].parts.len(), 2);
    let error = read("Frist/Score > 50").unwrap_err().to_string();
    let expected =
        "own.toml: line 18: there is no cell \"Frist/Score\"; did you mean \"First/Score\"?";
    assert_eq!(error, expected);
    let cells = source("First/Score < 5")
        .replace("[players", "[scale.quick.cells]\n\"First/Scores\" = 9\n[players");
    let error =
        Experiment::with_inputs("own.toml", &cells, BTreeMap::new()).unwrap_err().to_string();
    assert_eq!(error, "own.toml: there is no cell \"First/Scores\"");
}

/// The verdicts of a folder of results on the claims of an experiment.
fn verdicts(folder: &Path, id: &str) -> Vec<Verdict> {
    let store = Store::open(&Registry::builtin(), folder);
    let experiment = experiment::find(id).expect("known");
    Report::of_run(&experiment, "quick", &store).expect("a report").verdicts()
}

#[test]
fn mirrored_games_flip_a_verdict() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mirrored");
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).unwrap();
    let records = root().join("records/mcts-loa");
    let text = fs::read_to_string(records.join("results.jsonl")).unwrap();
    assert_eq!(verdicts(&records, "mcts-loa/table-2")[0], Verdict::Holds, "mixed beats all others");
    // The games of the mixed strategy against the corrective one.
    let is_chosen =
        |line: &str| line.contains("strategy=corrective") && line.contains("strategy=mixed");
    let swapped = |line: &str| {
        let (before, games) = line.split_once("\"games\":\"").expect("games");
        let mirror = |letter: char| match letter {
            'a' => 'b',
            'b' => 'a',
            other => other,
        };
        format!("{before}\"games\":\"{}", games.chars().map(mirror).collect::<String>())
    };
    let lines =
        text.lines().map(|line| if is_chosen(line) { swapped(line) } else { line.to_owned() });
    fs::write(scratch.join("results.jsonl"), lines.map(|line| line + "\n").collect::<String>())
        .unwrap();
    assert_eq!(verdicts(&scratch, "mcts-loa/table-2")[0], Verdict::Contradicted);
}

#[test]
fn every_paper_has_claims_with_verdicts_from_records() {
    let mut judged = 0;
    for paper in PAPERS {
        let ids = experiment::ids().filter(|id| id.starts_with(&format!("{}/", paper.name)));
        let folder = root().join("records").join(paper.name);
        let all: Vec<Verdict> = ids.flat_map(|id| verdicts(&folder, id)).collect();
        let measured = all.iter().filter(|verdict| **verdict != Verdict::Open).count();
        assert!(measured > 0, "{}", paper.name);
        judged += measured;
    }
    assert!(judged >= 45, "{judged} claims have a verdict");
}

/// If this fails, `spinney experiment claims` makes the pages again.
#[test]
fn all_pages_are_those_of_the_records() {
    let pages = experiment::pages(&root(), &Registry::builtin()).expect("pages");
    assert!(pages.len() > 10);
    for (path, text) in pages {
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == text, "{}: run `spinney experiment claims`", path.display());
    }
}
