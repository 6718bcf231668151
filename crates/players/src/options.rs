//! Options as data: everything a player can be told, declared once.
//!
//! A [`Declared`] option says its key, the values it takes, its default, what it means, and how it changes
//! the settings `C` of a player. Parsing, error messages, help, engine options, the limits of the web
//! server and the tables of the docs come from its [`OptionInfo`].
//!
//! ```
//! use spinney_players::options::{self, Declared};
//!
//! struct Settings {
//!     depth: u64,
//!     cautious: bool,
//! }
//!
//! fn declare(default: &Settings) -> Vec<Declared<Settings>> {
//!     vec![
//!         options::count("depth", 1..=9, default.depth, |settings: &mut Settings, depth| settings.depth = depth)
//!             .help("plies to search"),
//!         options::switch("cautious", default.cautious, |settings: &mut Settings, on| settings.cautious = on)
//!             .help("avoid draws by repetition")
//!             .needs("depth", &["2", "3"]),
//!     ]
//! }
//!
//! let mut settings = Settings { depth: 2, cautious: false };
//! let declared = declare(&settings);
//! let spec = "name:cautious=on,depth=3".parse().unwrap();
//! options::apply(&spec, &declared, &mut settings).unwrap();
//! assert!(settings.cautious && settings.depth == 3);
//!
//! let spec = "name:depth=10".parse().unwrap();
//! let error = options::apply(&spec, &declared, &mut settings).unwrap_err();
//! assert_eq!(error.to_string(), r#"player "name:depth=10": depth=10: expected 1 to 9"#);
//! ```

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use spinney_game::closest;

use crate::{PlayerError, PlayerSpec};

/// What there is to know of an option.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionInfo {
    /// The name users type.
    pub key: &'static str,
    /// The values it takes.
    pub kind: OptionKind,
    /// The value if none is given, as users type it; empty for a path or text that is not set.
    pub default: String,
    /// What it means, in a few words.
    pub help: &'static str,
    /// The unit of a number: `MiB`, `centipawns`; empty if it has none.
    pub unit: &'static str,
    /// What it is about, for those who treat options alike whatever their name.
    pub role: Role,
    /// Values of other options without which it means nothing.
    pub needs: Vec<Need>,
}

/// What an option is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// The search.
    #[default]
    Search,
    /// Memory that the player may use, in megabytes.
    Memory,
    /// Threads that the player runs.
    Threads,
    /// A file or folder that the player reads: strangers may not set it.
    Path,
    /// Moves of the root that get exact values.
    Lines,
    /// Whether the player keeps its tree between moves.
    Reuse,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// `on` or `off`.
    Switch,
    /// One of some words.
    Choice(Vec<&'static str>),
    /// A whole number, or one of some words.
    Count(RangeInclusive<u64>, &'static [&'static str]),
    /// A number, or one of some words.
    Real(RangeInclusive<f32>, &'static [&'static str]),
    /// Any text; what it must look like.
    Text(&'static str),
}

/// A value that another option must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The other option.
    pub key: &'static str,
    /// The values that it may have; if there are none, any but `off` or nothing.
    pub values: &'static [&'static str],
}

impl OptionInfo {
    /// What a value must be: `on or off`, `1 to 1000000 MiB`.
    pub fn expected(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let or = |words: &[&str]| -> String {
            words.iter().map(|word| format!(", or {word}")).collect()
        };
        match &self.kind {
            OptionKind::Switch => "on or off".to_owned(),
            OptionKind::Choice(names) => format!("one of {}", names.join(", ")),
            OptionKind::Count(range, words) => {
                format!("{} to {}{unit}{}", range.start(), range.end(), or(words))
            }
            OptionKind::Real(range, words) => {
                format!("a number from {} to {}{unit}{}", range.start(), range.end(), or(words))
            }
            OptionKind::Text(expected) => (*expected).to_owned(),
        }
    }
}

impl Need {
    /// Whether a value of the other option will do.
    fn is_met_by(&self, value: &str) -> bool {
        match self.values {
            [] => !matches!(value, "" | "off" | "none"),
            values => values.contains(&value),
        }
    }
}

impl Display for Need {
    /// `strategy=greedy or mixed`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.values {
            [] => f.write_str(self.key),
            values => write!(f, "{}={}", self.key, values.join(" or ")),
        }
    }
}

/// How a text changes the settings; an error says what was expected, if that is not all of the kind.
type Set<C> = Box<dyn Fn(&mut C, &str) -> Result<(), Option<String>> + Send + Sync>;

/// An option, and how it changes the settings of a player.
pub struct Declared<C> {
    /// What there is to know of it.
    pub info: OptionInfo,
    set: Set<C>,
}

