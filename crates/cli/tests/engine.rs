//! `spinney engine` through the real binary: sessions in UCI and UGI.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use common::{BINARY, assert_refused, stdout};

/// Longer than any answer takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(30);
const MATE_IN_ONE: &str = "position fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1";

/// A conversation with an engine.
struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Session {
    fn new(arguments: &[&str]) -> Session {
        let mut child = Command::new(BINARY)
            .arg("engine")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the binary has been built");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Session { input: child.stdin.take(), child, lines }
    }

    fn uci(arguments: &[&str]) -> Session {
        let mut session = Session::new(&[&["--protocol", "uci"], arguments].concat());
        session.send("uci");
        session.wait_for("uciok");
        session
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine listens");
    }

    /// The next line.
    fn next(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine answers")
    }

    /// All lines up to the first one that begins with `start`, which is the last.
    fn wait_for(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.next());
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    /// The move that a search ends with.
    fn best_move(&mut self) -> String {
        let line = self.wait_for("bestmove").pop().expect("a line");
        line.split(' ').nth(1).expect("a move").to_owned()
    }

    /// Nothing comes for a while.
    fn assert_silent_but_for_info(&mut self) {
        let end = Instant::now() + Duration::from_millis(300);
        while let Ok(line) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            assert!(line.starts_with("info"), "{line}");
        }
    }

    /// The engine ends by itself, with exit code 0.
    fn assert_ends(mut self) {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait().expect("a child") {
                Some(status) => return assert!(status.success(), "{status}"),
                None if Instant::now() > end => panic!("the engine does not end"),
                None => thread::sleep(Duration::from_millis(10)),
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn legal_moves() -> Vec<String> {
    stdout(&["moves", "chess"]).lines().map(str::to_owned).collect()
}

#[test]
fn a_uci_engine_introduces_itself() {
    let mut session = Session::new(&["--protocol", "uci", "--player", "uct:c=0.5"]);
    session.send("uci");
    let lines = session.wait_for("uciok");
    assert!(lines[0].starts_with("id name Spinney "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    // Every option of the player is there, with its value.
    let options = stdout(&["players", "uct"]);
    assert!(options.lines().count() > 10);
    for option in options.lines().filter(|line| !line.starts_with(' ')) {
        let key = option.split(' ').next().expect("a name").replace('-', "");
        let name = if key == "memory" { "hash" } else { &key };
        let expected = format!("option name {name} type ");
        let is_listed =
            lines.iter().any(|line| line.to_lowercase().starts_with(&expected.to_lowercase()));
        assert!(is_listed, "{key}: {lines:#?}");
    }
    assert!(lines.contains(&"option name C type string default 0.5".to_owned()));
    for name in ["MultiPV", "Ponder", "Move Overhead", "Hash", "Threads"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type"))));
    }
    assert!(!lines.iter().any(|line| line.contains("Chess960")));
    session.send("isready");
    assert_eq!(session.next(), "readyok");
    session.send("quit");
    session.assert_ends();
}

#[test]
fn every_kind_of_search_ends_with_a_legal_move() {
    let mut session = Session::uci(&[]);
    let legal = legal_moves();
    for go in [
        "go movetime 50",
        "go wtime 1000 btime 1000 winc 10 binc 10",
        "go wtime 300 btime 1 movestogo 1",
        "go wtime -20 btime 5",
        "go btime 400",
        "go nodes 20000",
        "go depth 1",
        "go mate 1 movetime 50",
        "go searchmoves a2a3 h2h4 movetime 60",
        "go movetime 0",
    ] {
        session.send("position startpos");
        session.send(go);
        let lines = session.wait_for("bestmove");
        let words: Vec<&str> = lines[lines.len() - 1].split(' ').collect();
        assert!(legal.iter().any(|m| m == words[1]), "{go}: {lines:?}");
        if go.contains("searchmoves") {
            assert!(["a2a3", "h2h4"].contains(&words[1]), "{lines:?}");
        }
        let info = &lines[lines.len() - 2];
        for word in [" depth ", " score cp ", " nodes ", " nps ", " time ", " multipv 1 ", " pv "] {
            assert!(info.starts_with("info") && info.contains(word), "{go}: {info}");
        }
        assert!(info.contains(&format!(" pv {}", words[1])), "{go}: {lines:?}");
    }
    // A mate ends a search for it that has no other limit.
    session.send(MATE_IN_ONE);
    session.send("go mate 1");
    let lines = session.wait_for("bestmove");
    assert!(lines[lines.len() - 2].contains(" score mate 1 "), "{lines:?}");
}

#[test]
fn a_search_without_limits_waits_for_stop() {
    let mut session = Session::uci(&[]);
    // The mate is proven at once, but a move must not be told before `stop`.
    for position in ["position startpos", MATE_IN_ONE] {
        for (go, end) in
            [("go infinite", "stop"), ("go ponder wtime 900 btime 900", "stop"), ("go", "stop")]
        {
            if go == "go" && position == MATE_IN_ONE {
                continue; // Nothing forbids to answer here.
            }
            session.send(position);
            session.send(go);
            session.assert_silent_but_for_info();
            session.send("isready");
            session.wait_for("readyok");
            session.send(end);
            session.best_move();
        }
    }
    // After a ponderhit the clock ends the search.
    session.send("position startpos moves e2e4 e7e5");
    session.send("go ponder wtime 2000 btime 2000");
    session.assert_silent_but_for_info();
    session.send("ponderhit");
    session.best_move();
    session.send(MATE_IN_ONE);
    session.send("go ponder wtime 2000 btime 2000");
    session.assert_silent_but_for_info();
    session.send("ponderhit");
    assert_eq!(session.best_move().len(), 4);
    // A second `go` ends the first.
    session.send("go infinite");
    session.send("go movetime 20");
    session.best_move();
    session.best_move();
}

#[test]
fn several_lines_and_a_kept_tree() {
    let mut session = Session::uci(&["--player", "uct:stop-early=off"]);
    session.send("setoption name MultiPV value 3");
    session.send("position startpos");
    session.send("go nodes 300000");
    let lines = session.wait_for("bestmove");
    let last: Vec<&String> = lines.iter().rev().skip(1).take(3).collect();
    for (line, number) in last.iter().zip([3, 2, 1]) {
        assert!(line.contains(&format!(" multipv {number} ")), "{lines:?}");
    }
    // A tree of one simulation knows no reply.
    let line_length = |lines: &[String]| -> usize {
        let (_, line) = lines[lines.len() - 2].split_once(" pv ").expect("a line");
        line.split(' ').count()
    };
    assert!(line_length(&lines) > 1, "{lines:?}");
    session.send("go nodes 1");
    let lines = session.wait_for("bestmove");
    assert!(line_length(&lines) > 1, "{lines:?}");
    session.send("setoption name Reuse value false");
    session.send("go nodes 1");
    let lines = session.wait_for("bestmove");
    assert_eq!(line_length(&lines), 1, "{lines:?}");
    session.send("setoption name Reuse value true");
    session.send("go nodes 300000");
    session.wait_for("bestmove");
    session.send("ucinewgame");
    session.send("go nodes 1");
    let lines = session.wait_for("bestmove");
    assert_eq!(line_length(&lines), 1, "a new game begins with nothing: {lines:?}");
}

#[test]
fn what_is_wrong_is_said_and_survived() {
    let mut session = Session::uci(&[]);
    for (line, problem) in [
        ("position startpos moves e2e4 e2e4", "not a legal move"),
        ("position fen nonsense", "position"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "kings"),
        ("setoption name Hash value 0", "1 to 1000000 MiB"),
        ("setoption name C value -1", "expected a number"),
        ("setoption name Nothing value 1", "no option"),
        ("setoption name", "no option"),
    ] {
        session.send(line);
        let answer = session.next();
        assert!(answer.starts_with("info string "), "{line}: {answer}");
        assert!(answer.contains(problem), "{line}: {answer}");
    }
    session.send("position startpos moves e2e5");
    session.next();
    session.send("go movetime 10");
    assert_eq!(session.best_move(), "(none)", "no move from another position");
    session.send("position startpos");
    session.send("go searchmoves e2e5 movetime 30");
    assert!(session.wait_for("bestmove")[0].starts_with("info string move \"e2e5\""));
    // Mate and stalemate.
    for (position, score) in [
        ("position startpos moves f2f3 e7e5 g2g4 d8h4", "mate 0"),
        ("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        session.send(position);
        session.send("go movetime 10");
        assert_eq!(session.next(), format!("info depth 0 score {score}"));
        assert_eq!(session.best_move(), "(none)");
    }
    // A third repetition is a draw only if somebody says so.
    session.send("position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    session.send("go movetime 10");
    assert!(legal_moves().contains(&session.best_move()));
    // So is what the 50-move rule says, or too few men: whoever plays on gets a move.
    for position in [
        "position fen 8/8/4k3/8/8/4K3/8/R7 w - - 99 80 moves a1a2 e6e5 a2a1",
        "position fen 4k3/8/8/8/8/8/8/4K3 b - - 0 1",
    ] {
        session.send(position);
        session.send("go movetime 10");
        assert_eq!(session.next(), "info depth 0 score cp 0");
        assert!(session.best_move().starts_with('e'));
    }
    // Unknown words and bytes are ignored.
    session.send("xyzzy");
    session.send("");
    session.send("stop");
    session.send("ponderhit");
    session.send_bytes(b"\xff\xfe position \xff\n");
    session.send("register later");
    session.send("joho isready");
    assert_eq!(session.next(), "readyok");
    session.send("debug on");
    session.send("position startpos");
    session.send("go wtime 1000 btime 1000");
    assert!(session.next().starts_with("info string thinking for "));
    session.best_move();
}

#[test]
fn the_strongest_player_of_the_game_is_the_default() {
    for (protocol, game, player) in
        [("uci", "chess", "mcc-plus"), ("ugi", "loa", "spinney"), ("ugi", "breakthrough", "uct")]
    {
        let introduction = |more: &[&str]| {
            let game = ["--protocol", protocol, "--game", game];
            let mut session = Session::new(&[&game, more].concat());
            session.send(protocol);
            session.wait_for(&format!("{protocol}ok"))
        };
        assert_eq!(introduction(&[]), introduction(&["--player", player]), "{game}");
    }
}

/// What `fastchess --compliance` asks of an engine, step by step (its version of 2025): a move within
/// its time, and before it a line with a score, also if only one clock is told, be it the wrong one.
#[test]
fn the_compliance_check_of_fastchess() {
    let mut session = Session::uci(&[]);
    let mut ask = |position: &str, go: &str| {
        session.send(position);
        session.send("isready");
        session.wait_for("readyok");
        session.send(go);
        let lines = session.wait_for("bestmove");
        let [.., info, best] = &lines[..] else { panic!("{go}: {lines:?}") };
        assert!(info.starts_with("info ") && info.contains(" score "), "{go}: {lines:?}");
        assert!(best.split(' ').nth(1).is_some_and(|m| m.len() >= 4), "{go}: {best}");
    };
    let position = "position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
    for go in [
        "go wtime 100",
        "go btime 100",
        "go wtime 100 winc 100 btime 100 binc 100",
        "go btime 100 binc 100 wtime 100 winc 100",
    ] {
        ask(position, go);
    }
    ask("ucinewgame\nposition startpos", "go wtime 100 btime 100");
    ask("position startpos moves e2e4 e7e5", "go wtime 100 btime 100");
}

#[test]
fn the_end_of_the_input_ends_the_engine() {
    for go in ["go infinite", "isready"] {
        let mut session = Session::uci(&[]);
        session.send("position startpos");
        session.send(go);
        session.input = None;
        session.assert_ends();
    }
    let mut session = Session::uci(&[]);
    session.send("go infinite");
    session.send("quit");
    session.assert_ends();
}

#[test]
fn clocks_are_kept() {
    let mut session = Session::uci(&["--player", "random"]);
    session.send("setoption name Move Overhead value 100");
    session.send("debug on");
    session.send("position startpos");
    session.send("go movetime 1000");
    assert_eq!(session.next(), "info string thinking for 900ms, at most 900ms");
    session.best_move();
    // The only move is played at once.
    let mut session = Session::uci(&[]);
    session.send("position fen k7/8/8/8/8/8/1q6/K7 w - - 0 1");
    session.send("go wtime 600000 btime 600000");
    assert_eq!(session.best_move(), "a1b2");
}

/// However little time there is, and whoever plays.
#[test]
fn every_player_moves_without_time() {
    for game in ["tictactoe", "loa"] {
        let legal = stdout(&["moves", game]);
        for player in stdout(&["players", game]).lines() {
            let player = player.split(' ').next().expect("a name");
            if player == "external" {
                continue;
            }
            let mut session =
                Session::new(&["--protocol", "ugi", "--game", game, "--player", player]);
            for go in ["go movetime 0", "go movetime 1", "go p1time 0 p2time 0", "go movetime 30"] {
                session.send(go);
                let best = session.best_move();
                assert!(legal.lines().any(|m| m == best), "{player}, {go}: {best}");
            }
        }
    }
}

#[test]
fn a_ugi_engine_plays_any_game() {
    let mut session = Session::new(&["--protocol", "ugi", "--game", "loa", "--player", "mia"]);
    session.send("ugi");
    let lines = session.wait_for("ugiok");
    assert!(lines.contains(&"option name Null type check default true".to_owned()), "{lines:#?}");
    session.send("isready");
    assert_eq!(session.next(), "readyok");
    session.send("uginewgame");
    session.send("position startpos moves b1-d3");
    session.send("query p1turn");
    assert_eq!(session.next(), "response false");
    session.send("query result");
    assert_eq!(session.next(), "response none");
    session.send("query nothing");
    assert!(session.next().starts_with("info string"));
    session.send("go depth 3");
    session.best_move();
    session.send("setoption name MultiPV value 2");
    session.send("go p1time 9000 p2time 9000 p1inc 10 p2inc 10");
    let lines = session.wait_for("bestmove");
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")), "{lines:?}");
    session.send("position fen 8/8/8/8/8/8/xx6/5o1o w");
    session.send("query gameover");
    assert_eq!(session.next(), "response true");
    session.send("query result");
    assert_eq!(session.next(), "response p1win");
    session.send("quit");
    session.assert_ends();
}

#[test]
fn a_whole_game_over_ugi() {
    for (game, result) in [("tictactoe", Some("draw")), ("breakthrough-misere:4x4", None)] {
        let mut session = Session::new(&["--protocol", "ugi", "--game", game]);
        let mut moves = String::new();
        for ply in 0.. {
            session.send(&format!("position startpos moves {moves}"));
            session.send("query p1turn");
            assert_eq!(session.next(), format!("response {}", ply % 2 == 0));
            session.send("query gameover");
            if session.next() == "response true" {
                break;
            }
            session.send("go p1time 3000 p2time 3000");
            moves = format!("{moves} {}", session.best_move());
        }
        session.send("query result");
        let answer = session.next();
        match result {
            Some(result) => assert_eq!(answer, format!("response {result}")),
            None => assert!(["response p1win", "response p2win"].contains(&answer.as_str())),
        }
    }
}

#[test]
fn options_of_players_are_listed() {
    let text = stdout(&["players", "mc-loa"]);
    assert!(text.lines().any(|line| line.starts_with("k ")), "{text}");
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("needs strategy=greedy or mixed"), "{text}");
    let players = stdout(&["players"]);
    for player in players.lines().filter_map(|line| line.split(' ').next()) {
        let text = stdout(&["players", player]);
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
    assert_eq!(stdout(&["players", "random"]), "");
    assert!(stdout(&["players", "chess"]).contains("external"));
    assert_refused(&["players", "uct:d=1"], "no option \"d\"");
    assert_refused(&["players", "loaa"], "did you mean \"loa\"?");
}

/// `spinney players --markdown > docs/reference/players.md` writes it.
#[test]
fn the_page_of_players_is_up_to_date() {
    let page = include_str!("../../../docs/reference/players.md");
    assert_eq!(stdout(&["players", "--markdown"]), page);
}

#[test]
fn bad_arguments_are_one_line_and_exit_code_2() {
    assert_refused(&["engine"], "--protocol");
    assert_refused(&["engine", "--protocol", "gtp"], "gtp");
    assert_refused(&["engine", "--protocol", "uci", "--game", "loa"], "--protocol ugi plays loa");
    assert_refused(&["engine", "--protocol", "uci", "--player", "mia"], "no such player");
    assert_refused(&["engine", "--protocol", "uci", "--player", "uct:d=1"], "no option \"d\"");
    let syzygy = ["engine", "--protocol", "uci", "--syzygy", "/nowhere"];
    assert_refused(&syzygy, "No such file");
    let twice = [&syzygy[..], &["--player", "mcc:syzygy=/elsewhere"]].concat();
    assert_refused(&twice, "syzygy is given twice");
    assert_refused(&[&syzygy[..], &["--player", "uct"]].concat(), "no option \"syzygy\"");
}
