//! What the targets share.

use std::path::PathBuf;
use std::sync::LazyLock;

use spinney_game::file::fnv_1a;
use spinney_session::{Registry, Session};

/// All games with all players.
pub static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::builtin);

/// Bytes as text; what is not UTF-8 is replaced.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A place for files of this process, in memory where the system has such a place.
pub fn folder() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let folder = parent.join(format!("spinney-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for files");
    folder
}

/// The bytes with a checksum, which no fuzzer finds by itself.
pub fn with_checksum(bytes: &[u8]) -> Vec<u8> {
    [bytes, &fnv_1a(bytes).to_le_bytes()].concat()
}

/// What must hold in every position that can be read or reached.
pub fn check(session: &Session) {
    let legal = session.legal_moves();
    assert_eq!(session.outcome().is_none(), !legal.is_empty(), "{}", session.position_text());
    for &m in &legal {
        let text = session.move_text(m);
        assert_eq!(session.parse_move(&text), Ok(m), "{text}");
        session.move_label(m);
    }
    let position = session.position_text();
    let again = session.at(&position).unwrap_or_else(|error| panic!("{position}: {error}"));
    assert_eq!(again.position_text(), position);
    assert_eq!(again.key(), session.from_here().key(), "{position}");
}
