//! The server against hostile clients: an honest client is answered all the same.

mod client;

use client::{JSON, exchange, get, start};

#[test]
fn ambiguous_requests_are_refused() {
    let address = start(1);
    let port = address.port();
    let ask = |target: &str, headers: &str| {
        let request = format!("GET {target} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        exchange(address, request.as_bytes())
    };
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let origin = format!("Origin: http://127.0.0.1:{port}\r\n");
    let absolute = format!("http://127.0.0.1:{port}/api/games");
    for (target, headers) in [
        ("/api/games", own.clone()),
        ("/api/games", format!("{own}{origin}")),
        (absolute.as_str(), own.clone()),
    ] {
        assert_eq!(ask(target, &headers).status, 200, "{target} {headers}");
    }
    for (target, headers, message) in [
        ("/api/games", format!("{own}Host: evil.example\r\n"), "Host"),
        ("/api/games", format!("Host: evil.example\r\n{own}"), "Host"),
        ("/api/games", format!("{own}{own}"), "Host"),
        ("/api/games", format!("{own}{origin}Origin: http://evil.example\r\n"), "Origin"),
        ("/api/games", format!("{own}{origin}{origin}"), "Origin"),
        ("/api/games", format!("{own}{JSON}Content-Type: text/plain\r\n"), "Content-Type"),
        ("/api/games", String::new(), "Host"),
        (absolute.as_str(), String::new(), "Host"),
        ("http://evil.example/api/games", own.clone(), "target"),
        (absolute.as_str(), "Host: evil.example\r\n".to_owned(), "target"),
        ("http://localhost/api/games", own.clone(), "target"),
        (&format!("http://user@127.0.0.1:{port}/api/games"), own.clone(), "target"),
    ] {
        let answer = ask(target, &headers);
        assert_eq!(answer.status, 400, "{target} {headers}");
        assert!(answer.error().contains(message), "{target} {headers}: {}", answer.body);
    }
    // A target and a Host header that agree on a foreign name are foreign all the same.
    let foreign = ask("http://evil.example/api/games", "Host: evil.example\r\n");
    assert_eq!(foreign.status, 403);
    assert_eq!(get(address, "/").status, 200);
}
