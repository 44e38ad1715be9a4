//! `StaleResource`: a resource that is not in the state that a change expects.

use domain::Timestamp;
use domain::audit::Actor;
use serde::Serialize;

/// A resource that changed in the meantime.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StaleResource {
    /// The resource, such as `relevance` or `rules/<id>`.
    pub resource: String,
    /// Its entity tag now; null if it does not exist any more.
    pub etag: Option<String>,
    /// The revision that changed it last, if that is known.
    pub revision: Option<i64>,
    /// Who changed it.
    pub by: Option<Actor>,
    /// When it was changed.
    pub at: Option<Timestamp>,
}
