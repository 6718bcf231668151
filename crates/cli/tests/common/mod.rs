//! Running the real binary.

// Every test file uses some of these.
#![allow(dead_code)]

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_spinney");

pub(crate) fn spinney(arguments: &[&str]) -> Output {
    Command::new(BINARY).args(arguments).output().expect("the binary has been built")
}

pub(crate) fn stdout(arguments: &[&str]) -> String {
    stdout_with_code(arguments, 0)
}

/// What a run with this exit code prints.
pub(crate) fn stdout_with_code(arguments: &[&str], code: i32) -> String {
    let output = spinney(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
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

/// [`stdout`] of a run that might hang: killed, and the test failed, after a minute.
pub(crate) fn stdout_of_ending(arguments: &[&str]) -> String {
    let mut child = start(arguments);
    let patience = Instant::now() + Duration::from_secs(60);
    while child.try_wait().expect("a child").is_none() {
        if Instant::now() > patience {
            child.kill().expect("a child");
            panic!("{arguments:?} does not end");
        }
        sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().expect("a child");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Sends the interrupt twice, as `timeout -s INT` does, and waits for the end with an exit code,
/// and nothing on stderr. Returns stdout.
#[cfg(unix)]
pub(crate) fn interrupt(child: Child, code: i32) -> String {
    for _ in 0..2 {
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).output();
        kill.expect("kill");
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(code));
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout).expect("text")
}

/// A run of the binary in the background.
pub(crate) fn start(arguments: &[&str]) -> Child {
    Command::new(BINARY)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary has been built")
}

/// Waits until a run listens for interrupts, and half a second more.
pub(crate) fn wait_for_search(child: &Child) {
    /// The bit of SIGINT, signal 2, in a set of signals.
    const SIGINT: u64 = 1 << (2 - 1);
    let listens = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        Some(u64::from_str_radix(caught.trim(), 16).ok()? & SIGINT != 0)
    };
    let patience = Instant::now() + Duration::from_secs(30);
    // Where there is no such file, half a second has to do.
    while listens() == Some(false) && Instant::now() < patience {
        sleep(Duration::from_millis(10));
    }
    sleep(Duration::from_millis(500));
}
