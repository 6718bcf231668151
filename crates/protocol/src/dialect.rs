//! The two dialects of engine protocols: UCI for chess, and UGI, which is UCI for every game.
//!
//! They differ in their greetings, in the names of the clocks, and in the questions that UGI adds.

/// A protocol between an engine and the program that uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Game Interface.
    Ugi,
}

impl Dialect {
    /// The names of the dialects.
    pub const NAMES: [(&'static str, Dialect); 2] = [("uci", Dialect::Uci), ("ugi", Dialect::Ugi)];

    /// The first word that an engine hears.
    pub(crate) fn hello(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Ugi => "ugi",
        }
    }

    /// The answer to the first word.
    pub(crate) fn hello_answer(self) -> &'static str {
        match self {
            Dialect::Uci => "uciok",
            Dialect::Ugi => "ugiok",
        }
    }

    /// The word for a new game.
    pub(crate) fn new_game(self) -> &'static str {
        match self {
            Dialect::Uci => "ucinewgame",
            Dialect::Ugi => "uginewgame",
        }
    }

    /// The words for the time of both sides, the first side first.
    pub(crate) fn clocks(self) -> [&'static str; 2] {
        match self {
            Dialect::Uci => ["wtime", "btime"],
            Dialect::Ugi => ["p1time", "p2time"],
        }
    }

    /// The words for the increments of both sides.
    pub(crate) fn increments(self) -> [&'static str; 2] {
        match self {
            Dialect::Uci => ["winc", "binc"],
            Dialect::Ugi => ["p1inc", "p2inc"],
        }
    }
}
