//! Options as data: everything a player can be told, declared once.
//!
//! A [`Declared`] option says its key, the values it takes, what it means, and which field of the settings
//! `C` of a player it stands for; its default is what the field is by default. Parsing, error messages,
//! help, engine options, the limits of the web server and the tables of the docs come from its
//! [`OptionInfo`].
//!
//! ```
//! use spinney_players::options::{self, Declared};
//!
//! struct Settings {
//!     depth: u32,
//!     cautious: bool,
//! }
//!
//! fn declare() -> Vec<Declared<Settings>> {
//!     vec![
//!         options::count("depth", 1..=9, |settings: &mut Settings| &mut settings.depth)
//!             .help("plies to search"),
//!         options::switch("cautious", |settings: &mut Settings| &mut settings.cautious)
//!             .help("avoid draws by repetition")
//!             .needs("depth", &["2", "3"]),
//!     ]
//! }
//!
//! let mut settings = Settings { depth: 2, cautious: false };
//! assert_eq!(options::list(&declare(), &mut settings)[0].default, "2");
//!
//! let spec = "name:cautious=on,depth=3".parse().unwrap();
//! options::apply(&spec, &declare(), &mut settings).unwrap();
//! assert!(settings.cautious && settings.depth == 3);
//!
//! let spec = "name:depth=10".parse().unwrap();
//! let error = options::apply(&spec, &declare(), &mut settings).unwrap_err();
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
    Count(RangeInclusive<u64>, Vec<&'static str>),
    /// A number, or one of some words.
    Real(RangeInclusive<f32>, Vec<&'static str>),
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

/// An option, and the field of a player's settings that it stands for.
pub struct Declared<C> {
    /// All but the default.
    info: OptionInfo,
    show: Box<dyn Fn(&mut C) -> String>,
    set: Box<Set<C>>,
}

type Set<C> = dyn Fn(&mut C, &str) -> Result<(), Unreadable>;

/// Why a text is no value: a problem to tell, or none beyond what [`OptionInfo::expected`] says.
type Unreadable = Option<String>;

/// Where a setting is found in the settings of a player.
pub type Field<C, T> = fn(&mut C) -> &mut T;

impl<C: 'static> Declared<C> {
    fn new<T: 'static>(
        key: &'static str,
        kind: OptionKind,
        field: Field<C, T>,
        show: impl Fn(&T) -> String + 'static,
        read: impl Fn(&str) -> Result<T, Unreadable> + 'static,
    ) -> Self {
        let info = OptionInfo {
            key,
            kind,
            default: String::new(),
            help: "",
            unit: "",
            role: Role::default(),
            needs: Vec::new(),
        };
        Declared {
            info,
            show: Box::new(move |settings| show(field(settings))),
            set: Box::new(move |settings, text| {
                *field(settings) = read(text)?;
                Ok(())
            }),
        }
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
}

/// The same options for settings of which `C` is a part.
pub fn within<D: 'static, C: 'static>(
    declared: Vec<Declared<C>>,
    part: Field<D, C>,
) -> impl Iterator<Item = Declared<D>> {
    declared.into_iter().map(move |Declared { info, show, set }| Declared {
        info,
        show: Box::new(move |settings| show(part(settings))),
        set: Box::new(move |settings, text| set(part(settings), text)),
    })
}

/// A switch: `on` or `off`.
pub fn switch<C: 'static>(key: &'static str, field: Field<C, bool>) -> Declared<C> {
    Declared::new(key, OptionKind::Switch, field, |&on| on_or_off(on), read_switch)
}

/// A switch of something that has settings of its own: as usual, or not at all.
pub fn feature<C: 'static, T: Default + 'static>(
    key: &'static str,
    field: Field<C, Option<T>>,
) -> Declared<C> {
    let show = |feature: &Option<T>| on_or_off(feature.is_some());
    Declared::new(key, OptionKind::Switch, field, show, |text| {
        Ok(read_switch(text)?.then(T::default))
    })
}

fn on_or_off(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

fn read_switch(text: &str) -> Result<bool, Unreadable> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(None),
    }
}

/// A word for a value.
pub type Named<T> = (&'static str, T);

fn names<T>(words: &[Named<T>]) -> Vec<&'static str> {
    words.iter().map(|&(name, _)| name).collect()
}

fn name_of<T: PartialEq>(words: &[Named<T>], value: &T) -> Option<String> {
    words.iter().find(|(_, named)| named == value).map(|&(name, _)| name.to_owned())
}

fn named<T: Copy>(words: &[Named<T>], text: &str) -> Option<T> {
    words.iter().find(|(name, _)| *name == text).map(|&(_, value)| value)
}

/// One of some named values.
pub fn choice<C: 'static, T: Copy + PartialEq + 'static>(
    key: &'static str,
    choices: &'static [Named<T>],
    field: Field<C, T>,
) -> Declared<C> {
    let show = |value: &T| name_of(choices, value).unwrap_or_default();
    Declared::new(key, OptionKind::Choice(names(choices)), field, show, |text| {
        named(choices, text).ok_or(None)
    })
}

/// The type of a field that a count is written to.
pub trait Whole: Copy + PartialEq + Display + TryFrom<u64> + 'static {}

impl<T: Copy + PartialEq + Display + TryFrom<u64> + 'static> Whole for T {}

