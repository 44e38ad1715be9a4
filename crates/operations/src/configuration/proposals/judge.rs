//! A proposal compared with what is saved: merged field by field, applied by the functions of the single writes, and where
//! it contradicts.

use super::draft::DraftBuilder;
use super::record::{ConflictKind, ProposalConflict};
use super::stored::StoredRestore;
use crate::configuration::carried::resources_of;
use crate::configuration::drafts::{self, Applied, Applying, NewIds, content_of};
use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::{OperationError, message};
use domain::audit::{Actor, FieldChange};
use domain::proposal::ProposedEdit;
use domain::relevance::BoostMerging;
use domain::{Message, Timestamp};
use std::collections::BTreeMap;
use storage::{ConfigurationView, ConfigurationWrite, FormerResource, LastWrite, StorageError};

/// A contradiction before it is known who caused it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Contradiction {
    pub resource: String,
    pub path: Option<String>,
    pub kind: ConflictKind,
    pub message: Message,
}

/// What is left to do of a proposal.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// What was changed; nothing if there are contradictions.
    pub changes: Vec<FieldChange>,
    /// Created resources by their names in the proposal.
    pub created: BTreeMap<String, String>,
    pub conflicts: Vec<Contradiction>,
}

impl Judged {
    fn contradicted(conflicts: Vec<Contradiction>) -> Self {
        Self {
            conflicts,
            ..Self::default()
        }
    }
}

/// Applies these edits to `state`, or returns what contradicts.
///
/// Errors: if the state cannot be read. After contradictions the state is of no use.
pub(super) async fn judge(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    edits: &[&ProposedEdit],
    ids: NewIds,
) -> Result<Judged, OperationError> {
    let mut draft = DraftBuilder::default();
    let mut conflicts = Vec::new();
    for proposed in edits {
        let resource = &proposed.resource;
        let contradiction = |path: Option<String>, kind, message| Contradiction {
            resource: resource.clone(),
            path,
            kind,
            message,
        };
        let saved = match &proposed.before {
            Some(_) => content_of(state, resource).await?,
            None => None,
        };
        match (&saved, &proposed.before, &proposed.after) {
            (None, None, Some(after)) => draft.add(resource, None, Some(after)),
            (None, Some(_), Some(_)) => {
                let reason = message::proposal::deleted();
                conflicts.push(contradiction(None, ConflictKind::Deleted, reason));
            }
            (Some(saved), Some(before), None) if saved == before => {
                draft.add(resource, Some(saved), None);
            }
            (Some(_), _, None) => {
                let reason = message::proposal::updated_before_deletion();
                conflicts.push(contradiction(None, ConflictKind::Updated, reason));
            }
            (Some(saved), _, Some(_)) => {
                let merged = proposed.merged(saved);
                for path in merged.conflicts {
                    let reason = message::proposal::updated(path.as_str());
                    let path = Some(format!("{resource}.{path}"));
                    conflicts.push(contradiction(path, ConflictKind::Updated, reason));
                }
                if merged.wanted != *saved {
                    draft.add(resource, Some(saved), Some(&merged.wanted));
                }
            }
            // It is deleted already.
            (None, _, None) => {}
        }
    }
    if !conflicts.is_empty() {
        return Ok(Judged::contradicted(conflicts));
    }
    apply(state, edit, &draft, ids).await
}

async fn apply(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    draft: &DraftBuilder,
    ids: NewIds,
) -> Result<Judged, OperationError> {
    let typed = match draft.typed() {
        Ok(typed) => typed,
        Err(message) => {
            return Ok(Judged::contradicted(vec![Contradiction {
                resource: "configuration".to_owned(),
                path: None,
                kind: ConflictKind::Invalid,
                message,
            }]));
        }
    };
    let boosts = BoostMerging::Merge;
    match drafts::apply(state, edit, typed, Applying { ids, boosts }).await {
        Ok(applied) => Ok(judged(draft, applied)),
        Err(error) => {
            contradictions(error, |path| draft.resource_at(path), draft).map(Judged::contradicted)
        }
    }
}

/// Names created resources as the proposal does, which may be applied in part.
fn judged(draft: &DraftBuilder, applied: Applied) -> Judged {
    let mut created = BTreeMap::new();
    for (kind, resources) in draft.created() {
        for (at, resource) in resources.iter().enumerate() {
            let saved = applied.created.get(&format!("{kind}/draft:{at}"));
            created.extend(saved.map(|saved| (resource.clone(), saved.clone())));
        }
    }
    Judged {
        changes: applied.changes,
        created,
        conflicts: Vec::new(),
    }
}

