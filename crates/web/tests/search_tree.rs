//! The trees of searches as clients meet them: opened node by node, within the memory of the server.

mod client;

use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use client::{begin_search, data, post, read_event, start};
use serde_json::{Value, json};
use spinney_web::{Config, Server};

/// Begins a search whose tree can be opened; also its number.
fn begin_tree(
    address: SocketAddr,
    game: &str,
    player: &str,
    limits: Value,
) -> (TcpStream, String, Value) {
    let body = json!({ "game": game, "player": player, "limits": limits, "tree": true });
    let mut stream = begin_search(address, &body);
    let mut seen = String::new();
    let number = read_event(&mut stream, &mut seen, "tree")["search"].clone();
    (stream, seen, number)
}

#[test]
fn a_tree_opens_node_by_node() {
    let address = start(1);
    let (mut stream, mut seen, search) =
        begin_tree(address, "chess", "uct", json!({ "simulations": 20_000 }));
    let open =
        |path: &[&str]| post(address, "/api/tree", &json!({ "search": search, "path": path }));
    let done = read_event(&mut stream, &mut seen, "done");
    // Its root says what the search said, with labels.
    let root = open(&[]).json();
    let best = &root["moves"][0];
    assert_eq!(root["moves"].as_array().unwrap().len(), 20);
    let same =
        done["candidates"].as_array().unwrap().iter().find(|one| one["move"] == best["move"]);
    assert_eq!(same.unwrap()["visits"], best["visits"]);
    assert_eq!(root["to_move"], 0);
    let knight =
        root["moves"].as_array().unwrap().iter().find(|one| one["move"] == "g1f3").unwrap();
    assert_eq!((&knight["label"], &knight["squares"]), (&json!("Nf3"), &json!(["g1", "f3"])));
    // A node below it; moves as people write them are read too.
    let node = open(&["Nf3"]).json();
    assert_eq!(node["to_move"], 1);
    assert_eq!(
        node["moves"].as_array().unwrap().len() as u64,
        knight["children"].as_u64().unwrap()
    );
    // Down to a leaf: it is there, and nothing is below it.
    let mut path = Vec::new();
    loop {
        let texts: Vec<&str> = path.iter().map(String::as_str).collect();
        let moves = open(&texts).json()["moves"].as_array().unwrap().clone();
        match moves.last() {
            Some(last) => path.push(last["move"].as_str().unwrap().to_owned()),
            None => break,
        }
    }
    let body = json!({ "game": "chess", "moves": path });
    let legal = post(address, "/api/position", &body).json()["legal"].clone();
    path.push(legal[0]["move"].as_str().expect("an unfinished position").to_owned());
    let beyond: Vec<&str> = path.iter().map(String::as_str).collect();
    for (answer, status, message) in [
        (open(&beyond), 404, "not grown"),
        (open(&["e2e5"]), 422, "ply 1"),
        (open(&["e4", "e4"]), 422, "ply 2"),
        (open(&["pass"; 2000]), 422, "more than"),
        (post(address, "/api/tree", &json!({ "search": 999 })), 404, "no tree"),
        (post(address, "/api/stop", &json!({ "search": 999 })), 404, "no tree"),
        (
            post(address, "/api/tree", &json!({ "search": search, "depth": 3 })),
            400,
            "unknown field",
        ),
    ] {
        assert_eq!(answer.status, status, "{}", answer.body);
        assert!(answer.error().contains(message), "{message}: {}", answer.body);
    }
    // It goes with its client.
    drop(stream);
    let end = Instant::now() + Duration::from_secs(30);
    while open(&[]).status != 404 {
        assert!(Instant::now() < end, "the tree stays without its client");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_tree_is_looked_into_while_it_grows_and_after_a_stop() {
    let address = start(1);
    let (mut stream, mut seen, search) = begin_tree(address, "loa", "uct", json!({}));
    let body = json!({ "search": search });
    let visits = || -> u64 {
        let moves = post(address, "/api/tree", &body).json()["moves"].clone();
        moves.as_array().unwrap().iter().map(|one| one["visits"].as_u64().unwrap()).sum()
    };
    read_event(&mut stream, &mut seen, "snapshot");
    let early = visits();
    assert_eq!(post(address, "/api/stop", &body).status, 204);
    let done = read_event(&mut stream, &mut seen, "done");
    let late = visits();
    assert!(early <= late && late > 0, "{early} and {late}");
    assert!(late.abs_diff(done["simulations"].as_u64().unwrap()) <= 1);
    assert_eq!(visits(), late);
}

#[test]
fn a_tree_that_is_only_looked_at_gives_way_to_a_search() {
    let address = start(1);
    let (mut stream, mut seen, search) =
        begin_tree(address, "loa", "uct", json!({ "simulations": 100 }));
    read_event(&mut stream, &mut seen, "done");
    assert_eq!(post(address, "/api/tree", &json!({ "search": search })).status, 200);
    let body = json!({ "game": "loa", "player": "random" });
    assert_eq!(post(address, "/api/analyse", &body).status, 200);
    assert_eq!(post(address, "/api/tree", &json!({ "search": search })).status, 404);
}

#[test]
fn players_without_a_tree_say_so_and_proof_numbers_are_shown() {
    let address = start(1);
    let body = json!({ "game": "loa", "player": "mia", "limits": { "depth": 2 }, "tree": true });
    // The stream ends with the search.
    let answer = post(address, "/api/analyse", &body).body;
    assert_eq!(data(&answer, "tree"), Some(json!({ "search": null })));
    assert!(data(&answer, "done").is_some());

    let (mut stream, mut seen, search) =
        begin_tree(address, "loa", "pn", json!({ "nodes": 20_000 }));
    read_event(&mut stream, &mut seen, "done");
    let root = post(address, "/api/tree", &json!({ "search": search })).json();
    assert_eq!(root["moves"][0]["numbers"]["attacker"], 0);
    assert!(root["moves"][0]["numbers"]["proof"].as_u64().unwrap() > 0);
    drop(stream);
    // While it searches, it shows nothing.
    let (mut stream, mut seen, search) =
        begin_tree(address, "loa", "pn", json!({ "time": 60_000 }));
    // Before its thread has begun, there is no tree at all.
    let busy = std::iter::repeat_with(|| post(address, "/api/tree", &json!({ "search": search })))
        .find(|answer| answer.status != 404)
        .expect("an answer");
    assert_eq!((busy.status, busy.error().contains("ended")), (409, true));
    assert_eq!(post(address, "/api/stop", &json!({ "search": search })).status, 204);
    read_event(&mut stream, &mut seen, "done");
    assert_eq!(post(address, "/api/tree", &json!({ "search": search })).status, 200);
}

/// At its limit a Monte Carlo search continues with the tree it has; alpha-beta overwrites its table;
/// proof-number search ends. How much memory that is, a browser test measures.
#[test]
fn a_search_at_its_memory_limit_goes_on_or_ends() {
    let mut config = Config::new(SocketAddr::from(([127, 0, 0, 1], 0)));
    (config.searches, config.memory) = (1, 2);
    let server = Server::bind(&spinney_protocol::registry(), config).unwrap();
    let address = server.address();
    thread::spawn(move || server.run());
    let search = |player: &str, limits: Value| {
        let body = json!({ "game": "loa", "player": player, "limits": limits });
        data(&post(address, "/api/analyse", &body).body, "done").expect("an end")
    };
    let done = search("uct:stop-early=off", json!({ "simulations": 20_000 }));
    assert_eq!(done["simulations"], 20_000);
    let done = search("mia", json!({ "nodes": 100_000 }));
    assert!(done["nodes"].as_u64().unwrap() >= 100_000, "{}", done["nodes"]);
    let done = search("pn", json!({}));
    assert_eq!(done["proven"], Value::Null);
    assert!(done["nodes"].as_u64().unwrap() > 0);
}
