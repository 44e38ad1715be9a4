//! The spans of which traces are made (`docs/operations.md`, "Traces"): what an operation does, in steps.
//!
//! Their target is `traces`, so a log that names no such target has none of them, and a span that nobody wants costs a
//! comparison.

use tracing::Span;

/// A search of a shopper, a suggestion, or another operation of this name.
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
    tracing::info_span!(target: "traces", "engine", r#type = doc_type, found = tracing::field::Empty)
}