/// A whole number of a range.
pub fn count<C: 'static, T: Whole>(
    key: &'static str,
    range: RangeInclusive<u64>,
    field: Field<C, T>,
) -> Declared<C> {
    count_or(key, range, &[], field)
}

/// A whole number of a range, or a word for another number.
pub fn count_or<C: 'static, T: Whole>(
    key: &'static str,
    range: RangeInclusive<u64>,
    words: &'static [Named<T>],
    field: Field<C, T>,
) -> Declared<C> {
    let kind = OptionKind::Count(range.clone(), names(words));
    let show = |value: &T| name_of(words, value).unwrap_or_else(|| value.to_string());
    Declared::new(key, kind, field, show, move |text| match named(words, text) {
        Some(value) => Ok(value),
        None => read_count(text, &range),
    })
}

/// A whole number of a range, or `off`.
pub fn count_or_off<C: 'static, T: Whole>(
    key: &'static str,
    range: RangeInclusive<u64>,
    field: Field<C, Option<T>>,
) -> Declared<C> {
    let kind = OptionKind::Count(range.clone(), vec!["off"]);
    Declared::new(key, kind, field, show_or_off, move |text| match text {
        "off" => Ok(None),
        _ => read_count(text, &range).map(Some),
    })
}

/// A number of a range.
pub fn real<C: 'static>(
    key: &'static str,
    range: RangeInclusive<f32>,
    field: Field<C, f32>,
) -> Declared<C> {
    let kind = OptionKind::Real(range.clone(), Vec::new());
    Declared::new(key, kind, field, f32::to_string, move |text| read_number(text, &range))
}

/// A number of a range, or `off`.
pub fn real_or_off<C: 'static>(
    key: &'static str,
    range: RangeInclusive<f32>,
    field: Field<C, Option<f32>>,
) -> Declared<C> {
    let kind = OptionKind::Real(range.clone(), vec!["off"]);
    Declared::new(key, kind, field, show_or_off, move |text| match text {
        "off" => Ok(None),
        _ => read_number(text, &range).map(Some),
    })
}

fn show_or_off<T: Display>(value: &Option<T>) -> String {
    value.as_ref().map_or("off".to_owned(), T::to_string)
}

fn read_count<T: Whole>(text: &str, range: &RangeInclusive<u64>) -> Result<T, Unreadable> {
    T::try_from(read_number(text, range)?).map_err(|_| None)
}

fn read_number<T: FromStr + PartialOrd>(
    text: &str,
    range: &RangeInclusive<T>,
) -> Result<T, Unreadable> {
    text.parse().ok().filter(|value| range.contains(value)).ok_or(None)
}

/// An amount of memory in bytes, given in megabytes from `least`.
pub fn megabytes<C: 'static>(key: &'static str, least: u64, field: Field<C, usize>) -> Declared<C> {
    let range = least..=MOST_MEGABYTES;
    let kind = OptionKind::Count(range.clone(), Vec::new());
    let show = |bytes: &usize| (bytes >> 20).to_string();
    let read = move |text: &str| Ok(read_count::<usize>(text, &range)? << 20);
    Declared::new(key, kind, field, show, read).unit("MiB").role(Role::Memory)
}

const MOST_MEGABYTES: u64 = 1_000_000;

/// A value that reads and writes itself as text; `expected` says what it looks like.
pub fn text<C: 'static, T: FromStr<Err: Display> + Display + 'static>(
    key: &'static str,
    expected: &'static str,
    field: Field<C, T>,
) -> Declared<C> {
    Declared::new(key, OptionKind::Text(expected), field, T::to_string, |text| {
        text.parse().map_err(|error: T::Err| Some(error.to_string()))
    })
}

/// A file or folder that the player reads.
pub fn path<C: 'static>(key: &'static str, field: Field<C, String>) -> Declared<C> {
    text(key, "a path", field).role(Role::Path)
}

/// What there is to know of options, for a player with these settings by default.
pub fn list<C>(declared: &[Declared<C>], default: &mut C) -> Vec<OptionInfo> {
    let info = |option: &Declared<C>| OptionInfo {
        default: (option.show)(default),
        ..option.info.clone()
    };
    declared.iter().map(info).collect()
}

/// Sets what a spec gives. Refuses unknown keys, values out of range, options that mean nothing with the
/// others, and paths in a sandbox.
pub fn apply<C>(
    spec: &PlayerSpec,
    declared: &[Declared<C>],
    settings: &mut C,
) -> Result<(), PlayerError> {
    let find = |key: &str| declared.iter().find(|option| option.info.key == key);
    // 1. Values.
    for (key, value) in spec.given() {
        let Some(Declared { info, set, .. }) = find(key) else {
            return Err(unknown(spec, key, declared));
        };
        if info.role == Role::Path && spec.is_sandboxed() {
            return Err(spec.forbidden(&format!("{key}: may not read files here")));
        }
        set(settings, value).map_err(|problem| {
            let problem = problem.unwrap_or_else(|| format!("expected {}", info.expected()));
            spec.error(format!("{key}={value}: {problem}"))
        })?;
    }
    // 2. Needs, now that all others are set.
    for option in spec.given().filter_map(|(key, _)| find(key)) {
        for need in &option.info.needs {
            let other = find(need.key).map(|other| (other.show)(settings));
            if !need.is_met_by(&other.unwrap_or_default()) {
                return Err(spec.error(format!("{}: needs {need}", option.info.key)));
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
