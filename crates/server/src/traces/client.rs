//! Sends collected spans to a collector, from the one thread that does nothing else.

use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use ureq::Agent;

/// How long a collector may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes of a response that are read.
const RESPONSE_BYTES_MAX: u64 = 64 * 1024;

/// A client without redirects, cookies and proxies.
#[derive(Debug)]
pub struct CollectorClient(Agent);

impl CollectorClient {
    pub fn new() -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .timeout_global(Some(TIMEOUT))
            .build();
        Self(config.into())
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let response = self.0.run(Request::from_parts(parts, body.to_vec()))?;
        let (parts, mut body) = response.into_parts();
        let body = body.with_config().limit(RESPONSE_BYTES_MAX).read_to_vec()?;
        Ok(Response::from_parts(parts, body.into()))
    }
}

impl HttpClient for CollectorClient {
    // As the macro of the trait writes it; the thread of the exporter may block.
    fn send_bytes<'own, 'sent>(
        &'own self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'sent>>
    where
        'own: 'sent,
        Self: 'sent,
    {
        Box::pin(async move { self.send(request) })
    }
}
