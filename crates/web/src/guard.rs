//! Who may ask: only pages of this server. A page from elsewhere could otherwise use the server
//! behind its visitor's back, also under a name of its own that it lets point here.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// What every answer says to the browser.
const HEADERS: [(HeaderName, &str); 3] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
];

/// Headers that decide whether a request is allowed. Given twice, different programs would believe
/// different ones.
const ONCE: [(HeaderName, &str); 3] = [
    (HOST, "more than one Host header"),
    (ORIGIN, "more than one Origin header"),
    (CONTENT_TYPE, "more than one Content-Type header"),
];

/// Refuses ambiguous requests, and those with a foreign `Host` or `Origin`.
pub(crate) async fn check(request: Request, next: Next) -> Response {
    let mut response = match ambiguity(&request) {
        Some(message) => ApiError::bad(message).into_response(),
        None => match refusal(request.headers()) {
            Some(message) => ApiError::new(StatusCode::FORBIDDEN, message).into_response(),
            None => next.run(request).await,
        },
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Why it is not clear whom the request is for, or where it comes from (RFC 9112, section 3.2).
fn ambiguity(request: &Request) -> Option<&'static str> {
    let headers = request.headers();
    let host = headers.get(HOST);
    if host.is_none() && request.version() >= Version::HTTP_11 {
        return Some("HTTP/1.1 needs a Host header");
    }
    let is_repeated = |name: &HeaderName| headers.get_all(name).iter().nth(1).is_some();
    if let Some((_, message)) = ONCE.iter().find(|(name, _)| is_repeated(name)) {
        return Some(message);
    }
    // The target may name a host too: `GET http://host/path`.
    let authority = request.uri().authority()?.as_str().as_bytes();
    let is_same = host.is_some_and(|host| host.as_bytes().eq_ignore_ascii_case(authority));
    (!is_same).then_some("the Host header differs from the host of the request target")
}

fn refusal(headers: &HeaderMap) -> Option<&'static str> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(host) = text(HOST).filter(|host| is_own(host)) else {
        return Some("foreign Host: open this server by its address, or as localhost");
    };
    // Browsers name the origin of every request that another page makes with a body.
    match headers.get(ORIGIN) {
        Some(_) if text(ORIGIN) != Some(&format!("http://{host}")) => {
            Some("foreign Origin: only pages of this server may ask it")
        }
        _ => None,
    }
}

/// Whether a `Host` is an address or `localhost`: names can be made to point anywhere.
fn is_own(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_are_own() {
        for host in ["localhost", "localhost:7878", "127.0.0.1:1", "[::1]:7878", "192.168.1.2"] {
            assert!(is_own(host), "{host}");
        }
        for host in ["", "evil.example", "localhost.evil.example:80", "127.0.0.1.evil.example"] {
            assert!(!is_own(host), "{host}");
        }
    }
}
