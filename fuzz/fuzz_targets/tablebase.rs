//! Endgame tables: our own if the first byte is even, else Syzygy's.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use miniz_oxide::deflate::compress_to_vec;
use spinney_fuzz::folder;
use spinney_game::Notation;
use spinney_game::file::fnv_1a;
use spinney_games::chess::Chess;
use spinney_games::chess::tablebase::Tablebases;

const SYZYGY: [&str; 5] = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];
const SYZYGY_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];

/// Positions that are looked up.
static POSITIONS: LazyLock<Vec<Chess>> = LazyLock::new(|| {
    let fens = [
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KQ6 b - - 0 1",
        "7r/8/8/4k3/8/8/8/K7 w - - 0 1",
        "8/8/3b4/4k3/8/8/8/K7 b - - 0 1",
        "8/8/3N4/4k3/8/8/8/K7 b - - 0 1",
        "8/8/8/4k3/8/8/P7/K7 b - - 0 1",
        "8/5p2/8/4k3/8/8/8/K7 w - - 0 1",
    ];
    fens.map(|fen| Chess::start().parse_position(fen).expect("a position")).to_vec()
});

/// A folder with tables.
static OWN: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = folder().join("own");
    Tablebases::build(3, &folder, &|_| {}).expect("tables");
    folder
});

static OTHER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = folder().join("syzygy");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    let write = |path: PathBuf, bytes: &[u8]| std::fs::write(path, bytes).expect("room for a file");
    let loaded = match kind % 4 {
        // Any file.
        0 => {
            write(OWN.join("KQvK.dtm"), bytes);
            Tablebases::load(&OWN)
        }
        // A right first line.
        2 => {
            let payload = if kind % 8 == 2 { bytes.to_vec() } else { compress_to_vec(bytes, 1) };
            let line = format!("spinney-dtm 1 KQvK {} {:016x}\n", payload.len(), fnv_1a(&payload));
            write(OWN.join("KQvK.dtm"), &[line.as_bytes(), &payload].concat());
            Tablebases::load(&OWN)
        }
        // One file for all endings, of a right length.
        _ => {
            let mut file = [&SYZYGY_MAGIC[..], bytes].concat();
            file.resize(file.len().next_multiple_of(64) + 16, 0);
            for name in SYZYGY {
                write(OTHER.join(format!("{name}.rtbw")), &file);
            }
            Tablebases::syzygy(&OTHER)
        }
    };
    if let Ok(tables) = loaded {
        for position in POSITIONS.iter() {
            tables.probe(position);
        }
    }
});
