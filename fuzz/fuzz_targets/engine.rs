//! Lines of UCI, UGI and XBoard's protocol. The first byte chooses protocol and game.

#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use spinney_fuzz::{REGISTRY, text};
use spinney_protocol::{Dialect, engine};
use spinney_session::PlayerSpec;

/// Options that ask for memory, processors or files, and searches that nothing here would end.
const LEFT_OUT: [&str; 7] = ["hash", "memory", "threads", "cores", "path", "syzygy", "network"];

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, lines)) = bytes.split_first() else { return };
    let lines = text(lines);
    let is_kept = |line: &&str| {
        let line = line.to_ascii_lowercase();
        !LEFT_OUT.iter().any(|word| line.contains(word))
    };
    let lines: Vec<&str> = lines.lines().filter(is_kept).collect();
    let input = Cursor::new(lines.join("\n"));
    let (game, player) = [
        ("tictactoe", "uct:memory=1"),
        ("chess", "uct:memory=1"),
        ("loa", "mia:table=1"),
        ("loa6", "mc-loa:memory=1"),
    ][usize::from(choice / 3) % 4];
    let game = REGISTRY.game(game).expect("it is built in");
    let player: PlayerSpec = player.parse().expect("it is built in");
    let mut output = Vec::new();
    let ended = match choice % 3 {
        0 => engine::run(Dialect::Uci, &game, &player, 1, input, &mut output),
        1 => engine::run(Dialect::Ugi, &game, &player, 1, input, &mut output),
        // XBoard shows these games only.
        _ if !matches!(game.info().name, "chess" | "loa") => return,
        _ => engine::xboard::run(&game, &player, 1, input, &mut output),
    };
    ended.expect("only its output can fail");
    assert!(output.is_empty() || output.ends_with(b"\n"));
});
