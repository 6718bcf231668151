//! `spinney play` through a real terminal.
#![cfg(target_os = "linux")]

mod common;

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use common::{BINARY, assert_refused};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// More than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A run of the program on a terminal of its own.
struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// What the program wrote after the last text that was expected.
    unread: String,
}

impl Terminal {
    fn start(arguments: &[&str]) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).expect("ours");
        unlockpt(&master).expect("ours");
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("a size");
        let name = ptsname(&master, Vec::new()).expect("a name");
        let slave = OpenOptions::new().read(true).write(true).open(name.to_str().expect("text"));
        let slave = slave.expect("a terminal");
        let stdio = || slave.try_clone().expect("a file");
        // The program leads a session, so that the keys of this terminal interrupt it.
        let child = Command::new("setsid")
            .args(["--ctty", BINARY, "play"])
            .args(arguments)
            .stdin(stdio())
            .stdout(stdio())
            .stderr(stdio())
            .spawn()
            .expect("setsid");
        let keyboard = File::from(master);
        let mut reader = keyboard.try_clone().expect("a file");
        let (sender, screen) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when the program has closed its side.
            while let Ok(count @ 1..) = reader.read(&mut bytes)
                && sender.send(bytes[..count].to_vec()).is_ok()
            {}
        });
        Terminal { child, keyboard, screen, unread: String::new() }
    }

    fn type_keys(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("a terminal");
    }

    /// Waits until the program has written a text; what it wrote up to its end.
    fn expect(&mut self, text: &str) -> String {
        self.expect_one_of(&[text])
    }

    /// Waits for the first of some texts.
    fn expect_one_of(&mut self, texts: &[&str]) -> String {
        loop {
            let ends = texts.iter().filter_map(|text| Some(self.unread.find(text)? + text.len()));
            if let Some(end) = ends.min() {
                let rest = self.unread.split_off(end);
                return std::mem::replace(&mut self.unread, rest);
            }
            match self.screen.recv_timeout(PATIENCE) {
                Ok(bytes) => self.unread += &String::from_utf8_lossy(&bytes),
                Err(_) => panic!("none of {texts:?} in {:?}", self.unread),
            }
        }
    }

    fn exit_code(mut self) -> Option<i32> {
        drop(self.keyboard);
        self.child.wait().expect("it ends").code()
    }
}

const PROMPT: &str = "your move: ";

#[test]
fn a_game_with_hint_take_back_and_resignation() {
    let mut terminal = Terminal::start(&["loa", "--simulations", "200", "--player", "mc-loa"]);
    let board = terminal.expect(PROMPT);
    // Men of both sides in their colours, and the names of the files.
    assert!(
        board.contains("\x1b[1;36mx\x1b[0m") && board.contains("\x1b[1;33mo\x1b[0m"),
        "{board}"
    );
    assert!(board.contains("a b c d e f g h") && board.contains("Black to move"), "{board}");
    terminal.type_keys("hint\n");
    let hint = terminal.expect(PROMPT);
    assert!(hint.contains("hint: ") && hint.contains("(value "), "{hint}");
    terminal.type_keys("b1-b9\n");
    terminal.expect("move \"b1-b9\"");
    terminal.expect(PROMPT);
    terminal.type_keys("undo\n");
    terminal.expect("you have not moved yet");
    terminal.type_keys("b1-b3\n");
    terminal.expect("Spinney plays ");
    terminal.expect(PROMPT);
    terminal.type_keys("undo\n");
    // The move is taken back: the man can make it again.
    terminal.expect(PROMPT);
    terminal.type_keys("moves\n");
    assert!(terminal.expect(PROMPT).contains(" b1-b3 "));
    terminal.type_keys("resign\n");
    terminal.expect("White: Spinney wins");
    assert_eq!(terminal.exit_code(), Some(0));
}

#[test]
fn games_are_played_to_their_end() {
    let position = "o6o/8/8/8/3x4/8/8/3x4 b";
    let mut terminal = Terminal::start(&["loa", "--position", position]);
    terminal.expect(PROMPT);
    terminal.type_keys("d1-d3\n");
    terminal.expect("Black: you win");
    assert_eq!(terminal.exit_code(), Some(0));
    play_first_moves(&[
        "tictactoe",
        "--player",
        "random",
        "--side",
        "noughts",
        "--simulations",
        "1",
    ]);
    // From the first move to the last.
    play_first_moves(&["loa", "--player", "uct", "--simulations", "50"]);
}

/// Plays a game to its end, by the first move of the list each time.
fn play_first_moves(arguments: &[&str]) {
    let mut terminal = Terminal::start(arguments);
    while terminal.expect_one_of(&[PROMPT, " you win", " Spinney wins", "a draw"]).ends_with(PROMPT)
    {
        terminal.type_keys("moves\n");
        let moves = terminal.expect(PROMPT);
        let m = moves.lines().nth(1).and_then(|line| line.split(' ').next()).expect("a move");
        terminal.type_keys(&format!("{}\n", m.trim()));
    }
    assert_eq!(terminal.exit_code(), Some(0));
}

#[test]
fn the_interrupt_key_ends_a_search_or_the_program() {
    // The program begins and would think for an hour.
    let mut terminal =
        Terminal::start(&["loa", "--time", "1h", "--side", "white", "--player", "uct"]);
    terminal.expect("Black to move");
    thread::sleep(Duration::from_millis(300));
    terminal.type_keys("\x03");
    terminal.expect("Spinney plays ");
    terminal.expect(PROMPT);
    terminal.type_keys("\x03");
    assert_eq!(terminal.exit_code(), Some(130));
}

#[test]
fn mistakes_are_explained() {
    assert_refused(&["play", "loa", "--side", "red"], "expected Black or White");
    assert_refused(&["play", "lao"], "did you mean \"loa\"?");
    assert_refused(&["play", "loa", "--level", "17"], "from 1 to 16");
    assert_refused(&["play", "chess", "--level", "2"], "no such player");
    assert_refused(&["play", "loa", "--player", "uct", "--depth", "3"], "does not end this search");
}
