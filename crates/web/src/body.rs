//! The body of a request, which must say that it is JSON, within a size and a time.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use futures_util::StreamExt;
use tokio::time::timeout;

use crate::Shared;
use crate::connections::Client;
use crate::error::ApiError;

/// The largest body: more than any record of a game.
pub(crate) const LARGEST: usize = 1 << 20;

/// The body of a request, not yet read.
pub(crate) struct JsonBody(pub Vec<u8>);

impl FromRequest<Arc<Shared>> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, shared: &Arc<Shared>) -> Result<Self, ApiError> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let is_json = kind.is_some_and(|kind| kind.starts_with("application/json"));
        let late = |_| ApiError::new(StatusCode::REQUEST_TIMEOUT, "the body took too long to come");
        let client = request.extensions().get::<Arc<Client>>().cloned();
        let body = read(request.into_body());
        let bytes = timeout(shared.config.body, body).await.map_err(late)??;
        if let Some(client) = client {
            client.has_sent();
        }
        if !is_json {
            let message = "the body must be application/json";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        Ok(JsonBody(bytes))
    }
}

/// Reads a body. One that is too large is read to its end without being kept: a client that is cut
/// off while it writes never sees the answer.
async fn read(body: Body) -> Result<Vec<u8>, ApiError> {
    let mut stream = body.into_data_stream();
    let mut bytes = Vec::new();
    let mut length = 0;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| ApiError::bad(format!("the body: {error}")))?;
        length += chunk.len();
        if length <= LARGEST {
            bytes.extend_from_slice(&chunk);
        } else {
            bytes = Vec::new();
        }
    }
    if length <= LARGEST {
        return Ok(bytes);
    }
    let message = format!("the body is larger than {LARGEST} bytes");
    Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message))
}
