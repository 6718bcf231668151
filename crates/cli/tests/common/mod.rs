//! Running the real binary.

// Every test file uses some of these.
#![allow(dead_code)]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_spinney");

pub(crate) fn spinney(arguments: &[&str]) -> Output {
    Command::new(BINARY).args(arguments).output().expect("the binary has been built")
}

pub(crate) fn stdout(arguments: &[&str]) -> String {
    let output = spinney(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?} is not quiet in a pipe");
    String::from_utf8(output.stdout).expect("text")
}

/// The one object that a command prints.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let text = stdout(arguments);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).expect("JSON")
}

/// One line of explanation that contains `expected`, exit code 2, and nothing else.
pub(crate) fn assert_refused(arguments: &[&str], expected: &str) {
    let output = spinney(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?} printed before it failed");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.starts_with("error: "), "{arguments:?}: {error}");
    assert!(error.contains(expected), "{arguments:?}: {error}");
    assert!(error.chars().count() < 400, "{arguments:?}: {error}");
}

/// A path in the folder for tests that no other test uses; whatever was there is removed.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}
