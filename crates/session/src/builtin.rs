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

use spinney_players as players;

use crate::Registry;

impl Registry {
    /// All games that come with Spinney.
    pub fn builtin() -> Self {
        let mut games = Registry::new();
        games.add_with_solver(loa::INFO, loa_start::<8>, players::loa(), players::loa_prover);
        games.add_with_solver(loa::INFO_6X6, loa_start::<6>, players::loa(), players::loa_prover);
        games.add_with_players(chess::INFO, |_| Ok(Chess::start()), players::chess());
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
