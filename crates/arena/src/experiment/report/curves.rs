//! Curves as inline SVG: some series over one axis, each named at its last point.

use std::fmt::Write;

use super::chart::{open, steps, tick_text};
use super::page::escape;

/// Sizes in pixels.
const SIZE: [f64; 2] = [560.0, 260.0];
const LEFT: f64 = 52.0;
/// Room for the names of series.
const RIGHT: f64 = 120.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 40.0;
/// Names closer than this touch.
const NAME_HEIGHT: f64 = 13.0;
/// Series are told apart by these dash patterns, and by their names.
const DASHES: [&str; 4] = ["none", "6 3", "2 3", "8 3 2 3"];

/// Some series over one axis.
#[derive(Clone, Debug, Default)]
pub struct Curves {
    /// What the vertical axis shows.
    pub title: String,
    /// What the horizontal axis shows.
    pub along: String,
    /// Each with its points, from the left to the right.
    pub series: Vec<(String, Vec<[f64; 2]>)>,
}

impl Curves {
    /// The chart; empty if there is no point.
    pub fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|(_, points)| points);
        let finite = |axis: usize| points().map(move |point| point[axis]).filter(|x| x.is_finite());
        let ends = |axis| {
            let low = finite(axis).fold(f64::INFINITY, f64::min);
            let high = finite(axis).fold(f64::NEG_INFINITY, f64::max);
            [low, if high > low { high } else { low + 1.0 }]
        };
        if finite(0).next().is_none() {
            return String::new();
        }
        let [width, height] = SIZE;
        let (right, bottom) = (width - RIGHT, height - BOTTOM);
        let (across, [low, high], step) = {
            let across = ends(0);
            let (values, step) = steps(ends(1));
            (across, values, step)
        };
        let x = |value: f64| LEFT + (right - LEFT) * (value - across[0]) / (across[1] - across[0]);
        let y = |value: f64| bottom - (bottom - TOP) * (value - low) / (high - low);
        let mut svg = open(width, height, &self.title);
        let _ = write!(
            svg,
            r#"<text class="title" x="8" y="16">{}</text><text class="tick" x="{:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            escape(&self.title),
            (LEFT + right) / 2.0,
            height - 6.0,
            escape(&self.along)
        );
        // 1. The grid.
        for tick in 0..=((high - low) / step).round() as i32 {
            let value = low + f64::from(tick) * step;
            let _ = write!(
                svg,
                r#"<line class="grid" x1="{LEFT}" y1="{0:.1}" x2="{right}" y2="{0:.1}"/><text class="tick" x="{1:.1}" y="{2:.1}" text-anchor="end">{3}</text>"#,
                y(value),
                LEFT - 6.0,
                y(value) + 4.0,
                tick_text(value, step)
            );
        }
        let (values, step) = steps(across);
        for tick in 0..=((values[1] - values[0]) / step).round() as i32 {
            let value = values[0] + f64::from(tick) * step;
            if (across[0]..=across[1]).contains(&value) {
                let _ = write!(
                    svg,
                    r#"<text class="tick" x="{:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
                    x(value),
                    bottom + 16.0,
                    tick_text(value, step)
                );
            }
        }
        // 2. The series, and their names from the top, so that none covers another.
        let mut names = Vec::new();
        for (number, (name, points)) in self.series.iter().enumerate() {
            let mut path = String::new();
            for &[along, value] in points.iter().filter(|point| point[1].is_finite()) {
                let letter = if path.is_empty() { "M" } else { "L" };
                let _ = write!(path, "{letter}{:.1} {:.1}", x(along), y(value));
            }
            let dashes = DASHES[number % DASHES.len()];
            let _ = write!(
                svg,
                r#"<path class="ours" style="stroke-dasharray:{dashes};opacity:1" d="{path}"/>"#
            );
            if let Some(&[along, value]) = points.iter().rfind(|point| point[1].is_finite()) {
                names.push((y(value), x(along), name));
            }
        }
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut above = f64::NEG_INFINITY;
        for (y, x, name) in names {
            above = y.max(above + NAME_HEIGHT);
            let _ = write!(
                svg,
                r#"<text x="{:.1}" y="{:.1}">{}</text>"#,
                x + 6.0,
                above + 4.0,
                escape(name)
            );
        }
        svg + "</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_keep_to_the_chart_and_names_apart() {
        let rising = (0..9).map(|x| [f64::from(x), f64::from(x * x)]).collect();
        let other = (0..9).map(|x| [f64::from(x), 63.0]).collect();
        let series = vec![("a & b".to_owned(), rising), ("c".to_owned(), other)];
        let svg = Curves { title: "t".into(), along: "x".into(), series }.svg();
        assert!(svg.contains("a &amp; b") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert_eq!(Curves::default().svg(), "");
        let single = vec![("one".to_owned(), vec![[1.0, 2.0]])];
        assert!(!Curves { series: single, ..Curves::default() }.svg().contains("NaN"));
    }
}
