//! How a server serves its control panel, and where.

use super::addresses::{PanelAddresses, PanelUrl};
use operations::SessionTimes;
use std::time::Duration;

/// Where the panel is.
pub const PATH: &str = "/panel";
/// Where its calls are.
pub const API: &str = "/panel/api";

/// How a server serves its control panel.
#[derive(Clone, Debug)]
pub struct PanelOptions {
    /// Whether there is one.
    pub enabled: bool,
    /// Addresses besides those of this machine; the first one is used in links.
    pub urls: Vec<PanelUrl>,
    /// How long sessions last.
    pub sessions: SessionTimes,
    /// Whether its store is the demo, whose owner has no password.
    pub demo: bool,
}

impl Default for PanelOptions {
    fn default() -> Self {
        Self {
            enabled: true,
            urls: Vec::new(),
            sessions: SessionTimes::default(),
            demo: false,
        }
    }
}

/// The control panel of a running server.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Its addresses.
    pub addresses: PanelAddresses,
    /// Address of the server as clients call it.
    pub public_url: String,
    /// How long the cookie of a session lasts.
    pub session_max: Duration,
    /// Whether a link printed at the start enters it: that of the demo, on this machine.
    pub demo: bool,
}
