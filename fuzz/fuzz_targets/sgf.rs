//! SGF, and games of LOA in it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use spinney_fuzz::text;
use spinney_games::loa::Rules;
use spinney_protocol::{loa_record, sgf};

fuzz_target!(|bytes: &[u8]| {
    let text = text(bytes);
    let (games, _) = sgf::read(&text);
    for game in &games {
        for node in game.main_line() {
            node.judgement();
            for (name, values) in node.properties() {
                for value in values {
                    let written = format!("(;{name}[{}])", sgf::escaped(value));
                    let again = sgf::parse(&written).expect("what was written can be read");
                    assert_eq!(again[0].nodes[0].value(name), Some(value.as_str()));
                }
            }
        }
    }
    for record in loa_record::parse(&text).unwrap_or_default() {
        let _ = record.replay(Rules::default());
    }
});
