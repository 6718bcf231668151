//! The server as clients meet it: what it answers, what it refuses, and that it keeps serving.

mod client;

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use client::{
    JSON, begin_search, data, exchange, get, post, post_text, read_answer, read_event, start,
};
use serde_json::{Value, json};
use spinney_web::{Config, Server};

fn endless() -> Value {
    json!({ "game": "loa", "player": "uct", "limits": {} })
}

#[test]
fn the_page_and_its_parts() {
    let address = start(1);
    let page = get(address, "/");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-type: text/html"), "{}", page.head);
    assert!(page.head.contains("content-security-policy: default-src 'self'"), "{}", page.head);
    assert!(page.body.contains("app.js"));
    assert!(get(address, "/app.js").head.contains("text/javascript"));
    // Nothing comes from elsewhere.
    for path in ["/", "/app.js", "/board.js", "/style.css"] {
        let body = get(address, path).body.replace("http://www.w3.org/2000/svg", "");
        assert!(!body.contains("http://") && !body.contains("https://"), "{path}");
    }
    // What the browser has already is not sent again.
    let tag = page.head.lines().find(|line| line.starts_with("etag: ")).unwrap().to_owned();
    let request = format!(
        "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nIf-None-Match: {}\r\n\r\n",
        tag.trim_start_matches("etag: ")
    );
    assert_eq!(exchange(address, request.as_bytes()).status, 304);
}

#[test]
fn no_file_outside_the_page_is_read() {
    let address = start(1);
    for path in [
        "/Cargo.toml",
        "/../Cargo.toml",
        "/../src/lib.rs",
        "/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
        "/x/../../Cargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/index.html/../../src/lib.rs",
        "/app.js%00",
    ] {
        let answer = get(address, path);
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        assert!(!answer.body.contains("[package]") && !answer.body.contains("root:"), "{path}");
    }
    assert_eq!(get(address, "/").status, 200);
}

#[test]
fn strangers_are_refused() {
    let address = start(1);
    let port = address.port();
    let ask = |host: &str, origin: &str| {
        let origin =
            if origin.is_empty() { String::new() } else { format!("Origin: {origin}\r\n") };
        let request =
            format!("GET /api/games HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{origin}\r\n");
        exchange(address, request.as_bytes())
    };
    assert_eq!(ask(&format!("127.0.0.1:{port}"), "").status, 200);
    assert_eq!(ask(&format!("localhost:{port}"), &format!("http://localhost:{port}")).status, 200);
    let foreign = ask("evil.example", "");
    assert_eq!(foreign.status, 403);
    assert!(foreign.error().contains("Host"));
    assert_eq!(ask(&format!("evil.example:{port}"), "").status, 403);
    for origin in ["http://evil.example", "null", "https://localhost", "http://localhost:1"] {
        let foreign = ask(&format!("localhost:{port}"), origin);
        assert_eq!(foreign.status, 403, "{origin}");
        assert!(foreign.error().contains("Origin"));
    }
    let request = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n";
    assert_eq!(exchange(address, request.as_bytes()).status, 400);
}

