//! What a search brings to every segment.

use super::rules::Ruled;
use super::snapshot::EmbeddedSnapshot;
use super::static_scores::StaticScores;
use crate::columns::View;
use crate::embedded::expand::resolve::Resolved;
use crate::embedded::scale::Scale;
use query::Plan;

/// A search: the snapshot, the plan, and what is computed once for all segments.
#[derive(Clone, Copy)]
pub struct Task<'a, S: Scale> {
    pub snapshot: &'a EmbeddedSnapshot<S>,
    pub plan: &'a Plan,
    pub resolved: &'a Resolved,
    pub ruled: &'a Ruled<'a, S>,
    pub static_scores: &'a StaticScores<S>,
    pub view: &'a View<'a>,
}
