//! Collects the spans of sampled requests and sends them, by the library of OpenTelemetry.

use super::TraceOptions;
use super::client::CollectorClient;
use super::statements::StatementLayer;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider,
};
use std::time::Duration;
use tracing::{Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

/// Spans that wait to be sent at most; further ones are dropped.
const WAITING_MAX: usize = 8_192;
/// Events of a span at most, such as statements, and attributes of each.
const EVENTS_MAX: u32 = 64;
const ATTRIBUTES_MAX: u32 = 32;
/// How long spans are collected, and how long the end of the process waits for the last ones.
const SENT_EVERY: Duration = Duration::from_secs(5);
const END_MAX: Duration = Duration::from_secs(5);

/// The traces of a process; dropping it sends the last ones.
pub struct Traces(SdkTracerProvider);

impl Drop for Traces {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown_with_timeout(END_MAX) {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

/// Returns the layer that collects spans, and what sends them.
///
/// Errors: an address that cannot be used.
pub fn start<S>(options: &TraceOptions) -> Result<(impl Layer<S> + use<S>, Traces), String>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let exporter = opentelemetry_otlp::SpanExporter::builder()
        .with_http()
        .with_http_client(CollectorClient::new())
        .with_endpoint(&options.collector)
        .build()
        .map_err(|error| error.to_string())?;
    let batches = BatchConfigBuilder::default()
        .with_max_queue_size(WAITING_MAX)
        .with_scheduled_delay(SENT_EVERY)
        .build();
    let processor = BatchSpanProcessor::builder(exporter)
        .with_batch_config(batches)
        .build();
    let about = Resource::builder()
        .with_service_name("findwell")
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build();
    let provider = SdkTracerProvider::builder()
        .with_span_processor(processor)
        .with_sampler(Sampler::TraceIdRatioBased(options.share))
        .with_max_events_per_span(EVENTS_MAX)
        .with_max_attributes_per_span(ATTRIBUTES_MAX)
        .with_max_attributes_per_event(ATTRIBUTES_MAX)
        .with_resource(about)
        .build();
    let tracer: SdkTracer = provider.tracer("findwell");
    let layer = tracing_opentelemetry::layer()
        .with_tracer(tracer)
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false);
    let spans = Targets::new().with_target("traces", Level::INFO);
    let statements = Targets::new().with_target("sqlx::query", Level::TRACE);
    let layer = layer
        .with_filter(spans)
        .and_then(StatementLayer.with_filter(statements));
    Ok((layer, Traces(provider)))
}
