//! EPD.

#![no_main]

use libfuzzer_sys::fuzz_target;
use spinney_fuzz::text;
use spinney_protocol::epd::Epd;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(epd) = Epd::parse(&text(bytes)) {
        for operation in ["am", "bm"] {
            let _ = epd.moves(operation);
        }
        let written = epd.to_string();
        let again = Epd::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(again.to_string(), written);
    }
});
