//! `findwell demo`: a small invented shop, fed through the feed operations and served with its storefront.

mod feeding;
mod keys;

use super::administer::options;
use super::args::Common;
use super::outcome::{CommandError, ExitStatus};
use super::output;
use super::serving_args::ServeArgs;
use super::stop_signals::StopSignals;
use crate::admin::AdminFailure;
use crate::boot::PreparedServer;
use crate::panel::PanelUrl;
use crate::storefront::{self, DemoStore};
use keys::DemoKeys;
use operations::people;
use serde_json::json;

/// Creates the shop if it does not exist yet, prints its address and keys, and serves it.
pub async fn run(common: &Common, serving: &ServeArgs) -> Result<ExitStatus, CommandError> {
    let mut options = options(common, serving);
    options.panel.demo = true;
    let prepared = PreparedServer::new(options).await?;
    let address = prepared.address();
    let base = format!("http://{address}");
    let mut keys = match DemoKeys::read(prepared.data())? {
        Some(keys) => keys,
        None => keys::create(prepared.service(), prepared.data()).await?,
    };
    if keys.fed_for.as_deref() != Some(&base) {
        feeding::feed(prepared.service(), &keys, &base).await?;
        keys.fed_for = Some(base.clone());
        keys.write(prepared.data())?;
    }
    let demo = DemoStore {
        store: keys.store.clone(),
        search_key: keys.search_only.as_str().into(),
        address,
        panel: local_panel(&prepared).cloned(),
    };
    let panel = panel_link(&prepared, &keys).await?;
    let running = prepared.serve_with(|app| storefront::paths(demo, app))?;
    let stop = StopSignals::listen()?;
    print(common, &base, &keys, panel.as_deref())?;
    stop.serve_until_stopped(running).await
}

/// Returns the address of the control panel if browsers on this machine, and no others, reach the server.
fn local_panel(server: &PreparedServer) -> Option<&PanelUrl> {
    let local = server.address().ip().is_loopback();
    server.panel_url().filter(|_| local)
}

/// Returns the link that enters the control panel as the owner of the demo; only for browsers on this machine.
async fn panel_link(
    server: &PreparedServer,
    keys: &DemoKeys,
) -> Result<Option<String>, CommandError> {
    let Some(url) = local_panel(server) else {
        return Ok(None);
    };
    let made = people::demo_owner(server.service(), &keys.store).await;
    Ok(Some(url.link(&made.map_err(AdminFailure::from)?.token)))
}

fn print(
    common: &Common,
    base: &str,
    keys: &DemoKeys,
    panel: Option<&str>,
) -> Result<(), CommandError> {
    if common.json {
        return output::json(&json!({
            "address": base,
            "panel": panel,
            "storeId": keys.store,
            "keys": {
                "configuration": keys.configuration,
                "connector": keys.connector,
                "searchOnly": keys.search_only,
            },
            "tools": format!("{base}/mcp"),
        }));
    }
    let DemoKeys {
        store,
        configuration,
        connector,
        search_only,
        ..
    } = keys;
    let file = common.data.join(keys::FILE_NAME);
    let panel = panel.map_or_else(String::new, |link| {
        format!("\nIts control panel (the link works once, for a day):\n  {link}\n")
    });
    output::result(format_args!(
        "The demo shop is open at {base}
{panel}
Keys (kept in {file}):
  configuration  {configuration}
  connector      {connector}
  search-only    {search_only}

Search:
  curl -s '{base}/api/v1/search?q=running+shoes&limit=3' -H 'X-API-Key: {search_only}'

Try other weights without saving anything:
  curl -s {base}/api/v1/stores/{store}/relevance/test -H 'X-API-Key: {configuration}' -H 'Content-Type: application/json' -d '{{\"q\": \"running shoes\", \"limit\": 3, \"boosts\": {{\"description\": 10}}}}'

Save them:
  curl -s -X PUT {base}/api/v1/stores/{store}/relevance -H 'X-API-Key: {configuration}' -H 'Content-Type: application/json' -d '{{\"boosts\": {{\"description\": 10}}}}'

Let an agent do it (docs/mcp.md names other clients):
  claude mcp add --transport http findwell {base}/mcp --header 'X-API-Key: {configuration}'

Stop with Ctrl-C.",
        file = file.display(),
    ))
}
