//! `spinney serve` as a user starts it.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use common::{BINARY, assert_refused, scratch};

#[test]
fn it_says_where_it_is_and_serves_the_page() {
    let mut server = Command::new(BINARY)
        .args(["serve", "--addr", "127.0.0.1:0", "--searches", "1", "--memory", "64M"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary has been built");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let address =
        line.split(' ').find_map(|word| word.strip_prefix("http://")).expect("an address");

    let mut stream = TcpStream::connect(address).expect("it listens");
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("it answers");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Spinney"), "{page}");

    assert_refused(&["serve", "--addr", address], "is taken");
    server.kill().expect("it runs");
    server.wait().expect("it ends");
}

/// The program that opens addresses is called with the address.
#[cfg(target_os = "linux")]
#[test]
fn the_browser_is_opened_on_demand() {
    use std::os::unix::fs::PermissionsExt;
    let folder = scratch("fake-browser");
    std::fs::create_dir_all(&folder).expect("a folder");
    let told = folder.join("address");
    let _ = std::fs::remove_file(&told);
    let program = folder.join("xdg-open");
    std::fs::write(
        &program,
        format!("#!/bin/sh\necho $1 > {0}.new; mv {0}.new {0}\n", told.display()),
    )
    .expect("a file");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("ours");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("a path"));
    let mut server = Command::new(BINARY)
        .args(["serve", "--addr", "127.0.0.1:0", "--open"])
        .env("PATH", path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary has been built");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    while !told.exists() {
        assert!(server.try_wait().expect("it runs").is_none(), "it ended");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let address = std::fs::read_to_string(&told).expect("an address");
    assert!(line.contains(address.trim()) && address.starts_with("http://127.0.0.1:"), "{address}");
    server.kill().expect("it runs");
    server.wait().expect("it ends");
}

/// A server without tables is not what was asked for.
#[test]
fn tablebases_must_be_there() {
    let output = Command::new(BINARY)
        .args(["serve", "--addr", "127.0.0.1:0", "--tablebases"])
        .env("XDG_CACHE_HOME", scratch("no-tables"))
        .output()
        .expect("the binary has been built");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && message.contains("spinney tablebase build"), "{message}");
}

#[test]
fn mistakes_are_explained() {
    assert_refused(&["serve", "--addr", "localhost"], "--addr");
    assert_refused(&["serve", "--memory", "4"], "64K, 512M, 4G");
    assert_refused(&["serve", "--searches", "0"], "--searches");
}
