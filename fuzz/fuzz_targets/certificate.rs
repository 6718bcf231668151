//! Certificates with a right checksum. The first byte says whether the moves are packed already.

#![no_main]

use libfuzzer_sys::fuzz_target;
use miniz_oxide::deflate::compress_to_vec;
use spinney_fuzz::{REGISTRY, folder, with_checksum};
use spinney_session::{Stop, verify};

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    let end = bytes.windows(2).position(|window| window == b"\n\n").unwrap_or(bytes.len());
    let (head, moves) = bytes.split_at(end);
    let file = match kind % 2 {
        0 => bytes.to_vec(),
        _ => {
            let moves = moves.get(2..).unwrap_or_default();
            let length = format!("\nmoves: {}\n\n", moves.len());
            [head, length.as_bytes(), &compress_to_vec(moves, 1)].concat()
        }
    };
    let path = folder().join("certificate");
    std::fs::write(&path, with_checksum(&file)).expect("room for a file");
    let _ = verify(&REGISTRY, &path, &Stop::new(), &mut |_| {});
});
