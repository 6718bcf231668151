//! `spinney learn report`: a page about a climb and a tuning, from their records.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;
use spinney_arena::Iteration;
use spinney_arena::experiment::{Curves, head};
use spinney_game::file;

use super::climb::Generation;

#[derive(Args)]
pub(super) struct LearnReport {
    /// The folder of a climb (`spinney learn climb --out`).
    climb: PathBuf,
    /// The course of a tuning (`spinney tune --out`), with the names of its numbers.
    #[arg(long, value_name = "FILE")]
    tuning: Option<PathBuf>,
    /// The names of the numbers of the tuning, in their order.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "tuning")]
    names: Vec<String>,
    /// Where to write the page.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// What training tells of positions that were held out.
#[derive(Deserialize)]
struct Training {
    training_positions: usize,
    held_out: HeldOut,
}

#[derive(Deserialize)]
struct HeldOut {
    curve: Vec<(f64, Row)>,
    by_ply: Vec<Row>,
    by_men: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    from: Option<usize>,
    with_result: usize,
    target: f64,
    result: f64,
    search: f64,
}

/// Groups with fewer results are left out of the curves.
const FEWEST: usize = 200;

impl LearnReport {
    pub(super) fn run(&self, out: &mut impl Write) -> Result<()> {
        let generations = self.generations()?;
        let accepted = generations.iter().rev().find(|one| one.is_accepted);
        let Some(best) = accepted.or(generations.last()) else {
            bail!("{}: no generation is complete", self.climb.display());
        };
        let mut page = head("How the network was made");
        page += "<h1>How the network was made</h1>\n";
        climb(&generations, &mut page);
        let training: Training = read(&self.climb.join(format!("{}.training.json", best.number)))?;
        losses(best.number, &training, &mut page);
        if let Some(path) = &self.tuning {
            tuning(&course(path)?, &self.names, &mut page)?;
        }
        page += "</main>\n</html>\n";
        file::replace(&self.out, page.as_bytes())
            .with_context(|| self.out.display().to_string())?;
        Ok(writeln!(out, "{}", self.out.display())?)
    }

    /// The records of the folder, the first generation first.
    fn generations(&self) -> Result<Vec<Generation>> {
        let paths = (1..).map(|number| self.climb.join(format!("{number}.json")));
        paths.take_while(|path| path.exists()).map(|path| read(&path)).collect()
    }
}

fn read<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

/// The iterations of a tuning.
fn course(path: &Path) -> Result<Vec<Iteration>> {
    let file = fs::File::open(path).with_context(|| path.display().to_string())?;
    let lines = BufReader::new(file).lines();
    let parse = |line: std::io::Result<String>| Ok(serde_json::from_str(&line?)?);
    lines.map(parse).collect::<Result<_>>().with_context(|| path.display().to_string())
}

/// The generations as a table, and how far each came.
fn climb(generations: &[Generation], page: &mut String) {
    *page += "<h2>Generations</h2>\n<p>Each network plays the last one that was accepted, until a sequential test \
              decides. Scores at the end of such tests flatter those that pass.</p>\n<div class=\"scroll\"><table>\n\
              <thead><tr><th>generation</th><th>games to learn from</th><th>against</th><th>games</th><th>score, %</th>\
              <th>Elo</th><th>accepted</th></tr></thead>\n<tbody>\n";
    let mut height = 0.0;
    let mut heights = vec![[0.0, 0.0]];
    for one in generations {
        let Some(first) = one.matches.first() else { continue };
        height += one.gain();
        heights.push([one.number.into(), height]);
        let elo = first.elo.map_or("–".to_owned(), |elo| format!("{elo:+.0}"));
        let _ = writeln!(
            page,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{:.1}</td><td>{elo}</td><td>{}</td></tr>",
            one.number,
            one.games,
            first.against,
            first.games,
            100.0 * first.score,
            if one.is_accepted { "yes" } else { "no" }
        );
    }
    *page += "</tbody></table></div>\n<div class=\"charts\">\n";
    *page += &Curves {
        title: "Elo above the evaluation without a network, gains added up".into(),
        along: "generation".into(),
        series: vec![("Elo".into(), heights)],
    }
    .svg();
    *page += "</div>\n";
}

/// The losses of a network on positions that were held out.
fn losses(number: u32, training: &Training, page: &mut String) {
    let HeldOut { curve, by_ply, by_men } = &training.held_out;
    let _ = writeln!(
        page,
        "<h2>Training of generation {number}</h2>\n<p>{} positions; every tenth game is held out. The loss is the cross \
         entropy with the target (search value and result) or with the result alone. Search: the loss of the values of \
         the searches that the network learned from.</p>\n<div class=\"charts\">",
        training.training_positions
    );
    let epochs = |value: &dyn Fn(&(f64, Row)) -> f64| -> Vec<[f64; 2]> {
        (1..).map(f64::from).zip(curve).map(|(epoch, row)| [epoch, value(row)]).collect()
    };
    *page += &Curves {
        title: "Loss by epoch".into(),
        along: "epoch".into(),
        series: vec![
            ("held out, result".into(), epochs(&|row| row.1.result)),
            ("training".into(), epochs(&|row| row.0)),
            ("held out".into(), epochs(&|row| row.1.target)),
        ],
    }
    .svg();
    for (rows, along) in [(by_ply, "ply"), (by_men, "men on the board")] {
        let points = |value: &dyn Fn(&Row) -> f64| -> Vec<[f64; 2]> {
            let rows = rows.iter().filter(|row| row.with_result >= FEWEST);
            rows.filter_map(|row| Some([row.from? as f64, value(row)])).collect()
        };
        *page += &Curves {
            title: format!("Loss on results by {along}"),
            along: along.into(),
            series: vec![
                ("network".into(), points(&|row| row.result)),
                ("search".into(), points(&|row| row.search)),
            ],
        }
        .svg();
    }
    *page += "</div>\n";
}

/// The course of every number.
fn tuning(course: &[Iteration], names: &[String], page: &mut String) -> Result<()> {
    let Some(last) = course.last() else { bail!("the tuning has no iteration") };
    if last.values.len() != names.len() {
        bail!("--names: the tuning has {} numbers", last.values.len());
    }
    let _ = writeln!(
        page,
        "<h2>Tuning of the search</h2>\n<p>{} iterations of simultaneous perturbation (SPSA).</p>\n<div class=\"charts\">",
        course.len()
    );
    for (index, name) in names.iter().enumerate() {
        let points = course.iter().map(|one| [one.iteration as f64, one.values[index]]).collect();
        *page += &Curves {
            title: name.clone(),
            along: "iteration".into(),
            series: vec![(name.clone(), points)],
        }
        .svg();
    }
    *page += "</div>\n";
    Ok(())
}
