//! How codes order the hits of a query, before their scores.

/// What comes before the score in the order of hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeOrder {
    /// Nothing.
    None,
    /// The tiers of a code.
    Tiers {
        /// Whether nothing else matches.
        only: bool,
    },
    /// The order of the listed codes; nothing else matches.
    List,
}
