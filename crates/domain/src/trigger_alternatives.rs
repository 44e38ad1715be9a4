//! The other writings by which a synonym group or a rule is also triggered, if it says so.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Another writing of the words of a trigger.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum TriggerAlternative {
    /// The plural of a singular word, or the reverse.
    Plurals,
    /// Its words written as one, or a word written as several.
    Joined,
    /// A word that no document contains and that is within the typo tolerance of one of its words.
    Typos,
}

impl TriggerAlternative {
    /// All alternatives, the nearest to the configured text first.
    pub const ALL: [Self; 3] = [Self::Plurals, Self::Joined, Self::Typos];

    /// Returns the name used by the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plurals => "plurals",
            Self::Joined => "joined",
            Self::Typos => "typos",
        }
    }
}

/// The alternatives of one trigger, each once; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<TriggerAlternative>", into = "Vec<TriggerAlternative>")]
pub struct TriggerAlternatives {
    /// By the order of [`TriggerAlternative::ALL`].
    given: [bool; TriggerAlternative::ALL.len()],
}

impl TriggerAlternatives {
    /// Returns whether there are none, so that only the configured text triggers.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether `alternative` triggers, too.
    pub fn contains(self, alternative: TriggerAlternative) -> bool {
        self.given[alternative as usize]
    }
}

impl From<Vec<TriggerAlternative>> for TriggerAlternatives {
    fn from(alternatives: Vec<TriggerAlternative>) -> Self {
        Self {
            given: TriggerAlternative::ALL.map(|one| alternatives.contains(&one)),
        }
    }
}

impl From<TriggerAlternatives> for Vec<TriggerAlternative> {
    fn from(alternatives: TriggerAlternatives) -> Self {
        let all = TriggerAlternative::ALL.into_iter();
        all.filter(|one| alternatives.contains(*one)).collect()
    }
}

impl JsonSchema for TriggerAlternatives {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "TriggerAlternatives".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = TriggerAlternative::ALL.map(TriggerAlternative::as_str);
        json_schema!({
            "type": "array",
            "items": {"type": "string", "enum": names}
        })
    }
}

#[cfg(test)]
mod tests {
    //! 1. The names of the API are those of the serialised form; each alternative is there once, in one order.

    use super::*;
    use serde_json::json;

    #[test]
    fn each_alternative_is_there_once() {
        let names = TriggerAlternative::ALL.map(TriggerAlternative::as_str);
        assert_eq!(json!(TriggerAlternative::ALL), json!(names));
        let sent = json!(["typos", "plurals", "typos"]);
        let alternatives: TriggerAlternatives = serde_json::from_value(sent).expect("alternatives");
        assert_eq!(json!(alternatives), json!(["plurals", "typos"]));
        assert!(alternatives.contains(TriggerAlternative::Typos));
        assert!(!alternatives.contains(TriggerAlternative::Joined));
        assert!(TriggerAlternatives::default().is_empty());
        assert!(serde_json::from_value::<TriggerAlternatives>(json!(["stems"])).is_err());
    }
}
