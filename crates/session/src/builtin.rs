//! The games that come with Spinney.

use spinney_game::{GameInfo, GameSettings, Playable};
use spinney_games::atarigo::{self, AtariGo};
use spinney_games::board::Size;
use spinney_games::breakthrough::{self, Breakthrough};
use spinney_games::chess::{self, Chess};
use spinney_games::domineering::{self, Domineering};
use spinney_games::facts::Known;
use spinney_games::knightthrough::{self, Knightthrough};
use spinney_games::loa::{self, Loa, Rules};
use spinney_games::nogo::{self, NoGo};
use spinney_games::tictactoe::{self, TicTacToe};
use spinney_search::knowledge::Facts;

use spinney_players::{self as players, Solvers, loa_solvers};

use crate::Registry;
use crate::registry::Start;

impl Registry {
    /// All games that come with Spinney.
    pub fn builtin() -> Self {
        let mut games = Registry::new();
        let own = players::loa().into_iter().chain([players::levels()]).collect();
        games.add_with_solvers(loa::INFO, loa_start::<8>, own, loa_solvers());
        games.add_with_solvers(loa::INFO_6X6, loa_start::<6>, players::loa(), loa_solvers());
        games.add_with_players(chess::INFO, |_| Ok(Chess::start()), players::chess());
        games.add_small(breakthrough::INFO, |settings| Ok(Breakthrough::new(size(settings)?)));
        games.add_small(breakthrough::MISERE, |settings| {
            Ok(Breakthrough::new(size(settings)?).misere())
        });
        games.add_small(knightthrough::INFO, |settings| Ok(Knightthrough::new(size(settings)?)));
        games.add_small(knightthrough::MISERE, |settings| {
            Ok(Knightthrough::new(size(settings)?).misere())
        });
        games.add_small(domineering::INFO, |settings| Ok(Domineering::new(size(settings)?)));
        games.add_small(domineering::MISERE, |settings| {
            Ok(Domineering::new(size(settings)?).misere())
        });
        games.add_small(nogo::INFO, |settings| Ok(NoGo::new(size(settings)?)));
        games.add_small(nogo::MISERE, |settings| Ok(NoGo::new(size(settings)?).misere()));
        games.add_small(atarigo::INFO, |settings| Ok(AtariGo::new(size(settings)?)));
        games.add_small(atarigo::MISERE, |settings| Ok(AtariGo::new(size(settings)?).misere()));
        games.add(tictactoe::INFO, |_| Ok(TicTacToe::default()));
        games
    }

    /// Adds a game of which solvers know more than the rules.
    fn add_small<G: Playable>(&mut self, info: GameInfo, start: impl Start<G>)
    where
        Known: Facts<G>,
    {
        self.add_with_solvers(info, start, Vec::new(), Solvers::new().with_facts::<Known>());
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
