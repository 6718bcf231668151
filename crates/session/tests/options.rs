//! Options are read as they are declared; wrong ones are refused.

mod common;

use std::time::Duration;

use common::{analyse, game, player, position, refusal};
use spinney_session::{Limits, OptionKind, PlayerSpec, Registry};

#[test]
fn every_player_plays_legal_moves_on_a_clock() {
    let game = game("tictactoe");
    for entry in Registry::builtin().players() {
        // Players of one game are tested there.
        if !game.players().contains(&entry) {
            assert!(entry.summary.contains(':'), "{} plays no tic-tac-toe", entry.name);
            continue;
        }
        let mut player = player(&game, entry.name, 7);
        let mut session = game.start();
        while session.outcome().is_none() {
            let limits = Limits::time(Duration::from_millis(20));
            let report = analyse(&mut *player, &session, &limits);
            let m = report.best.unwrap_or_else(|| panic!("{} has no move", entry.name));
            assert!(session.legal_moves().contains(&m), "{}", entry.name);
            let text = session.move_text(m);
            assert_eq!(session.parse_move(&text), Ok(m), "{}", entry.name);
            session.play(m);
        }
    }
}

#[test]
fn wrong_options_are_refused() {
    let game = game("tictactoe");
    let message = |text: &str| refusal(&game, text);
    assert!(message("uct:exploration=3").contains("no option \"exploration\""));
    assert!(message("uct:stop-erly=on").contains("did you mean \"stop-early\"?"));
    assert!(message("uct:c=-1").contains("expected a number from 0"));
    assert!(message("uct:c=NaN").contains("expected a number from 0"));
    assert!(message("uct:solver=yes").contains("expected on or off"));
    assert!(message("uct:final=best").contains("visits, value, secure"));
    assert!(message("uct:secure=2").contains("needs final=secure"));
    assert!(message("uct:threads=0").contains("1 to 256"));
    assert!(message("uct:memory=0").contains("1 to 1000000"));
    assert!(message("nested:level=99").contains("0 to 8"));
    assert!(message("nested:pod=1").contains("discounting=on"));
    assert!(message("random:c=1").contains("it has none"));
}

/// Everything that a player of LOA found, as text.
fn loa_behaviour(spec: &str, text: &str, simulations: u64) -> String {
    let loa = game("loa");
    let limits = Limits::simulations(simulations);
    let report = analyse(&mut *player(&loa, spec, 3), &position(&loa, text), &limits);
    let candidates: Vec<_> = report.candidates.iter().map(|c| (c.m, c.visits)).collect();
    format!("{:?} {:?} {} {candidates:?}", report.best, report.proven, report.simulations)
}

/// The programs of the papers differ by the options that the papers name.
#[test]
fn programs_of_the_papers_are_options_of_one_another() {
    let middle = "2x2x2/1o2o1x1/o1x3o1/1xo2x1o/o2xo1o1/1o1x1x2/3o1o2/1x1xx3 b";
    let behaviour = |spec: &str| loa_behaviour(spec, middle, 2000);
    let paper = behaviour("mc-loa");
    assert_eq!(paper, behaviour("mc-loa:solver=on,threshold=700,strategy=mixed"));
    assert_eq!(
        paper,
        behaviour(
            "mc-loa:bias=losses,w=10,policy-visits=5,look-ahead=on,final=secure,secure=1,reuse=off"
        )
    );
    let [tuned, two_ply] = ["mc-loa-t", "mc-loa-ab"].map(behaviour);
    assert!(paper != tuned && paper != two_ply && tuned != two_ply);
    assert_eq!(tuned, behaviour("mc-loa:bias=root"));
    assert_eq!(two_ply, behaviour("mc-loa:bias=root,strategy=alpha-beta,threshold=600"));
}

#[test]
fn wrong_options_of_mc_loa_are_refused() {
    let game = game("loa");
    let message = |text: &str| refusal(&game, text);
    assert!(message("mc-loa:strategy=random").contains("default, corrective, greedy, mixed"));
    assert!(message("mc-loa:threshold=-1").contains("0 to 100000 points of the papers, or off"));
    assert!(message("mc-loa:k=0").contains("1 to 1000"));
    assert!(message("mc-loa:min-weight=-1").contains("from 0"));
    assert!(message("mc-loa:bias=none,w=3").contains("w: needs bias"));
    assert!(message("mc-loa:w=-3").contains("from 0"));
    assert!(message("mc-loa:strategy=default,look-every=0").contains("1 to 100000"));
    assert!(
        message("mc-loa:strategy=default,threshold=off,look-every=2").contains("needs threshold")
    );
    assert!(message("mc-loa-ab:searched=0").contains("1 to 1000"));
    assert!(message("mc-loa-ab:k=3").contains("k: needs strategy=greedy or mixed"));
    assert!(message("mc-loa:searched=3").contains("needs strategy=alpha-beta"));
    assert!(message("uct:bias=losses").contains("no option"));
}

/// What `options` says is what `player` takes: the defaults change nothing, the ends of ranges and all
/// choices are read, and nothing beyond them is.
#[test]
fn players_take_what_they_declare() {
    for game in ["chess", "loa", "loa6", "tictactoe"].map(game) {
        for entry in game.players() {
            let plain: PlayerSpec = entry.name.parse().expect("its own name");
            let options = game.options(&plain).expect("a player of the game");
            for option in &options {
                let key = option.key;
                assert!(!option.help.is_empty(), "{}: {key} is not explained", entry.name);
                // Other options have values with which this one means something.
                let spec = option.needs.iter().fold(plain.clone(), |spec, need| {
                    let other = options.iter().find(|other| other.key == need.key);
                    let value = need.values.first().copied().unwrap_or(
                        match &other.expect("a declared option").kind {
                            OptionKind::Choice(names) => names[0],
                            _ => "700",
                        },
                    );
                    spec.with(need.key, value)
                });
                let takes = |value: &str| game.options(&spec.with(key, value)).is_ok();
                assert!(option.default.is_empty() || takes(&option.default), "{entry:?} {key}");
                assert!(
                    !takes("maybe") || matches!(option.kind, OptionKind::Text("a path")),
                    "{key}"
                );
                match &option.kind {
                    OptionKind::Switch => assert!(takes("on") && takes("off"), "{key}"),
                    OptionKind::Choice(names) => {
                        assert!(names.contains(&option.default.as_str()), "{key}");
                        assert!(names.iter().all(|name| takes(name)), "{key}");
                    }
                    OptionKind::Count(range, words) => {
                        let (least, most) = (*range.start(), *range.end());
                        assert!(takes(&least.to_string()) && takes(&most.to_string()), "{key}");
                        assert!(!takes(&(most + 1).to_string()) && !takes("-1"), "{key}");
                        assert!(words.iter().all(|word| takes(word)), "{key}");
                    }
                    OptionKind::Real(range, words) => {
                        let (least, most) = (*range.start(), *range.end());
                        assert!(takes(&least.to_string()) && takes(&most.to_string()), "{key}");
                        assert!(!takes(&(2.0 * most + 1.0).to_string()) && !takes("NaN"), "{key}");
                        assert!(words.iter().all(|word| takes(word)), "{key}");
                    }
                    OptionKind::Text(_) => {}
                }
            }
        }
    }
    let spec: PlayerSpec = "uct".parse().expect("a player");
    let options = game("tictactoe").options(&spec).expect("known options");
    let keys: Vec<&str> = options.iter().map(|option| option.key).collect();
    assert!(keys.contains(&"c") && keys.contains(&"threads") && !keys.contains(&"bias"));
}