impl<C: 'static> Declared<C> {
    fn new(key: &'static str, kind: OptionKind, default: String, set: Set<C>) -> Self {
        let info = OptionInfo {
            key,
            kind,
            default,
            help: "",
            unit: "",
            role: Role::default(),
            needs: Vec::new(),
        };
        Declared { info, set }
    }

    /// Says what it means.
    pub fn help(mut self, help: &'static str) -> Self {
        self.info.help = help;
        self
    }

    /// Says the unit of a number.
    pub fn unit(mut self, unit: &'static str) -> Self {
        self.info.unit = unit;
        self
    }

    /// Says what it is about.
    pub fn role(mut self, role: Role) -> Self {
        self.info.role = role;
        self
    }

    /// Says that it means something only if another option has one of some values; any but `off` if
    /// none is named. Several needs must all be met.
    pub fn needs(mut self, key: &'static str, values: &'static [&'static str]) -> Self {
        self.info.needs.push(Need { key, values });
        self
    }

    /// The same option for settings that contain `C`.
    pub fn within<D: 'static>(self, part: fn(&mut D) -> &mut C) -> Declared<D> {
        let Declared { info, set } = self;
        Declared { info, set: Box::new(move |settings, text| set(part(settings), text)) }
    }
}

/// A switch: `on` or `off`.
pub fn switch<C: 'static>(key: &'static str, default: bool, set: fn(&mut C, bool)) -> Declared<C> {
    let default = if default { "on" } else { "off" };
    let set: Set<C> = Box::new(move |settings, text| {
        match text {
            "on" => set(settings, true),
            "off" => set(settings, false),
            _ => return Err(None),
        }
        Ok(())
    });
    Declared::new(key, OptionKind::Switch, default.to_owned(), set)
}

/// One of some named values, the default among them.
pub fn choice<C: 'static, T: Copy + PartialEq + Send + Sync + 'static>(
    key: &'static str,
    choices: &'static [(&'static str, T)],
    default: T,
    set: fn(&mut C, T),
) -> Declared<C> {
    let names = choices.iter().map(|&(name, _)| name).collect();
    let default = choices.iter().find(|(_, value)| *value == default);
    let default = default.map_or(String::new(), |&(name, _)| name.to_owned());
    let set: Set<C> = Box::new(move |settings, text| {
        let (_, value) = choices.iter().find(|(name, _)| *name == text).ok_or(None)?;
        set(settings, *value);
        Ok(())
    });
    Declared::new(key, OptionKind::Choice(names), default, set)
}

/// A whole number of a range.
pub fn count<C: 'static>(
    key: &'static str,
    range: RangeInclusive<u64>,
    default: u64,
    set: fn(&mut C, u64),
) -> Declared<C> {
    let kind = OptionKind::Count(range.clone(), &[]);
    let set: Set<C> = Box::new(move |settings, text| {
        set(settings, in_range(text, &range)?);
        Ok(())
    });
    Declared::new(key, kind, default.to_string(), set)
}

/// A whole number of a range, or `off`.
pub fn count_or_off<C: 'static>(
    key: &'static str,
    range: RangeInclusive<u64>,
    default: Option<u64>,
    set: fn(&mut C, Option<u64>),
) -> Declared<C> {
    let kind = OptionKind::Count(range.clone(), &["off"]);
    let set: Set<C> = Box::new(move |settings, text| {
        let value = if text == "off" { None } else { Some(in_range(text, &range)?) };
        set(settings, value);
        Ok(())
    });
    Declared::new(key, kind, text_or_off(default), set)
}

/// A whole number of a range, or a word for another number.
pub fn count_or_words<C: 'static>(
    key: &'static str,
    range: RangeInclusive<u64>,
    words: &'static [&'static str],
    numbers: &'static [u64],
    default: u64,
    set: fn(&mut C, u64),
) -> Declared<C> {
    let kind = OptionKind::Count(range.clone(), words);
    let word = numbers.iter().position(|&number| number == default);
    let default = word.map_or(default.to_string(), |index| words[index].to_owned());
    let set: Set<C> = Box::new(move |settings, text| {
        let value = match words.iter().position(|&word| word == text) {
            Some(index) => numbers[index],
            None => in_range(text, &range)?,
        };
        set(settings, value);
        Ok(())
    });
    Declared::new(key, kind, default, set)
}

