//! What there is: games and players.

use serde::{Deserialize, Serialize};
use spinney_session::{
    GameOption, GameOptionKind, Level, OptionInfo, OptionKind, PlayerSpec, Registry,
};

use crate::Refusal;
use crate::board::Look;

#[derive(Serialize)]
pub(crate) struct GameInfo {
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    #[serde(flatten)]
    look: Look,
    /// Whether the board may have any size, as in `nogo:7x7`.
    sizes: bool,
    /// Who plays if nobody is named.
    default_player: &'static str,
    /// Opponents by strength, the easiest first: the player `level` with a number from 1.
    levels: Vec<LevelView>,
}

#[derive(Serialize)]
struct LevelView {
    name: &'static str,
    rating: Option<u32>,
}

/// All games.
pub(crate) fn games(registry: &Registry) -> Vec<GameInfo> {
    let is_size = |option: &GameOption| matches!(option.kind, GameOptionKind::Size { .. });
    let games = registry.games().map(|info| GameInfo {
        name: info.name,
        title: info.title,
        summary: info.summary,
        look: Look::of(info),
        sizes: info.options.iter().any(is_size),
        default_player: info.default_player,
        levels: levels(registry, info.name),
    });
    games.collect()
}

fn levels(registry: &Registry, game: &str) -> Vec<LevelView> {
    let game = registry.game(game);
    let levels = game.as_ref().map_or(&[] as &[Level], |game| game.levels());
    levels.iter().map(|&Level { name, rating, .. }| LevelView { name, rating }).collect()
}

#[derive(Deserialize)]
pub(crate) struct PlayersQuery {
    game: String,
}

#[derive(Serialize)]
pub(crate) struct PlayerInfo {
    name: &'static str,
    summary: &'static str,
    /// Who plays if nobody is named.
    default: bool,
    options: Vec<OptionView>,
}

#[derive(Serialize)]
struct OptionView {
    key: &'static str,
    default: String,
    help: &'static str,
    /// What it may be; anything if empty.
    choices: Vec<&'static str>,
}

impl From<OptionInfo> for OptionView {
    fn from(option: OptionInfo) -> Self {
        let OptionInfo { key, kind, default, help, .. } = option;
        let choices = match kind {
            OptionKind::Switch => vec!["on", "off"],
            OptionKind::Choice(names) => names,
            OptionKind::Count(..) | OptionKind::Real(..) | OptionKind::Text(_) => Vec::new(),
        };
        OptionView { key, default, help, choices }
    }
}

/// The players of a game with their options, except those that would read files or start programs.
pub(crate) fn players(
    registry: &Registry,
    PlayersQuery { game }: &PlayersQuery,
) -> Result<Vec<PlayerInfo>, Refusal> {
    let game = registry.game(game).map_err(Refusal::bad)?;
    let mut players = Vec::new();
    for entry in game.players() {
        if let Ok(options) = game.options(&PlayerSpec::plain(entry.name).sandboxed()) {
            let options = options.into_iter().map(OptionView::from).collect();
            let default = entry.name == game.info().default_player;
            let (name, summary) = (entry.name, entry.summary);
            players.push(PlayerInfo { name, summary, default, options });
        }
    }
    Ok(players)
}
