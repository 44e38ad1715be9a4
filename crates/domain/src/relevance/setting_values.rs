//! Values of search settings that are no plain numbers or flags.

use serde::{Deserialize, Serialize};

/// Typo tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fuzziness {
    /// None for words of one or two characters, one for three to five, two for longer ones.
    #[serde(rename = "AUTO")]
    Auto,
    /// None.
    #[serde(rename = "0")]
    None,
    /// One edit.
    #[serde(rename = "1")]
    One,
    /// Two edits.
    #[serde(rename = "2")]
    Two,
}

/// How a query that is a code is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReferenceMode {
    /// Nothing special.
    Off,
    /// References first, in tiers.
    Priority,
    /// References only.
    Strict,
}

/// A percentage of the words of a query, written as text such as `75%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percent(pub u32);

impl Serialize for Percent {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}%", self.0))
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        percent(&text)
            .map(Self)
            .ok_or_else(|| serde::de::Error::custom("must be a percentage"))
    }
}

/// Parses a percentage such as `75%`.
pub(super) fn percent(text: &str) -> Option<u32> {
    let digits = text.strip_suffix('%')?;
    let valid = !digits.is_empty()
        && digits.len() <= 3
        && digits.bytes().all(|b| b.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    let number: u32 = if valid {
        digits.parse().ok()?
    } else {
        return None;
    };
    (number <= 100).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_texts_are_whole_and_at_most_one_hundred() {
        for good in ["0%", "7%", "75%", "100%"] {
            assert!(percent(good).is_some(), "{good}");
        }
        for bad in [
            "", "%", "75", "075%", "101%", "7.5%", "-1%", " 75%", "75 %", "١%",
        ] {
            assert!(percent(bad).is_none(), "{bad}");
        }
    }
}
