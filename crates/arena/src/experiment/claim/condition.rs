//! The conditions of a claim: comparisons between cells of a table.
//!
//! ```text
//! condition  = value (comparison value)+ | cells ("rises" | "falls") ["from" name "to" name]
//! comparison = ">" | ">=" | "<" | "<=" | ">>" | "<<" | "=" | "no worse than" | "no better than"
//! value      = product (("+" | "-") product)*
//! product    = factor (("*" | "/") factor)*
//! factor     = number | cell | "mean(" cells ")" | "(" value ")"
//! cell       = row "/" column, as the table names them
//! cells      = a cell with "*" in it: every cell whose name fits
//! ```
//!
//! Names are written as they stand in the table, with spaces and signs: the longest text that names a
//! cell is taken for one. Outside `mean` and trends, `*` stands for the same words in a whole condition,
//! which is then a condition for every cell it fits: `*/level 2 > */level 1`.
//!
//! `=`, `>>` (clearly more) and the like have one margin each for all papers (`margin.rs`), so that none can
//! be chosen to suit a result.
//!
//! Every condition becomes parts of the form Σ weight · cell + constant > 0. A ratio may be compared
//! with a number only, and what it is divided by is taken to be positive.

use super::super::Measure;
use super::margin::Margin;

/// A part of a condition: Σ weight · cell + constant > 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The condition, with names in the place of `*`.
    pub text: String,
    /// Numbers of cells, each once, and their weights.
    pub terms: Vec<(usize, f64)>,
    /// The constant.
    pub constant: f64,
}

/// The name of a cell, `row/column`, and what it measures.
pub(in super::super) type Name = (String, Measure);

/// Reads a condition over cells with these names.
pub(in super::super) fn parse(text: &str, cells: &[Name]) -> Result<Vec<Part>, String> {
    let all = bindings(text, cells)?;
    let mut parts = Vec::new();
    for binding in all {
        let mut parser = Parser { rest: text.trim(), cells, binding: binding.as_deref() };
        parts.extend(parser.condition()?);
    }
    Ok(parts)
}

/// The words that `*` stands for, one after the other; `None` alone if the condition has no such `*`.
fn bindings(text: &str, cells: &[Name]) -> Result<Vec<Option<String>>, String> {
    let mut from = 0;
    while let Some(star) = text[from..].find('*').map(|at| from + at) {
        from = star + 1;
        // With spaces around it, it multiplies.
        if text[..star].ends_with(' ') && text[from..].starts_with(' ') {
            continue;
        }
        let Some((begin, pattern)) = pattern_around(text, star, cells) else {
            return Err(unknown(text, cells));
        };
        let after = &text[begin + pattern.len()..];
        from = begin + pattern.len();
        let is_list = text[..begin].ends_with("mean(")
            || [" rises", " falls"].iter().any(|word| after.starts_with(word));
        if !is_list {
            let words = cells.iter().filter_map(|(name, _)| fit(pattern, name));
            return Ok(words.map(Some).collect());
        }
    }
    Ok(vec![None])
}

/// The longest text around a `*` that fits a cell, and where it begins.
fn pattern_around<'a>(text: &'a str, star: usize, cells: &[Name]) -> Option<(usize, &'a str)> {
    let is_begin = |at: &usize| *at == 0 || matches!(text.as_bytes()[at - 1], b' ' | b'(');
    let fits = |part: &str| cells.iter().any(|(name, _)| fit(part, name).is_some());
    let begins = (0..=star).filter(|&at| text.is_char_boundary(at)).filter(is_begin);
    begins.into_iter().find_map(|begin| {
        let pattern = longest(&text[begin..], |part| begin + part.len() > star && fits(part))?;
        Some((begin, pattern))
    })
}

/// Whether the pattern is the name of the cell, or fits it.
pub(in super::super) fn names(pattern: &str, name: &str) -> bool {
    pattern == name || fit(pattern, name).is_some()
}

