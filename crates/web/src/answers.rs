//! Requests that are answered at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use spinney_api::{Answer, Handler, Refusal};

use crate::Shared;
use crate::body::JsonBody;
use crate::error::ApiError;

/// Answers a request whose fields are in the query.
pub(crate) async fn get(
    handler: Handler,
    State(shared): State<Arc<Shared>>,
    query: Result<Query<BTreeMap<String, String>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(fields) = query.map_err(ApiError::bad)?;
    let body = serde_json::to_vec(&fields).map_err(ApiError::bad)?;
    blocking(move || handler(&shared.api, &body)).await.map(response)
}

/// Answers a request with a body.
pub(crate) async fn post(
    handler: Handler,
    State(shared): State<Arc<Shared>>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    blocking(move || handler(&shared.api, &body)).await.map(response)
}

/// Work that may take a while, off the threads that serve.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result.map_err(ApiError::from),
        // It panicked. The message is on the standard error output, not for strangers.
        Err(_) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed")),
    }
}

pub(crate) fn response(answer: Answer) -> Response {
    match answer {
        Answer::Json(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Answer::Text(text) => text.into_response(),
        Answer::Nothing => StatusCode::NO_CONTENT.into_response(),
    }
}
