//! LIMIT, the options that end a search, and quantities with units: `500ms`, `4G`.

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
    fn memory_has_units() {
        assert_eq!(parse_memory("64K"), Ok(65_536));
        assert_eq!(parse_memory("512M"), Ok(512 << 20));
        assert_eq!(parse_memory("1.5G"), Ok(3 << 29));
        for text in ["", "4", "G", "0G", "-4G", "4g", "4GB", "9999999999G"] {
            assert!(parse_memory(text).is_err(), "{text:?}");
        }
    }
}
