//! What `spinney solve` prints: a line or an object for each position, and what a file comes to.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Value};
use spinney_session::{Algorithm, GameValue, Report};

use super::Task;

/// What is printed for a position.
#[derive(Serialize)]
struct Solved<'a> {
    position: &'a str,
    algorithm: &'a str,
    value: &'static str,
    best: Option<String>,
    plies: Option<u32>,
    nodes: u64,
    seconds: f64,
    #[serde(flatten)]
    columns: &'a Map<String, Value>,
}

impl<'a> Solved<'a> {
    fn new(task: &'a Task, algorithm: &'a str, report: &Report) -> Self {
        let best = report.best.filter(|_| report.proven.is_some());
        Solved {
            position: &task.text,
            algorithm,
            value: report.proven.map_or("unknown", GameValue::name),
            best: best.map(|m| task.session.move_text(m)),
            plies: report.plies,
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
            columns: &task.columns,
        }
    }

    fn is_solved(&self) -> bool {
        self.value != "unknown"
    }

    /// `named` says which algorithm it was.
    fn write(&self, out: &mut impl Write, named: bool) -> Result<()> {
        let Solved { value, nodes, seconds, position, .. } = self;
        if let Some(Value::String(id)) = self.columns.get("id") {
            write!(out, "{id}: ")?;
        }
        if named {
            write!(out, "{}: ", self.algorithm)?;
        }
        write!(out, "{value}")?;
        if let Some(best) = &self.best {
            write!(out, ", best {best}")?;
        }
        writeln!(out, ", {nodes} nodes, {seconds:.3} s, {position}")?;
        Ok(())
    }
}

/// What is printed for a whole file and one algorithm.
#[derive(Default, Serialize)]
struct Summary {
    algorithm: String,
    positions: u64,
    solved: u64,
    win: u64,
    draw: u64,
    loss: u64,
    unknown: u64,
    nodes: u64,
    seconds: f64,
    /// Solved positions for which the file gives a value; those where it is the same; the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agree: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contradict: Option<u64>,
    /// Positions that all of several algorithms solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    solved_by_all: Option<Work>,
}

/// What some positions took.
#[derive(Clone, Copy, Default, Serialize)]
struct Work {
    positions: u64,
    nodes: u64,
    seconds: f64,
}

impl Summary {
    fn add(&mut self, solved: &Solved<'_>, expected: Option<&str>) {
        self.positions += 1;
        match solved.value {
            "win" => self.win += 1,
            "draw" => self.draw += 1,
            "loss" => self.loss += 1,
            _ => self.unknown += 1,
        }
        self.solved = self.win + self.draw + self.loss;
        self.nodes += solved.nodes;
        self.seconds += solved.seconds;
        if let Some(expected) = expected {
            let agrees = solved.value == expected;
            *self.compared.get_or_insert(0) += u64::from(solved.is_solved());
            *self.agree.get_or_insert(0) += u64::from(agrees);
            *self.contradict.get_or_insert(0) += u64::from(solved.is_solved() && !agrees);
        }
    }

    fn write(&self, out: &mut impl Write) -> Result<()> {
        let Summary { positions, win, draw, loss, unknown, nodes, seconds, .. } = self;
        write!(out, "{positions} positions: {win} win, {draw} draw, {loss} loss, ")?;
        write!(out, "{unknown} unknown; {nodes} nodes, {seconds:.3} s")?;
        if let (Some(compared), Some(agree)) = (self.compared, self.agree) {
            write!(out, "; {agree} of {compared} agree with the file")?;
        }
        writeln!(out)?;
        Ok(())
    }
}

/// Several algorithms side by side: all positions, and those that all of them solved.
fn write_table(summaries: &[Summary], out: &mut impl Write) -> Result<()> {
    let positions = summaries.first().map_or(0, |summary| summary.positions);
    let common = summaries.iter().find_map(|summary| summary.solved_by_all).unwrap_or_default();
    let titles = format!("{positions} positions");
    let common = format!("{} solved by all", common.positions);
    writeln!(out, "\n{:12}  {titles:40}  {common}", "")?;
    write!(
        out,
        "{:12}  {:>8}{:>8}{:>14}{:>12}",
        "algorithm", "solved", "wrong", "nodes", "seconds"
    )?;
    writeln!(out, "{:>14}{:>12}", "nodes", "seconds")?;
    for summary in summaries {
        let Summary { algorithm, solved, contradict, nodes, seconds, .. } = summary;
        let wrong = contradict.map_or_else(|| "-".to_owned(), |count| count.to_string());
        write!(out, "{algorithm:12}  {solved:>8}{wrong:>8}{nodes:>14}{seconds:>12.3}")?;
        let Work { nodes, seconds, .. } = summary.solved_by_all.unwrap_or_default();
        writeln!(out, "{nodes:>14}{seconds:>12.3}")?;
    }
    Ok(())
}

/// Prints results in the order of the file, and sums them up.
pub(super) struct Printer<'a, W> {
    out: &'a mut W,
    json: bool,
    names: Vec<String>,
    /// One for each algorithm.
    summaries: Vec<Summary>,
    /// Nodes and seconds of the algorithms for the present position, if all before solved it.
    work: Option<Vec<(u64, f64)>>,
}

impl<'a, W: Write> Printer<'a, W> {
    pub(super) fn new(algorithms: &[Algorithm], json: bool, out: &'a mut W) -> Self {
        let names: Vec<String> = algorithms.iter().map(Algorithm::to_string).collect();
        let summary = |name: &String| Summary { algorithm: name.clone(), ..Summary::default() };
        let summaries = names.iter().map(summary).collect();
        Printer { out, json, names, summaries, work: Some(Vec::new()) }
    }

    fn is_comparison(&self) -> bool {
        self.names.len() > 1
    }

    /// Prints what an algorithm found, which must be the next.
    pub(super) fn add(&mut self, task: &Task, algorithm: usize, report: &Report) -> Result<()> {
        let solved = Solved::new(task, &self.names[algorithm], report);
        self.summaries[algorithm].add(&solved, task.expected);
        if self.json {
            writeln!(self.out, "{}", serde_json::to_string(&solved)?)?;
        } else {
            solved.write(self.out, self.names.len() > 1)?;
        }
        self.out.flush()?;
        // Positions that all algorithms solve are summed up beside.
        match &mut self.work {
            Some(work) if solved.is_solved() => work.push((solved.nodes, solved.seconds)),
            work => *work = None,
        }
        if algorithm + 1 == self.names.len() {
            let work = self.work.replace(Vec::new());
            if self.is_comparison() {
                for (index, summary) in self.summaries.iter_mut().enumerate() {
                    let common = summary.solved_by_all.get_or_insert_default();
                    if let Some((nodes, seconds)) = work.as_ref().map(|work| work[index]) {
                        common.positions += 1;
                        common.nodes += nodes;
                        common.seconds += seconds;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether all of `count` results were printed, with values.
    pub(super) fn all_solved(&self, count: usize) -> bool {
        self.summaries.iter().map(|summary| summary.solved).sum::<u64>() == count as u64
    }

    /// Prints what a file comes to.
    pub(super) fn sum_up(&mut self) -> Result<()> {
        if self.json {
            for summary in &self.summaries {
                writeln!(self.out, "{}", serde_json::to_string(summary)?)?;
            }
        } else if self.is_comparison() {
            write_table(&self.summaries, self.out)?;
        } else {
            self.summaries.iter().try_for_each(|summary| summary.write(self.out))?;
        }
        Ok(())
    }
}
