//! The JSON analysis format: what a search found, as one object (docs/protocols.md).

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};
use spinney_game::{MoveError, Notation};
use spinney_search::{Candidate, GameValue, Report};

/// `win`, `loss` or `draw`, where it is proved. (A name, since serde would borrow a plain reference.)
type ProvenName = Option<&'static str>;

/// The JSON object. Values are as the side to move sees them, from -1 (loss) to 1 (win); proven
/// values are `win`, `loss` or `draw`; plies count from the analysed position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// The move to play; `null` if the game is over.
    pub best: Option<String>,
    /// The expected result.
    pub value: f64,
    /// The value with perfect play, where the search has proved it.
    #[serde(deserialize_with = "value_name")]
    pub proven: ProvenName,
    /// Plies to the proven end.
    pub plies: Option<u32>,
    /// The line both sides are expected to play.
    pub pv: Vec<String>,
    /// The moves of the position, the best first.
    pub candidates: Vec<AnalysedMove>,
    /// Simulations, or searches of growing depth.
    pub simulations: u64,
    /// Positions or nodes, as the search counts them.
    pub nodes: u64,
    /// The time it took.
    pub seconds: f64,
}

/// A move of the analysed position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalysedMove {
    /// The move.
    #[serde(rename = "move")]
    pub m: String,
    /// Simulations through it, or nodes.
    pub visits: u64,
    /// The expected result.
    pub value: f64,
    /// The value with perfect play, where proved.
    #[serde(deserialize_with = "value_name")]
    pub proven: ProvenName,
    /// Plies to the proven end.
    pub plies: Option<u32>,
    /// The line that is expected, the move included.
    pub pv: Vec<String>,
}

impl Analysis {
    /// What a search of `position` has reported.
    pub fn new<G: Notation>(position: &G, report: &Report<G::Move>) -> Self {
        Analysis {
            best: report.best.map(|m| position.move_text(m)),
            value: report.value,
            proven: report.proven.map(GameValue::name),
            plies: report.plies,
            pv: line_text(position, &report.pv),
            candidates: report
                .candidates
                .iter()
                .map(|candidate| AnalysedMove::new(position, candidate))
                .collect(),
            simulations: report.simulations,
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
        }
    }

    /// What was reported of `position`, again as a report.
    pub fn report<G: Notation>(&self, position: &G) -> Result<Report<G::Move>, MoveError> {
        let candidate = |candidate: &AnalysedMove| {
            let m = position.parse_move(&candidate.m)?;
            Ok(Candidate {
                m,
                visits: candidate.visits,
                value: candidate.value,
                proven: candidate.proven.and_then(GameValue::named),
                plies: candidate.plies,
                pv: read_line(position, &candidate.pv),
            })
        };
        Ok(Report {
            best: self.best.as_ref().map(|text| position.parse_move(text)).transpose()?,
            value: self.value,
            proven: self.proven.and_then(GameValue::named),
            plies: self.plies,
            pv: read_line(position, &self.pv),
            candidates: self.candidates.iter().map(candidate).collect::<Result<_, _>>()?,
            simulations: self.simulations,
            nodes: self.nodes,
            playout_plies: 0,
            elapsed: Duration::try_from_secs_f64(self.seconds).unwrap_or_default(),
        })
    }

    /// A finished game, with its value for the side to move.
    pub fn finished(value: GameValue) -> Self {
        Analysis {
            best: None,
            value: f64::from(value.score()),
            proven: Some(value.name()),
            plies: Some(0),
            pv: Vec::new(),
            candidates: Vec::new(),
            simulations: 0,
            nodes: 0,
            seconds: 0.0,
        }
    }
}

/// Reads the name of a proven value.
fn value_name<'de, D: Deserializer<'de>>(reader: D) -> Result<ProvenName, D::Error> {
    let Some(name) = Option::<String>::deserialize(reader)? else { return Ok(None) };
    match GameValue::named(&name) {
        Some(value) => Ok(Some(value.name())),
        None => Err(serde::de::Error::custom(format!("{name:?} is no value"))),
    }
}

impl AnalysedMove {
    /// What a search has reported of a move of `position`.
    pub fn new<G: Notation>(position: &G, candidate: &Candidate<G::Move>) -> Self {
        AnalysedMove {
            m: position.move_text(candidate.m),
            visits: candidate.visits,
            value: candidate.value,
            proven: candidate.proven.map(GameValue::name),
            plies: candidate.plies,
            pv: line_text(position, &candidate.pv),
        }
    }
}

/// A line of moves as text. What a move is called depends on the position, so they are played; a
/// line from a table of positions can go wrong at its end, and is cut there.
pub fn line_text<G: Notation>(position: &G, line: &[G::Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::new();
    let mut legal = Vec::new();
    for &m in line {
        legal.clear();
        if position.outcome().is_none() {
            position.legal_moves(&mut legal);
        }
        if !legal.contains(&m) {
            break;
        }
        texts.push(position.move_text(m));
        position.play(m);
    }
    texts
}

/// A line of moves from their texts, up to the first that is no move.
fn read_line<G: Notation>(position: &G, texts: &[String]) -> Vec<G::Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for text in texts {
        let Ok(m) = position.parse_move(text) else { break };
        position.play(m);
        line.push(m);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_games::chess::Chess;

    #[test]
    fn lines_end_where_they_go_wrong() {
        let start = Chess::start();
        let m = start.parse_move("e4").unwrap();
        assert_eq!(line_text(&start, &[m, m]), ["e2e4"]);
    }

    #[test]
    fn the_object_has_the_documented_form() {
        let start = Chess::start();
        let m = start.parse_move("e4").unwrap();
        let candidate =
            Candidate { m, visits: 9, value: 0.25, proven: None, plies: None, pv: vec![m] };
        let report = Report {
            best: Some(m),
            value: 0.25,
            pv: vec![m],
            candidates: vec![candidate],
            simulations: 9,
            nodes: 10,
            ..Report::empty()
        };
        assert_eq!(
            serde_json::to_string(&Analysis::new(&start, &report)).unwrap(),
            r#"{"best":"e2e4","value":0.25,"proven":null,"plies":null,"pv":["e2e4"],"candidates":[{"move":"e2e4","visits":9,"value":0.25,"proven":null,"plies":null,"pv":["e2e4"]}],"simulations":9,"nodes":10,"seconds":0.0}"#
        );
        let text = serde_json::to_string(&Analysis::new(&start, &report)).unwrap();
        let read: Analysis = serde_json::from_str(&text).unwrap();
        assert_eq!(read.report(&start), Ok(report));
        let lost = serde_json::to_value(Analysis::finished(GameValue::Loss)).unwrap();
        assert_eq!((&lost["proven"], &lost["plies"]), (&"loss".into(), &0.into()));
    }
}
