//! Players as text: `name` or `name:key=value,key=value`.
//!
//! A value that has a comma, a quote or a backslash in it is written in double quotes, inside which
//! a backslash takes the next character as it is: `external:cmd="engine --uci",protocol=uci`.

use std::fmt::{self, Display};
use std::str::FromStr;

use spinney_game::closest;
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

    /// The options, to be taken one by one.
    pub fn options(&self) -> OptionList {
        OptionList {
            player: self.to_string(),
            given: self
                .options
                .iter()
                .map(|(key, value)| Some((key.clone(), value.clone())))
                .collect(),
            known: Vec::new(),
            sandboxed: self.sandboxed,
        }
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

/// An option that a player has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDescription {
    /// Its name.
    pub key: &'static str,
    /// What it may be.
    pub kind: OptionKind,
    /// What it is if it is not given; empty if that is nothing.
    pub default: String,
}

/// What an option may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A number or another text.
    Text,
    /// `on` or `off`.
    Switch,
    /// One of some names.
    Choice(Vec<String>),
}

/// The options of a player. A maker takes those it knows and calls [`finish`](OptionList::finish),
/// which refuses the rest: no option is read and ignored. What was taken, given or not, is what
/// the player has.
pub struct OptionList {
    player: String,
    given: Vec<Option<(String, String)>>,
    known: Vec<OptionDescription>,
    sandboxed: bool,
}

impl OptionList {
    /// True if the player may read files.
    pub fn may_read_files(&self) -> bool {
        !self.sandboxed
    }

    /// A file or folder that the player reads; empty if it is not given. Every option that names
    /// one is taken by this method: a sandboxed player does not have it.
    pub fn take_path(&mut self, key: &'static str) -> Result<String, PlayerError> {
        if self.may_read_files() {
            return self.take(key, String::new());
        }
        if self.given.iter().flatten().any(|(given, _)| given == key) {
            let error = self.error(format!("{key}: may not read files here"));
            return Err(PlayerError { forbidden: true, ..error });
        }
        Ok(String::new())
    }

    /// The value of an option, or `default` if it is not given.
    pub fn take<T: FromStr + Display>(
        &mut self,
        key: &'static str,
        default: T,
    ) -> Result<T, PlayerError>
    where
        T::Err: Display,
    {
        let text = self.take_text(key, OptionKind::Text, default.to_string());
        Ok(self.parse(key, text)?.unwrap_or(default))
    }

