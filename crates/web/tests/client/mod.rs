//! A server, and a client that speaks plain HTTP to it.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use spinney_web::{Config, Server};

/// A server with room for this many searches.
pub(crate) fn start(searches: usize) -> SocketAddr {
    start_with(searches, |_| {})
}

/// The same with other limits.
pub(crate) fn start_with(searches: usize, change: impl FnOnce(&mut Config)) -> SocketAddr {
    let mut config = Config::new(SocketAddr::from(([127, 0, 0, 1], 0)));
    config.searches = searches;
    config.memory = 64 * searches;
    change(&mut config);
    let server = Server::bind(&spinney_protocol::registry(), config).expect("a free port");
    let address = server.address();
    thread::spawn(move || server.run());
    address
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("JSON: {}", self.body))
    }

    /// The message of a refusal.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().expect("a message").to_owned()
    }
}

/// Sends bytes and reads the answer to its end.
pub(crate) fn exchange(address: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
    stream.write_all(request).expect("it reads");
    read_answer(stream)
}

pub(crate) fn read_answer(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("it answers");
    let text = String::from_utf8(bytes).expect("text");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
    Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

pub(crate) fn get(address: SocketAddr, path: &str) -> Answer {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    exchange(address, request.as_bytes())
}

pub(crate) fn post_text(address: SocketAddr, path: &str, headers: &str, body: &str) -> Answer {
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    );
    exchange(address, request.as_bytes())
}

pub(crate) const JSON: &str = "Content-Type: application/json\r\n";

pub(crate) fn post(address: SocketAddr, path: &str, body: &Value) -> Answer {
    post_text(address, path, JSON, &body.to_string())
}

/// Begins a search and returns before it has ended.
pub(crate) fn begin_search(address: SocketAddr, body: &Value) -> TcpStream {
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
    let head = format!(
        "POST /api/analyse HTTP/1.1\r\nHost: {address}\r\n{JSON}Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).expect("it reads");
    stream
}

/// What the first event of this name says, if it has come.
pub(crate) fn data(events: &str, name: &str) -> Option<Value> {
    let (_, after) = events.split_once(&format!("event: {name}\ndata: "))?;
    let (line, _) = after.split_once('\n')?;
    serde_json::from_str(line).ok()
}

/// Reads a stream of events until one of this name.
pub(crate) fn read_event(stream: &mut TcpStream, seen: &mut String, name: &str) -> Value {
    let mut buffer = [0; 4096];
    loop {
        if let Some(data) = data(seen, name) {
            return data;
        }
        let length = stream.read(&mut buffer).expect("an event");
        assert!(length > 0, "no event {name} in {seen}");
        seen.push_str(&String::from_utf8_lossy(&buffer[..length]));
    }
}
