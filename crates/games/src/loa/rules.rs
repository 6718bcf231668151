//! The points of LOA's rules on which the sources disagree.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The rules of a game of LOA. The default is `icga`: the rules of the Computer Olympiads
/// (paper `mcts-loa`, II.A, rules 7 to 9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// A move connects both sides at once.
    pub simultaneous: Simultaneous,
    /// The side to move has no move.
    pub no_move: NoMove,
    /// A position occurs again with the same side to move.
    pub repetition: RepetitionRule,
}

/// A value that an option of the rules does not have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{value:?}: expected one of {expected}")]
pub struct OptionError {
    value: String,
    expected: String,
}

/// Declares an option of the rules: an enum whose values have names.
macro_rules! rule_option {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $($name::$variant => $text,)*
                })
            }
        }

        impl FromStr for $name {
            type Err = OptionError;

            fn from_str(text: &str) -> Result<Self, OptionError> {
                match text {
                    $($text => Ok($name::$variant),)*
                    _ => Err(OptionError {
                        value: text.chars().take(40).collect(),
                        expected: [$($text),*].join(", "),
                    }),
                }
            }
        }
    };
}

rule_option! {
    /// Both sides connected after a move.
    Simultaneous {
        /// Nobody wins.
        #[default]
        Draw = "draw",
        /// The side that made the move wins.
        MoverWins = "mover-wins",
    }
}

rule_option! {
    /// No legal move.
    NoMove {
        /// The side passes.
        #[default]
        Pass = "pass",
        /// The side loses.
        Loses = "loses",
        /// The game is drawn.
        Draw = "draw",
    }
}

rule_option! {
    /// A repeated position.
    RepetitionRule {
        /// The third occurrence is a draw.
        #[default]
        Third = "third",
        /// The second occurrence is a draw.
        Second = "second",
        /// Repetition means nothing.
        None = "none",
    }
}

rule_option! {
    /// The position a game starts from.
    Start {
        /// Black on the first and last rank, White on the outer files.
        #[default]
        Standard = "standard",
        /// Black and White alternate all around the rim, White on a2.
        ScrambledEggs = "scrambled-eggs",
    }
}