/// What `*` stands for if the name fits the pattern: some words of a row or a column.
fn fit(pattern: &str, name: &str) -> Option<String> {
    let (before, after) = pattern.split_once('*')?;
    let words = name.strip_prefix(before)?.strip_suffix(after)?;
    (!words.is_empty() && !words.contains('/')).then(|| words.to_owned())
}

/// The longest beginning of a text that is accepted and ends where a word does.
fn longest(text: &str, accepts: impl Fn(&str) -> bool) -> Option<&str> {
    let is_end = |at: usize| text[at..].chars().next().is_none_or(|c| c == ' ' || c == ')');
    let ends = (1..=text.len()).rev().filter(|&at| text.is_char_boundary(at) && is_end(at));
    ends.map(|at| &text[..at]).find(|part| accepts(part))
}

/// The message on a name that is not known.
fn unknown(text: &str, cells: &[Name]) -> String {
    let names = cells.iter().map(|(name, _)| name.as_str());
    let end = [" > ", " >= ", " < ", " <= ", " >> ", " << ", " = ", " rises", " falls", " no "]
        .iter()
        .filter_map(|sign| text.find(sign))
        .min()
        .unwrap_or(text.len());
    let word = text[..end].trim();
    if word.is_empty() {
        return "expected a cell or a number at the end".to_owned();
    }
    match spinney_session::closest(word, names.clone()) {
        Some(guess) => format!("there is no cell {word:?}; did you mean {guess:?}?"),
        None => {
            let (count, most) = (names.clone().count(), 12);
            let known = names.take(most).collect::<Vec<_>>().join(", ");
            let more =
                if count > most { format!(" and {} more", count - most) } else { String::new() };
            format!("expected a cell or a number, not {word:?}; there are {known}{more}")
        }
    }
}

/// Σ weight · cell + constant.
#[derive(Clone, Debug, Default)]
struct Linear {
    terms: Vec<(usize, f64)>,
    constant: f64,
}

impl Linear {
    fn number(constant: f64) -> Linear {
        Linear { terms: Vec::new(), constant }
    }

    fn plus(mut self, other: &Linear, factor: f64) -> Linear {
        for &(cell, weight) in &other.terms {
            match self.terms.iter_mut().find(|(known, _)| *known == cell) {
                Some((_, known)) => *known += factor * weight,
                None => self.terms.push((cell, factor * weight)),
            }
        }
        self.constant += factor * other.constant;
        self
    }

    fn times(&self, factor: f64) -> Linear {
        Linear::default().plus(self, factor)
    }

    fn as_number(&self) -> Option<f64> {
        self.terms.iter().all(|(_, weight)| *weight == 0.0).then_some(self.constant)
    }
}

/// A ratio, with the text it was written as.
#[derive(Clone, Debug)]
struct Value {
    above: Linear,
    /// 1 if it is no ratio.
    below: Linear,
}

impl Value {
    fn times(&self, factor: f64) -> Value {
        Value { above: self.above.times(factor), below: self.below.clone() }
    }

    fn is_ratio(&self) -> bool {
        self.below.as_number().is_none()
    }

