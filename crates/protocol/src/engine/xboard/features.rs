//! Options as XBoard reads them.

/// An option as XBoard wants it, `Name -spin 1 0 9`, from its line in UCI. Memory and threads have
/// commands of their own, and one line is shown.
pub(super) fn feature_option(line: &str) -> Option<String> {
    let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
    if matches!(name, "Hash" | "Threads" | "MultiPV" | "Ponder") {
        return None;
    }
    let (kind, rest) = rest.split_once(" default ")?;
    let text = match kind {
        "check" => format!("-check {}", u8::from(rest == "true")),
        "spin" => {
            let (value, range) = rest.split_once(" min ")?;
            format!("-spin {value} {}", range.replace(" max ", " "))
        }
        "combo" => {
            let mut words = rest.split(" var ");
            let value = words.next()?;
            let marked = words.map(|word| match word {
                _ if word == value => format!("*{word}"),
                _ => word.to_owned(),
            });
            format!("-combo {}", marked.collect::<Vec<_>>().join(" /// "))
        }
        _ => format!("-string {}", if rest == "<empty>" { "" } else { rest }),
    };
    Some(format!("{name} {text}").replace('"', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_written_as_xboard_reads_them() {
        for (line, expected) in [
            ("option name C type string default 0.5", Some("C -string 0.5")),
            ("option name Rave type string default <empty>", Some("Rave -string ")),
            ("option name Solver type check default true", Some("Solver -check 1")),
            ("option name Final type combo default b var a var b", Some("Final -combo a /// *b")),
            ("option name Hash type spin default 1024 min 1 max 9", None),
            ("option name Delay type spin default 5 min 1 max 9", Some("Delay -spin 5 1 9")),
        ] {
            assert_eq!(feature_option(line).as_deref(), expected, "{line}");
        }
    }
}
