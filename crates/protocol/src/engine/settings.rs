//! The options of an engine: those of its player, and those of the protocol.
//!
//! Clients know options under names such as `StopEarly`, because some of them read `-max` in a name as
//! the word `max`; they may use the player's own (`stop-early`) as well. `Hash` is the player's memory,
//! `SyzygyPath` its option `syzygy`.
//! `MultiPV` is also the player's option `lines`, where it has one.

use std::time::Duration;

use spinney_session::{GameHandle, OptionInfo, OptionKind, PlayerSpec, Role};

/// What can be set.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The player with its options.
    pub(super) spec: PlayerSpec,
    /// Lines that are reported: `MultiPV`.
    pub(super) lines: usize,
    /// Time that a move loses between the clocks of client and engine: `Move Overhead`.
    pub(super) overhead: Duration,
}

/// What became of an option.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The player must be made anew.
    Player,
    /// The player stays.
    Protocol,
}

/// The option that clients know as `SyzygyPath`.
const SYZYGY: &str = "syzygy";

const MOST_LINES: usize = 500;
const DEFAULT_OVERHEAD: Duration = Duration::from_millis(20);
const MOST_OVERHEAD: u64 = 10_000;

impl Settings {
    /// The player keeps its tree between moves if it can, unless it is told otherwise.
    pub(super) fn new(spec: PlayerSpec, game: &GameHandle) -> Result<Self, String> {
        game.check(&spec).map_err(|error| error.to_string())?;
        let spec = match game.option_for(Role::Reuse, &spec) {
            Some(reuse) if spec.value(reuse).is_none() => spec.with(reuse, "on"),
            _ => spec,
        };
        Ok(Settings { spec, lines: 1, overhead: DEFAULT_OVERHEAD })
    }

    /// The lines that tell a client of all options.
    pub(super) fn list(&self, game: &GameHandle) -> Vec<String> {
        let options = game.options(&self.spec).unwrap_or_default();
        let mut lines = Vec::new();
        for option in &options {
            let value = self.spec.value(option.key).unwrap_or(&option.default);
            let name = public_name(option);
            lines.push(match &option.kind {
                // It is MultiPV.
                _ if option.role == Role::Lines => continue,
                OptionKind::Count(range, words) if words.is_empty() => {
                    let (min, max) = (range.start(), range.end());
                    format!("{name} type spin default {value} min {min} max {max}")
                }
                OptionKind::Switch => format!("{name} type check default {}", value == "on"),
                OptionKind::Choice(names) => {
                    let choices: String =
                        names.iter().map(|choice| format!(" var {choice}")).collect();
                    format!("{name} type combo default {value}{choices}")
                }
                OptionKind::Count(..) | OptionKind::Real(..) | OptionKind::Text(_) => {
                    let value = if value.is_empty() { EMPTY } else { value };
                    format!("{name} type string default {value}")
                }
            });
        }
        let overhead = self.overhead.as_millis();
        lines.push(format!("MultiPV type spin default {} min 1 max {MOST_LINES}", self.lines));
        lines.push("Ponder type check default false".to_owned());
        lines.push(format!("Move Overhead type spin default {overhead} min 0 max {MOST_OVERHEAD}"));
        lines.into_iter().map(|line| format!("option name {line}")).collect()
    }

    /// Sets an option by the name that the client uses; names are the same in capitals and small
    /// letters.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        game: &GameHandle,
    ) -> Result<Change, String> {
        let value = value.filter(|&value| value != EMPTY).unwrap_or_default();
        let number = |low: u64, high: u64| match value.parse() {
            Ok(number) if (low..=high).contains(&number) => Ok(number),
            _ => Err(format!("option {name}: expected {low} to {high}, not {value:?}")),
        };
        let options = game.options(&self.spec).map_err(|error| error.to_string())?;
        match name.to_ascii_lowercase().as_str() {
            "ponder" => Ok(Change::Protocol), // Whether the client ponders changes nothing here.
            "move overhead" => {
                self.overhead = Duration::from_millis(number(0, MOST_OVERHEAD)?);
                Ok(Change::Protocol)
            }
            "multipv" => {
                let lines = number(1, MOST_LINES as u64)?;
                self.lines = lines as usize;
                match options.iter().find(|option| option.role == Role::Lines) {
                    Some(option) => {
                        self.replace(self.spec.with(option.key, &lines.to_string()), game)
                    }
                    None => Ok(Change::Protocol),
                }
            }
            _ => {
                let is_named = |option: &&OptionInfo| {
                    option.key.eq_ignore_ascii_case(name)
                        || public_name(option).eq_ignore_ascii_case(name)
                };
                let option =
                    options.iter().find(is_named).ok_or_else(|| format!("no option {name:?}"))?;
                let value = match (&option.kind, value) {
                    (OptionKind::Switch, "true" | "1") => "on",
                    (OptionKind::Switch, "false" | "0") => "off",
                    _ => value,
                };
                let spec = match value {
                    // A default may mean nothing with the other options.
                    _ if value == option.default => self.spec.without(option.key),
                    "" => self.spec.without(option.key),
                    _ => self.spec.with(option.key, value),
                };
                self.replace(spec, game)
            }
        }
    }

    /// Takes another player if there is such a one.
    fn replace(&mut self, spec: PlayerSpec, game: &GameHandle) -> Result<Change, String> {
        game.check(&spec).map_err(|error| error.to_string())?;
        self.spec = spec;
        Ok(Change::Player)
    }
}

