//! Query rules: what happens to a question that a trigger fires for (contract section 6).

mod action;
mod address;
mod boost;
mod change;
mod field;
mod published_schema;
mod time_window;
mod trigger;

pub use action::{Actions, ActionsInput, Banner, BannerPosition, FilterInput};
#[cfg(test)]
pub(crate) use address::check_address;
pub use boost::{BoostEntry, BoostInput, BoostMode, Modifier};
pub use change::{NewRule, RulePatch, RuleQuery};
pub use field::{NUMERIC_FIELDS, NumericField, TERM_FIELDS, TermField};
pub use time_window::RuleStatus;
pub use trigger::{MatchKind, Trigger, check_pattern};

use crate::{Language, RuleId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum RuleType {
    /// Multiplies the scores of some products.
    Boost,
    /// Puts products on the first positions.
    Pin,
    /// Leaves products out.
    Hide,
    /// Sends the shopper to an address.
    Redirect,
    /// Shows a picture.
    Banner,
    /// Restricts the results.
    Filter,
}

impl RuleType {
    /// All types, in the order of the seed.
    pub const ALL: [Self; 6] = [
        Self::Boost,
        Self::Pin,
        Self::Hide,
        Self::Redirect,
        Self::Banner,
        Self::Filter,
    ];

    /// The word of the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Boost => "BOOST",
            Self::Pin => "PIN",
            Self::Hide => "HIDE",
            Self::Redirect => "REDIRECT",
            Self::Banner => "BANNER",
            Self::Filter => "FILTER",
        }
    }

    /// The key of its part of `actions`.
    pub fn part(self) -> &'static str {
        match self {
            Self::Boost => "boost",
            Self::Pin => "pin",
            Self::Hide => "hide",
            Self::Redirect => "redirect",
            Self::Banner => "banner",
            Self::Filter => "filter",
        }
    }
}

/// What a rule says, checked: all that a write can change of it, and its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleContent {
    /// Its name, for people.
    pub name: String,
    /// The language of the questions that it is for.
    pub language: Language,
    /// What it does; always the type of its actions.
    #[serde(rename = "type")]
    pub kind: RuleType,
    /// The questions that it fires for.
    pub trigger: Trigger,
    /// What happens then.
    pub actions: Actions,
    /// Its rank among the rules that fire; the higher one comes first.
    pub priority: u32,
    /// Whether it is switched on.
    pub active: bool,
    /// From when on it fires; always, when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_date: Option<Timestamp>,
    /// Until when it fires, this instant included; for ever, when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_date: Option<Timestamp>,
}

/// A rule with its id and dates.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its id.
    pub id: RuleId,
    /// What it says.
    pub content: RuleContent,
    /// When it was made; the older of two rules of one priority comes first.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A rule as the interface shows it at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleView {
    /// Its id.
    pub id: RuleId,
    /// What it says.
    #[serde(flatten)]
    pub content: RuleContent,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Whether it fires now, and if not, why.
    pub status: RuleStatus,
}

impl Rule {
    /// The rule as it is shown at `now`.
    pub fn view(self, now: Timestamp) -> RuleView {
        RuleView {
            status: self.content.status(now),
            id: self.id,
            content: self.content,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

#[cfg(test)]
mod tests;
