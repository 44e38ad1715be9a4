//! Roles of the members of an account, and which of its stores a member reaches.

use crate::id::StoreId;
use crate::limits::MEMBER_STORES_MAX;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// The role of a member of an account; a later one may do what an earlier one may.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reads.
    Viewer,
    /// Changes the configuration of stores.
    Editor,
    /// Manages stores, keys and members; reaches all stores.
    Owner,
}

impl Role {
    /// All roles, the least powerful first.
    pub const ALL: [Self; 3] = [Self::Viewer, Self::Editor, Self::Owner];

    /// Returns the name used by the panel, the command line and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Editor => "editor",
            Self::Owner => "owner",
        }
    }

    /// Returns the role with this name, the inverse of [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }
}

/// What an operation requires of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredRole {
    /// At least viewer.
    Viewer,
    /// At least editor.
    Editor,
    /// Owner.
    Owner,
    /// Owner who gave the password within the last minutes.
    ConfirmedOwner,
}

impl RequiredRole {
    /// Returns the least role that suffices.
    pub fn role(self) -> Role {
        match self {
            Self::Viewer => Role::Viewer,
            Self::Editor => Role::Editor,
            Self::Owner | Self::ConfirmedOwner => Role::Owner,
        }
    }
}

/// The stores of an account that a member reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreReach {
    /// All, also those that are created later.
    All,
    /// These.
    Only(Vec<StoreId>),
}

impl StoreReach {
    /// Returns whether `store`, which belongs to the account, is reached.
    pub fn includes(&self, store: &StoreId) -> bool {
        match self {
            Self::All => true,
            Self::Only(stores) => stores.contains(store),
        }
    }
}

impl Serialize for StoreReach {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::All => serializer.serialize_str("all"),
            Self::Only(stores) => stores.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for StoreReach {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Sent {
            All(String),
            Only(Vec<StoreId>),
        }
        match Sent::deserialize(deserializer)? {
            Sent::All(text) if text == "all" => Ok(Self::All),
            Sent::All(_) => Err(serde::de::Error::custom("must be \"all\" or a list of ids")),
            Sent::Only(stores) => Ok(Self::Only(stores)),
        }
    }
}

impl JsonSchema for StoreReach {
    fn schema_name() -> Cow<'static, str> {
        "StoreReach".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "`all`, or the ids of stores.",
            "anyOf": [
                {"type": "string", "enum": ["all"]},
                {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MEMBER_STORES_MAX, "uniqueItems": true}
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stores_of_a_member_are_all_or_a_list() {
        let only = StoreReach::Only(vec!["s1".into()]);
        assert!(StoreReach::All.includes(&"s9".into()));
        assert!(only.includes(&"s1".into()) && !only.includes(&"s2".into()));
        for reach in [StoreReach::All, only] {
            let text = serde_json::to_string(&reach).expect("JSON");
            assert_eq!(
                serde_json::from_str::<StoreReach>(&text).expect("a reach"),
                reach
            );
        }
        assert!(serde_json::from_str::<StoreReach>("\"some\"").is_err());
    }
}
