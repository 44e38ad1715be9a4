//! Dry runs, impacts, notes and force of writes: the parameters and the header of an attempt, and its report in the response.
//!
//! A layer of every write that knows them, so that no handler does: what happens is decided below the interfaces.

use super::change_note;
use super::query_string;
use crate::catalogue::OperationRow;
use crate::message;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, ETAG};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;
use domain::{ChangeNote, Invalid, ProposalTarget, Proposed, Scope, WriteAttempt, WriteReport};
use operations::catalogue::RequiredAccess;
use serde_json::{Map, Value, json};

/// Message of a write that became a proposal.
const PROPOSED: &str = "Proposed, not saved: a person decides about it in the control panel.";
/// Message of a write that proposes what is proposed already.
const PROPOSED_BEFORE: &str = "Proposed already, not saved: a person decides about it.";
/// Message of a write that proposes nothing.
const NOTHING_PROPOSED: &str = "It would change nothing, so nothing was proposed.";
/// Header with the proposal that a write is added to, and its path in errors.
const X_PROPOSAL_ID: &str = "x-proposal-id";
const PROPOSAL_FIELD: &str = "header.X-Proposal-Id";
/// Argument of the same.
const PROPOSAL_ID: &str = "proposalId";
/// Message of a dry run.
const VALID: &str = "Valid; nothing was saved.";
/// Names of the parameters.
const DRY_RUN: &str = "dryRun";
const IMPACT: &str = "impact";
const NOTE: &str = "note";
const FORCE: &str = "force";
/// Path of the parameter `force` in errors.
const FORCE_FIELD: &str = "query.force";
/// Writes that never run dry.
const ALWAYS_REAL: [&str; 1] = ["delete_store"];
/// Writes of users that run dry, too.
const OF_USERS: [&str; 4] = [
    "apply_changes",
    "set_watched",
    "set_hidden_queries",
    "import_configuration",
];
/// Bytes of a response that is read again for its report; no write returns as much.
const BYTES_MAX: usize = 32 * 1024 * 1024;

/// Returns whether a write can run dry.
pub fn can_run_dry(row: &OperationRow) -> bool {
    let by_keys = row.operation().access == RequiredAccess::Configuration(Scope::Propose);
    (by_keys && !ALWAYS_REAL.contains(&row.id)) || OF_USERS.contains(&row.id)
}

/// Returns whether a write is about proposals themselves, so that it never becomes one.
pub fn is_about_proposals(row: &OperationRow) -> bool {
    row.path.contains("/proposals") || ALWAYS_REAL.contains(&row.id)
}

/// Returns whether a write can move results, so that it has an impact.
pub fn can_move_results(row: &OperationRow) -> bool {
    let path = row.path;
    let parts = [
        "/relevance",
        "/synonyms",
        "/rules",
        "/changes",
        "/configuration",
        "/restore",
    ];
    can_run_dry(row) && parts.iter().any(|part| path.contains(part))
}

/// Reads the parameters and the header of an attempt and adds its report to the response; `force` of writes that can move
/// results only.
///
/// Other values than `true` and `false` stay in the query string, where the handler rejects them in its turn. A note that
/// is none travels with the attempt, which is checked once the caller may write.
pub async fn attempted(moves_results: bool, mut request: Request, next: Next) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let (attempt, others) = attempt(query, moves_results);
    let note = change_note::of_headers(request.headers());
    let proposal = proposal_of(request.headers());
    let attempt = added(attempt.noted(note), proposal);
    if let Some(uri) = others.and_then(|others| with_query(request.uri(), &others)) {
        *request.uri_mut() = uri;
    }
    request.extensions_mut().insert(attempt.clone());
    let response = next.run(request).await;
    match attempt.take_report() {
        Some(report) if response.status().is_success() => reported(response, report).await,
        _ => response,
    }
}

/// Returns the proposal that the headers name.
///
/// Errors: the header is empty or there twice.
fn proposal_of(headers: &HeaderMap) -> Result<Option<ProposalTarget>, Invalid> {
    let mut values = headers.get_all(X_PROPOSAL_ID).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        let reason = message::value::given_twice();
        return Err(Invalid::new(PROPOSAL_FIELD, reason));
    }
    named(value.to_str().unwrap_or_default(), PROPOSAL_FIELD).map(Some)
}

fn named(id: &str, field: &'static str) -> Result<ProposalTarget, Invalid> {
    match id.trim() {
        "" => Err(Invalid::new(field, message::value::empty())),
        id if id.contains('\0') => Err(Invalid::new(field, message::text::nul())),
        id => Ok(ProposalTarget::new(id, field)),
    }
}

fn added(
    mut attempt: WriteAttempt,
    proposal: Result<Option<ProposalTarget>, Invalid>,
) -> WriteAttempt {
    match proposal {
        Ok(proposal) => attempt.proposal = proposal,
        Err(wrong) => attempt.wrong.push(wrong),
    }
    attempt
}