#[test]
fn positions_know_their_moves() {
    let address = start(1);
    let start = post(address, "/api/position", &json!({ "game": "loa" })).json();
    assert_eq!(start["legal"].as_array().unwrap().len(), 36);
    assert_eq!((&start["style"], &start["to_move"]), (&json!("loa"), &json!(0)));
    let body = json!({ "game": "chess", "moves": ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"] });
    let castled = post(address, "/api/position", &body).json();
    assert_eq!(
        castled["played"][6],
        json!({ "move": "e1g1", "label": "O-O", "squares": ["e1", "g1"] })
    );
    let body = json!({ "game": "chess", "moves": ["f3", "e5", "g4", "Qh4"] });
    let mate = post(address, "/api/position", &body).json();
    assert_eq!(mate["outcome"], json!({ "winner": 1, "how": "checkmate" }));
    assert_eq!(mate["legal"], json!([]));
    let shuffle = ["d1-d3", "a4-c4", "d3-d1", "c4-a4"].repeat(2);
    let body = json!({ "game": "loa:repetition=third", "moves": shuffle });
    let drawn = post(address, "/api/position", &body).json();
    assert_eq!(drawn["outcome"], json!({ "winner": null, "how": "repetition" }));
    // Not every win of LOA is a connection.
    let hemmed_in = "ox6/xx6/8/8/8/8/xx6/ox6 w";
    let body = json!({ "game": "loa:no-move=loses", "start": hemmed_in });
    let lost = post(address, "/api/position", &body).json();
    assert_eq!(lost["outcome"], json!({ "winner": 0, "how": "no move left" }));

    let games = get(address, "/api/games").json();
    assert!(games.as_array().unwrap().iter().any(|game| game["name"] == "domineering"));
    let players = get(address, "/api/players?game=loa").json();
    let names: Vec<_> = players.as_array().unwrap().iter().map(|player| &player["name"]).collect();
    assert!(names.contains(&&json!("mia")) && !names.contains(&&json!("external")), "{names:?}");
}

#[test]
fn bad_requests_are_explained() {
    let address = start(1);
    let position = |body: Value| post(address, "/api/position", &body);
    for (answer, status, message) in [
        (post_text(address, "/api/position", JSON, "{\"game\": "), 400, "JSON"),
        (post_text(address, "/api/position", JSON, ""), 400, "JSON"),
        (post_text(address, "/api/position", JSON, "[1, 2]"), 400, "JSON"),
        (post_text(address, "/api/position", JSON, "\u{0}\u{1}"), 400, "JSON"),
        (post_text(address, "/api/position", "", "{}"), 415, "application/json"),
        (position(json!({ "game": "lao" })), 400, "did you mean"),
        (position(json!({ "game": "loa", "colour": 3 })), 400, "unknown field"),
        (position(json!({ "game": "loa", "moves": ["d1-d8"] })), 422, "ply 1"),
        (position(json!({ "game": "loa", "start": "8/8 b" })), 422, "position"),
        (position(json!({ "game": "loa", "moves": vec!["pass"; 6000] })), 422, "moves"),
        (get(address, "/api/players"), 400, "game"),
        (get(address, "/api/position"), 405, "method"),
        (get(address, "/api/nothing"), 404, "nothing"),
        (post_text(address, "/index.html", JSON, "{}"), 405, "method"),
        (post(address, "/api/analyse", &json!({ "game": "loa", "player": "mai" })), 400, "mia"),
        (post(address, "/api/analyse", &json!({ "game": "chess", "player": "mia" })), 400, "mia"),
        (
            post(address, "/api/analyse", &json!({ "game": "loa", "player": "uct:memory=100000" })),
            400,
            "64 at most",
        ),
        (
            post(address, "/api/analyse", &json!({ "game": "loa", "player": "uct:threads=200" })),
            400,
            "at most",
        ),
        (
            post(
                address,
                "/api/analyse",
                &json!({ "game": "chess", "player": "external:cmd=/bin/ls" }),
            ),
            403,
            "programs",
        ),
        (
            post(address, "/api/analyse", &json!({ "game": "chess", "player": "mcc:syzygy=/tmp" })),
            403,
            "files",
        ),
        (post(address, "/api/record", &json!({ "game": "loa", "text": "" })), 422, "empty"),
        (post(address, "/api/record", &json!({ "game": "loa", "text": "(;B[" })), 422, "SGF"),
        (post(address, "/api/record", &json!({ "game": "loa", "text": "a1-a9" })), 422, "a1-a9"),
        (
            post(
                address,
                "/api/export",
                &json!({ "game": "loa", "nodes": [{ "move": "d1-d3", "parent": 7 }], "format": "sgf" }),
            ),
            422,
            "parent",
        ),
        (
            post(address, "/api/export", &json!({ "game": "loa", "nodes": [], "format": "pgn" })),
            400,
            "chess",
        ),
    ] {
        assert_eq!(answer.status, status, "{}", answer.body);
        assert!(answer.error().contains(message), "{message}: {}", answer.body);
    }
}

#[test]
fn a_huge_body_is_refused_and_not_kept() {
    let address = start(1);
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let length = 100 << 20;
    let head = format!(
        "POST /api/position HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{JSON}Content-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = vec![b' '; 1 << 20];
    for _ in 0..100 {
        stream.write_all(&chunk).unwrap();
    }
    let answer = read_answer(stream);
    assert_eq!(answer.status, 413);
    assert!(answer.error().contains("larger"));
    assert_eq!(get(address, "/").status, 200);
}

#[test]
fn searches_are_streamed() {
    let address = start(1);
    let body = json!({ "game": "tictactoe", "player": "uct", "limits": { "simulations": 20_000 } });
    let answer = post(address, "/api/analyse", &body);
    assert_eq!(answer.status, 200);
    assert!(answer.head.contains("text/event-stream"), "{}", answer.head);
    assert_eq!(data(&answer.body, "done").expect("an end")["proven"], "draw");
    // A finished game has a value and no move.
    let body = json!({ "game": "chess", "moves": ["f3", "e5", "g4", "Qh4"], "player": "uct" });
    let answer = post(address, "/api/analyse", &body);
    assert!(answer.body.contains(r#""best":null,"value":-1.0,"proven":"loss""#), "{}", answer.body);
    // Without a limit by count, the time ends it.
    let body = json!({ "game": "loa", "player": "uct", "limits": { "time": 300 } });
    assert!(post(address, "/api/analyse", &body).body.contains("event: snapshot"));
}

#[test]
fn a_search_ends_with_its_client() {
    let address = start(1);
    let mut stream = begin_search(address, &endless());
    read_event(&mut stream, &mut String::new(), "snapshot");
    // The only place is taken.
    let body = json!({ "game": "loa", "player": "random" });
    let busy = post(address, "/api/analyse", &body);
    assert_eq!((busy.status, busy.error().contains("too many")), (503, true));
    drop(stream);
    let end = Instant::now() + Duration::from_secs(30);
    while post(address, "/api/analyse", &body).status != 200 {
        assert!(Instant::now() < end, "the search goes on without its client");
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn two_hundred_clients_and_some_that_never_read() {
    let address = start(2);
    // 1. Clients that ask for a search and never read.
    let silent: Vec<_> = (0..20).map(|_| begin_search(address, &endless())).collect();
    // 2. Clients that begin a request and do not end it.
    let slow: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(b"POST /api/position HTTP/1.1\r\nHost:").unwrap();
            stream
        })
        .collect();
    // 3. Two hundred others at once: every one gets an answer.
    let clients: Vec<_> = (0..200)
        .map(|number| {
            thread::spawn(move || match number % 2 {
                0 => post(address, "/api/position", &json!({ "game": "breakthrough" })).status,
                _ => {
                    let limits = json!({ "simulations": 50 });
                    let body = json!({ "game": "loa", "player": "uct", "limits": limits });
                    post(address, "/api/analyse", &body).status
                }
            })
        })
        .collect();
    for (number, client) in clients.into_iter().enumerate() {
        let status = client.join().unwrap();
        assert!(status == 200 || (number % 2 == 1 && status == 503), "client {number}: {status}");
    }
    drop((silent, slow));
    assert_eq!(get(address, "/").status, 200);
}

#[test]
fn a_connection_that_stands_still_is_cut_off() {
    let mut config = Config::new(SocketAddr::from(([127, 0, 0, 1], 0)));
    config.header = Duration::from_millis(300);
    config.connections = 1;
    let server = Server::bind(&spinney_protocol::registry(), config).unwrap();
    let address = server.address();
    thread::spawn(move || server.run());
    // It takes the only place with half a request; the next client waits until it is cut off.
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost:").unwrap();
    assert_eq!(get(address, "/").status, 200);
}

#[test]
fn records_are_read_and_written() {
    let address = start(1);
    let read = |game: &str, text: &str| {
        let answer = post(address, "/api/record", &json!({ "game": game, "text": text }));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()
    };
    let write = |record: &Value, format: &str| {
        let body = json!({ "game": record["game"], "start": record["start"], "about": record["about"], "nodes": record["nodes"], "format": format });
        let answer = post(address, "/api/export", &body);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    };
    // Variations, comments, a resignation, moves as people write them; while chess is shown.
    let sgf = "(;GM[9]GN[A game];B[D1-D3]C[a \\] b](;W[a4 c4];B[c1:c4];W[Resigns])(;W[h4-f4]))";
    let loa = read("chess", sgf);
    assert_eq!((&loa["game"], &loa["about"]["name"]), (&json!("loa"), &json!("A game")));
    let moves: Vec<_> = loa["nodes"].as_array().unwrap().iter().map(|node| &node["move"]).collect();
    assert_eq!(moves, ["d1-d3", "a4-c4", "c1xc4", "h4-f4"]);
    assert_eq!(loa["nodes"][3]["parent"], 0);
    assert_eq!(loa["nodes"][0]["comment"], "a ] b");
    assert_eq!(read("loa", &write(&loa, "sgf"))["nodes"], loa["nodes"]);
    let resigned = json!({ "winner": 0, "how": "by resignation" });
    assert_eq!(loa["about"]["ending"], resigned);
    assert_eq!(read("loa", &write(&loa, "sgf"))["about"], loa["about"]);
    let eggs = read("loa", "(;GM[9]SU[Scrambled-eggs])");
    assert_eq!(eggs["game"], "loa:start=scrambled-eggs");

    let pgn =
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4! $13 {best} (1. d4 d5 (1... Nf6?!)) e5 2. Nf3 *";
    let chess = read("loa", pgn);
    assert_eq!(chess["nodes"][0]["nags"], json!([1, 13]));
    assert!(write(&chess, "pgn").contains("1. e4 $1 $13 {best}"), "{}", write(&chess, "pgn"));
    assert_eq!(chess["game"], "chess");
    assert_eq!(chess["about"]["players"], json!(["A", "B"]));
    assert_eq!(read("loa", &write(&chess, "pgn"))["nodes"], chess["nodes"]);
    // Through SGF the nodes come in another order and without $13, but the tree is the same.
    let again = read("loa", &write(&chess, "sgf"));
    let plain = read("loa", &pgn.replace(" $13", ""));
    assert_eq!(write(&again, "pgn"), write(&plain, "pgn"));
    assert_eq!(read("chess", "1. e4 e5 2. Nf3")["nodes"][2]["label"], "Nf3");

    // Several games, a mistake, and the game that reads most of a list.
    let two = "(;GM[9]GN[A];B[d1-d3])(;GM[9]GN[B];B[c1-c3];W[a4-c4];B[a1-a9];W[h4-f4])";
    let body = json!({ "game": "loa", "text": two, "number": 1 });
    let second = post(address, "/api/record", &body).json();
    assert_eq!(second["games"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&second["games"][1]["name"], &second["games"][1]["moves"]),
        (&json!("B"), &json!(4))
    );
    assert_eq!(second["nodes"].as_array().unwrap().len(), 2);
    assert_eq!(
        second["problem"],
        "ply 3: move \"a1-a9\": expected a move such as d3-f5, d3xf5 or pass"
    );
    assert_eq!(read("loa", "1. e4 e5 2. Nf3")["game"], "chess");
    assert_eq!(read("chess", "d1-d3 a4-c4")["game"], "loa");
    let answer = post(address, "/api/record", &json!({ "game": "loa", "text": "8/8/8 b" }));
    assert!(answer.status == 422 && answer.error().contains("8x8"), "{}", answer.body);

    let fen = "8/8/8/8/8/2k5/8/K6Q w - - 0 1";
    let position = read("loa", fen);
    assert_eq!((&position["game"], &position["start"]), (&json!("chess"), &json!(fen)));
    let moves = read("breakthrough:6x6", "1. a2-a3 a5-a4 2. b2-b3, b5-b4");
    assert_eq!(moves["nodes"].as_array().unwrap().len(), 4);
    assert_eq!(read("chess", &write(&moves, "sgf"))["game"], "breakthrough:6x6");
}

#[test]
fn a_taken_port_is_explained() {
    let address = start(1);
    let error = match Server::bind(&spinney_protocol::registry(), Config::new(address)) {
        Ok(_) => panic!("two servers on one port"),
        Err(error) => error.to_string(),
    };
    assert!(error.contains("is taken") && error.contains("--addr 127.0.0.1:0"), "{error}");
}

/// A position has the same key however it was reached, in positions, records and the lines of a file.
#[test]
fn positions_have_keys() {
    let address = start(1);
    let key = |moves: &[&str]| {
        let answer =
            post(address, "/api/position", &json!({ "game": "loa", "moves": moves })).json();
        answer["key"].as_str().expect("a key").to_owned()
    };
    let same = key(&["d1-d3", "a4-c4", "e1-e3", "h4-f4"]);
    assert_eq!(same, key(&["e1-e3", "h4-f4", "d1-d3", "a4-c4"]));
    assert_ne!(same, key(&[]));
    let text = "(;GM[9]RE[B+Resign];B[d1-d3];W[a4-c4];B[e1-e3];W[h4-f4])\n(;GM[9];B[c1-c3];W[zz])";
    let body = json!({ "game": "loa", "text": text, "lines": true });
    let read = post(address, "/api/record", &body).json();
    assert_eq!(read["key"], key(&[]));
    assert_eq!(read["nodes"][3]["key"], same);
    assert_eq!(read["games"][0]["line"]["nodes"][3]["key"], same);
    assert_eq!(read["games"][1]["line"]["nodes"].as_array().expect("nodes").len(), 1);
}

/// PlayStrategy's letters are ours in another form.
#[test]
fn positions_of_playstrategy_are_read() {
    let address = start(1);
    let text = "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - - 0 1";
    let read = post(address, "/api/record", &json!({ "game": "loa", "text": text })).json();
    assert_eq!(read["start"], "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b");
}

#[test]
fn a_king_in_check_is_told() {
    let address = start(1);
    let check = |moves: &[&str]| {
        post(address, "/api/position", &json!({ "game": "chess", "moves": moves })).json()["check"]
            .clone()
    };
    assert_eq!(check(&["e2e4", "f7f6", "d1h5"]), "e8");
    assert_eq!(check(&["e2e4"]), Value::Null);
}
