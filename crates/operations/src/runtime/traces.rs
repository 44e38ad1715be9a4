//! The spans of which traces are made (`docs/operations.md`, "Traces"): what a request does, in steps.
//!
//! Their target is `traces`, so a log that names no such target has none of them, and a span that nobody wants costs a
//! comparison. None has anything that a sender chose but the name of an operation.

use tracing::Span;
use tracing::field::Empty;

/// A request over HTTP: the name of its operation, its id, method and path with placeholders.
pub fn request(operation: &str, id: &str, method: &str, route: Option<&str>) -> Span {
    tracing::info_span!(
        target: "traces",
        "request",
        otel.name = operation,
        otel.kind = "server",
        request_id = id,
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty
    )
}

/// Adds the status of the response to the span of a request.
pub fn responded(request: &Span, status: u16) {
    request.record("http.response.status_code", status);
}

/// A tool that is called.
pub fn tool(name: &str) -> Span {
    tracing::info_span!(target: "traces", "operation", otel.name = name)
}

/// An operation on a store.
pub(crate) fn operation(name: &'static str, store: &str) -> Span {
    tracing::info_span!(target: "traces", "operation", otel.name = name, store)
}

/// The store is opened and its state found.
pub(crate) fn open() -> Span {
    tracing::info_span!(target: "traces", "open")
}

/// The request is checked, and its visitor known.
pub(crate) fn check() -> Span {
    tracing::info_span!(target: "traces", "check")
}

/// A query becomes a plan for documents of this type.
pub(crate) fn plan(doc_type: &'static str) -> Span {
    tracing::info_span!(target: "traces", "plan", r#type = doc_type)
}

/// The engine executes the plan.
pub(crate) fn engine(doc_type: &'static str) -> Span {
    tracing::info_span!(target: "traces", "engine", r#type = doc_type, found = Empty)
}