    /// `above` alone, if it is no ratio.
    fn linear(&self) -> Result<Linear, String> {
        match self.below.as_number() {
            Some(number) if number != 0.0 => Ok(self.above.times(1.0 / number)),
            _ => Err("a ratio of cells can be compared with a number only".to_owned()),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    cells: &'a [Name],
    /// What `*` stands for.
    binding: Option<&'a str>,
}

#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Greater,
    Less,
    Equal,
    NoWorse,
    NoBetter,
    ClearlyGreater,
    ClearlyLess,
}

impl Parser<'_> {
    fn condition(&mut self) -> Result<Vec<Part>, String> {
        let text = self.binding.map_or(self.rest.to_owned(), |words| self.rest.replace('*', words));
        if let Some(trend) = self.trend()? {
            return Ok(vec![Part { text, ..trend }]);
        }
        let mut values = vec![self.value()?];
        let mut signs = Vec::new();
        while let Some(sign) = self.sign() {
            signs.push(sign);
            values.push(self.value()?);
        }
        if signs.is_empty() || !self.rest.is_empty() {
            return Err(self.expected("a comparison such as \">\" or \"no worse than\""));
        }
        let mut parts = Vec::new();
        for (pair, sign) in values.windows(2).zip(&signs) {
            let [left, right] = pair else { continue };
            parts.extend(self.compared(left, *sign, right)?);
        }
        if parts.iter().any(|part| part.as_number().is_some()) {
            return Err("a condition needs a cell".to_owned());
        }
        let part = |Linear { terms, constant }| Part { text: text.clone(), terms, constant };
        Ok(parts.into_iter().map(part).collect())
    }

    /// What makes a comparison true.
    fn compared(&self, left: &Value, sign: Sign, right: &Value) -> Result<Vec<Linear>, String> {
        let more = || compare(left, right);
        let less = || compare(right, left);
        let cells = more()?.terms;
        let Some(&(first, _)) = cells.first() else { return Ok(vec![more()?]) };
        // 1. More by `points`, or more than the other amount times `factor`.
        let margin = Margin::of(self.cells[first].1);
        let above = |one: &Value, two: &Value, points: f64, factor: f64| {
            let is_points = matches!(margin, Margin::Points(_));
            let factor = if is_points { 1.0 } else { factor };
            let sum = compare(one, &two.times(factor))?;
            let points = if is_points { points } else { 0.0 };
            Ok::<_, String>(sum.plus(&Linear::number(points), -1.0))
        };
        let (points, alike, clear) = match margin {
            Margin::Points(points) => (points, 1.0, 1.0),
            Margin::Ratio { alike, clear } => (0.0, alike, clear),
        };
        // 2. The comparison.
        let mut parts = match sign {
            Sign::Greater => vec![more()?],
            Sign::Less => vec![less()?],
            Sign::ClearlyGreater => vec![above(left, right, points, clear)?],
            Sign::ClearlyLess => vec![above(right, left, points, clear)?],
            Sign::NoWorse => vec![above(left, right, -points, 1.0 / alike)?],
            Sign::NoBetter => vec![above(right, left, -points, 1.0 / alike)?],
            Sign::Equal => vec![
                above(left, right, -points, 1.0 / alike)?,
                above(right, left, -points, 1.0 / alike)?,
            ],
        };
        // 3. The cells in the order they are written in.
        let place = |cell: usize| cells.iter().position(|&(known, _)| known == cell);
        parts.iter_mut().for_each(|part| part.terms.sort_by_key(|&(cell, _)| place(cell)));
        Ok(parts)
    }

    /// `cells rises`: the slope of the least-squares line through them is positive.
    fn trend(&mut self) -> Result<Option<Part>, String> {
        let Some((pattern, after)) = ["rises", "falls"]
            .iter()
            .find_map(|word| Some((self.rest.split_once(&format!(" {word}"))?, *word)))
        else {
            return Ok(None);
        };
        let (pattern, range) = pattern;
        let mut cells = self.list(pattern.trim());
        if cells.is_empty() {
            return Err(unknown(pattern, self.cells));
        }
        if let Some(range) = range.trim().strip_prefix("from ") {
            let Some((first, last)) = range.split_once(" to ") else {
                return Err(format!("expected \"from A to B\", not \"from {range}\""));
            };
            let place = |end: &str| {
                let fits = |cell: &usize| fit(pattern.trim(), &self.cells[*cell].0);
                let found = cells.iter().position(|cell| fits(cell).as_deref() == Some(end.trim()));
                found.ok_or_else(|| {
                    format!("there is no {:?} among the cells of {pattern:?}", end.trim())
                })
            };
            let (first, last) = (place(first)?, place(last)?);
            cells = cells.get(first..=last).unwrap_or_default().to_vec();
        } else if !range.trim().is_empty() {
            return Err(format!("expected \"from A to B\", not {:?}", range.trim()));
        }
        if cells.len() < 2 {
            return Err(format!("a trend needs two cells, and {pattern:?} has {}", cells.len()));
        }
        let direction = if after == "rises" { 1.0 } else { -1.0 };
        let middle = (cells.len() - 1) as f64 / 2.0;
        let slope = |(place, cell): (usize, usize)| (cell, direction * (place as f64 - middle));
        let terms = cells.into_iter().enumerate().map(slope).collect();
        Ok(Some(Part { text: String::new(), terms, constant: 0.0 }))
    }

