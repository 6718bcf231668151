//! Requests that are answered at once: games, players, positions, records.

use axum::Json;
use axum::extract::Query;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use spinney_games::catalog::CATALOG as GAMES;
use spinney_players::{CATALOG as PLAYERS, OptionDescription, OptionKind, PlayerSpec, option_help};

use crate::board::Look;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::record::{self, Export, Record};
use crate::session::{self, Place, State};

#[derive(Serialize)]
pub(crate) struct GameInfo {
    name: &'static str,
    summary: &'static str,
    #[serde(flatten)]
    look: Look,
    /// Whether the board may have any size, as in `nogo:7x7`.
    sizes: bool,
}

/// All games.
pub(crate) async fn games() -> Result<Json<Vec<GameInfo>>, ApiError> {
    let mut games = Vec::new();
    for entry in GAMES {
        let game = entry.name.parse().map_err(ApiError::bad)?;
        let sizes = format!("{}:5x5", entry.name).parse::<spinney_games::catalog::GameSpec>();
        games.push(GameInfo {
            name: entry.name,
            summary: entry.summary,
            look: Look::of(&game),
            sizes: sizes.is_ok(),
        });
    }
    Ok(Json(games))
}

#[derive(Deserialize)]
pub(crate) struct PlayersQuery {
    game: String,
}

#[derive(Serialize)]
pub(crate) struct PlayerInfo {
    name: &'static str,
    summary: &'static str,
    options: Vec<OptionInfo>,
}

#[derive(Serialize)]
struct OptionInfo {
    key: &'static str,
    default: String,
    help: &'static str,
    /// What it may be; anything if empty.
    choices: Vec<String>,
}

impl From<OptionDescription> for OptionInfo {
    fn from(option: OptionDescription) -> Self {
        let OptionDescription { key, kind, default } = option;
        let choices = match kind {
            OptionKind::Text => Vec::new(),
            OptionKind::Switch => ["on", "off"].map(str::to_owned).to_vec(),
            OptionKind::Choice(names) => names,
        };
        OptionInfo { key, default, help: option_help(key).unwrap_or_default(), choices }
    }
}

/// The players of a game with their options, except those that would read files or start programs.
pub(crate) async fn players(
    query: Result<Query<PlayersQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<Vec<PlayerInfo>>, ApiError> {
    let Query(query) = query.map_err(ApiError::bad)?;
    let place = Place { game: query.game, start: None, moves: Vec::new() };
    blocking(move || {
        let session = session::open(&place)?;
        let mut players = Vec::new();
        for entry in PLAYERS {
            let spec: PlayerSpec = entry.name.parse().map_err(ApiError::bad)?;
            if let Ok(options) = session.options(&spec.sandboxed()) {
                let options = options.into_iter().map(OptionInfo::from).collect();
                players.push(PlayerInfo { name: entry.name, summary: entry.summary, options });
            }
        }
        Ok(Json(players))
    })
    .await
}

/// The position after some moves, and what may happen next.
pub(crate) async fn position(JsonBody(place): JsonBody<Place>) -> Result<Json<State>, ApiError> {
    blocking(move || Ok(Json(session::open(&place)?.state()))).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordText {
    /// The game the page shows: what does not say its game is read as this one.
    game: String,
    text: String,
}

/// Reads a record in any format.
pub(crate) async fn record(
    JsonBody(RecordText { game, text }): JsonBody<RecordText>,
) -> Result<Json<Record>, ApiError> {
    blocking(move || record::read(&game, &text).map(Json)).await
}

/// Writes a record.
pub(crate) async fn export(JsonBody(export): JsonBody<Export>) -> Result<String, ApiError> {
    blocking(move || record::write(&export)).await
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
