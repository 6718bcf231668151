//! Players as text: `name` or `name:key=value,key=value`.
//!
//! A value that has a comma, a quote or a backslash in it is written in double quotes, inside which
//! a backslash escapes the next character: `external:cmd="engine --uci",protocol=uci`.

use std::fmt::{self, Display};
use std::str::FromStr;

use thiserror::Error;

/// A player as a user names it. Its name and its options are checked when the player is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    name: String,
    options: Vec<(String, String)>,
    sandboxed: bool,
}

/// A text that names no player, or an option it does not have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("player {player:?}: {problem}")]
pub struct PlayerError {
    player: String,
    problem: String,
    forbidden: bool,
}

impl PlayerError {
    /// True if a sandbox is the only reason ([`PlayerSpec::sandboxed`]).
    pub fn is_forbidden(&self) -> bool {
        self.forbidden
    }
}

impl PlayerSpec {
    /// The player with this name, without options.
    pub fn plain(name: &str) -> PlayerSpec {
        PlayerSpec { name: name.to_owned(), options: Vec::new(), sandboxed: false }
    }

    /// The same player for a spec that comes from a stranger: it may not read files or start
    /// programs. Options that would are refused when the player is made.
    pub fn sandboxed(&self) -> PlayerSpec {
        PlayerSpec { sandboxed: true, ..self.clone() }
    }

    /// True if the player may not read files or start programs.
    pub fn is_sandboxed(&self) -> bool {
        self.sandboxed
    }

    /// The name without options.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value that is given for an option.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.options.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The same player with this value of an option, whatever was given before.
    pub fn with(&self, key: &str, value: &str) -> PlayerSpec {
        let mut spec = self.without(key);
        spec.options.push((key.to_owned(), value.to_owned()));
        spec
    }

    /// The same player with an option left to its default.
    pub fn without(&self, key: &str) -> PlayerSpec {
        let mut spec = self.clone();
        spec.options.retain(|(known, _)| known != key);
        spec
    }

    /// What is given: keys and values, in the order of the text.
    pub fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        self.options.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Splits off the options whose keys begin with `prefix`: the same player without them, and what
    /// follows the prefix in each key, with its value.
    pub fn split_prefixed(&self, prefix: &str) -> (PlayerSpec, Vec<(String, String)>) {
        let mut rest = self.clone();
        rest.options.retain(|(key, _)| !key.starts_with(prefix));
        let named = |(key, value): (&str, &str)| {
            Some((key.strip_prefix(prefix)?.to_owned(), value.to_owned()))
        };
        (rest, self.given().filter_map(named).collect())
    }

    /// The error for a player that a sandbox does not allow.
    pub fn forbidden(&self, problem: &str) -> PlayerError {
        let (player, problem) = (self.to_string(), problem.to_owned());
        PlayerError { player, problem, forbidden: true }
    }

    /// An error about this player.
    pub fn error(&self, problem: String) -> PlayerError {
        PlayerError { player: self.to_string(), problem, forbidden: false }
    }
}

impl FromStr for PlayerSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<PlayerSpec, PlayerError> {
        let error = |problem: String| PlayerError {
            player: text.chars().take(80).collect(),
            problem,
            forbidden: false,
        };
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let mut spec = PlayerSpec::plain(name);
        let mut rest = text.contains(':').then_some(options);
        while let Some(options) = rest {
            let no_value = || {
                let option = options.split(',').next().unwrap_or_default();
                error(format!("option {option:?}: expected key=value"))
            };
            let (key, after) = options.split_once('=').ok_or_else(no_value)?;
            if key.contains(',') {
                return Err(no_value());
            }
            if spec.value(key).is_some() {
                return Err(error(format!("option {key:?} is given twice")));
            }
            let (value, after) =
                read_value(after).map_err(|problem| error(format!("option {key:?}: {problem}")))?;
            spec.options.push((key.to_owned(), value));
            rest = after;
        }
        Ok(spec)
    }
}

/// Reads a value, in quotes or up to the next comma; and what follows the comma, if there is one.
fn read_value(text: &str) -> Result<(String, Option<&str>), &'static str> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, rest) = match text.split_once(',') {
            Some((value, rest)) => (value, Some(rest)),
            None => (text, None),
        };
        return Ok((value.to_owned(), rest));
    };
    let mut value = String::new();
    let mut characters = quoted.chars();
    loop {
        match characters.next() {
            Some('"') => break,
            Some('\\') => value.extend(characters.next()),
            Some(other) => value.push(other),
            None => return Err("the quote has no end"),
        }
    }
    match characters.as_str() {
        "" => Ok((value, None)),
        rest => match rest.strip_prefix(',') {
            Some(rest) => Ok((value, Some(rest))),
            None => Err("expected a comma after the quote"),
        },
    }
}

impl Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (key, value)) in self.options.iter().enumerate() {
            write!(f, "{}{key}=", if index == 0 { ':' } else { ',' })?;
            if value.contains([',', '"', '\\']) {
                let escaped = value.replace('\\', r"\\").replace('"', "\\\"");
                write!(f, "\"{escaped}\"")?;
            } else {
                f.write_str(value)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_explained() {
        let message = |text: &str| text.parse::<PlayerSpec>().unwrap_err().to_string();
        assert!(message("random:level").contains("expected key=value"));
        assert!(message("random:").contains("expected key=value"));
        assert!(message("random:a=1,a=2").contains("twice"));
    }

    #[test]
    fn values_may_be_quoted() {
        for (text, value) in [
            (r#"random:a="x,y=1",b=2"#, "x,y=1"),
            (r#"random:a="say \"no\" \\ yes",b=2"#, r#"say "no" \ yes"#),
            ("random:a=with blanks = signs,b=2", "with blanks = signs"),
            ("random:a=,b=2", ""),
        ] {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!((spec.value("a"), spec.value("b")), (Some(value), Some("2")), "{text}");
            assert_eq!(spec.to_string(), text);
        }
        let spec: PlayerSpec = r#"random:a="plain""#.parse().unwrap();
        assert_eq!(spec.to_string(), "random:a=plain");
        let message = |text: &str| text.parse::<PlayerSpec>().unwrap_err().to_string();
        assert!(message(r#"random:a="x"#).contains("no end"));
        assert!(message(r#"random:a="x"y"#).contains("comma after the quote"));
        assert!(message("random:a,b=1").contains("\"a\": expected key=value"));
    }

    #[test]
    fn options_are_replaced_and_removed() {
        let spec: PlayerSpec = "random:a=1,b=2".parse().unwrap();
        assert_eq!(spec.with("a", "3").to_string(), "random:b=2,a=3");
        assert_eq!(spec.without("a").to_string(), "random:b=2");
        let (rest, split) = spec.with("option.Skill Level", "3").split_prefixed("option.");
        assert_eq!((rest, split), (spec, vec![("Skill Level".to_owned(), "3".to_owned())]));
    }
}
