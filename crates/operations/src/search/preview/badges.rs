//! Badges: what is special about a hit, in a word.

use query::Breakdown;
use query::breakdown::{WordMatch, WordMatchKind};
use schemars::JsonSchema;
use serde::Serialize;

/// Something special about a hit.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", tag = "badge")]
pub enum Badge {
    /// A rule pins it to its position.
    Pinned,
    /// A rule multiplies its score.
    Boosted {
        /// The rule.
        rule: String,
        /// The multiplier.
        multiplier: f64,
    },
    /// The query matches one of its codes.
    Code,
    /// A word matches through a synonym only.
    Synonym {
        /// The word.
        from: String,
        /// The term of the product.
        to: String,
    },
    /// A word matches with a typo only.
    Typo {
        /// The word.
        from: String,
        /// The term of the product.
        to: String,
    },
}

/// Returns the badges of a hit.
pub(super) fn badges(breakdown: &Breakdown) -> Vec<Badge> {
    let mut badges = Vec::new();
    if breakdown.pinned {
        badges.push(Badge::Pinned);
    }
    badges.extend(breakdown.rules.iter().map(|rule| Badge::Boosted {
        rule: rule.id.clone(),
        multiplier: rule.multiplier,
    }));
    if breakdown.tier.is_some() || breakdown.text.exact_reference.is_some() {
        badges.push(Badge::Code);
    }
    let matches = &breakdown.text.matches;
    for (at, found) in matches.iter().enumerate() {
        let is_first = !matches[..at].iter().any(|other| other.word == found.word);
        if is_first {
            badges.extend(of_word(found, matches));
        }
    }
    badges
}

/// Returns the badge of the word of `found`, if none of its matches is better than by synonym or typo.
fn of_word(found: &WordMatch, matches: &[WordMatch]) -> Option<Badge> {
    let own = || matches.iter().filter(|other| other.word == found.word);
    let special = |kind| matches!(kind, WordMatchKind::Synonym | WordMatchKind::Typo);
    if !own().all(|one| special(one.kind)) {
        return None;
    }
    let synonym = own().find(|one| one.kind == WordMatchKind::Synonym);
    let best = synonym.unwrap_or(found);
    let (from, to) = (best.word.to_string(), best.matched.to_string());
    Some(match best.kind {
        WordMatchKind::Synonym => Badge::Synonym { from, to },
        _ => Badge::Typo { from, to },
    })
}
