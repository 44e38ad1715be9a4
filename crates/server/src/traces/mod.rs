//! Traces: what requests do in steps, sampled, for a collector that takes OTLP over HTTP (`docs/operations.md`, "Traces").
//!
//! Spans are made by whoever does a step, with the target `traces`; statements of the database are events of `sqlx`. This
//! folder decides which are kept and sends them. Nothing waits for a collector: what it does not take is dropped.

#[cfg(not(feature = "otlp"))]
mod absent;
#[cfg(feature = "otlp")]
mod client;
#[cfg(feature = "otlp")]
mod sending;
#[cfg(feature = "otlp")]
mod statements;

#[cfg(not(feature = "otlp"))]
pub use absent::{NoTraces as Traces, start};
#[cfg(feature = "otlp")]
pub use sending::{Traces, start};

/// Where traces are sent, and how many.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceOptions {
    /// Address of the collector, with its path.
    pub collector: String,
    /// Share of the requests that are traced, from 0 to 1.
    pub share: f64,
}
