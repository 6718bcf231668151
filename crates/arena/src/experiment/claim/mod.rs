//! The claims of a paper as data, and whether they hold here.
//!
//! A claim of an experiment's file has a text, its place in the paper and conditions over the cells of
//! the table (`condition.rs`). Its verdict follows from the games and runs behind the cells
//! (`evidence.rs`):
//!
//! - *holds* if every part of every condition is sure at the level α / m;
//! - *contradicted* if the opposite of one of its k parts is sure at the level α / (m k);
//! - *open* if a cell it needs is not measured, and *undecided* otherwise.
//!
//! m is the number of claims of the paper times the looks at each: undecided claims may get more games
//! once and are judged again. So a claim that is false is called holding with a chance of
//! at most α / m a look, since one of its parts is false, and one that is true is called contradicted with
//! a chance of at most k · α / (m k). By Bonferroni's inequality the chance that any verdict on a paper is
//! wrong is at most α = 1 %, whatever is true and however the claims depend on each other. Methods that
//! control the share of errors instead would call more claims, but a reader looks up one claim.

mod condition;
mod evidence;
mod margin;

pub use condition::Part;
pub(super) use condition::{Name, names, parse};
pub use evidence::Evidence;
pub(super) use margin::words;

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use statrs::distribution::{ContinuousCDF, Normal};
use toml::Spanned;

/// The chance that any verdict on a paper is wrong.
const ALPHA: f64 = 0.01;
/// A claim is judged by its first games and, if it is undecided, once more by more of them.
const LOOKS: f64 = 2.0;
/// More games than this are not worth a number.
const MOST_GAMES: f64 = 100_000.0;

/// A claim of a paper, as an experiment's file states it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Claim {
    /// The claim, in a sentence.
    pub text: String,
    /// Where the paper makes it, such as `section VI.C`.
    pub source: String,
    /// Conditions that must all be true.
    pub holds_if: Vec<Spanned<String>>,
    /// Why it does not hold here, as far as that is known; shown only then.
    #[serde(default)]
    pub reason: String,
    /// Parts of all conditions.
    #[serde(skip)]
    pub parts: Vec<Part>,
}

/// Reads `[[claim]]`, or `claim = "a sentence"` without conditions.
pub(super) fn sentence_or_list<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Claim>, D::Error> {
    struct Claims;
    impl<'de> Visitor<'de> for Claims {
        type Value = Vec<Claim>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a sentence or [[claim]]")
        }

        fn visit_str<E>(self, text: &str) -> Result<Vec<Claim>, E> {
            let (text, source, reason) = (text.to_owned(), String::new(), String::new());
            Ok(vec![Claim { text, source, holds_if: Vec::new(), reason, parts: Vec::new() }])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<Claim>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(list))
        }
    }
    deserializer.deserialize_any(Claims)
}

/// What the games say of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Every part is sure.
    Holds,
    /// The opposite of a part is sure.
    Contradicted,
    /// Neither.
    Undecided {
        /// Games or runs that every cell of the deciding part needs beyond those it has, if things stay
        /// as they look; `None` if there are too many.
        more: Option<u64>,
    },
    /// A cell it needs is not measured.
    Open,
}

impl Verdict {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Contradicted => "contradicted",
            Verdict::Undecided { .. } => "undecided",
            Verdict::Open => "not measured",
        }
    }
}

/// A verdict, and the part that it hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The part that is least sure to be true, by number.
    pub part: usize,
    /// How likely that part is true, from 0 to 1.
    pub likelihood: f64,
}

/// Judges a claim, one of `claims` of its paper, by what is known of the cells. `counts` are the games or
/// runs of every cell.
pub fn judge(parts: &[Part], claims: usize, cells: &[Evidence], counts: &[u64]) -> Judgement {
    let normal = Normal::standard();
    let level = ALPHA / (LOOKS * claims.max(1) as f64);
    let needed = normal.inverse_cdf(1.0 - level);
    let needed_against = normal.inverse_cdf(1.0 - level / parts.len().max(1) as f64);
    let all: Vec<Option<f64>> = parts.iter().map(|part| evidence::z(part, cells)).collect();
    let known = all.iter().enumerate().filter_map(|(part, z)| Some((part, (*z)?)));
    let weakest = known.min_by(|(_, one), (_, two)| one.total_cmp(two));
    let Some((part, z)) = weakest else {
        return Judgement { verdict: Verdict::Open, part: 0, likelihood: 0.5 };
    };
    let verdict = if z <= -needed_against {
        Verdict::Contradicted
    } else if all.contains(&None) {
        Verdict::Open
    } else if z >= needed {
        Verdict::Holds
    } else {
        let needed = if z > 0.0 { needed } else { needed_against };
        let used = parts[part].terms.iter().map(|&(cell, _)| counts[cell]).max().unwrap_or(0);
        // z grows with the root of the number of games.
        let more = used as f64 * ((needed / z).powi(2) - 1.0);
        Verdict::Undecided { more: (more < MOST_GAMES).then(|| rounded(more)) }
    };
    Judgement { verdict, part, likelihood: normal.cdf(z) }
}

/// Up to two digits that count.
fn rounded(more: f64) -> u64 {
    let unit = 10f64.powf((more.max(1.0).log10().floor() - 1.0).max(0.0));
    ((more / unit).ceil() * unit) as u64
}
