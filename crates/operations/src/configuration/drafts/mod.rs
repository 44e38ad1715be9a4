//! Drafts: several changes of a store's configuration, saved as one revision (`docs/panel.md`).

mod apply;
mod resources;
mod restore;
mod returning;

pub(crate) use apply::{Applied, Applying, NewIds, apply, new_ids};
pub(crate) use resources::{content_of, stale};
pub(crate) use restore::restore_in;
pub use restore::{Restored, restore};
pub(crate) use returning::{check_counts, require_restorable, return_all};

use crate::configuration::carried::resources_of;
use crate::configuration::change::{self, Changed, ConfigurationChange, Within};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::FieldChange;
use domain::draft::ChangesRequest;
use domain::relevance::BoostMerging;
use domain::{Caller, Invalid, Message, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a draft changed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedChanges {
    /// The latest revision; the one of the draft if it changed anything.
    pub revision: i64,
    /// Created resources by their provisional names, such as `rules/draft:0`.
    pub created: BTreeMap<String, String>,
    /// Entity tags of the resources that the draft names and that exist now.
    pub etags: BTreeMap<String, String>,
    /// Changed fields with their values before and after, each path preceded by its resource.
    pub changes: Vec<FieldChange>,
}

/// Saves a draft: all of it in one revision, with one audit record, or nothing.
///
/// Errors: `Invalid` with all invalid values, by paths such as `draft.rules.create[0].actions.pin`, and for a missing
/// entity tag; `StaleResources` for resources that changed in the meantime; `Conflict` and `PlanLimit` as for the
/// single writes.
pub async fn apply_changes(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    request: ChangesRequest,
) -> Result<SavedChanges, OperationError> {
    let permit = access::change(caller, store)?;
    request.draft.check().map_err(OperationError::Invalid)?;
    let note = permit.attempt().note_beside(request.note.as_deref());
    let note = note.map_err(|wrong| OperationError::Invalid(vec![wrong]))?;
    let permit = permit.noted(note);
    check_tags(&request).map_err(OperationError::Invalid)?;
    let (service, caller) = (service.clone(), caller.clone());
    run_to_completion(async move {
        let asked = Arc::new((service.clone(), caller, request));
        let written = change::write(&service, &permit, move |open| {
            apply_in(open, Arc::clone(&asked))
        });
        let ((applied, etags), revision) = written.await?;
        Ok(SavedChanges {
            revision,
            created: applied.created,
            etags,
            changes: applied.changes,
        })
    })
    .await
}

/// The effect of a draft, and the entity tags of what it names.
type AppliedDraft = (Applied, BTreeMap<String, String>);

/// Applies a draft within a change; returns the entity tags of what it names, too.
fn apply_in<'o>(
    open: &'o mut ConfigurationChange<'_>,
    asked: Arc<(Service, Caller, ChangesRequest)>,
) -> Within<'o, (Changed, AppliedDraft)> {
    Box::pin(async move {
        let (service, caller, request) = &*asked;
        let (draft, if_match) = (&request.draft, &request.if_match);
        let now = open.edit().now;
        let proposal = match &request.proposal {
            Some(named) => {
                let found = service.proposal_named(&mut open.write, caller, named, now);
                Some(found.await?)
            }
            None => None,
        };
        resources::require_unchanged(&mut open.write, draft, if_match).await?;
        let mut edit = open.edit();
        let way = Applying {
            ids: match open.is_provisional() {
                true => NewIds::Provisional,
                false => NewIds::Saved,
            },
            boosts: BoostMerging::Replace,
        };
        let applied = apply(&mut open.write, &mut edit, draft.clone(), way).await?;
        let etags = apply::etags(&mut open.write, &applied.resources).await?;
        if let Some(proposal) = proposal {
            let settling = service.settle_proposal(open, proposal, &applied, now);
            settling.await?;
        }
        let changed = Changed {
            operation: "apply_changes",
            resource: resource(&applied.changes),
            summary: summary(&applied.changes, None),
            changes: applied.changes.clone(),
        };
        Ok((changed, (applied, etags)))
    })
}

/// Checks that the tags are those of the resources that the draft changes.
fn check_tags(request: &ChangesRequest) -> Result<(), Vec<Invalid>> {
    let wanted = request.draft.resources();
    let missing = wanted
        .iter()
        .filter(|resource| !request.if_match.contains_key(*resource))
        .map(|resource| (resource, message::change::tag_required()));
    let idle = request
        .if_match
        .keys()
        .filter(|resource| !wanted.contains(resource))
        .map(|resource| (resource, message::change::tag_idle()));
    let errors: Vec<Invalid> = missing
        .chain(idle)
        .map(|(resource, reason)| Invalid::new(format!("ifMatch.{resource}"), reason))
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// Returns these changes of `resource`, each path preceded by it.
fn under(resource: &str, changes: Vec<FieldChange>) -> impl Iterator<Item = FieldChange> {
    changes.into_iter().map(move |change| FieldChange {
        path: format!("{resource}.{}", change.path),
        ..change
    })
}

/// Returns the resource of a revision with these changes: the only one, or the configuration.
pub(crate) fn resource(changes: &[FieldChange]) -> String {
    match resources_of(changes)[..] {
        [only] => only.to_owned(),
        _ => "configuration".to_owned(),
    }
}

/// Returns the summary of a draft, or of a restore of the state after the revision `restored`.
pub(crate) fn summary(changes: &[FieldChange], restored: Option<i64>) -> Message {
    use message::{drafted, of_resource};
    match (&resources_of(changes)[..], restored) {
        ([], _) => drafted::nothing(),
        ([only], None) => drafted::one(of_resource(only)),
        ([only], Some(revision)) => drafted::one_restored(of_resource(only), revision),
        ([first, more @ ..], None) => drafted::several(of_resource(first), more.len()),
        ([first, more @ ..], Some(revision)) => {
            drafted::several_restored(of_resource(first), more.len(), revision)
        }
    }
}
