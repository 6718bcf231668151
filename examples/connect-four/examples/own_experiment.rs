//! An experiment of one's own: UCT of two strengths against nested search, as a table with intervals. The records
//! are kept in a folder, so that an interrupted run continues.

use std::error::Error;
use std::process::ExitCode;

use connect_four::{ConnectFour, INFO};

const EXPERIMENT: &str = r#"
id = "own/connect-four"
paper = "none"
title = "UCT against nested search: score of the row"
claim = "More simulations score more."
conversion = "None."

[scale.quick]
clock = "count"
games = 10

[settings]
game = "connect-four"
seconds = 1

[players.nested]
spec = "nested"
second = "nodes=2000"

[players.uct-100]
spec = "uct"
second = "simulations=100"

[players.uct-400]
spec = "uct"
second = "simulations=400"

[[column]]
name = "nested"
b = "nested"

[[row]]
name = "100 simulations"
a = "uct-100"

[[row]]
name = "400 simulations"
a = "uct-400"
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
