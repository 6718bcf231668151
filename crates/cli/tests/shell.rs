//! What a package installs beside the program: completions and manual pages.

mod common;

use common::{assert_refused, scratch, stdout};

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&["completions", shell]);
        assert!(script.contains("analyze") && script.contains("multipv"), "{shell}");
    }
    assert_refused(&["completions", "bsh"], "did you mean 'bash'?");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = scratch("man");
    let _ = std::fs::remove_dir_all(&folder);
    let path = stdout(&["man", folder.to_str().expect("text")]);
    let page = std::fs::read_to_string(path.trim()).expect("a page");
    assert!(page.contains(".TH spinney 1") && page.contains("Exit codes"), "{page}");
    for name in ["play", "analyze", "experiment-run", "shard-merge"] {
        assert!(folder.join(format!("spinney-{name}.1")).exists(), "{name}");
    }
}
