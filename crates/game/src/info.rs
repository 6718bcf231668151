//! Facts about a game that are no rules: its names, what its board looks like, its options.

/// What programs need to know of a game beyond its rules: the only source of such facts.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name users type: lower-case letters, digits and dashes.
    pub name: &'static str,
    /// The name users read.
    pub title: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// The sides, the one that moves first in the start position in front.
    pub sides: [&'static str; 2],
    /// What its board looks like.
    pub board: BoardInfo,
    /// The options after the name: `breakthrough:8x8`, `loa:repetition=second`.
    pub options: &'static [GameOption],
    /// Who plays if nobody is named: the strongest player.
    pub default_player: &'static str,
    /// How games are written to files.
    pub record: RecordFormat,
    /// The protocol that programs for this game speak.
    pub protocol: Protocol,
}

/// The size of a board of the small games: 5x5 by default, from 3x3 to 8x8.
pub const SIZES: &[GameOption] =
    &[GameOption { key: "size", kind: GameOptionKind::Size { default: [5, 5], range: [3, 8] } }];

impl GameInfo {
    /// The misère form of a game, under another name.
    pub const fn misere(
        self,
        name: &'static str,
        title: &'static str,
        summary: &'static str,
    ) -> Self {
        GameInfo { name, title, summary, ..self }
    }

    /// A game with these names, on a board with draughtsmen `x` and `o`, without options.
    pub const fn new(name: &'static str, title: &'static str, summary: &'static str) -> Self {
        GameInfo {
            name,
            title,
            summary,
            sides: ["Black", "White"],
            board: BoardInfo::new(BoardStyle::Men),
            options: &[],
            default_player: "uct",
            record: RecordFormat::Text,
            protocol: Protocol::Ugi,
        }
    }
}

/// How positions are drawn. A position text begins with its ranks, the highest first, separated by
/// slashes: digits for empty squares, letters for men (as in FEN).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardInfo {
    /// How men are drawn.
    pub style: BoardStyle,
    /// The letters of the men of each side. [`BoardStyle::Chess`] has capital letters for the first
    /// side and small ones for the second instead.
    pub men: [char; 2],
    /// The letters of the side to move, at the end of a position text.
    pub turn: [char; 2],
    /// Whether the men of the first side are the light ones.
    pub light_first: bool,
}

impl BoardInfo {
    /// Dark men `x` move first, turns are `b` and `w`.
    pub const fn new(style: BoardStyle) -> Self {
        BoardInfo { style, men: ['x', 'o'], turn: ['b', 'w'], light_first: false }
    }

    /// Light men `o` move first, turns are `w` and `b`.
    pub const fn light_first(style: BoardStyle) -> Self {
        BoardInfo { style, men: ['o', 'x'], turn: ['w', 'b'], light_first: true }
    }
}

/// How the men of a game are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStyle {
    /// Draughtsmen, whose groups matter.
    Loa,
    /// Draughtsmen.
    Men,
    /// Chessmen.
    Chess,
    /// Knights.
    Knights,
    /// Dominoes.
    Dominoes,
    /// Stones on the crossings of lines.
    Stones,
    /// Crosses and noughts.
    Marks,
}

impl BoardStyle {
    /// The name in the HTTP API.
    pub const fn name(self) -> &'static str {
        match self {
            BoardStyle::Loa => "loa",
            BoardStyle::Men => "men",
            BoardStyle::Chess => "chess",
            BoardStyle::Knights => "knights",
            BoardStyle::Dominoes => "dominoes",
            BoardStyle::Stones => "stones",
            BoardStyle::Marks => "marks",
        }
    }
}

/// An option of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOption {
    /// Its name; that of a size is not typed.
    pub key: &'static str,
    /// What it may be.
    pub kind: GameOptionKind,
}

/// What an option of a game may be. The default comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOptionKind {
    /// The size of the board, such as `5x5`, with each length in a range.
    Size {
        /// Files and ranks by default.
        default: [u8; 2],
        /// The least and the most files and ranks.
        range: [u8; 2],
    },
    /// One of some words, of which the first is the default.
    Choice(&'static [&'static str]),
}

/// How games are written to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// Portable Game Notation.
    Pgn,
    /// Smart Game Format.
    Sgf,
    /// The moves as a list.
    Text,
}

/// How programs talk about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Universal Chess Interface.
    Uci,
    /// Universal Game Interface.
    Ugi,
}

