//! The games that come with Spinney.

use spinney_game::GameSettings;
use spinney_games::atarigo::{self, AtariGo};
use spinney_games::board::Size;
use spinney_games::breakthrough::{self, Breakthrough};
use spinney_games::chess::{self, Chess};
use spinney_games::domineering::{self, Domineering};
use spinney_games::knightthrough::{self, Knightthrough};
use spinney_games::loa::{self, Loa, Rules};
use spinney_games::nogo::{self, NoGo};
use spinney_games::tictactoe::{self, TicTacToe};

use crate::Registry;

impl Registry {
    /// All games that come with Spinney.
    pub fn builtin() -> Self {
        let mut games = Registry::new();
        games.add_with_players(loa::INFO, loa_start::<8>, spinney_players::loa());
        games.add(loa::INFO_6X6, loa_start::<6>);
        games.add_with_players(chess::INFO, |_| Ok(Chess::start()), spinney_players::chess());
        games.add(breakthrough::INFO, |settings| Ok(Breakthrough::new(size(settings)?)));
        games.add(breakthrough::MISERE, |settings| Ok(Breakthrough::new(size(settings)?).misere()));
        games.add(knightthrough::INFO, |settings| Ok(Knightthrough::new(size(settings)?)));
        games.add(knightthrough::MISERE, |settings| {
            Ok(Knightthrough::new(size(settings)?).misere())
        });
        games.add(domineering::INFO, |settings| Ok(Domineering::new(size(settings)?)));
        games.add(domineering::MISERE, |settings| Ok(Domineering::new(size(settings)?).misere()));
        games.add(nogo::INFO, |settings| Ok(NoGo::new(size(settings)?)));
        games.add(nogo::MISERE, |settings| Ok(NoGo::new(size(settings)?).misere()));
        games.add(atarigo::INFO, |settings| Ok(AtariGo::new(size(settings)?)));
        games.add(atarigo::MISERE, |settings| Ok(AtariGo::new(size(settings)?).misere()));
        games.add(tictactoe::INFO, |_| Ok(TicTacToe::default()));
        games
    }
}

fn size(settings: &GameSettings) -> Result<Size, String> {
    let [files, ranks] = settings.size().unwrap_or([5, 5]);
    Size::new(files.into(), ranks.into()).map_err(|error| error.to_string())
}

fn loa_start<const N: usize>(settings: &GameSettings) -> Result<Loa<N>, String> {
    let wrong = |error: loa::OptionError| error.to_string();
    let rules = Rules {
        simultaneous: settings.choice("simultaneous").parse().map_err(wrong)?,
        no_move: settings.choice("no-move").parse().map_err(wrong)?,
        repetition: settings.choice("repetition").parse().map_err(wrong)?,
    };
    Ok(Loa::new(settings.choice("start").parse().map_err(wrong)?, rules))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