/// How UCI writes a text without characters.
const EMPTY: &str = "<empty>";

/// The name of a player's option for clients: `StopEarly` for `stop-early`.
fn public_name(option: &OptionInfo) -> String {
    match option.key {
        _ if option.role == Role::Memory => return "Hash".to_owned(),
        SYZYGY => return "SyzygyPath".to_owned(),
        _ => (),
    }
    let capitalised = |word: &str| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        first.to_uppercase() + rest
    };
    option.key.split('-').map(capitalised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_session::Registry;

    fn game(name: &str) -> GameHandle {
        Registry::builtin().game(name).unwrap()
    }

    fn settings(spec: &str) -> Settings {
        Settings::new(spec.parse().unwrap(), &game("chess")).unwrap()
    }

    #[test]
    fn every_option_of_the_player_is_listed_and_can_be_set() {
        let start = game("chess");
        let mut settings = settings("uct:c=0.5");
        let lines = settings.list(&start);
        for line in [
            "option name C type string default 0.5",
            "option name Rave type string default off",
            "option name Solver type check default true",
            "option name Reuse type check default true",
            "option name Final type combo default visits var visits var value var secure",
            "option name Hash type spin default 1024 min 1 max 1000000",
            "option name Threads type spin default 1 min 1 max 256",
            "option name MultiPV type spin default 1 min 1 max 500",
            "option name Move Overhead type spin default 20 min 0 max 10000",
        ] {
            assert!(lines.iter().any(|known| known == line), "{line} is not in {lines:#?}");
        }
        // Setting every option to what it is changes nothing.
        let names = |line: &str| line.split(" type ").next().unwrap()[12..].to_owned();
        let defaults = |line: &str| {
            let (_, default) = line.split_once(" default ").unwrap();
            let end = default.find(" min ").or(default.find(" var ")).unwrap_or(default.len());
            default[..end].to_owned()
        };
        for line in &lines {
            let result = settings.set(&names(line), Some(&defaults(line)), &start);
            assert!(result.is_ok(), "{line}: {result:?}");
        }
        assert_eq!(settings.list(&start), lines);
    }

    #[test]
    fn options_reach_the_player() {
        let start = game("chess");
        let mut settings = settings("uct");
        for (name, value, expected) in [
            ("hash", "64", "memory=64"),
            ("Threads", "2", "threads=2"),
            ("Solver", "false", "solver=off"),
            ("c", "0.25", "c=0.25"),
            ("MaxPlies", "70", "max-plies=70"),
            ("stop-early", "false", "stop-early=off"),
            ("parallel", "tree", "parallel=tree"),
        ] {
            assert_eq!(settings.set(name, Some(value), &start), Ok(Change::Player));
            assert!(settings.spec.to_string().contains(expected), "{}", settings.spec);
        }
        assert_eq!(settings.set("rave", Some("300"), &start), Ok(Change::Player));
        assert_eq!(settings.set("rave", Some("<empty>"), &start), Ok(Change::Player));
        assert_eq!(settings.spec.value("rave"), None);
        assert_eq!(settings.set("Move Overhead", Some("70"), &start), Ok(Change::Protocol));
        assert_eq!(settings.overhead, Duration::from_millis(70));
        assert_eq!(settings.set("MultiPV", Some("3"), &start), Ok(Change::Protocol));
        assert_eq!(settings.lines, 3);
        let loa = game("loa");
        let mut mia = Settings::new("mia".parse().unwrap(), &loa).unwrap();
        assert_eq!(mia.set("MultiPV", Some("3"), &loa), Ok(Change::Player));
        assert_eq!(mia.spec.value("lines"), Some("3"));
    }

    #[test]
    fn the_path_of_syzygy_tables_has_its_usual_name() {
        let start = game("chess");
        let mut settings = settings("mcc-plus");
        let path = "option name SyzygyPath type string default <empty>";
        assert!(settings.list(&start).iter().any(|line| line == path));
        let problem = settings.set("SyzygyPath", Some("/nowhere"), &start).unwrap_err();
        assert!(problem.contains("No such file"), "{problem}");
    }

    #[test]
    fn wrong_options_change_nothing() {
        let start = game("chess");
        let mut settings = settings("uct");
        let before = settings.spec.clone();
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "lots"),
            ("MultiPV", "0"),
            ("Move Overhead", "-1"),
            ("solver", "perhaps"),
            ("c", "-1"),
            ("nothing", "1"),
            ("UCI_Chess960", "true"),
        ] {
            let error = settings.set(name, Some(value), &start).unwrap_err();
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        assert_eq!(settings.spec, before);
        assert_eq!(settings.lines, 1);
    }
}
