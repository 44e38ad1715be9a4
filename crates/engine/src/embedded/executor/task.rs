//! What a search brings to every segment.

use super::super::scale::Scale;
use super::super::snapshot::EmbeddedSnapshot;
use super::super::static_scores::StaticScores;
use super::resolve::Resolved;
use super::ruled::Ruled;
use crate::columns::View;
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
