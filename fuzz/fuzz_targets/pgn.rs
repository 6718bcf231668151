//! PGN.

#![no_main]

use libfuzzer_sys::fuzz_target;
use spinney_fuzz::text;
use spinney_protocol::pgn;

fuzz_target!(|bytes: &[u8]| {
    let (games, _) = pgn::read(&text(bytes));
    for game in games {
        let written = game.to_string();
        let again = pgn::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(again.len(), 1, "{written}");
        assert_eq!(again[0].to_string(), written);
        assert!(again[0].moves().eq(game.moves()), "{written}");
    }
});
