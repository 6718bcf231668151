//! Games by name: from the text a user types to a start position of the right type.
//!
//! `loa`, `breakthrough:8x8`, `nogo-misere:4x6`, `loa:simultaneous=mover-wins,start=scrambled-eggs`.
//! A [`Visitor`] receives the start position with its static type, so that what runs on it is
//! compiled for that game; nothing inside a search is dynamic.

use std::fmt;
use std::str::FromStr;

use spinney_game::{Notation, Repetition, Symmetric};
use thiserror::Error;

use crate::atarigo::AtariGo;
use crate::board::Size;
use crate::breakthrough::Breakthrough;
use crate::chess::Chess;
use crate::domineering::Domineering;
use crate::knightthrough::Knightthrough;
use crate::loa::{Loa, Rules, Start};
use crate::misere::Misere;
use crate::nogo::NoGo;
use crate::tictactoe::TicTacToe;

/// Everything a game in the catalog can do.
pub trait Playable: Repetition + Notation + Symmetric {}

impl<G: Repetition + Notation + Symmetric> Playable for G {}

/// What is to be done with a game, whichever it is.
pub trait Visitor {
    /// What comes out.
    type Output;

    /// Does it, with the start position of the game.
    fn visit<G: Playable>(self, start: G) -> Self::Output;
}

/// A game of the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name users type.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    family: Family,
    misere: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Loa,
    Loa6,
    Chess,
    Breakthrough,
    Knightthrough,
    Domineering,
    NoGo,
    AtariGo,
    TicTacToe,
}

impl Family {
    /// Whether the board may have any size.
    fn has_sizes(self) -> bool {
        use Family::*;
        matches!(self, Breakthrough | Knightthrough | Domineering | NoGo | AtariGo)
    }

    /// Whether the game has LOA's options.
    fn is_loa(self) -> bool {
        matches!(self, Family::Loa | Family::Loa6)
    }
}

/// All games, in the order they are listed.
pub const CATALOG: &[Entry] = {
    const fn entry(
        name: &'static str,
        family: Family,
        misere: bool,
        summary: &'static str,
    ) -> Entry {
        Entry { name, summary, family, misere }
    }
    use Family::*;
    &[
        entry("loa", Loa, false, "Lines of Action on 8x8: connect all your men"),
        entry("loa6", Loa6, false, "Lines of Action on 6x6"),
        entry("chess", Chess, false, "chess"),
        entry("breakthrough", Breakthrough, false, "bring a man to the far rank"),
        entry("breakthrough-misere", Breakthrough, true, "force the other side to break through"),
        entry("knightthrough", Knightthrough, false, "Breakthrough with knights' moves"),
        entry("knightthrough-misere", Knightthrough, true, "force the other side across"),
        entry("domineering", Domineering, false, "place dominoes; who cannot move loses"),
        entry("domineering-misere", Domineering, true, "place dominoes; who cannot move wins"),
        entry("nogo", NoGo, false, "place stones, never capture; who cannot move loses"),
        entry("nogo-misere", NoGo, true, "place stones, never capture; who cannot move wins"),
        entry("atarigo", AtariGo, false, "Go in which the first capture wins"),
        entry("atarigo-misere", AtariGo, true, "Go in which the first capture loses"),
        entry("tictactoe", TicTacToe, false, "three in a row on 3x3"),
    ]
};

/// A game as a user names it: an entry of the catalog with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSpec {
    entry: &'static Entry,
    size: Size,
    start: Start,
    rules: Rules,
}

/// A text that names no game, and why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("game {input:?}: {problem}")]
pub struct GameError {
    input: String,
    problem: String,
}

impl GameSpec {
    /// The entry of the catalog.
    pub fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// Hands the start position to the visitor.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        match (self.entry.family, self.entry.misere) {
            (Family::Loa, _) => visitor.visit(Loa::<8>::new(self.start, self.rules)),
            (Family::Loa6, _) => visitor.visit(Loa::<6>::new(self.start, self.rules)),
            (Family::Chess, _) => visitor.visit(Chess::start()),
            (Family::TicTacToe, _) => visitor.visit(TicTacToe::default()),
            (Family::Breakthrough, false) => visitor.visit(Breakthrough::new(self.size)),
            (Family::Breakthrough, true) => visitor.visit(Misere(Breakthrough::new(self.size))),
            (Family::Knightthrough, false) => visitor.visit(Knightthrough::new(self.size)),
            (Family::Knightthrough, true) => visitor.visit(Misere(Knightthrough::new(self.size))),
            (Family::Domineering, false) => visitor.visit(Domineering::new(self.size)),
            (Family::Domineering, true) => visitor.visit(Misere(Domineering::new(self.size))),
            (Family::NoGo, false) => visitor.visit(NoGo::new(self.size)),
            (Family::NoGo, true) => visitor.visit(Misere(NoGo::new(self.size))),
            (Family::AtariGo, false) => visitor.visit(AtariGo::new(self.size)),
            (Family::AtariGo, true) => visitor.visit(Misere(AtariGo::new(self.size))),
        }
    }

    /// Takes one option: a size or `key=value`.
    fn set(&mut self, option: &str) -> Result<(), String> {
        let family = self.entry.family;
        match option.split_once('=') {
            Some((key, value)) if family.is_loa() => {
                let result = match key {
                    "start" => value.parse().map(|start| self.start = start),
                    "simultaneous" => value.parse().map(|v| self.rules.simultaneous = v),
                    "no-move" => value.parse().map(|v| self.rules.no_move = v),
                    "repetition" => value.parse().map(|v| self.rules.repetition = v),
                    _ => {
                        return Err(format!(
                            "no option {key:?}; there are start, simultaneous, no-move, repetition"
                        ));
                    }
                };
                result.map_err(|error| format!("{key}: {error}"))
            }
            None if family.has_sizes() => {
                self.size = option.parse().map_err(|error| format!("{error}"))?;
                Ok(())
            }
            None if family.is_loa() => {
                Err(format!("{option:?} is no option; the sizes are the games loa and loa6"))
            }
            _ if family.has_sizes() => {
                Err(format!("{option:?} is no option; a size such as 5x5 is"))
            }
            _ => Err(format!("{option:?}: {} has no options", self.entry.name)),
        }
    }
}

