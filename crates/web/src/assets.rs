//! The page: files that are part of the program. Nothing is read from the disk for a request.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::error::ApiError;

#[derive(RustEmbed)]
#[folder = "assets/"]
struct Assets;

/// Answers with a file, by its exact name.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(file) = Assets::get(path) else {
        return ApiError::new(StatusCode::NOT_FOUND, "there is nothing here").into_response();
    };
    if method != Method::GET && method != Method::HEAD {
        return crate::error::method_not_allowed().await.into_response();
    }
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let known = headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let fields = [
        (CONTENT_TYPE, kind(path).to_owned()),
        (CACHE_CONTROL, "no-cache".to_owned()),
        (ETAG, tag),
    ];
    if known {
        return (StatusCode::NOT_MODIFIED, fields).into_response();
    }
    (fields, file.data).into_response()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("jsonl") => "text/plain; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
