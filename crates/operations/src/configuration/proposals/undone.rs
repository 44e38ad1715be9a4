//! What a write that is undone would have changed, and how large that may be.

use super::draft::{DraftBuilder, KINDS};
use super::stored::{Content, StoredContent};
use crate::configuration::drafts::content_of;
use crate::configuration::editable::EditableConfiguration;
use crate::{OperationError, message};
use domain::limits::{DRAFT_RECORDS_MAX, PROPOSAL_BYTES_MAX, STORED_PROPOSAL_BYTES_MAX};
use domain::proposal::ProposedEdit;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use storage::ConfigurationWrite;

/// Resources of a store that are in no revision.
const WATCHED: &str = "watched";
const HIDDEN: &str = "hidden-queries";

/// Undoes the write and returns what it would have changed.
pub(super) async fn undone(
    write: &mut ConfigurationWrite,
    what: &Content,
    touched: Vec<String>,
) -> Result<StoredContent, OperationError> {
    let mut wanted = Vec::with_capacity(touched.len());
    for resource in touched {
        let content = content_in(write, &resource).await?;
        wanted.push((resource, content));
    }
    let boosts = EditableConfiguration::relevance(write).await?.boosts;
    write.undo().await?;
    let mut all = Vec::with_capacity(wanted.len());
    for (resource, content) in wanted {
        let saved = content_in(write, &resource).await?;
        let edit = ProposedEdit::between(&resource, saved.as_ref(), content.as_ref());
        all.extend(edit.map(|edit| (edit, saved, content)));
    }
    all.sort_by_key(|(edit, ..)| order(edit));
    let mut draft = DraftBuilder::default();
    let mut edits = Vec::with_capacity(all.len());
    let mut created: BTreeMap<String, usize> = BTreeMap::new();
    for (mut edit, saved, content) in all {
        draft.add(&edit.resource, saved.as_ref(), content.as_ref());
        if edit.before.is_none()
            && let Some(kind) = edit.kind_of_record().map(str::to_owned)
        {
            let next = created.entry(kind.clone()).or_default();
            edit.resource = format!("{kind}/draft:{next}");
            *next += 1;
        }
        edits.push(edit);
    }
    draft.set_boosts(boosts_of_map(json!(boosts), &edits));
    Ok(StoredContent {
        draft: (*what == Content::Draft).then(|| draft.to_json()),
        restore: match what {
            Content::Restore(restore) => Some(restore.clone()),
            _ => None,
        },
        edits,
        applied: Vec::new(),
    })
}

/// Returns all saved boosts with the proposed ones: over REST a map replaces the whole one.
fn boosts_of_map(mut saved: Value, edits: &[ProposedEdit]) -> Value {
    let relevance = edits.iter().find(|edit| edit.resource == "relevance");
    let proposed = relevance.and_then(|edit| edit.after.as_ref());
    let proposed = proposed.and_then(|after| after["boosts"].as_object());
    if let Value::Object(saved) = &mut saved {
        saved.extend(proposed.cloned().into_iter().flatten());
    }
    saved
}

/// The order of edits: single resources, then records by kind, created ones last and in their order.
fn order(edit: &ProposedEdit) -> (usize, bool, usize, String) {
    let kind = edit.kind_of_record();
    let rank = kind.map_or(0, |kind| {
        let at = KINDS.iter().position(|known| *known == kind);
        at.map_or(0, |at| at + 1)
    });
    let number = edit.resource.rsplit_once("draft:");
    let number = number.and_then(|(_, number)| number.parse().ok());
    let resource = edit.resource.clone();
    (rank, edit.before.is_none(), number.unwrap_or(0), resource)
}

/// Returns the content of a resource, also of one that is in no revision.
pub(super) async fn content_in(
    write: &mut ConfigurationWrite,
    resource: &str,
) -> Result<Option<Value>, OperationError> {
    Ok(match resource {
        WATCHED => Some(json!({"queries": write.watched_queries().await?})),
        HIDDEN => Some(json!(write.hidden_queries().await?)),
        _ => content_of(write, resource).await?,
    })
}

/// Checks the size of a proposal.
///
/// Errors: `Invalid`.
pub(super) fn check_size(content: &StoredContent) -> Result<(), OperationError> {
    let wrong = |reason| Err(OperationError::invalid("proposal", reason));
    let records = content.edits.iter();
    let records = records.filter(|edit| edit.kind_of_record().is_some());
    let count = records.count();
    if content.restore.is_none() && count > DRAFT_RECORDS_MAX {
        return wrong(message::proposal::records(DRAFT_RECORDS_MAX, count));
    }
    let switched_off = |edit: &&ProposedEdit| {
        let after = edit.after.as_ref().filter(|_| edit.before.is_none());
        edit.kind_of_record() == Some("synonyms")
            && after.is_some_and(|after| after["active"] == json!(false))
    };
    // No write creates one, but the file of a configuration may have one.
    if content.restore.is_none() && content.edits.iter().any(|edit| switched_off(&edit)) {
        return wrong(message::proposal::new_group_off());
    }
    let bytes = content.sent().len();
    if bytes > PROPOSAL_BYTES_MAX {
        return wrong(message::proposal::bytes(PROPOSAL_BYTES_MAX, bytes));
    }
    let bytes = json!(content.edits).to_string().len() + bytes;
    if bytes > STORED_PROPOSAL_BYTES_MAX {
        let max = STORED_PROPOSAL_BYTES_MAX;
        return wrong(message::proposal::bytes_of_changes(max, bytes));
    }
    Ok(())
}
