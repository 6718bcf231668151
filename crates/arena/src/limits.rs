//! Limits as text, for records and for the command line; quantities with units: `500ms`, `4G`.

use std::time::Duration;

use spinney_session::Limits;

/// The limits as `time=1s,nodes=5000`, in the form the command line reads.
pub fn limits_text(limits: &Limits) -> String {
    let parts = [
        limits.time.map(|time| format!("time={time:?}")),
        limits.simulations.map(|simulations| format!("simulations={simulations}")),
        limits.nodes.map(|nodes| format!("nodes={nodes}")),
        limits.depth.map(|depth| format!("depth={depth}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(",")
}

/// Reads `time=1s` or `simulations=1000,nodes=5000`.
pub fn parse_limits(text: &str) -> Result<Limits, String> {
    let mut limits = Limits::default();
    for part in text.split(',') {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let count = || match value.parse() {
            Ok(0) | Err(_) => Err(format!("{key}={value}: expected a whole number from 1")),
            Ok(count) => Ok(count),
        };
        let given_before = match key {
            "time" => limits.time.replace(parse_time(value)?).is_some(),
            "simulations" => limits.simulations.replace(count()?).is_some(),
            "nodes" => limits.nodes.replace(count()?).is_some(),
            "depth" => {
                let depth = u32::try_from(count()?)
                    .map_err(|_| format!("depth={value}: more than any game lasts"))?;
                limits.depth.replace(depth).is_some()
            }
            _ => return Err("expected time=1s, simulations=N, nodes=N or depth=N".to_owned()),
        };
        if given_before {
            return Err(format!("{key} is given twice"));
        }
    }
    Ok(limits)
}

/// Reads a time above zero: `500ms`, `1s`, `1.5s`, `2m`, `1h`.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    const UNITS: &[(&str, f64)] = &[("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    quantity(text, UNITS)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a time above zero with its unit: 500ms, 1s, 2m, 1h".to_owned())
}

/// A plain decimal number with one of the units.
pub fn quantity(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    Some(number.parse::<f64>().ok()? * factor)
}

/// [`Limits`] as text in records and tasks; none is the empty text.
pub(crate) mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use spinney_session::Limits;

    pub(crate) fn serialize<S: Serializer>(limits: &Limits, writer: S) -> Result<S::Ok, S::Error> {
        writer.serialize_str(&super::limits_text(limits))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(reader: D) -> Result<Limits, D::Error> {
        read(&String::deserialize(reader)?).map_err(D::Error::custom)
    }

    pub(super) fn read(text: &str) -> Result<Limits, String> {
        if text.is_empty() { Ok(Limits::default()) } else { super::parse_limits(text) }
    }
}

/// The limits of two players as text.
pub(crate) mod pair_as_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use spinney_session::Limits;

    pub(crate) fn serialize<S: Serializer>(
        limits: &[Limits; 2],
        writer: S,
    ) -> Result<S::Ok, S::Error> {
        limits.each_ref().map(super::limits_text).serialize(writer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        reader: D,
    ) -> Result<[Limits; 2], D::Error> {
        let [a, b] = <[String; 2]>::deserialize(reader)?;
        let read = |text: &str| super::as_text::read(text).map_err(D::Error::custom);
        Ok([read(&a)?, read(&b)?])
    }
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
    fn limits_are_read_back() {
        for text in ["time=1.5s", "simulations=7,nodes=9", "time=20ms,depth=4", "nodes=1"] {
            assert_eq!(limits_text(&parse_limits(text).unwrap()), text);
        }
    }
}
