//! The server against hostile clients: an honest client is answered all the same.

mod client;

use std::process::Command;
use std::{env, fs};

use client::{JSON, exchange, get, post, start};
use serde_json::{Value, json};

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
                ("tablebase=4,syzygy=/etc", 400),
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
