//! Ids of the products that a rule pins or hides.

use super::not_blank_pattern;
use crate::invalid::Invalid;
use crate::limits::{DOCUMENT_ID_CHARACTERS_MAX, RULE_PRODUCTS_MAX};
use crate::message::{self, Message};
use crate::published_schema::PUBLISHED_KEY;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Deref;

/// Distinct ids of products in the shop, in order.
///
/// Shape: 1 to [`RULE_PRODUCTS_MAX`] ids of 1 to [`DOCUMENT_ID_CHARACTERS_MAX`] characters, none of them blank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct ProductIds(Vec<String>);

impl ProductIds {
    /// Parses a list of ids.
    ///
    /// Errors: every invalid id, by its path below `path`.
    pub fn parse(path: &str, ids: Vec<String>) -> Result<Self, Vec<Invalid>> {
        let count = ids.len();
        if !(1..=RULE_PRODUCTS_MAX).contains(&count) {
            let reason = message::list::between(1, RULE_PRODUCTS_MAX, count);
            return Err(vec![Invalid::new(path, reason)]);
        }
        let mut seen = HashSet::new();
        let mut errors = Vec::new();
        for (at, id) in ids.iter().enumerate() {
            let reason = match check(id) {
                Err(reason) => reason,
                Ok(()) if !seen.insert(id) => message::value::given_twice(),
                Ok(()) => continue,
            };
            errors.push(Invalid::new(format!("{path}[{at}]"), reason));
        }
        if errors.is_empty() {
            Ok(Self(ids))
        } else {
            Err(errors)
        }
    }
}

fn check(id: &str) -> Result<(), Message> {
    let characters = id.chars().count();
    if id.trim().is_empty() {
        Err(message::value::empty())
    } else if characters > DOCUMENT_ID_CHARACTERS_MAX {
        Err(message::text::at_most(
            DOCUMENT_ID_CHARACTERS_MAX,
            characters,
        ))
    } else {
        Ok(())
    }
}

impl Deref for ProductIds {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl TryFrom<Vec<String>> for ProductIds {
    type Error = String;

    fn try_from(ids: Vec<String>) -> Result<Self, String> {
        Self::parse("ids", ids).map_err(|errors| errors.iter().map(Invalid::to_string).collect())
    }
}

impl JsonSchema for ProductIds {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ProductIds".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": DOCUMENT_ID_CHARACTERS_MAX},
            "description": "",
            "minItems": 1,
            "maxItems": RULE_PRODUCTS_MAX,
            (PUBLISHED_KEY): {
                "items": {
                    "pattern": not_blank_pattern(),
                    "type": "string",
                    "minLength": 1,
                    "maxLength": DOCUMENT_ID_CHARACTERS_MAX
                },
                "uniqueItems": true
            }
        })
    }
}
