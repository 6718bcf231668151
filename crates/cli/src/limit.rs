//! LIMIT, the options that end a search, and quantities with units: `500ms`, `4G`.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use spinney_arena::{parse_time, quantity};
use spinney_session::Limits;

/// What a search may use. Several limits may be given: whatever comes first ends the search.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Limits (whatever comes first)")]
pub(crate) struct LimitArguments {
    /// Wall-clock time, such as 500ms, 1.5s, 2m or 1h.
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Simulations.
    #[arg(long, value_name = "N", value_parser = whole(1_u64..),
          allow_negative_numbers = true)]
    simulations: Option<u64>,
    /// Nodes, or positions visited.
    #[arg(long, value_name = "N", value_parser = whole(1_u64..),
          allow_negative_numbers = true)]
    nodes: Option<u64>,
    /// Plies.
    #[arg(long, value_name = "N", value_parser = whole(1_u32..),
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

/// Reads a whole number of a range, such as `1..` or `1..=40`; the error names the range.
pub(crate) fn whole<T, R>(range: R) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display,
    R: RangeBounds<T> + Clone,
{
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(match (range.start_bound(), range.end_bound()) {
            (Bound::Included(least), Bound::Included(most)) => {
                format!("expected a whole number from {least} to {most}")
            }
            (Bound::Included(least), _) => format!("expected a whole number from {least}"),
            _ => "expected a whole number".to_owned(),
        }),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_ranges() {
        assert_eq!(whole(1..=40)("40"), Ok(40));
        assert_eq!(whole(1_u64..)("18446744073709551615"), Ok(u64::MAX));
        for text in ["0", "41", "-1", "three", "", "99999999999999999999"] {
            let error = Err("expected a whole number from 1 to 40".to_owned());
            assert_eq!(whole(1..=40)(text), error, "{text:?}");
        }
        assert_eq!(whole(1_u64..)("0"), Err("expected a whole number from 1".to_owned()));
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
