//! The server against hostile clients: an honest client is answered all the same.

mod client;

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use client::{JSON, begin_search, exchange, get, post, read_answer, read_event, start, start_with};
use serde_json::{Value, json};

/// Longer than any of these tests takes.
const HOUR: Duration = Duration::from_secs(3600);
/// A step of a slow client.
const STEP: Duration = Duration::from_millis(50);

fn connect(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("it listens");
    // It may be cut off already.
    let _ = stream.write_all(bytes);
    stream
}

/// A request whose body does not come.
fn without_body(address: SocketAddr) -> TcpStream {
    let head = format!(
        "POST /api/position HTTP/1.1\r\nHost: {address}\r\n{JSON}Content-Length: 1000\r\n\r\n"
    );
    connect(address, head.as_bytes())
}

/// Many requests at once, whose answers nobody reads.
fn without_reading(address: SocketAddr) -> TcpStream {
    let request = format!("GET /app.js HTTP/1.1\r\nHost: {address}\r\n\r\n");
    connect(address, request.repeat(400).as_bytes())
}

/// A search that does not end by itself.
fn endless() -> Value {
    json!({ "game": "loa", "player": "uct" })
}

/// Such a search, whose events nobody reads.
fn unread_search(address: SocketAddr) -> TcpStream {
    let body = endless().to_string();
    let head = format!(
        "POST /api/analyse HTTP/1.1\r\nHost: {address}\r\n{JSON}Content-Length: {}\r\n\r\n",
        body.len()
    );
    connect(address, (head + &body).as_bytes())
}

/// A short search; its status.
fn short_search(address: SocketAddr) -> u16 {
    let body = json!({ "game": "loa", "player": "uct", "limits": { "simulations": 20 } });
    post(address, "/api/analyse", &body).status
}

/// Waits until something is so; for long, since it may be a busy machine.
fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(STEP);
    }
}

