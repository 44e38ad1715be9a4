//! Query analysis and scoring, as pure functions: from the shopper's query to a plan, and from statistics to a score.
//!
//! This crate knows no index, no database and no clock.

mod alternative_phrases;
pub mod analysis;
pub mod breakdown;
pub mod clauses;
pub mod correction;
pub mod highlight;
mod joined_words;
mod marked_phrases;
pub mod meaning;
pub mod mistyped_words;
mod pasted_code;
mod phrases;
pub mod plan;
pub mod rules;
pub mod scoring;
pub mod suggestions;
pub mod synonyms;
mod typo_tolerance;
pub mod user_query;

pub use analysis::{Analyser, CachedAnalyser, Token};
pub use breakdown::Breakdown;
pub use clauses::Clauses;
pub use mistyped_words::MistypedWords;
pub use plan::Plan;
pub use rules::RuleSet;
pub use synonyms::SynonymSet;
pub use user_query::UserQuery;
