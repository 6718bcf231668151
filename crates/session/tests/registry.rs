//! Games and players by name: what the registry reads, writes and refuses.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use spinney_session::Registry;

fn text(game: &str) -> String {
    Registry::builtin().game(game).unwrap().start().position_text()
}

#[test]
fn every_name_is_read_and_written() {
    let registry = Registry::builtin();
    for info in registry.games() {
        let game = registry.game(info.name).unwrap();
        assert_eq!(game.to_string(), info.name);
        assert!(game.player(&game.default_player(), 1).is_ok(), "{}", info.name);
    }
    for text in [
        "breakthrough:8x8",
        "nogo-misere:4x6",
        "loa:start=scrambled-eggs,simultaneous=mover-wins,no-move=loses,repetition=second",
    ] {
        assert_eq!(registry.game(text).unwrap().to_string(), text);
    }
}

#[test]
fn options_reach_the_position() {
    assert_eq!(text("breakthrough:3x4"), "xxx/3/3/ooo w");
    assert_eq!(text("domineering:3x3"), "3/3/3 v");
    assert_eq!(text("loa6:start=scrambled-eggs"), "1oxox1/x4o/o4x/x4o/o4x/1xoxo1 b");
    assert_ne!(text("loa"), text("loa:start=scrambled-eggs"));
}

#[test]
fn mistakes_are_explained() {
    let message = |text: &str| Registry::builtin().game(text).unwrap_err().to_string();
    assert_eq!(message("lao"), r#"game "lao": unknown; did you mean "loa"?"#);
    assert!(message("go-moku-of-some-kind").contains("`spinney games` lists all games"));
    assert!(message("breakthrough:9x9").contains("each from 3 to 8"));
    assert!(message("breakthrough:05x5").contains("each from 3 to 8"));
    assert!(message("breakthrough:size=4").contains("a size such as 5x5"));
    assert!(message("breakthrough:4x4,5x5").contains("twice"));
    assert!(message("loa:6x6").contains("expected key=value"));
    assert!(message("loa:repetition=never").contains("third, second, none"));
    assert!(message("loa:komi=3").contains("no option \"komi\""));
    assert!(message("chess:8x8").contains("no options"));
    assert!(message("chess:").contains("no options"));
}

#[test]
fn players_that_are_not_there_are_explained() {
    let registry = Registry::builtin();
    let message = |game: &str, player: &str| {
        let spec = player.parse().unwrap();
        registry.game(game).unwrap().player(&spec, 1).err().unwrap().to_string()
    };
    assert!(message("loa", "randon").contains("did you mean \"random\"?"));
    assert!(message("chess", "mia").contains("this game has no such player"));
    assert!(message("loa", "somebody-else").contains("`spinney players` lists all players"));
}