/// True if the server has closed the connection; does not wait.
fn is_closed(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).expect("a socket");
    match stream.peek(&mut [0]) {
        Ok(0) => true,
        Ok(_) => false,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

#[test]
fn slow_headers_end_in_time() {
    let address = start_with(1, |config| config.header = Duration::from_millis(300));
    let mut stream = connect(address, b"GET / HTTP/1.1\r\nX: ");
    eventually("a byte now and then keeps the connection open", || {
        let _ = stream.write_all(b"x");
        is_closed(&stream)
    });
    // So do connections without a request, at first and after one.
    let silent = connect(address, b"");
    eventually("an empty connection stays open", || is_closed(&silent));
    let request = format!("GET /api/games HTTP/1.1\r\nHost: {address}\r\n\r\n");
    // This returns when the server closes the connection.
    assert_eq!(exchange(address, request.as_bytes()).status, 200);
}

#[test]
fn slow_bodies_end_in_time() {
    let address = start_with(1, |config| config.body = Duration::from_millis(300));
    let stream = without_body(address);
    let mut writer = stream.try_clone().unwrap();
    let drip = thread::spawn(move || {
        while writer.write_all(b" ").is_ok() {
            thread::sleep(STEP);
        }
    });
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    assert_eq!(read_answer(stream).status, 408);
    drip.join().unwrap();
}

#[test]
fn a_client_that_never_reads_is_cut_off() {
    let address = start_with(1, |config| config.write = Duration::from_millis(300));
    let mut stream = without_reading(address);
    eventually("it is served for ever", || stream.write_all(b"GET /").is_err());
    assert_eq!(get(address, "/").status, 200);
}

/// No wait of these is limited by time: whoever waits longest gives way.
#[test]
fn connections_that_wait_give_way() {
    let address = start_with(1, |config| {
        config.connections = 4;
        (config.header, config.body, config.write) = (HOUR, HOUR, HOUR);
    });
    let half_a_header = |address| connect(address, b"GET / HTTP/1.1\r\nHost:");
    for open in [half_a_header, |address| connect(address, b""), without_body, without_reading] {
        let mut held: Vec<_> = (0..8).map(|_| open(address)).collect();
        // As long as they want: a byte now and then.
        for _ in 0..5 {
            thread::sleep(STEP);
            for stream in &mut held {
                let _ = stream.set_nonblocking(true);
                let _ = stream.write(b" ");
            }
            assert_eq!(get(address, "/api/games").status, 200);
        }
    }
    // A connection that is kept for the next request gives way too.
    let request = format!("GET /api/games HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let _kept: Vec<_> = (0..4).map(|_| connect(address, request.as_bytes())).collect();
    assert_eq!(get(address, "/api/games").status, 200);
    // A search that is read does not.
    let mut search = begin_search(address, &endless());
    read_event(&mut search, &mut String::new(), "snapshot");
    let _others: Vec<_> = (0..20).map(|_| connect(address, b"")).collect();
    assert_eq!(get(address, "/api/games").status, 200);
    read_event(&mut search, &mut String::new(), "snapshot");
}

#[test]
fn a_search_that_nobody_reads_ends() {
    // `flat` says little: only the heartbeat shows that nobody reads.
    let quiet = json!({ "game": "loa", "player": "flat" });
    for body in [endless(), quiet] {
        let address = start_with(1, |config| {
            config.write = Duration::from_millis(300);
            config.heartbeat = Duration::from_millis(5);
        });
        let _unread = begin_search(address, &body);
        eventually("the search goes on", || short_search(address) == 200);
    }
}

#[test]
fn a_search_that_nobody_reads_gives_way_to_another() {
    let address = start_with(1, |config| {
        (config.write, config.heartbeat) = (HOUR, Duration::from_millis(5));
    });
    let _unread = begin_search(address, &endless());
    eventually("the search goes on", || short_search(address) == 200);
}

#[test]
fn a_tree_that_gives_way_closes_its_stream() {
    let address = start(1);
    let limits = json!({ "simulations": 100 });
    let body = json!({ "game": "loa", "player": "uct", "limits": limits, "tree": true });
    let mut stream = begin_search(address, &body);
    let mut seen = String::new();
    read_event(&mut stream, &mut seen, "done");
    assert_eq!(short_search(address), 200);
    // The last chunk of the answer.
    let mut buffer = [0; 4096];
    let end = Instant::now() + Duration::from_secs(30);
    while !seen.ends_with("\r\n0\r\n\r\n") {
        let length = stream.read(&mut buffer).expect("an end");
        assert!(length > 0 && Instant::now() < end, "the stream stays open");
        seen.push_str(&String::from_utf8_lossy(&buffer[..length]));
    }
}

#[test]
fn abandoned_searches_free_their_places() {
    let address = start(2);
    for number in 0..50 {
        let mut stream = begin_search(address, &endless());
        match number % 3 {
            // Before the answer.
            0 => {}
            // With something after the request, which hides the end of the connection.
            1 => stream.write_all(b"GET /").unwrap(),
            // In the middle of the answer.
            _ => {
                stream.read_exact(&mut [0; 20]).unwrap();
            }
        }
    }
    eventually("the searches go on", || short_search(address) == 200);
}

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

/// Every option of every player of chess, with values that would read files; the folder of caches is
/// a trap, whose path no answer may show.
#[test]
fn no_request_reads_the_disk() {
    const CACHE: &str = "XDG_CACHE_HOME";
    let trap = format!("{}/trap", env!("CARGO_TARGET_TMPDIR"));
    if env::var(CACHE).as_deref() != Ok(&trap) {
        // The variable is for a process of its own.
        let tables = format!("{trap}/spinney/tablebase");
        fs::create_dir_all(&tables).unwrap();
        let itself = Command::new(env::current_exe().unwrap())
            .args(["--exact", "no_request_reads_the_disk"])
            .env(CACHE, &trap)
            .output()
            .unwrap();
        assert!(itself.status.success(), "{}", String::from_utf8_lossy(&itself.stdout));
        return;
    }
    let address = start(1);
    let search = |player: &str| {
        let body = json!({ "game": "chess", "player": player, "limits": { "simulations": 1, "time": 50 } });
        let answer = post(address, "/api/analyse", &body);
        assert!(!answer.body.contains(&trap), "{player}: {}", answer.body);
        answer
    };
    let players = get(address, "/api/players?game=chess").json();
    let mut offered = 0;
    for player in players.as_array().unwrap() {
        let name = player["name"].as_str().unwrap();
        assert_ne!(name, "external");
        for option in player["options"].as_array().unwrap() {
            let key = option["key"].as_str().unwrap();
            assert_ne!(key, "syzygy", "{name}");
            // What is offered is allowed, and what is a text is no path.
            let choices: Vec<&Value> = option["choices"].as_array().unwrap().iter().collect();
            for choice in &choices {
                let answer = search(&format!("{name}:{key}={}", choice.as_str().unwrap()));
                assert!(matches!(answer.status, 200 | 400), "{name}:{key}={choice}");
                offered += usize::from(key == "tablebase" && answer.status == 200);
            }
            if choices.is_empty() {
                let answer = search(&format!("{name}:{key}=/etc/passwd"));
                assert!(!answer.body.contains("No such file"), "{name}:{key}: {}", answer.body);
            }
        }
        if name.starts_with("mcc") {
            for (option, status) in [
                ("tablebase=4", 400),
                ("syzygy=/etc", 403),
                ("syzygy=/nowhere", 403),
                ("syzygy=", 403),
                ("tablebase=3,syzygy=/etc", 403),
                ("tablebase=4,syzygy=/etc", 403),
            ] {
                let answer = search(&format!("{name}:{option}"));
                assert_eq!(answer.status, status, "{name}:{option}: {}", answer.body);
                for word in ["No such file", "no endgame tables", "missing"] {
                    assert!(!answer.body.contains(word), "{name}:{option}: {}", answer.body);
                }
            }
        }
    }
    assert!(offered > 0, "no tables from memory");
    for program in ["external:cmd=/bin/ls", "external:cmd=/nowhere", "external"] {
        let answer = search(program);
        assert_eq!(answer.status, 403, "{program}: {}", answer.body);
    }
}

/// Clients of one kind that hold connections, and open them again when they are cut off.
struct Crowd {
    count: usize,
    open: fn(SocketAddr) -> TcpStream,
    /// True if they send a byte now and then.
    drips: bool,
}

const CROWDS: [Crowd; 6] = [
    Crowd { count: 2000, open: |address| connect(address, b""), drips: false },
    Crowd { count: 256, open: |address| connect(address, b"GET / HTTP/1.1\r\nX: "), drips: true },
    Crowd { count: 256, open: without_body, drips: true },
    Crowd { count: 64, open: without_reading, drips: false },
    Crowd { count: 50, open: unread_search, drips: false },
    // Abandoned searches: every pass finds them closed and begins others.
    Crowd {
        count: 50,
        open: |address| {
            let stream = unread_search(address);
            let _ = stream.shutdown(std::net::Shutdown::Both);
            stream
        },
        drips: false,
    },
];

impl Crowd {
    /// Holds the connections until the flag is set; how many were open at the end.
    fn hold(&self, address: SocketAddr, is_over: &AtomicBool) -> usize {
        let mut streams: Vec<_> = (0..self.count).map(|_| (self.open)(address)).collect();
        while !is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(500));
            for stream in &mut streams {
                let is_lost = is_closed(stream);
                if is_lost {
                    *stream = (self.open)(address);
                } else if self.drips {
                    let _ = stream.write(b"x");
                }
            }
        }
        streams.iter().filter(|stream| !is_closed(stream)).count()
    }
}

