//! Players as text: `name` or `name:key=value,key=value`.

use std::fmt::{self, Display};
use std::str::FromStr;

use spinney_games::catalog::closest;
use thiserror::Error;

use crate::CATALOG;

/// A player as a user names it. The name is one of [`CATALOG`]; the options are checked when the
/// player is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    name: String,
    options: Vec<(String, String)>,
}

/// A text that names no player, or an option it does not have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("player {player:?}: {problem}")]
pub struct PlayerError {
    player: String,
    problem: String,
}

impl PlayerSpec {
    /// The name without options.
    pub fn name(&self) -> &str {
        &self.name
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
        }
    }

    /// The error for a player that this game does not have.
    pub fn unknown(&self) -> PlayerError {
        PlayerError {
            player: self.to_string(),
            problem: "this game has no such player; `spinney players GAME` lists them".to_owned(),
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<PlayerSpec, PlayerError> {
        let error =
            |problem: String| PlayerError { player: text.chars().take(80).collect(), problem };
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        if !CATALOG.iter().any(|entry| entry.name == name) {
            return Err(error(match closest(name, CATALOG.iter().map(|entry| entry.name)) {
                Some(guess) => format!("unknown; did you mean {guess:?}?"),
                None => "unknown; `spinney players` lists all players".to_owned(),
            }));
        }
        let mut spec = PlayerSpec { name: name.to_owned(), options: Vec::new() };
        for option in options.split(',').filter(|_| text.contains(':')) {
            let (key, value) = option
                .split_once('=')
                .ok_or_else(|| error(format!("option {option:?}: expected key=value")))?;
            if spec.options.iter().any(|(known, _)| known == key) {
                return Err(error(format!("option {key:?} is given twice")));
            }
            spec.options.push((key.to_owned(), value.to_owned()));
        }
        Ok(spec)
    }
}

impl Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (key, value)) in self.options.iter().enumerate() {
            write!(f, "{}{key}={value}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

/// The options of a player. A maker takes those it knows and calls [`finish`](OptionList::finish),
/// which refuses the rest: no option is read and ignored.
pub struct OptionList {
    player: String,
    given: Vec<Option<(String, String)>>,
    known: Vec<&'static str>,
}

impl OptionList {
    /// The value of an option, or `default` if it is not given.
    pub fn take<T: FromStr>(&mut self, key: &'static str, default: T) -> Result<T, PlayerError>
    where
        T::Err: Display,
    {
        Ok(self.take_optional(key)?.unwrap_or(default))
    }

    /// The value of an option, if it is given.
    pub fn take_optional<T: FromStr>(&mut self, key: &'static str) -> Result<Option<T>, PlayerError>
    where
        T::Err: Display,
    {
        let text = self.take_text(key);
        text.map(|text| text.parse().map_err(|error| self.error(format!("{key}={text}: {error}"))))
            .transpose()
    }

    /// A switch: `on` or `off`.
    pub fn take_switch(&mut self, key: &'static str, default: bool) -> Result<bool, PlayerError> {
        match self.take_text(key).as_deref() {
            None => Ok(default),
            Some("on") => Ok(true),
            Some("off") => Ok(false),
            Some(text) => Err(self.error(format!("{key}={text}: expected on or off"))),
        }
    }

    /// One of some named values.
    pub fn take_choice<T: Copy>(
        &mut self,
        key: &'static str,
        default: T,
        choices: &[(&str, T)],
    ) -> Result<T, PlayerError> {
        let Some(text) = self.take_text(key) else { return Ok(default) };
        choices.iter().find(|(name, _)| *name == text).map(|&(_, value)| value).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
            self.error(format!("{key}={text}: expected one of {}", names.join(", ")))
        })
    }

    /// Refuses options that nobody took.
    pub fn finish(self) -> Result<(), PlayerError> {
        let Some((key, _)) = self.given.iter().flatten().next() else { return Ok(()) };
        Err(self.error(match closest(key, self.known.iter().copied()) {
            Some(guess) => format!("no option {key:?}; did you mean {guess:?}?"),
            None if self.known.is_empty() => format!("no option {key:?}; it has none"),
            None => format!("no option {key:?}; there are {}", self.known.join(", ")),
        }))
    }

    /// An error about this player.
    pub fn error(&self, problem: String) -> PlayerError {
        PlayerError { player: self.player.clone(), problem }
    }

    fn take_text(&mut self, key: &'static str) -> Option<String> {
        self.known.push(key);
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
        assert_eq!(options.take_choice("kind", 0, &[("a", 1), ("b", 2)]), Ok(2));
        assert_eq!(options.finish(), Ok(()));

        let mut options = spec.options();
        assert_eq!(options.take("levels", 1), Ok(1));
        let message = options.finish().unwrap_err().to_string();
        assert!(message.contains(r#"no option "level"; did you mean "levels"?"#), "{message}");
    }

    #[test]
    fn mistakes_are_explained() {
        let message = |text: &str| text.parse::<PlayerSpec>().unwrap_err().to_string();
        assert!(message("randon").contains("did you mean \"random\"?"));
        assert!(message("random:level").contains("expected key=value"));
        assert!(message("random:").contains("expected key=value"));
        assert!(message("random:a=1,a=2").contains("twice"));
    }
}
