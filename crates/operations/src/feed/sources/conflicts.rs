//! Which sources cannot be: two whole truths would remove each other's documents in turns.

use crate::OperationError;
use crate::message;
use domain::Timestamp;
use domain::error_codes;
use domain::feed::FeedScope;
use domain::limits::SOURCE_CONNECTOR_DAYS;
use domain::source::SourceMode;
use serde_json::{Value, json};
use storage::{FeedWrite, SourceRow};

/// Fails with `Conflict` for a complete source where another one, or a connector, says what the catalogue has.
pub(crate) async fn check(
    feed: &mut FeedWrite,
    rows: &[SourceRow],
    wanted: &SourceRow,
    now: Timestamp,
) -> Result<(), OperationError> {
    let settings = &wanted.settings;
    if settings.mode != SourceMode::Complete {
        return Ok(());
    }
    let is_rival = |row: &&SourceRow| {
        let of = &row.settings;
        let same_scope = of.doc_type == settings.doc_type && of.language == settings.language;
        row.id != wanted.id && of.mode == SourceMode::Complete && same_scope
    };
    if let Some(rival) = rows.iter().find(is_rival) {
        let message = message::source::another_complete(rival.settings.name.as_str());
        return Err(conflict(message, json!({"sourceId": rival.id})));
    }
    let scope = FeedScope {
        doc_type: settings.doc_type,
        language: settings.language.clone(),
    };
    let since = now.plus_hours(-24 * SOURCE_CONNECTOR_DAYS);
    match feed.has_closed_run(&scope, since).await? {
        true => Err(conflict(message::source::of_connector(), Value::Null)),
        false => Ok(()),
    }
}

fn conflict(message: domain::Message, details: Value) -> OperationError {
    OperationError::Conflict {
        code: error_codes::CONFLICT,
        message,
        details,
    }
}
