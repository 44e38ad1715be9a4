//! Adds the statements of the database to the span during which they run, as events: their first words, rows and time.
//!
//! Whole statements would not be bounded in bytes: one that writes a block has a placeholder for each of its values.

use opentelemetry::KeyValue;
use std::fmt;
use tracing::field::{Field, Visit};
use tracing::{Event, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

/// Characters of a statement that are kept.
const CHARACTERS_MAX: usize = 120;

/// The layer; it takes the events of the database library.
pub struct StatementLayer;

/// What is kept of a statement.
#[derive(Default)]
struct KeptFields(Vec<KeyValue>);

impl Visit for KeptFields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        if field.name() == "elapsed_secs" {
            self.0.push(KeyValue::new("seconds", value));
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        let name = match field.name() {
            "rows_affected" => "rows_affected",
            "rows_returned" => "rows_returned",
            _ => return,
        };
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        self.0.push(KeyValue::new(name, value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "summary" {
            let first: String = value.chars().take(CHARACTERS_MAX).collect();
            self.0.push(KeyValue::new("statement", first));
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

impl<S: Subscriber> Layer<S> for StatementLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut kept = KeptFields::default();
        event.record(&mut kept);
        Span::current().add_event("sql", kept.0);
    }
}
