//! Requests that are answered at once: games, players, positions, records.

use axum::Json;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use spinney_session::{
    GameOption, GameOptionKind, Level, OptionInfo, OptionKind, PlayerSpec, Registry,
};

use crate::Shared;
use crate::board::Look;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::reading::{self, Read};
use crate::state::{self, Place};
use crate::writing::{self, Export};

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
pub(crate) async fn games(State(shared): State<Arc<Shared>>) -> Json<Vec<GameInfo>> {
    let is_size = |option: &GameOption| matches!(option.kind, GameOptionKind::Size { .. });
    let games = shared.registry.games().map(|info| GameInfo {
        name: info.name,
        title: info.title,
        summary: info.summary,
        look: Look::of(info),
        sizes: info.options.iter().any(is_size),
        default_player: info.default_player,
        levels: levels(&shared.registry, info.name),
    });
    Json(games.collect())
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
pub(crate) async fn players(
    State(shared): State<Arc<Shared>>,
    query: Result<Query<PlayersQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<Vec<PlayerInfo>>, ApiError> {
    let Query(query) = query.map_err(ApiError::bad)?;
    blocking(move || {
        let game = shared.registry.game(&query.game).map_err(ApiError::bad)?;
        let mut players = Vec::new();
        for entry in game.players() {
            if let Ok(options) = game.options(&PlayerSpec::plain(entry.name).sandboxed()) {
                let options = options.into_iter().map(OptionView::from).collect();
                let default = entry.name == game.info().default_player;
                let (name, summary) = (entry.name, entry.summary);
                players.push(PlayerInfo { name, summary, default, options });
            }
        }
        Ok(Json(players))
    })
    .await
}

/// The position after some moves, and what may happen next.
pub(crate) async fn position(
    State(shared): State<Arc<Shared>>,
    JsonBody(place): JsonBody<Place>,
) -> Result<Json<state::State>, ApiError> {
    blocking(move || Ok(Json(state::State::of(&state::open(&shared.registry, &place)?)))).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordText {
    /// The game the page shows: what does not say its game is read as this one.
    game: String,
    text: String,
    /// Which of its games, from 0.
    #[serde(default)]
    number: usize,
    /// Whether the main lines of all its games are wanted.
    #[serde(default)]
    lines: bool,
}

/// Reads a record in any format.
pub(crate) async fn record(
    State(shared): State<Arc<Shared>>,
    JsonBody(RecordText { game, text, number, lines }): JsonBody<RecordText>,
) -> Result<Json<Read>, ApiError> {
    blocking(move || reading::read(&shared.registry, &game, &text, number, lines).map(Json)).await
}

/// Writes a record.
pub(crate) async fn export(
    State(shared): State<Arc<Shared>>,
    JsonBody(export): JsonBody<Export>,
) -> Result<String, ApiError> {
    blocking(move || writing::write(&shared.registry, &export)).await
}

/// Work that may take a while, off the threads that serve.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        // It panicked. The message is on the standard error output, not for strangers.
        Err(_) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed")),
    }
}
