//! LIMIT, the options that end a search, and quantities with units: `500ms`, `4G`.

use std::time::Duration;

use clap::Args;
use spinney_search::Limits;

/// What a search may use. Several limits may be given: whatever comes first ends the search.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Limits (whatever comes first)")]
pub(crate) struct LimitArguments {
    /// Wall-clock time, such as 500ms, 1.5s, 2m or 1h.
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Simulations.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          allow_negative_numbers = true)]
    simulations: Option<u64>,
    /// Nodes, or positions visited.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          allow_negative_numbers = true)]
    nodes: Option<u64>,
    /// Plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
          allow_negative_numbers = true)]
    depth: Option<u32>,
}

impl LimitArguments {
    /// The limits as the searches take them.
    pub(crate) fn limits(&self) -> Limits {
        let LimitArguments { time, simulations, nodes, depth } = *self;
        Limits { time, simulations, nodes, depth }
    }
}

/// Reads a time above zero: `500ms`, `1s`, `1.5s`, `2m`, `1h`.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    const UNITS: &[(&str, f64)] = &[("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    quantity(text, UNITS)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a time above zero with its unit: 500ms, 1s, 2m, 1h".to_owned())
}

/// Reads a size of memory in bytes: `64K`, `512M`, `4G`, where K is 1024.
pub(crate) fn parse_memory(text: &str) -> Result<usize, String> {
    const UNITS: &[(&str, f64)] =
        &[("K", 1024.0), ("M", 1024.0 * 1024.0), ("G", 1024.0 * 1024.0 * 1024.0)];
    quantity(text, UNITS)
        // Beyond 2^48 no machine has it.
        .filter(|bytes| (1.0..2_f64.powi(48)).contains(bytes))
        .map(|bytes| bytes as usize)
        .ok_or_else(|| "expected a size with its unit: 64K, 512M, 4G".to_owned())
}

/// A plain decimal number with one of the units.
fn quantity(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    Some(number.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, milliseconds) in
            [("500ms", 500), ("1s", 1000), ("1.5s", 1500), ("2m", 120_000), ("1h", 3_600_000)]
        {
            assert_eq!(parse_time(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in
            ["", "1", "s", "0s", "-1s", "1 s", "1d", "1e3s", "infs", "nans", "..s", "1.2.3s"]
        {
            assert!(parse_time(text).is_err(), "{text:?}");
        }
        assert!(parse_time(&format!("{}h", "9".repeat(400))).is_err());
    }

    #[test]
    fn memory_has_units() {
        assert_eq!(parse_memory("64K"), Ok(65_536));
        assert_eq!(parse_memory("512M"), Ok(512 << 20));
        assert_eq!(parse_memory("1.5G"), Ok(3 << 29));
        for text in ["", "4", "G", "0G", "-4G", "4g", "4GB", "9999999999G"] {
            assert!(parse_memory(text).is_err(), "{text:?}");
        }
    }
}