    /// The value of an option, if it is given.
    pub fn take_optional<T: FromStr>(&mut self, key: &'static str) -> Result<Option<T>, PlayerError>
    where
        T::Err: Display,
    {
        let text = self.take_text(key, OptionKind::Text, String::new());
        self.parse(key, text)
    }

    /// A switch: `on` or `off`.
    pub fn take_switch(&mut self, key: &'static str, default: bool) -> Result<bool, PlayerError> {
        let default_text = if default { "on" } else { "off" };
        match self.take_text(key, OptionKind::Switch, default_text.to_owned()).as_deref() {
            None => Ok(default),
            Some("on") => Ok(true),
            Some("off") => Ok(false),
            Some(text) => Err(self.error(format!("{key}={text}: expected on or off"))),
        }
    }

    /// One of some named values. The default should be one of them.
    pub fn take_choice<T: Copy + PartialEq>(
        &mut self,
        key: &'static str,
        default: T,
        choices: &[(&str, T)],
    ) -> Result<T, PlayerError> {
        let names: Vec<String> = choices.iter().map(|&(name, _)| name.to_owned()).collect();
        let default_name = choices.iter().find(|(_, value)| *value == default);
        let default_name = default_name.map_or(String::new(), |&(name, _)| name.to_owned());
        let expected = names.join(", ");
        let Some(text) = self.take_text(key, OptionKind::Choice(names), default_name) else {
            return Ok(default);
        };
        choices
            .iter()
            .find(|(name, _)| *name == text)
            .map(|&(_, value)| value)
            .ok_or_else(|| self.error(format!("{key}={text}: expected one of {expected}")))
    }

    /// All given options whose names begin with `prefix`: the rest of the name, and the value.
    pub fn take_prefixed(&mut self, prefix: &str) -> Vec<(String, String)> {
        let mut taken = Vec::new();
        for given in &mut self.given {
            let name = given.as_ref().and_then(|(key, _)| key.strip_prefix(prefix));
            if let Some(name) = name.map(str::to_owned) {
                taken.extend(given.take().map(|(_, value)| (name, value)));
            }
        }
        taken
    }

    /// Refuses options that nobody took; tells which the player has.
    pub fn finish(self) -> Result<Vec<OptionDescription>, PlayerError> {
        self.refuse_rest()?;
        Ok(self.known)
    }

    /// Refuses options that nobody took.
    pub fn refuse_rest(&self) -> Result<(), PlayerError> {
        let Some((key, _)) = self.given.iter().flatten().next() else { return Ok(()) };
        let known: Vec<&str> = self.known.iter().map(|option| option.key).collect();
        Err(self.error(match closest(key, known.iter().copied()) {
            Some(guess) => format!("no option {key:?}; did you mean {guess:?}?"),
            None if known.is_empty() => format!("no option {key:?}; it has none"),
            None => format!("no option {key:?}; there are {}", known.join(", ")),
        }))
    }

    /// An error about this player.
    pub fn error(&self, problem: String) -> PlayerError {
        PlayerError { player: self.player.clone(), problem, forbidden: false }
    }

    fn parse<T: FromStr>(
        &self,
        key: &'static str,
        text: Option<String>,
    ) -> Result<Option<T>, PlayerError>
    where
        T::Err: Display,
    {
        text.map(|text| text.parse().map_err(|error| self.error(format!("{key}={text}: {error}"))))
            .transpose()
    }

    fn take_text(
        &mut self,
        key: &'static str,
        kind: OptionKind,
        default: String,
    ) -> Option<String> {
        self.known.push(OptionDescription { key, kind, default });
        let given =
            self.given.iter_mut().find(|given| given.as_ref().is_some_and(|(k, _)| k == key))?;
        given.take().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_taken_or_refused() {
        let spec: PlayerSpec = "random:level=2,cut=off,kind=b".parse().unwrap();
        assert_eq!(spec.to_string(), "random:level=2,cut=off,kind=b");
        let mut options = spec.options();
        assert_eq!(options.take("level", 1), Ok(2));
        assert_eq!(options.take("other", 1.5), Ok(1.5));
        assert_eq!(options.take_switch("cut", true), Ok(false));
        assert_eq!(options.take_choice("kind", 1, &[("a", 1), ("b", 2)]), Ok(2));
        let text = |key, default: &str| OptionDescription {
            key,
            kind: OptionKind::Text,
            default: default.to_owned(),
        };
        let cut = OptionDescription { kind: OptionKind::Switch, ..text("cut", "on") };
        let names = OptionKind::Choice(vec!["a".to_owned(), "b".to_owned()]);
        let kind = OptionDescription { kind: names, ..text("kind", "a") };
        assert_eq!(options.finish(), Ok(vec![text("level", "1"), text("other", "1.5"), cut, kind]));

        let mut options = spec.options();
        assert_eq!(options.take("levels", 1), Ok(1));
        let message = options.finish().unwrap_err().to_string();
        assert!(message.contains(r#"no option "level"; did you mean "levels"?"#), "{message}");
    }

    #[test]
    fn a_sandbox_has_no_paths() {
        let spec: PlayerSpec = "random:folder=/tmp".parse().unwrap();
        assert_eq!(spec.options().take_path("folder"), Ok("/tmp".to_owned()));
        let mut options = spec.sandboxed().with("other", "1").options();
        let error = options.take_path("folder").unwrap_err();
        assert!(error.is_forbidden() && error.to_string().contains("files"), "{error}");
        let mut options = spec.sandboxed().without("folder").options();
        assert_eq!(options.take_path("folder"), Ok(String::new()));
        assert_eq!(options.finish(), Ok(Vec::new()));
    }

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
        let mut options = spec.with("option.Skill Level", "3").options();
        assert_eq!(options.take_prefixed("option."), [("Skill Level".into(), "3".into())]);
        assert!(options.finish().is_err());
    }
}