    /// The cells whose names fit, in the order of the table.
    fn list(&self, pattern: &str) -> Vec<usize> {
        let fits = |cell: &usize| fit(pattern, &self.cells[*cell].0).is_some();
        (0..self.cells.len()).filter(fits).collect()
    }

    fn sign(&mut self) -> Option<Sign> {
        let signs = [
            (">>", Sign::ClearlyGreater),
            ("<<", Sign::ClearlyLess),
            (">=", Sign::Greater),
            ("<=", Sign::Less),
            (">", Sign::Greater),
            ("<", Sign::Less),
            ("=", Sign::Equal),
            ("no worse than", Sign::NoWorse),
            ("no better than", Sign::NoBetter),
        ];
        signs.into_iter().find_map(|(text, sign)| self.take(text).then_some(sign))
    }

    fn value(&mut self) -> Result<Value, String> {
        let mut value = self.product()?;
        loop {
            let factor = match () {
                () if self.take("+ ") => 1.0,
                () if self.take("- ") => -1.0,
                () => return Ok(value),
            };
            let other = self.product()?.linear()?;
            let above = value.linear()?.plus(&other, factor);
            value = Value { above, below: Linear::number(1.0) };
        }
    }

    fn product(&mut self) -> Result<Value, String> {
        let mut value = self.factor()?;
        loop {
            if self.take("/ ") {
                let other = self.factor()?.linear()?;
                let below = match (value.below.as_number(), other.as_number()) {
                    (_, Some(number)) => value.below.times(number),
                    (Some(number), None) => other.times(number),
                    _ => return Err("a ratio of ratios cannot be tested".to_owned()),
                };
                value.below = below;
            } else if self.take("* ") {
                let Some(number) = self.factor()?.linear()?.as_number() else {
                    return Err("a cell can be multiplied by a number only".to_owned());
                };
                value.above = value.above.times(number);
            } else {
                return Ok(value);
            }
        }
    }

    fn factor(&mut self) -> Result<Value, String> {
        let one = |above| Value { above, below: Linear::number(1.0) };
        if let Some(rest) = self.rest.strip_prefix("mean(") {
            let Some((pattern, after)) = rest.split_once(')') else {
                return Err(self.expected("\")\" after \"mean(\""));
            };
            let cells = self.list(pattern);
            if cells.is_empty() {
                return Err(unknown(pattern, self.cells));
            }
            let weight = 1.0 / cells.len() as f64;
            self.rest = after.trim_start();
            let terms = cells.into_iter().map(|cell| (cell, weight)).collect();
            return Ok(one(Linear { terms, constant: 0.0 }));
        }
        if let Some(cell) = self.cell()? {
            return Ok(one(Linear { terms: vec![(cell, 1.0)], constant: 0.0 }));
        }
        if let Some(number) = self.number() {
            return Ok(one(Linear::number(number)));
        }
        if self.take("(") {
            let value = self.value()?;
            return if self.take(")") { Ok(value) } else { Err(self.expected("\")\"")) };
        }
        Err(unknown(self.rest, self.cells))
    }