/// An honest client against all crowds at once. Returns the longest time that it waited for an answer
/// to each of its requests: the page, the games, a position, a search.
fn besieged(rounds: usize) -> [Duration; 4] {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut files = getrlimit(Resource::Nofile);
        files.current = files.maximum.map(|most| most.min(10_000)).or(Some(10_000));
        setrlimit(Resource::Nofile, files).expect("as many files as are allowed");
    }
    let address = start(2);
    let is_over = Arc::new(AtomicBool::new(false));
    let crowds: Vec<_> = CROWDS
        .iter()
        .map(|crowd| {
            let is_over = is_over.clone();
            thread::spawn(move || crowd.hold(address, &is_over))
        })
        .collect();
    let mut longest = [Duration::ZERO; 4];
    for _ in 0..rounds {
        let position = json!({ "game": "loa", "moves": ["d1-d3"] });
        let requests: [&dyn Fn() -> u16; 4] = [
            &|| get(address, "/").status,
            &|| get(address, "/api/games").status,
            &|| post(address, "/api/position", &position).status,
            // There may be no place for it, but that is said.
            &|| Some(short_search(address)).filter(|&status| status != 503).unwrap_or(200),
        ];
        for (request, longest) in requests.into_iter().zip(&mut longest) {
            let asked = Instant::now();
            assert_eq!(request(), 200);
            *longest = asked.elapsed().max(*longest);
        }
        thread::sleep(Duration::from_millis(20));
    }
    is_over.store(true, Ordering::Relaxed);
    let held: Vec<usize> = crowds.into_iter().map(|crowd| crowd.join().expect("it ends")).collect();
    // The siege was real: at the end the connections are still full of them.
    assert!(held.iter().sum::<usize>() > 100, "{held:?}");
    eventually("no place for a search", || short_search(address) == 200);
    longest
}

#[test]
fn an_honest_client_is_answered_among_hostile_ones() {
    besieged(20);
}

#[test]
#[ignore = "by the clock: run by ./check --nightly"]
fn an_honest_client_is_answered_within_a_second() {
    let longest = besieged(300);
    let is_soon = |wait: &Duration| *wait < Duration::from_secs(1);
    assert!(longest.iter().all(is_soon), "{longest:?}");
}