/// The options of a game as a user gave them, each with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSettings {
    info: &'static [GameOption],
    values: Vec<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Size([u8; 2]),
    Choice(&'static str),
}

impl GameOption {
    fn default(&self) -> Value {
        match self.kind {
            GameOptionKind::Size { default, .. } => Value::Size(default),
            GameOptionKind::Choice(words) => Value::Choice(words.first().copied().unwrap_or("")),
        }
    }
}

impl GameSettings {
    /// Every option at its default.
    pub fn new(info: &GameInfo) -> Self {
        let values = info.options.iter().map(GameOption::default).collect();
        GameSettings { info: info.options, values }
    }

    /// Reads options as users type them, separated by commas: `8x8` or `repetition=second`.
    pub fn parse(info: &GameInfo, text: &str) -> Result<Self, String> {
        let mut settings = GameSettings::new(info);
        let mut given = Vec::new();
        for option in text.split(',') {
            let index = settings.set(info, option)?;
            if given.contains(&index) {
                return Err(format!("{option:?}: {} is given twice", settings.info[index].key));
            }
            given.push(index);
        }
        Ok(settings)
    }

    /// Reads one option; the number of the option that it sets.
    fn set(&mut self, info: &GameInfo, text: &str) -> Result<usize, String> {
        let is_size = |option: &GameOption| matches!(option.kind, GameOptionKind::Size { .. });
        let (index, value) = match text.split_once('=') {
            None => (self.info.iter().position(is_size), text),
            Some((key, value)) => {
                let known = |option: &GameOption| option.key == key && !is_size(option);
                (self.info.iter().position(known), value)
            }
        };
        let Some(index) = index else {
            let keys: Vec<_> = self.info.iter().map(|option| option.key).collect();
            return Err(match (text.split_once('='), keys.is_empty()) {
                (_, true) => format!("{text:?}: {} has no options", info.name),
                _ if self.info.iter().all(is_size) => {
                    format!("{text:?} is no option; a size such as 5x5 is")
                }
                (Some((key, _)), _) => {
                    format!("no option {key:?}; there are {}", keys.join(", "))
                }
                (None, _) => format!(
                    "{text:?} is no option; expected key=value with one of {}",
                    keys.join(", ")
                ),
            });
        };
        let GameOption { key, kind } = self.info[index];
        self.values[index] = match kind {
            GameOptionKind::Choice(words) => {
                let word = words.iter().find(|word| **word == value);
                Value::Choice(word.ok_or_else(|| {
                    format!("{key}: {value:?}: expected one of {}", words.join(", "))
                })?)
            }
            GameOptionKind::Size { range: [least, most], .. } => {
                let lengths = value.split_once('x').and_then(|(files, ranks)| {
                    let length = |text: &str| {
                        let length: u8 = text.parse().ok()?;
                        ((least..=most).contains(&length) && length.to_string() == text)
                            .then_some(length)
                    };
                    Some([length(files)?, length(ranks)?])
                });
                Value::Size(lengths.ok_or_else(|| {
                    format!(
                        "board size {value:?}: expected WIDTHxHEIGHT, each from {least} to {most}, \
                         such as 5x5 or 4x6"
                    )
                })?)
            }
        };
        Ok(index)
    }

    fn value(&self, key: &str) -> Option<Value> {
        let index = self.info.iter().position(|option| option.key == key)?;
        self.values.get(index).copied()
    }

    /// The word chosen for an option; empty if there is no such option.
    pub fn choice(&self, key: &str) -> &'static str {
        match self.value(key) {
            Some(Value::Choice(word)) => word,
            _ => "",
        }
    }

    /// Files and ranks of the board, if the game has sizes.
    pub fn size(&self) -> Option<[u8; 2]> {
        self.values.iter().find_map(|value| match value {
            Value::Size(size) => Some(*size),
            Value::Choice(_) => None,
        })
    }
}

/// The options that differ from the default, as [`GameSettings::parse`] reads them.
impl std::fmt::Display for GameSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut separator = "";
        for (option, value) in self.info.iter().zip(&self.values) {
            if *value == option.default() {
                continue;
            }
            f.write_str(separator)?;
            separator = ",";
            match value {
                Value::Size([files, ranks]) => write!(f, "{files}x{ranks}")?,
                Value::Choice(word) => write!(f, "{}={word}", option.key)?,
            }
        }
        Ok(())
    }
}
