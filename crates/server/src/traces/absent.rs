//! Of a build without the feature `otlp`: nothing sends traces, and whoever asks for them is told so.

use super::TraceOptions;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Identity;

/// The traces of a process, of which there are none.
pub struct NoTraces;

/// Returns no layer.
///
/// Errors: always, with the reason.
pub fn start<S: Subscriber>(
    _: &TraceOptions,
) -> Result<(impl Layer<S> + use<S>, NoTraces), String> {
    Err::<(Identity, NoTraces), _>("this program was built without the feature otlp".to_owned())
}
