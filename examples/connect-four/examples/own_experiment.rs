//! An experiment of one's own: UCT of two strengths against nested search, as a table with intervals. The records
//! are kept in a folder, so that an interrupted run continues.

use std::error::Error;
use std::process::ExitCode;

use connect_four::{ConnectFour, INFO};

const EXPERIMENT: &str = r#"
id = "connect-four"
title = "UCT against nested search: score of the row"

[scale.quick]
clock = "count"
games = 10

[settings]
game = "connect-four"

[[row]]
name = "100 simulations"
a = "uct"
limit = "simulations=100"
b-limit = "nodes=2000"

[[row]]
name = "400 simulations"
a = "uct"
limit = "simulations=400"
b-limit = "nodes=2000"

[[column]]
name = "nested"
b = "nested"
"#;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("connect-four-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (file, out) = (folder.join("connect-four.toml"), folder.join("records"));
    std::fs::write(&file, EXPERIMENT)?;
    let mut registry = spinney_protocol::registry();
    registry.add(INFO, |_| Ok(ConnectFour::default()));
    let command = ["spinney", "experiment", "run"].map(Into::into).into_iter();
    let command = command.chain([file.into(), "--out".into(), out.into()]);
    let code = spinney_cli::run(&registry, command);
    std::fs::remove_dir_all(&folder)?;
    Ok(ExitCode::from(code))
}
