//! The state that handlers share.

use super::connection_table::ConnectionTable;
use super::connections::Patience;
use super::in_flight::BodyMemory;
use super::proxies::Proxies;
use super::public_address::PublicAddress;
use crate::imports::Uploads;
use crate::metrics::{Requests, SourceMetrics};
use crate::widget::WidgetFiles;
use operations::Service;
use std::sync::Arc;

/// The state that handlers share.
#[derive(Clone)]
pub struct App {
    /// The service.
    pub service: Service,
    pub(crate) proxies: Arc<Proxies>,
    pub(crate) patience: Patience,
    pub(crate) memory: Arc<BodyMemory>,
    pub(crate) connections: Arc<ConnectionTable>,
    pub(crate) requests: Arc<Requests>,
    pub(crate) sources: Arc<SourceMetrics>,
    pub(crate) widget: Arc<WidgetFiles>,
    pub(crate) address: Arc<PublicAddress>,
    pub(crate) imports: Uploads,
}