/// Returns errors of the checks of today as contradictions.
fn contradictions(
    error: OperationError,
    resource_at: impl Fn(&str) -> String,
    draft: &DraftBuilder,
) -> Result<Vec<Contradiction>, OperationError> {
    let at = |details: &serde_json::Value| {
        let field = details["field"].as_str();
        field.map_or_else(|| "configuration".to_owned(), &resource_at)
    };
    let (resource, kind, message) = match error {
        OperationError::Invalid(errors) => {
            let invalid = errors.iter().map(|wrong| {
                let (resource, message) = draft.located(wrong);
                Contradiction {
                    resource,
                    path: None,
                    kind: ConflictKind::Invalid,
                    message,
                }
            });
            return Ok(invalid.collect());
        }
        OperationError::Conflict {
            message, details, ..
        } => (at(&details), ConflictKind::Duplicate, message),
        OperationError::PlanLimit { message, details } => {
            (at(&details), ConflictKind::Limit, message)
        }
        error => return Err(error),
    };
    Ok(vec![Contradiction {
        resource,
        path: None,
        kind,
        message,
    }])
}

/// Returns what `restore` selects of `states` to them, or what contradicts: one was written since the proposal, `since`.
pub(super) async fn judge_restore(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    restore: &StoredRestore,
    (states, since): (Vec<FormerResource>, Vec<LastWrite>),
) -> Result<Judged, OperationError> {
    let selection = restore.selection()?;
    let states = states.into_iter();
    let states = states.filter(|former| selection.includes(&former.resource));
    let states = states.collect();
    let none = DraftBuilder::default();
    let changes = match drafts::return_all(state, edit, states).await {
        Ok(changes) => changes,
        Err(error) => {
            let found = contradictions(error, |path: &str| path.to_owned(), &none)?;
            return Ok(Judged::contradicted(found));
        }
    };
    let changed = resources_of(&changes);
    let meanwhile = since
        .iter()
        .filter(|write| changed.contains(&write.resource.as_str()));
    let conflicts: Vec<Contradiction> = meanwhile
        .map(|write| Contradiction {
            resource: write.resource.clone(),
            path: None,
            kind: ConflictKind::Updated,
            message: message::proposal::updated_since(),
        })
        .collect();
    if !conflicts.is_empty() {
        return Ok(Judged::contradicted(conflicts));
    }
    Ok(Judged {
        changes,
        ..Judged::default()
    })
}

/// The history of resources, from which it is known who changed one last.
pub(super) trait History: Send {
    /// Returns the last revision that wrote a resource.
    fn last(
        &mut self,
        resource: &str,
    ) -> impl Future<Output = Result<Option<i64>, StorageError>> + Send;

    /// Returns when a revision was created, and by whom.
    fn made(
        &mut self,
        revision: i64,
    ) -> impl Future<Output = Result<Option<(Timestamp, Actor)>, StorageError>> + Send;
}

impl History for ConfigurationView {
    async fn last(&mut self, resource: &str) -> Result<Option<i64>, StorageError> {
        self.last_write(resource).await
    }

    async fn made(&mut self, revision: i64) -> Result<Option<(Timestamp, Actor)>, StorageError> {
        self.author(revision).await
    }
}

impl History for ConfigurationWrite {
    async fn last(&mut self, resource: &str) -> Result<Option<i64>, StorageError> {
        self.last_write(resource).await
    }

    async fn made(&mut self, revision: i64) -> Result<Option<(Timestamp, Actor)>, StorageError> {
        self.author(revision).await
    }
}

/// Adds who changed each contradicted resource last.
pub(super) async fn with_authors(
    history: &mut impl History,
    conflicts: Vec<Contradiction>,
) -> Result<Vec<ProposalConflict>, StorageError> {
    let mut all = Vec::with_capacity(conflicts.len());
    for conflict in conflicts {
        let happened = matches!(conflict.kind, ConflictKind::Updated | ConflictKind::Deleted);
        let revision = match happened {
            true => history.last(&conflict.resource).await?,
            false => None,
        };
        let made = match revision {
            Some(revision) => history.made(revision).await?,
            None => None,
        };
        let (at, by) = made.unzip();
        let Message { text, translatable } = conflict.message;
        all.push(ProposalConflict {
            resource: conflict.resource,
            path: conflict.path,
            kind: conflict.kind,
            revision,
            by,
            at,
            message: text,
            translatable,
        });
    }
    Ok(all)
}
