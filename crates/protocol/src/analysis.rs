//! The JSON analysis format: what a search found, as one object (docs/reference/formats.md).

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};
use spinney_session::{Candidate, GameValue, MoveError, Report, Session};

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
    /// What a search of the present position has reported.
    pub fn new(session: &Session, report: &Report) -> Self {
        Analysis {
            best: report.best.map(|m| session.move_text(m)),
            value: report.value,
            proven: report.proven.map(GameValue::name),
            plies: report.plies,
            pv: session.line_texts(&report.pv),
            candidates: report
                .candidates
                .iter()
                .map(|candidate| AnalysedMove::new(session, candidate))
                .collect(),
            simulations: report.simulations,
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
        }
    }

    /// What was reported of the present position, again as a report.
    pub fn report(&self, session: &Session) -> Result<Report, MoveError> {
        let candidate = |candidate: &AnalysedMove| {
            let m = session.parse_move(&candidate.m)?;
            Ok(Candidate {
                m,
                visits: candidate.visits,
                value: candidate.value,
                proven: candidate.proven.and_then(GameValue::named),
                plies: candidate.plies,
                pv: session.parse_line(&candidate.pv),
            })
        };
        Ok(Report {
            best: self.best.as_ref().map(|text| session.parse_move(text)).transpose()?,
            value: self.value,
            proven: self.proven.and_then(GameValue::named),
            plies: self.plies,
            pv: session.parse_line(&self.pv),
            candidates: self.candidates.iter().map(candidate).collect::<Result<_, _>>()?,
            simulations: self.simulations,
            nodes: self.nodes,
            playout_plies: 0,
            elapsed: Duration::try_from_secs_f64(self.seconds).unwrap_or_default(),
        })
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
    /// What a search has reported of a move of the present position.
    pub fn new(session: &Session, candidate: &Candidate) -> Self {
        AnalysedMove {
            m: session.move_text(candidate.m),
            visits: candidate.visits,
            value: candidate.value,
            proven: candidate.proven.map(GameValue::name),
            plies: candidate.plies,
            pv: session.line_texts(&candidate.pv),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_session::Registry;

    #[test]
    fn lines_end_where_they_go_wrong() {
        let start = Registry::builtin().game("chess").unwrap().start();
        let m = start.parse_move("e4").unwrap();
        assert_eq!(start.line_texts(&[m, m]), ["e2e4"]);
    }

    #[test]
    fn the_object_has_the_documented_form() {
        let start = Registry::builtin().game("chess").unwrap().start();
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
        let lost = serde_json::to_value(Analysis::new(&start, &Report::finished(GameValue::Loss)))
            .unwrap();
        assert_eq!((&lost["proven"], &lost["plies"]), (&"loss".into(), &0.into()));
    }
}
