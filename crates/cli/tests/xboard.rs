//! `spinney engine --protocol xboard` through the real binary.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use common::{BINARY, assert_refused};
use spinney_session::{GameHandle, Registry, Session};

/// Longer than any answer takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A conversation with an engine.
struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    fn new(game: &str, player: &str) -> Engine {
        let mut child = Command::new(BINARY)
            .args(["engine", "--protocol", "xboard", "--game", game, "--player", player])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary has been built");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut engine = Engine { input: child.stdin.take().expect("a pipe"), child, lines };
        engine.send("xboard\nprotover 2");
        engine.wait_for("feature done=1");
        engine
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the engine listens");
    }

    /// All lines up to the first one that begins with `start`, which is the last.
    fn wait_for(&mut self, start: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        while lines.last().is_none_or(|line| !line.starts_with(start)) {
            lines.push(self.lines.recv_timeout(PATIENCE).expect("the engine answers"));
        }
        lines
    }

    /// The lines that come before the answer to a ping.
    fn sync(&mut self) -> Vec<String> {
        self.send("ping 7");
        let mut lines = self.wait_for("pong 7");
        lines.pop();
        lines
    }

    fn best_move(&mut self) -> String {
        self.wait_for("move ").pop().expect("a line")["move ".len()..].to_owned()
    }

    fn quit(mut self) {
        self.send("quit");
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
    }
}

fn game(name: &str) -> GameHandle {
    Registry::builtin().game(name).expect("a game")
}

/// Plays a move of the engine.
fn play(session: &mut Session, text: &str) {
    let text = if text == "@@@@" { "pass" } else { text };
    let m = session.parse_move(text).expect("a legal move");
    session.play(m);
}

#[test]
fn a_game_of_loa_against_itself() {
    let mut engines = [Engine::new("loa", "uct"), Engine::new("loa", "uct")];
    for engine in &mut engines {
        engine.send("new\nvariant loa\nlevel 0 1 0\nst 0.01\nforce\npost");
        let setup = engine.wait_for("setup").pop().expect("a line");
        let fen = "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - - 0 1";
        assert!(setup.ends_with(fen), "{setup}");
    }
    let mut session = game("loa").start();
    engines[0].send("go");
    for turn in (0..2).cycle() {
        let lines = engines[turn].wait_for("move ");
        // Depth, score, time, nodes and a line that begins with the move.
        let text = lines.last().expect("a line")["move ".len()..].to_owned();
        if let [.., thinking, _] = &lines[..] {
            let words: Vec<&str> = thinking.split(' ').collect();
            assert!(words[..4].iter().all(|word| word.parse::<i64>().is_ok()), "{thinking}");
            assert_eq!(words[4], text, "{thinking}");
        }
        play(&mut session, &text);
        engines[1 - turn].send(&format!("usermove {text}"));
        if session.moves().len() == 1 {
            engines[1].send("go");
        }
        if session.outcome().is_some() {
            break;
        }
    }
    // Both say how it ended, in the same words.
    let ends = engines.map(|mut engine| {
        let end = engine.sync().pop().expect("a result");
        engine.quit();
        end
    });
    assert_eq!(ends[0], ends[1]);
    let expected = match session.outcome() {
        Some(spinney_session::Outcome::Win(spinney_session::Side::First)) => "1-0 {",
        Some(spinney_session::Outcome::Win(spinney_session::Side::Second)) => "0-1 {",
        _ => "1/2-1/2 {",
    };
    assert!(ends[0].starts_with(expected), "{ends:?}");
}

#[test]
fn chess_by_the_book() {
    let mut engine = Engine::new("chess", "uct");
    engine.send("new\nst 0.05\nsetboard 7k/8/5KQ1/8/8/8/8/8 w - - 0 1\ngo");
    assert_eq!(engine.best_move(), "g6g7");
    assert_eq!(engine.sync(), ["1-0 {checkmate}"]);
    // A move after the end, an illegal one, and a word that nobody knows.
    engine.send("usermove h8h7");
    assert_eq!(engine.sync(), ["Illegal move: h8h7"]);
    engine.send("new\nforce\nusermove e2e5\njoho");
    assert_eq!(engine.sync(), ["Illegal move: e2e5", "Error (unknown command): joho"]);
    // Force takes moves for both sides; undo takes them back.
    engine.send("usermove e2e4\nusermove e7e5\nundo\nusermove c7c5\nremove\nusermove d2d4");
    assert_eq!(engine.sync(), Vec::<String>::new());
    engine.send("undo\nundo");
    assert_eq!(engine.sync(), ["Error (command not legal now): undo"]);
    // It answers the moves of the client.
    engine.send("new\nlevel 40 0:10 0\ntime 1000\notim 1000\nusermove e2e4");
    let answer = engine.best_move();
    let mut session = game("chess").start();
    play(&mut session, "e2e4");
    play(&mut session, &answer);
    // Move now, in the middle of a long thought.
    engine.send("st 3600\nusermove d2d4\n?");
    play(&mut session, "d2d4");
    play(&mut session, &engine.best_move());
    // A thought that is not wanted any more says nothing.
    engine.send("usermove a2a3\nforce");
    assert_eq!(engine.sync(), Vec::<String>::new());
    engine.send("setboard nonsense");
    assert!(engine.sync()[0].starts_with("tellusererror Illegal position"));
    engine.quit();
}

#[test]
fn options_and_analysis() {
    let mut engine = Engine::new("loa", "uct");
    engine.send("option Solver=0\nmemory 32\ncores 1\noption Nothing=1");
    assert!(engine.sync()[0].starts_with("# no option \"Nothing\""));
    engine.send("new\nvariant loa\nlift b1");
    engine.wait_for("highlight 8/8/8/8/8/1Y1Y4/8/7Y");
    engine.send("analyze");
    let thinking = engine.wait_for("").pop().expect("a line");
    assert!(thinking.split(' ').count() > 4, "{thinking}");
    engine.send("usermove b1b3\n.\nundo\nexit");
    assert!(engine.sync().iter().all(|line| !line.starts_with("move")));
    engine.quit();
    assert_refused(
        &["engine", "--protocol", "xboard", "--game", "nogo"],
        "XBoard shows chess and Lines of Action, not nogo",
    );
}