impl FromStr for GameSpec {
    type Err = GameError;

    fn from_str(text: &str) -> Result<GameSpec, GameError> {
        let error = |problem: String| GameError { input: text.chars().take(80).collect(), problem };
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (text, None),
        };
        let entry = CATALOG.iter().find(|entry| entry.name == name).ok_or_else(|| {
            error(match closest(name, CATALOG.iter().map(|entry| entry.name)) {
                Some(guess) => format!("unknown; did you mean {guess:?}?"),
                None => "unknown; `spinney games` lists all games".to_owned(),
            })
        })?;
        let mut spec =
            GameSpec { entry, size: Size::FIVE, start: Start::default(), rules: Rules::default() };
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            spec.set(option).map_err(error)?;
        }
        Ok(spec)
    }
}

impl fmt::Display for GameSpec {
    /// The name with the options that differ from the default.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = Vec::new();
        if self.entry.family.has_sizes() && self.size != Size::FIVE {
            options.push(self.size.to_string());
        }
        let rules = Rules::default();
        if self.start != Start::default() {
            options.push(format!("start={}", self.start));
        }
        if self.rules.simultaneous != rules.simultaneous {
            options.push(format!("simultaneous={}", self.rules.simultaneous));
        }
        if self.rules.no_move != rules.no_move {
            options.push(format!("no-move={}", self.rules.no_move));
        }
        if self.rules.repetition != rules.repetition {
            options.push(format!("repetition={}", self.rules.repetition));
        }
        f.write_str(self.entry.name)?;
        if options.is_empty() { Ok(()) } else { write!(f, ":{}", options.join(",")) }
    }
}

/// The candidate most like a misspelt word, if any is like it.
pub fn closest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .map(|candidate| (edits(word, candidate), candidate))
        .min()
        .filter(|&(edits, candidate)| edits <= 1 + candidate.len() / 4)
        .map(|(_, candidate)| candidate)
}

/// The fewest insertions, deletions, replacements and swaps of neighbours that turn one word into
/// the other.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
            };
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
            }
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_and_written() {
        for entry in CATALOG {
            let spec: GameSpec = entry.name.parse().unwrap();
            assert_eq!(spec.to_string(), entry.name);
        }
        for text in [
            "breakthrough:8x8",
            "nogo-misere:4x6",
            "loa:start=scrambled-eggs,simultaneous=mover-wins,no-move=loses,repetition=second",
        ] {
            assert_eq!(text.parse::<GameSpec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn options_reach_the_position() {
        struct Text;
        impl Visitor for Text {
            type Output = String;
            fn visit<G: Playable>(self, start: G) -> String {
                start.position_text()
            }
        }
        let text = |spec: &str| spec.parse::<GameSpec>().unwrap().visit(Text);
        assert_eq!(text("breakthrough:3x4"), "xxx/3/3/ooo w");
        assert_eq!(text("domineering:3x3"), "3/3/3 v");
        assert_eq!(text("loa6:start=scrambled-eggs"), "1oxox1/x4o/o4x/x4o/o4x/1xoxo1 b");
        assert_ne!(text("loa"), text("loa:start=scrambled-eggs"));
    }

    #[test]
    fn mistakes_are_explained() {
        let message = |text: &str| text.parse::<GameSpec>().unwrap_err().to_string();
        assert_eq!(message("lao"), r#"game "lao": unknown; did you mean "loa"?"#);
        assert!(message("go-moku-of-some-kind").contains("`spinney games` lists all games"));
        assert!(message("breakthrough:9x9").contains("each from 3 to 8"));
        assert!(message("breakthrough:size=4").contains("a size such as 5x5"));
        assert!(message("loa:6x6").contains("loa6"));
        assert!(message("loa:repetition=never").contains("third, second, none"));
        assert!(message("loa:komi=3").contains("no option \"komi\""));
        assert!(message("chess:8x8").contains("no options"));
        assert!(message("chess:").contains("no options"));
    }
}
