//! Ranking, as pure functions: from the words of a question to a plan, and from a plan's figures to a score.
//!
//! Nothing here knows an index, a database or a clock.

pub mod analysis;
pub mod breakdown;
pub mod highlight;
mod marked_phrases;
mod phrases;
pub mod plan;
pub mod rules;
pub mod scoring;
pub mod synonyms;
pub mod user_query;

pub use analysis::{Analyser, CachedAnalyser, Token};
pub use breakdown::Breakdown;
pub use plan::Plan;
pub use rules::RuleSet;
pub use synonyms::SynonymSet;
pub use user_query::UserQuery;
