//! A player of one's own in a match: it drops stones near the middle. Every command knows it.

use std::process::ExitCode;

use connect_four::{ConnectFour, INFO};
use spinney_game::{Game, History, Move};
use spinney_games::board::Square;
use spinney_players::{Player, PlayerKind};
use spinney_search::{LimitKinds, Limits, Report, Stop};

/// Prefers columns by their distance from the middle one.
struct Middle;

impl Player<ConnectFour> for Middle {
    fn analyse(
        &mut self,
        game: &History<ConnectFour>,
        _: &Limits,
        _: &Stop,
        _: &mut dyn FnMut(&Report),
    ) -> Report {
        let mut moves = Vec::new();
        game.position().legal_moves(&mut moves);
        let distance = |square: &Square| square.file().abs_diff(3);
        let best = moves.into_iter().min_by_key(distance).map(Move::pack);
        Report { best, ..Report::empty() }
    }

    fn limit_kinds(&self) -> LimitKinds {
        LimitKinds::ALL
    }

    fn new_game(&mut self, _: u64) {}
}

fn main() -> ExitCode {
    let middle =
        PlayerKind::new("middle", "drops stones near the middle", (), Vec::new, |(), _| {
            Ok(Box::new(Middle))
        });
    let mut registry = spinney_protocol::registry();
    registry.add_with_players(INFO, |_| Ok(ConnectFour::default()), vec![middle]);
    let command = "spinney match connect-four middle random --games 20 --simulations 10";
    ExitCode::from(spinney_cli::run(&registry, command.split(' ').map(Into::into)))
}
