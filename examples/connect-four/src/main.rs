//! Every command of Spinney for Connect Four: `connect-four serve`, `connect-four solve connect-four`.

use std::process::ExitCode;

use connect_four::{ConnectFour, INFO};

fn main() -> ExitCode {
    let mut registry = spinney_protocol::registry();
    registry.add(INFO, |_| Ok(ConnectFour::default()));
    ExitCode::from(spinney_cli::run(&registry, std::env::args_os()))
}
