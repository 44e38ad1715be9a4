//! The documents that the feed rejected last, kept for whoever looks after the shop.

use crate::access::permits::require_on_store;
use crate::{OperationError, Service};
use domain::feed::FeedScope;
use domain::first_characters;
use domain::limits::{DOCUMENT_ID_CHARACTERS_MAX, REJECTION_CHARACTERS_MAX, REJECTIONS_MAX};
use domain::{Caller, IndexId, Rejection, StoreId, Timestamp, Translatable, access};
use serde::Serialize;
use storage::{DatedRejection, FeedWrite, RejectionRow};

/// A rejected document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RejectedDocument {
    /// Type and language.
    #[serde(flatten)]
    pub scope: FeedScope,
    /// Its id; left out if it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The code of the rejection.
    pub code: String,
    /// The field that caused it, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The reason.
    pub message: String,
    /// Key and values of the reason; left out of what was rejected before reasons had any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translatable: Option<Translatable>,
    /// When it was rejected last.
    pub at: Timestamp,
}

impl From<DatedRejection> for RejectedDocument {
    fn from(dated: DatedRejection) -> Self {
        Self {
            scope: dated.scope,
            id: dated.rejection.document,
            code: dated.rejection.code,
            field: dated.rejection.field,
            message: dated.rejection.message,
            translatable: dated.rejection.translatable,
            at: dated.at,
        }
    }
}

/// Returns the latest rejected documents of each index of `store`, the latest first. Those that were accepted or deleted
/// since are not among them.
///
/// Errors: `NotFound` for a store that a user does not reach; `Forbidden` for a key.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<Vec<RejectedDocument>, OperationError> {
    require_on_store(caller, "list_rejected", store)?;
    let permit = access::read(caller, store)?;
    let rows = service.storage.rejections(&permit).await?;
    Ok(rows.into_iter().map(RejectedDocument::from).collect())
}

/// Stores what a block rejected, and forgets former rejections of what it accepted.
pub(super) async fn keep(
    feed: &mut FeedWrite,
    index: IndexId,
    accepted: &[&str],
    rejected: &[Rejection],
    now: Timestamp,
) -> Result<(), OperationError> {
    feed.forget_rejections(index, accepted).await?;
    // Of more than are kept, the last ones stay.
    let first = rejected.len().saturating_sub(REJECTIONS_MAX as usize);
    let rows: Vec<RejectionRow> = rejected[first..].iter().map(row).collect();
    Ok(feed
        .put_rejections(index, &rows, now, REJECTIONS_MAX)
        .await?)
}

/// Returns the first `most` characters of a text without control characters, which an invalid id or field may have, among
/// them NUL, which not every database stores.
fn cut(text: &str, most: usize) -> String {
    let plain = |c: char| {
        if c.is_control() {
            char::REPLACEMENT_CHARACTER
        } else {
            c
        }
    };
    first_characters(text, most).chars().map(plain).collect()
}

/// Returns the id by which the rejection of a document is stored.
pub(crate) fn stored_id(id: &str) -> String {
    cut(id, DOCUMENT_ID_CHARACTERS_MAX)
}

/// Returns what is stored of a rejection.
fn row(rejection: &Rejection) -> RejectionRow {
    let id = rejection.id.as_deref().unwrap_or_default();
    let field = rejection.field.as_deref();
    let message = cut(&rejection.message, REJECTION_CHARACTERS_MAX);
    // The values of a text that is cut may be as long as the text was.
    let translatable = (message == rejection.message).then(|| (*rejection.translatable).clone());
    RejectionRow {
        document: stored_id(id),
        code: rejection.code.to_owned(),
        field: field.map(|field| cut(field, REJECTION_CHARACTERS_MAX)),
        message,
        translatable,
    }
}
