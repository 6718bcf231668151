//! `spinney`: the one binary. The commands are in the library, so that the Python package has them too.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(spinney_cli::run(&spinney_protocol::registry(), std::env::args_os()))
}
