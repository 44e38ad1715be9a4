//! The queries that a rule fires for.

use super::published_schema;
use crate::TriggerAlternatives;
use crate::invalid::Invalid;
use crate::limits::{TRIGGER_CHARACTERS_MAX, TRIGGER_REGEX_BYTES_MAX};
use crate::message::{self, Message};
use regex::RegexBuilder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the text of a trigger is compared with a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchKind {
    /// It is the whole query.
    Exact,
    /// The query contains its words as a phrase; without words it matches every query.
    Contains,
    /// The query starts with its words.
    StartsWith,
    /// It is a regular expression that matches anywhere in the query.
    Regex,
}

impl MatchKind {
    /// All kinds, in the order of the API.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Contains, Self::StartsWith, Self::Regex];
}

/// The queries that a rule fires for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-published" = published_schema::trigger()))]
pub struct Trigger {
    /// Text or regular expression; empty with `contains` matches every query.
    #[schemars(length(max = TRIGGER_CHARACTERS_MAX))]
    pub query: String,
    /// How it is compared with a query.
    #[serde(rename = "match")]
    pub kind: MatchKind,
    /// What else triggers it; not with `regex`.
    #[serde(default, skip_serializing_if = "TriggerAlternatives::is_empty")]
    pub alternatives: TriggerAlternatives,
}

impl Trigger {
    pub(super) fn check(&self, errors: &mut Vec<Invalid>) {
        let characters = self.query.chars().count();
        let reason = if characters > TRIGGER_CHARACTERS_MAX {
            Some(message::text::at_most(TRIGGER_CHARACTERS_MAX, characters))
        } else if self.query.trim().is_empty() && self.kind != MatchKind::Contains {
            Some(message::rule::trigger_empty())
        } else if self.kind == MatchKind::Regex {
            check_pattern(&self.query).err()
        } else {
            None
        };
        errors.extend(reason.map(|reason| Invalid::new("trigger.query", reason)));
        if self.kind == MatchKind::Regex && !self.alternatives.is_empty() {
            let reason = message::rule::alternatives_of_pattern();
            errors.push(Invalid::new("trigger.alternatives", reason));
        }
    }
}

/// Checks that `pattern` is a regular expression that the linear-time engine compiles within its size limit.
///
/// Errors: the reason, with the position of the error as the number of its character, from 1.
pub fn check_pattern(pattern: &str) -> Result<(), Message> {
    if let Err(error) = regex_syntax::Parser::new().parse(pattern) {
        let (span, kind) = match &error {
            regex_syntax::Error::Parse(e) => (Some(e.span()), e.kind().to_string()),
            regex_syntax::Error::Translate(e) => (Some(e.span()), e.kind().to_string()),
            other => (None, other.to_string()),
        };
        let position = span.map_or(1, |span| {
            let before = pattern.get(..span.start.offset).unwrap_or(pattern);
            before.chars().count() + 1
        });
        return Err(message::rule::pattern_at(position, kind));
    }
    let compiled = RegexBuilder::new(pattern)
        .case_insensitive(true)
        .size_limit(TRIGGER_REGEX_BYTES_MAX)
        .build();
    match compiled {
        Ok(_) => Ok(()),
        Err(regex::Error::CompiledTooBig(_)) => {
            Err(message::rule::pattern_size(TRIGGER_REGEX_BYTES_MAX))
        }
        Err(error) => Err(message::rule::pattern(error.to_string())),
    }
}