    /// The longest text that names a cell.
    fn cell(&mut self) -> Result<Option<usize>, String> {
        let number = |text: &str| {
            let name = self.binding.map_or(text.to_owned(), |words| text.replacen('*', words, 1));
            self.cells.iter().position(|(known, _)| *known == name)
        };
        let Some(text) = longest(self.rest, |text| number(text).is_some()) else {
            return Ok(None);
        };
        let cell = number(text);
        self.rest = self.rest[text.len()..].trim_start();
        match cell.map(|cell| self.cells[cell].1) {
            Some(Measure::Superiority) => {
                Err(format!("{text:?} is a likelihood itself: compare scores instead"))
            }
            _ => Ok(cell),
        }
    }

    fn number(&mut self) -> Option<f64> {
        let end =
            self.rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest.len());
        let number = self.rest[..end].parse().ok()?;
        self.rest = self.rest[end..].trim_start();
        Some(number)
    }

    fn take(&mut self, text: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(text) else { return false };
        self.rest = rest.trim_start();
        true
    }

    fn expected(&self, what: &str) -> String {
        match self.rest {
            "" => format!("expected {what} at the end"),
            rest => format!("expected {what}, not {rest:?}"),
        }
    }
}

/// left - right, which is positive if left is greater; ratios multiplied out.
fn compare(left: &Value, right: &Value) -> Result<Linear, String> {
    match (left.is_ratio(), right.is_ratio()) {
        (true, false) => {
            let number =
                right.linear()?.as_number().ok_or("a ratio can be compared with a number only")?;
            Ok(left.above.clone().plus(&left.below, -number))
        }
        (false, true) => Ok(compare(right, left)?.times(-1.0)),
        _ => Ok(left.linear()?.plus(&right.linear()?, -1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells() -> Vec<Name> {
        let rows = ["Mixed", "Go, n = 1", "Go, n = 1, COW", "Chess, n = 1", "Chess, n = 1, COW"];
        let columns = ["10 ms", "Solved, %", "320 ms"];
        let name = |row: &str, column: &str| (format!("{row}/{column}"), Measure::Score);
        rows.iter().flat_map(|row| columns.map(|column| name(row, column))).collect()
    }

    /// The parts as `weight·cell … + constant`.
    fn read(text: &str) -> Vec<String> {
        let part = |part: Part| {
            let terms: Vec<String> =
                part.terms.iter().map(|(cell, weight)| format!("{weight}·{cell}")).collect();
            format!("{} + {}", terms.join(" "), part.constant)
        };
        parse(text, &cells())
            .unwrap_or_else(|e| panic!("{text}: {e}"))
            .into_iter()
            .map(part)
            .collect()
    }

    #[test]
    fn conditions_become_linear_parts() {
        assert_eq!(read("Mixed/10 ms > 50"), ["1·0 + -50"]);
        assert_eq!(read("Mixed/10 ms < 50"), ["-1·0 + 50"]);
        assert_eq!(read("Mixed/Solved, % > Go, n = 1/10 ms"), ["1·1 -1·3 + 0"]);
        assert_eq!(
            read("Mixed/10 ms > Go, n = 1, COW/10 ms > Go, n = 1/10 ms"),
            ["1·0 -1·6 + 0", "1·6 -1·3 + 0"]
        );
        assert_eq!(read("Mixed/10 ms / Mixed/320 ms > 1.5"), ["1·0 -1.5·2 + 0"]);
        assert_eq!(read("0.5 < Mixed/10 ms / Mixed/320 ms"), ["1·0 -0.5·2 + 0"]);
        assert_eq!(read("Mixed/10 ms - Mixed/320 ms > 5"), ["1·0 -1·2 + -5"]);
        assert_eq!(read("2 * 5 < Mixed/10 ms"), ["1·0 + -10"]);
        assert_eq!(read("40 < Mixed/10 ms < 60"), ["1·0 + -40", "-1·0 + 60"]);
        assert_eq!(read("mean(*, n = 1/10 ms) > 50"), ["0.5·3 0.5·9 + -50"]);
        assert_eq!(read("Mixed/* rises"), ["-1·0 0·1 1·2 + 0"]);
        assert_eq!(read("Mixed/* falls from 10 ms to Solved, %"), ["0.5·0 -0.5·1 + 0"]);
    }

    #[test]
    fn each_kind_of_number_has_one_margin() {
        // Shares: 5 points.
        assert_eq!(read("Mixed/10 ms no worse than 50"), ["1·0 + -45"]);
        assert_eq!(read("Mixed/10 ms no better than 50"), ["-1·0 + 55"]);
        assert_eq!(read("Mixed/10 ms = 50"), ["1·0 + -45", "-1·0 + 55"]);
        assert_eq!(read("Mixed/10 ms >> 50"), ["1·0 + -55"]);
        assert_eq!(read("Mixed/10 ms << Mixed/320 ms"), ["-1·0 1·2 + -5"]);
        // Amounts: a quarter is about the same, and twice as much is clearly more. Elo: 35.
        let cells = [Measure::Nodes, Measure::Nodes, Measure::Elo];
        let cells: Vec<Name> =
            (0..).zip(cells).map(|(i, measure)| (format!("R/{i}"), measure)).collect();
        let read = |text: &str| {
            let parts = parse(text, &cells).unwrap_or_else(|e| panic!("{text}: {e}"));
            parts.into_iter().map(|part| (part.terms, part.constant)).collect::<Vec<_>>()
        };
        assert_eq!(read("R/0 >> R/1"), [(vec![(0, 1.0), (1, -2.0)], 0.0)]);
        assert_eq!(read("R/0 << R/1"), [(vec![(0, -2.0), (1, 1.0)], 0.0)]);
        let about = [(vec![(0, 1.0), (1, -2.0)], 0.0), (vec![(0, -0.8), (1, 2.5)], 0.0)];
        assert_eq!(read("R/0 / R/1 = 2.5"), about);
        assert_eq!(read("R/2 = 100"), [(vec![(2, 1.0)], -65.0), (vec![(2, -1.0)], 135.0)]);
    }

    #[test]
    fn a_star_stands_for_the_same_words_in_a_condition() {
        assert_eq!(read("Mixed/* > 50"), ["1·0 + -50", "1·1 + -50", "1·2 + -50"]);
        let pairs = ["1·6 -1·3 + 0", "1·12 -1·9 + 0"];
        assert_eq!(read("*, n = 1, COW/10 ms > *, n = 1/10 ms"), pairs);
        assert_eq!(read("Go, n = 1/* < 50").len(), 3);
        let texts = parse("*, n = 1/10 ms > 50", &cells()).unwrap();
        assert_eq!(texts[1].text, "Chess, n = 1/10 ms > 50");
    }

    #[test]
    fn mistakes_say_what_was_expected() {
        for (text, expected) in [
            ("Mixed/10 m > 50", "there is no cell \"Mixed/10 m\"; did you mean \"Mixed/10 ms\"?"),
            ("Mixde/* > 50", "expected a cell or a number, not \"Mixde/*\""),
            ("zzz > 50", "expected a cell or a number, not \"zzz\"; there are Mixed/10 ms, "),
            ("Mixed/10 ms", "expected a comparison such as \">\" or \"no worse than\" at the end"),
            ("Mixed/10 ms >", "expected a cell or a number at the end"),
            (
                "Mixed/10 ms ! 5",
                "expected a comparison such as \">\" or \"no worse than\", not \"! 5\"",
            ),
            ("5 > 4", "a condition needs a cell"),
            ("Mixed/10 ms / Mixed/320 ms > Mixed/10 ms", "a number only"),
            ("Mixed/* rises from 10 ms", "expected \"from A to B\""),
            ("Mixed/* rises from 10 ms to 5", "there is no \"5\" among"),
        ] {
            let error = parse(text, &cells()).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
