//! What a refused request hears: a status code and one line, as JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use spinney_session::PlayerError;

/// A refused request.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        ApiError { status, message: message.into() }
    }

    /// The request cannot be understood.
    pub(crate) fn bad(message: impl ToString) -> Self {
        ApiError::new(StatusCode::BAD_REQUEST, message.to_string())
    }

    /// The player cannot be made; 403 if it would read files or start a program.
    pub(crate) fn player(error: PlayerError) -> Self {
        let status = match error.is_forbidden() {
            true => StatusCode::FORBIDDEN,
            false => StatusCode::BAD_REQUEST,
        };
        ApiError::new(status, error.to_string())
    }

    /// The request is understood, but its position, move or record is wrong.
    pub(crate) fn wrong(message: impl ToString) -> Self {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message.to_string())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.message }))).into_response()
    }
}

pub(crate) async fn method_not_allowed() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not take that method")
}
