//! A proposal that a person opened as a draft, changed perhaps, and saved: how much of it was applied.

use super::decide::{applied, to_decide};
use super::record::ProposalDecision;
use super::stored::Stored;
use crate::configuration::change::ConfigurationChange;
use crate::configuration::drafts::{Applied, content_of};
use crate::{OperationError, Precondition, Service, message};
use domain::audit::FieldChange;
use domain::proposal::{NamedProposal, Outcome, ProposedEdit};
use domain::{Caller, Denied, Timestamp};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use storage::{AppliedProposal, ConfigurationWrite};

// What saves drafts calls these as methods, because proposals are applied as drafts are.
impl Service {
    /// Returns the proposal that a saved draft was made of.
    ///
    /// Errors: `Forbidden` for keys; `NotFound`; `Conflict` if it is not open; `Stale` if it was added to since it was read.
    pub(crate) async fn proposal_named(
        &self,
        write: &mut ConfigurationWrite,
        caller: &Caller,
        named: &NamedProposal,
        now: Timestamp,
    ) -> Result<Stored, OperationError> {
        if caller.key().is_some() {
            return Err(Denied::Reserved.into());
        }
        let tag = named.etag.trim_matches('"').to_owned();
        let precondition = Precondition::OneOf(vec![tag]);
        let stored = to_decide(write, &named.id, &precondition, now).await?;
        match stored.is_of_configuration() {
            true => Ok(stored),
            false => {
                let reason = message::proposal::not_a_draft();
                Err(OperationError::invalid("proposal.id", reason))
            }
        }
    }

    /// Decides that the proposal is applied by a draft that was saved.
    pub(crate) async fn settle_proposal(
        &self,
        open: &mut ConfigurationChange<'_>,
        mut stored: Stored,
        draft: &Applied,
        now: Timestamp,
    ) -> Result<(), OperationError> {
        let mut found = BTreeMap::new();
        let mut done = Vec::with_capacity(stored.content.edits.len());
        for edit in &stored.content.edits {
            done.push(is_done(&mut open.write, edit, draft, &mut found).await?);
        }
        let outcome = outcome(&stored.content.edits, &done, &draft.changes, &found);
        let latest = open.write.before().config_revision;
        let decision = ProposalDecision {
            outcome: Some(outcome),
            revision: (!draft.changes.is_empty()).then_some(latest + 1),
            created: (!found.is_empty()).then_some(found),
            ..ProposalDecision::new(now, open.actor())
        };
        open.write.set_proposal(AppliedProposal {
            id: stored.row.id.clone(),
            by: stored.by(),
        });
        applied(&mut open.write, &mut stored, decision, done, now).await
    }
}

/// Returns whether what an edit proposes is in effect now; notes the record that it created.
async fn is_done(
    write: &mut ConfigurationWrite,
    edit: &ProposedEdit,
    draft: &Applied,
    found: &mut BTreeMap<String, String>,
) -> Result<bool, OperationError> {
    let Some(after) = &edit.after else {
        return Ok(content_of(write, &edit.resource).await?.is_none());
    };
    if edit.before.is_some() {
        let now: Option<Value> = content_of(write, &edit.resource).await?;
        return Ok(now.is_some_and(|now| {
            let merged = edit.merged(&now);
            merged.conflicts.is_empty() && merged.wanted == now
        }));
    }
    let kind = edit.kind_of_record().unwrap_or_default();
    for created in draft.created.values() {
        let is_free = !found.values().any(|taken| taken == created);
        if is_free
            && created.starts_with(&format!("{kind}/"))
            && content_of(write, created).await?.as_ref() == Some(after)
        {
            found.insert(edit.resource.clone(), created.clone());
            return Ok(true);
        }
    }
    Ok(false)
}

fn outcome(
    edits: &[ProposedEdit],
    done: &[bool],
    changes: &[FieldChange],
    found: &BTreeMap<String, String>,
) -> Outcome {
    let proposed = edits.iter().flat_map(ProposedEdit::changes);
    let proposed: BTreeSet<String> = proposed
        .map(|change| format!("{} {:?}", change.path, change.after))
        .collect();
    let is_foreign = |change: &FieldChange| {
        let is_created = found.values().any(|made| {
            let path = change.path.strip_prefix(made.as_str());
            path.is_some_and(|rest| rest.starts_with('.'))
        });
        !is_created && !proposed.contains(&format!("{} {:?}", change.path, change.after))
    };
    match (changes, done.iter().all(|done| *done)) {
        ([], true) => Outcome::Unchanged,
        (changes, _) if changes.iter().any(is_foreign) => Outcome::Changed,
        (_, true) => Outcome::Whole,
        (_, false) => Outcome::Part,
    }
}

#[cfg(test)]
mod tests {
    //! 1. All of it, some of it and something else are told apart, created records by their content.

    use super::*;
    use serde_json::json;

    #[test]
    fn outcomes_are_told_apart() {
        let edits = [
            ProposedEdit {
                resource: "rules/r".to_owned(),
                before: Some(json!({"priority": 5})),
                after: Some(json!({"priority": 9})),
            },
            ProposedEdit {
                resource: "rules/draft:0".to_owned(),
                before: None,
                after: Some(json!({"name": "n"})),
            },
        ];
        let change = |path: &str, after: Value| FieldChange {
            path: path.to_owned(),
            before: None,
            after: Some(after),
        };
        let found = BTreeMap::from([("rules/draft:0".to_owned(), "rules/x".to_owned())]);
        let (nine, name) = (
            change("rules/r.priority", json!(9)),
            change("rules/x.name", json!("n")),
        );
        let of = |done: [bool; 2], changes: &[FieldChange], found: &BTreeMap<String, String>| {
            outcome(&edits, &done, changes, found)
        };
        let none = BTreeMap::new();
        assert_eq!(
            of([true, true], &[nine.clone(), name], &found),
            Outcome::Whole
        );
        assert_eq!(
            of([true, false], std::slice::from_ref(&nine), &none),
            Outcome::Part
        );
        let eight = change("rules/r.priority", json!(8));
        assert_eq!(of([false, false], &[eight], &none), Outcome::Changed);
        let other = change("rules/y.name", json!("n"));
        assert_eq!(of([true, false], &[nine, other], &none), Outcome::Changed);
        assert_eq!(of([true, true], &[], &none), Outcome::Unchanged);
    }
}
