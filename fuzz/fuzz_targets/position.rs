//! A game with options on the first line, a position on the second.

#![no_main]

use libfuzzer_sys::fuzz_target;
use spinney_fuzz::{REGISTRY, check, text};

fuzz_target!(|bytes: &[u8]| {
    let text = text(bytes);
    let (game, position) = text.split_once('\n').unwrap_or((&text, ""));
    if let Ok(game) = REGISTRY.game(game) {
        if let Ok(session) = game.at(Some(position)) {
            check(&session);
        }
    }
});
