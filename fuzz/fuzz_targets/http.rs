//! Bodies of requests to the server, over a socket. The first byte chooses where they go.

#![no_main]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::thread;

use libfuzzer_sys::fuzz_target;
use spinney_fuzz::REGISTRY;
use spinney_web::{Config, Server};

static SERVER: LazyLock<SocketAddr> = LazyLock::new(|| {
    let config = Config::new(SocketAddr::from(([127, 0, 0, 1], 0)));
    let server = Server::bind(&REGISTRY, config).expect("a free port");
    let address = server.address();
    thread::spawn(move || server.run());
    address
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, body)) = bytes.split_first() else { return };
    let path = ["position", "record", "export", "player", "tree", "stop"][usize::from(choice) % 6];
    let address = *SERVER;
    let length = body.len();
    let head = format!(
        "POST /api/{path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.write_all(&[head.as_bytes(), body].concat()).expect("it reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    assert!(answer.starts_with(b"HTTP/1.1 "), "no answer");
    assert!(!answer.starts_with(b"HTTP/1.1 500"), "the server failed");
});