/// Takes the attempt out of a query string; returns the other parameters, too, if anything was taken.
fn attempt(query: &str, moves_results: bool) -> (WriteAttempt, Option<String>) {
    let (mut dry_run, mut impact, mut force, mut others) = (None, None, None, Vec::new());
    for (name, value) in query_string::pairs(query) {
        let flag = match value {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        match (name, flag) {
            (DRY_RUN, Some(_)) if dry_run.is_none() => dry_run = flag,
            (IMPACT, Some(_)) if impact.is_none() => impact = flag,
            (FORCE, Some(_)) if force.is_none() && moves_results => force = flag,
            _ => others.push(format!("{name}={value}")),
        }
    }
    let mut attempt = WriteAttempt::new(dry_run == Some(true), impact);
    attempt.force = (force == Some(true)).then_some(FORCE_FIELD);
    let is_named = dry_run.is_some() || impact.is_some() || force.is_some();
    (attempt, is_named.then(|| others.join("&")))
}

fn with_query(uri: &Uri, query: &str) -> Option<Uri> {
    let path = match query {
        "" => uri.path().to_owned(),
        query => format!("{}?{query}", uri.path()),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(path.parse().ok()?);
    Uri::from_parts(parts).ok()
}

async fn reported(response: Response, report: WriteReport) -> Response {
    let (mut parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, BYTES_MAX).await else {
        let mut failed = Response::new(Body::empty());
        *failed.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        return failed;
    };
    if let Some(status) = status_of(&report) {
        parts.status = status;
        parts.headers.remove(ETAG);
    }
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(with_report(&body, report)))
}

/// Returns the status of a response with this report, if it replaces that of the write.
fn status_of(report: &WriteReport) -> Option<StatusCode> {
    match (&report.tried, &report.proposed) {
        (None, None) => None,
        (None, Some(Proposed::Proposal { is_new: true, .. })) => Some(StatusCode::ACCEPTED),
        _ => Some(StatusCode::OK),
    }
}

/// Adds a report to the body of a successful response.
pub fn with_report(body: &[u8], report: WriteReport) -> Vec<u8> {
    let mut envelope: Map<String, Value> = serde_json::from_slice(body).unwrap_or_default();
    let message = match (&report.tried, &report.proposed) {
        (Some(_), _) => Some(VALID),
        (None, Some(Proposed::Proposal { is_new: true, .. })) => Some(PROPOSED),
        (None, Some(Proposed::Proposal { .. })) => Some(PROPOSED_BEFORE),
        (None, Some(Proposed::Nothing)) => Some(NOTHING_PROPOSED),
        (None, None) => None,
    };
    if let Some(message) = message {
        envelope.insert("message".to_owned(), json!(message));
    }
    envelope.extend(report.keys());
    Value::Object(envelope).to_string().into_bytes()
}

/// Returns the attempt that the arguments of a tool name, and takes it out of them; `force` of writes that can move results
/// only. `of_proposal` tells that the tool is about a proposal, which it names itself.
pub fn of_arguments(
    arguments: &mut Map<String, Value>,
    (moves_results, of_proposal): (bool, bool),
) -> WriteAttempt {
    let note = note_of(arguments);
    let proposal = match of_proposal {
        true => Ok(None),
        false => proposal_argument(arguments),
    };
    let mut flag = |name: &str| {
        let flag = match arguments.get(name)? {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
            Value::Null => None,
            // The check of the arguments rejects it.
            _ => return None,
        };
        arguments.shift_remove(name);
        flag
    };
    let dry_run = flag(DRY_RUN) == Some(true);
    let mut attempt = WriteAttempt::new(dry_run, flag(IMPACT)).noted(note);
    attempt.force = (moves_results && flag(FORCE) == Some(true)).then_some(FORCE);
    added(attempt, proposal)
}

fn proposal_argument(
    arguments: &mut Map<String, Value>,
) -> Result<Option<ProposalTarget>, Invalid> {
    let proposal = match arguments.get(PROPOSAL_ID) {
        Some(Value::String(id)) => named(id, PROPOSAL_ID).map(Some),
        Some(Value::Null) => Ok(None),
        // The check of the arguments rejects anything else.
        _ => return Ok(None),
    };
    arguments.shift_remove(PROPOSAL_ID);
    proposal
}

fn note_of(arguments: &mut Map<String, Value>) -> Result<Option<ChangeNote>, Invalid> {
    let note = match arguments.get(NOTE) {
        Some(Value::String(text)) => ChangeNote::parse(text),
        Some(Value::Null) => Ok(None),
        // The check of the arguments rejects anything else.
        _ => return Ok(None),
    };
    arguments.shift_remove(NOTE);
    note.map_err(|reason| Invalid::new(NOTE, reason))
}

#[cfg(test)]
mod tests {
    //! 1. Only flags are taken out of a query string, each once, and `force` only where results can move; the rest stays for
    //!    the handler.

    use super::*;

    #[test]
    fn flags_are_taken_out() {
        let read = |query: &str, moves_results| {
            let (attempt, others) = attempt(query, moves_results);
            let force = attempt.force.is_some();
            let others = others.unwrap_or_else(|| query.to_owned());
            ((attempt.dry_run, attempt.impact, force), others)
        };
        let none = (false, None, false);
        let cases = [
            ("", none, ""),
            ("a=1", none, "a=1"),
            ("dryRun=true", (true, None, false), ""),
            (
                "a=1&dryRun=true&impact=false",
                (true, Some(false), false),
                "a=1",
            ),
            ("impact=true", (false, Some(true), false), ""),
            ("dryRun=yes", none, "dryRun=yes"),
            (
                "dryRun=true&dryRun=false",
                (true, None, false),
                "dryRun=false",
            ),
            ("force=true&a=1", (false, None, true), "a=1"),
            ("force=false", none, ""),
        ];
        for (query, attempt, others) in cases {
            assert_eq!(read(query, true), (attempt, others.to_owned()), "{query}");
        }
        assert_eq!(read("force=true", false), (none, "force=true".to_owned()));
    }
}
