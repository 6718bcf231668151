//! A game with options on the first line, moves on the second; then a byte for each further move.

#![no_main]

use libfuzzer_sys::fuzz_target;
use spinney_fuzz::{REGISTRY, check, text};

fuzz_target!(|bytes: &[u8]| {
    let mut lines = bytes.splitn(3, |&byte| byte == b'\n');
    let mut line = || lines.next().unwrap_or_default();
    let (game, moves, choices) = (text(line()), text(line()), line());
    let Ok(game) = REGISTRY.game(&game) else { return };
    let mut session = game.start();
    // A move that cannot be read leaves those before it.
    let _ = session.play_texts(moves.split_whitespace());
    check(&session);
    for &choice in choices {
        let legal = session.legal_moves();
        if legal.is_empty() {
            break;
        }
        session.play(legal[usize::from(choice) % legal.len()]);
    }
    check(&session);
});
