//! The client header of connectors, with the versions of module, platform and PHP.

use crate::{OperationError, Service};
use domain::access::Feed;
use domain::limits::CLIENT_CHARACTERS_MAX;
use domain::release::platform_of_client;
use domain::{Permit, Timestamp, first_characters};
use storage::ConnectorRow;

/// Stores the header of the store's connector, at most once a minute while it stays the same.
///
/// If it cannot be stored, on a full disk perhaps, the next call tries again: no request fails because of a header.
pub(super) async fn note(service: &Service, permit: &Permit<Feed>, client: &str) {
    if let Err(error) = save(service, permit, client).await {
        tracing::warn!(error = ?error, "the client header of a connector was not stored");
    }
}

async fn save(
    service: &Service,
    permit: &Permit<Feed>,
    client: &str,
) -> Result<(), OperationError> {
    let now = service.clock.now();
    let client = first_characters(client, CLIENT_CHARACTERS_MAX).to_owned();
    if client.is_empty()
        || !service
            .access
            .last_uses
            .needs_write(permit.store(), &client, now)
    {
        return Ok(());
    }
    let mut feed = service.storage.begin_feed(permit).await?;
    feed.save_connector(&parse(&client, now)).await?;
    // What the operator or the panel has set stays.
    if let Some(platform) = platform_of_client(&client) {
        feed.fill_platform(&platform).await?;
    }
    feed.commit().await?;
    service
        .access
        .last_uses
        .written(permit.store(), client, now);
    Ok(())
}

/// Parses a header of the form `<platform>/<module_version>; platform=<version>; php=<version>`; other parts are
/// ignored.
fn parse(client: &str, seen_at: Timestamp) -> ConnectorRow {
    let mut parts = client.split(';').map(str::trim);
    let module_version = parts
        .next()
        .and_then(|head| head.split_once('/'))
        .and_then(|(_, version)| valid_version(version));
    let named: Vec<(&str, &str)> = parts.filter_map(|part| part.split_once('=')).collect();
    let version = |name: &str| {
        let found = named.iter().find(|(key, _)| key.trim() == name);
        found.and_then(|(_, version)| valid_version(version))
    };
    ConnectorRow {
        client: client.to_owned(),
        module_version,
        platform_version: version("platform"),
        php_version: version("php"),
        seen_at,
    }
}

fn valid_version(version: &str) -> Option<String> {
    let version = version.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
    let fits = !version.is_empty() && version.len() <= 32 && version.chars().all(plain);
    fits.then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(client: &str) -> [Option<String>; 3] {
        let row = parse(client, Timestamp(0));
        [row.module_version, row.platform_version, row.php_version]
    }

    #[test]
    fn the_three_versions_are_read() {
        let text = "prestashop/1.4.0; platform=9.1.4; php=8.2.35";
        let wanted = ["1.4.0", "9.1.4", "8.2.35"].map(|v| Some(v.to_owned()));
        assert_eq!(versions(text), wanted);
    }

    #[test]
    fn a_malformed_header_is_stored_without_versions() {
        for malformed in ["curl", "a/b c", ";;;=", "x/<script>", "/", "php=8"] {
            assert_eq!(versions(malformed), [None, None, None], "{malformed}");
        }
        let partly = versions("prestashop/2.0.0;php = 8.1 ; other=1");
        assert_eq!(partly, [Some("2.0.0".into()), None, Some("8.1".into())]);
    }
}
