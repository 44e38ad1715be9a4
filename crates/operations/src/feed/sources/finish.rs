//! How a fetch ended: what a source keeps of it, and when it is fetched next.

use super::due::{DueSource, job_permit};
use super::read_as;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::feed::FeedScope;
use domain::limits::{SOURCE_RETRY_MINUTES, SOURCE_SALE_MINUTES};
use domain::source::{FetchOutcome, SourceFetch, SourceMode, SourceState, SourceStatus};
use domain::{Message, Timestamp};
use serde_json::Value;
use std::time::Duration;
use storage::SourceRow;

const MINUTE_MS: i64 = 60_000;

/// The version of a file that was received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceivedVersion {
    /// `ETag` of the response.
    pub etag: Option<String>,
    /// `Last-Modified` of the response.
    pub last_modified: Option<String>,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// How a fetch ended.
#[derive(Clone, Debug)]
pub struct FetchReport {
    /// Its outcome.
    pub outcome: FetchOutcome,
    /// Code of a failure.
    pub code: Option<String>,
    /// Reason of a failure, as a message or as the text of a file error.
    pub reason: Option<Result<Message, String>>,
    /// Status of the last response.
    pub http_status: Option<u16>,
    /// Redirects that were followed.
    pub redirects: u32,
    /// Bytes that were received.
    pub bytes: u64,
    /// How long it took.
    pub took: Duration,
    /// How long the server wants to be left alone.
    pub retry_after: Option<Duration>,
    /// Result of the import.
    pub result: Option<Value>,
    /// The version of a file that was imported, or is the same as before.
    pub version: Option<ReceivedVersion>,
    /// When the next sale of the file begins or ends.
    pub next_sale_change: Option<Timestamp>,
    /// The run whose purge is held back.
    pub held_run: Option<String>,
    /// Whether documents may have been stored, also by a fetch that failed.
    pub has_stored: bool,
}

/// Stores how a fetch ended, and when the source is fetched next. A source that was deleted meanwhile stays so.
pub async fn finish(
    service: &Service,
    due: DueSource,
    report: FetchReport,
) -> Result<(), OperationError> {
    let permit = job_permit(&due.store)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut feed = service.storage.begin_feed(&permit).await?;
        let Some(mut row) = feed.source(&due.id).await? else {
            return Ok(());
        };
        let scope = FeedScope {
            doc_type: due.settings.doc_type,
            language: due.settings.language.clone(),
        };
        let documents = feed.document_count(&scope).await?;
        let jitter = ids::bytes::<1>()?[0];
        note(&mut row, &due, &report, documents);
        // Who changed the settings meanwhile has said when to fetch, too.
        if row.version == due.version && row.next_fetch_at.is_some() {
            row.next_fetch_at = Some(next(&row, &due, &report, jitter));
        }
        row.leased_until = None;
        row.leased_by = None;
        feed.save_source(&row).await?;
        feed.keep_fetch(&row.id, &history(&due, report.clone()))
            .await?;
        let has_run = due.settings.mode == SourceMode::Complete
            && matches!(report.outcome, FetchOutcome::Updated | FetchOutcome::Held);
        if !has_run && report.outcome != FetchOutcome::Failed {
            feed.note_sign_of_life(due.at).await?;
        }
        feed.commit().await?;
        Ok(())
    })
    .await
}

/// Notes the outcome in the state of the source.
fn note(row: &mut SourceRow, due: &DueSource, report: &FetchReport, documents: Option<u64>) {
    let state = &mut row.state;
    if report.outcome == FetchOutcome::Failed {
        state.status = SourceStatus::Failing;
        state.code.clone_from(&report.code);
        (state.message, state.translatable) = reason(report.reason.clone());
        state.failing_since.get_or_insert(due.at);
        state.failures = state.failures.saturating_add(1);
        if report.has_stored {
            // The former file would not give what is stored now.
            state.read_as = None;
        }
        return;
    }
    *state = SourceState {
        status: match report.outcome {
            FetchOutcome::Held => SourceStatus::Held,
            _ => SourceStatus::Ok,
        },
        code: None,
        message: None,
        translatable: None,
        last_success_at: Some(due.at),
        failing_since: None,
        failures: 0,
        held_run: report.held_run.clone(),
        ..std::mem::take(state)
    };
    if let Some(version) = &report.version {
        state.etag.clone_from(&version.etag);
        state.last_modified.clone_from(&version.last_modified);
        state.sha256 = Some(version.sha256.clone());
    }
    if report.outcome != FetchOutcome::Unchanged {
        state.documents = documents;
        state.read_as = Some(read_as(&due.settings));
        state.next_sale_change = report.next_sale_change;
    }
}

fn reason(
    reason: Option<Result<Message, String>>,
) -> (Option<String>, Option<domain::message::Translatable>) {
    match reason {
        None => (None, None),
        Some(Ok(message)) => (Some(message.text), Some(*message.translatable)),
        Some(Err(text)) => (Some(text), None),
    }
}

fn history(due: &DueSource, report: FetchReport) -> SourceFetch {
    let (message, translatable) = reason(report.reason);
    SourceFetch {
        at: due.at,
        trigger: due.trigger,
        outcome: report.outcome,
        code: report.code,
        message,
        translatable,
        http_status: report.http_status,
        redirects: report.redirects,
        bytes: report.bytes,
        took_ms: u64::try_from(report.took.as_millis()).unwrap_or(u64::MAX),
        result: report.result,
    }
}

/// Returns when the source is fetched next: after its interval, a tenth more or less, sooner after failures and for a
/// sale that begins or ends.
fn next(row: &SourceRow, due: &DueSource, report: &FetchReport, jitter: u8) -> Timestamp {
    let interval = i64::from(row.settings.interval_minutes) * MINUTE_MS;
    let after = |ms: i64| Timestamp(due.at.0.saturating_add(ms));
    if report.outcome == FetchOutcome::Failed {
        let failures = usize::try_from(row.state.failures).unwrap_or(usize::MAX);
        let retry = SOURCE_RETRY_MINUTES.get(failures.saturating_sub(1));
        let wait = retry
            .map_or(interval, |minutes| minutes * MINUTE_MS)
            .min(interval);
        let wanted = report.retry_after.unwrap_or_default().as_millis();
        let wanted = i64::try_from(wanted).unwrap_or(interval).min(interval);
        return after(wait.max(wanted));
    }
    // From 90 to 110 percent.
    let usual = after(interval / 100 * 90 + interval / 100 * 20 * i64::from(jitter) / 255);
    let sale = row.state.next_sale_change;
    let sale = sale.map(|at| at.max(after(SOURCE_SALE_MINUTES * MINUTE_MS)));
    sale.map_or(usual, |sale| sale.min(usual))
}