/// An amount of memory in bytes, given in megabytes from `least`.
pub fn megabytes<C: 'static>(
    key: &'static str,
    least: u64,
    default: usize,
    set: fn(&mut C, usize),
) -> Declared<C> {
    let range = least..=MOST_MEGABYTES;
    let kind = OptionKind::Count(range.clone(), &[]);
    let set: Set<C> = Box::new(move |settings, text| {
        let megabytes: u64 = in_range(text, &range)?;
        set(settings, (megabytes as usize) << 20);
        Ok(())
    });
    Declared::new(key, kind, (default >> 20).to_string(), set).unit("MiB").role(Role::Memory)
}

const MOST_MEGABYTES: u64 = 1_000_000;

/// A number of a range.
pub fn real<C: 'static>(
    key: &'static str,
    range: RangeInclusive<f32>,
    default: f32,
    set: fn(&mut C, f32),
) -> Declared<C> {
    let kind = OptionKind::Real(range.clone(), &[]);
    let set: Set<C> = Box::new(move |settings, text| {
        set(settings, in_range(text, &range)?);
        Ok(())
    });
    Declared::new(key, kind, default.to_string(), set)
}

/// A number of a range, or `off`.
pub fn real_or_off<C: 'static>(
    key: &'static str,
    range: RangeInclusive<f32>,
    default: Option<f32>,
    set: fn(&mut C, Option<f32>),
) -> Declared<C> {
    let kind = OptionKind::Real(range.clone(), &["off"]);
    let set: Set<C> = Box::new(move |settings, text| {
        let value = if text == "off" { None } else { Some(in_range(text, &range)?) };
        set(settings, value);
        Ok(())
    });
    Declared::new(key, kind, text_or_off(default), set)
}

/// A value that reads and writes itself as text; `expected` says what it looks like.
pub fn text<C: 'static, T: FromStr + Display + 'static>(
    key: &'static str,
    expected: &'static str,
    default: &T,
    set: fn(&mut C, T),
) -> Declared<C>
where
    T::Err: Display,
{
    let set: Set<C> = Box::new(move |settings, text| {
        set(settings, text.parse().map_err(|error: T::Err| Some(error.to_string()))?);
        Ok(())
    });
    Declared::new(key, OptionKind::Text(expected), default.to_string(), set)
}

/// A file or folder that the player reads; nothing by default.
pub fn path<C: 'static>(key: &'static str, set: fn(&mut C, String)) -> Declared<C> {
    let set: Set<C> = Box::new(move |settings, text| {
        set(settings, text.to_owned());
        Ok(())
    });
    Declared::new(key, OptionKind::Text("a path"), String::new(), set).role(Role::Path)
}

fn in_range<T: FromStr + PartialOrd>(
    text: &str,
    range: &RangeInclusive<T>,
) -> Result<T, Option<String>> {
    text.parse().ok().filter(|value| range.contains(value)).ok_or(None)
}

fn text_or_off<T: Display>(value: Option<T>) -> String {
    value.map_or("off".to_owned(), |value| value.to_string())
}

/// Sets what a spec gives, in the order of the declarations. Refuses unknown keys, values out of range,
/// options that mean nothing with the others, and paths in a sandbox.
pub fn apply<C>(
    spec: &PlayerSpec,
    declared: &[Declared<C>],
    settings: &mut C,
) -> Result<(), PlayerError> {
    let is_known = |key: &str| declared.iter().any(|option| option.info.key == key);
    if let Some((key, _)) = spec.given().find(|&(key, _)| !is_known(key)) {
        return Err(unknown(spec, key, declared));
    }
    for Declared { info, set } in declared {
        let key = info.key;
        let Some(value) = spec.value(key) else { continue };
        if info.role == Role::Path && spec.is_sandboxed() {
            return Err(spec.forbidden(&format!("{key}: may not read files here")));
        }
        set(settings, value).map_err(|problem| {
            let problem = problem.unwrap_or_else(|| format!("expected {}", info.expected()));
            spec.error(format!("{key}={value}: {problem}"))
        })?;
        for need in &info.needs {
            let other = declared.iter().find(|other| other.info.key == need.key);
            let default = other.map_or("", |other| other.info.default.as_str());
            if !need.is_met_by(spec.value(need.key).unwrap_or(default)) {
                return Err(spec.error(format!("{key}: needs {need}")));
            }
        }
    }
    Ok(())
}

/// The error for an option that a player does not have.
fn unknown<C>(spec: &PlayerSpec, key: &str, declared: &[Declared<C>]) -> PlayerError {
    let known: Vec<&str> = declared.iter().map(|option| option.info.key).collect();
    spec.error(match closest(key, known.iter().copied()) {
        Some(guess) => format!("no option {key:?}; did you mean {guess:?}?"),
        None if known.is_empty() => format!("no option {key:?}; it has none"),
        None => format!("no option {key:?}; there are {}", known.join(", ")),
    })
}
