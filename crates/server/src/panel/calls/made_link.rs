//! A one-time link in a response.

use crate::panel::PanelUrl;
use operations::people::MadeLink;
use serde_json::{Value, json};

/// Returns a new link as its maker gets it, once.
pub fn link(url: &PanelUrl, made: &MadeLink) -> Value {
    json!({"id": made.id, "link": url.link(&made.token), "expiresAt": made.expires_at})
}
