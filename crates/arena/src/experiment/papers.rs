//! The papers, by the short names that experiments use.

/// A paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// The short name.
    pub name: &'static str,
    /// Its authors.
    pub authors: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Where and when it appeared.
    pub place: &'static str,
}

/// All of them, in the order of the pages.
pub const PAPERS: [Paper; 5] = [
    Paper {
        name: "mcts-loa",
        authors: "Mark H. M. Winands, Yngvi Björnsson and Jahn-Takeshi Saito",
        title: "Monte Carlo Tree Search in Lines of Action",
        place: "IEEE Transactions on Computational Intelligence and AI in Games 2(4), 2010",
    },
    Paper {
        name: "ab-playouts",
        authors: "Mark H. M. Winands and Yngvi Björnsson",
        title: "αβ-based Play-outs in Monte-Carlo Tree Search",
        place: "IEEE Conference on Computational Intelligence and Games, 2011",
    },
    Paper {
        name: "mia",
        authors: "Mark H. M. Winands and H. Jaap van den Herik",
        title: "MIA: A World Champion LOA Program",
        place: "Game Programming Workshop, 2006",
    },
    Paper {
        name: "nmcs",
        authors: "Tristan Cazenave, Abdallah Saffidine, Michael Schofield and Michael Thielscher",
        title: "Nested Monte Carlo Search for Two-Player Games",
        place: "AAAI Conference on Artificial Intelligence, 2016",
    },
    Paper {
        name: "mcc",
        authors: "Oleg Arenz",
        title: "Monte Carlo Chess",
        place: "Bachelor thesis, Technische Universität Darmstadt, 2012",
    },
];

impl Paper {
    /// The paper with this short name.
    pub fn named(name: &str) -> Option<Paper> {
        PAPERS.into_iter().find(|paper| paper.name == name)
    }

    /// Authors, title and place.
    pub fn citation(&self) -> String {
        format!("{}: {}. {}.", self.authors, self.title, self.place)
    }
}
