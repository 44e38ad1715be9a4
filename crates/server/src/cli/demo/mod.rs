//! `findwell demo`: a small invented shop, fed through the feed operations, or the products of a file, served with a
//! storefront.

mod catalogue_of_file;
mod feeding;
mod keys;

use super::administer::options;
use super::args::Common;
use super::demo_args::DemoArgs;
use super::import::screen;
use super::outcome::{CommandError, ExitStatus};
use super::output;
use super::stop_signals::StopSignals;
use crate::admin::AdminFailure;
use crate::boot::PreparedServer;
use crate::storefront::{self, DemoStore};
use catalogue_of_file::ProductsOfFile;
use keys::DemoKeys;
use operations::{DataLocations, Service, people};
use serde_json::json;
use std::path::Path;

/// Creates the shop if it does not exist yet, prints its address and keys, and serves it.
pub async fn run(common: &Common, demo: &DemoArgs) -> Result<ExitStatus, CommandError> {
    if common.locations.read()?.has_server() {
        let reason = "the demo keeps its data in its directory; leave out --database and --analytics-database";
        return Err(CommandError::usage(reason));
    }
    let kept = DemoKeys::read(&common.data)?;
    check_directory(&common.data, demo.file.is_some(), kept.as_ref())?;
    let own = match &demo.file {
        None => None,
        Some(path) => match catalogue_of_file::read(common, demo, path, kept.as_ref()).await? {
            Ok(own) => Some(own),
            Err(result) => {
                screen::print(&result, common.json)?;
                return Ok(ExitStatus::Incomplete);
            }
        },
    };
    let mut options = options(common, &demo.serving)?;
    options.panel.demo = true;
    let prepared = PreparedServer::new(options).await?;
    let base = base(&prepared);
    let mut keys = match kept {
        Some(keys) => keys,
        None => {
            let language = own.as_ref().map(|own| own.language.clone());
            keys::create(prepared.service(), prepared.data(), language).await?
        }
    };
    let products = match own {
        Some(own) => Some(own.import(prepared.service(), &keys).await?),
        None => {
            feed_invented(&prepared, &mut keys, &base).await?;
            None
        }
    };
    let shop = DemoStore {
        store: keys.store.clone(),
        search_key: keys.search_only.as_str().into(),
        address: prepared.address(),
        panel: prepared.panel_url().cloned(),
        language_of_file: keys.language.clone(),
    };
    let panel = panel_link(&prepared, &keys).await?;
    let running = prepared.serve_with(|app| storefront::paths(shop, app))?;
    let stop = StopSignals::listen()?;
    print(common, &base, &keys, panel.as_deref(), products)?;
    stop.serve_until_stopped(running).await
}

/// Fails where the directory has other data than this demo's.
fn check_directory(
    data: &Path,
    is_of_file: bool,
    kept: Option<&DemoKeys>,
) -> Result<(), CommandError> {
    let what = match kept {
        Some(keys) if keys.language.is_none() && is_of_file => "the invented shop of another demo",
        Some(keys) if keys.language.is_some() && !is_of_file => {
            "the products of a file: start with --file, or"
        }
        None if is_of_file && Service::has_data(data, &DataLocations::default()) => {
            "the data of a server"
        }
        _ => return Ok(()),
    };
    let data = data.display();
    Err(CommandError::failed(format!(
        "{data} has {what}; name another directory with --data"
    )))
}

/// Returns the address that browsers use: that of the control panel where the server listens for other machines, too,
/// as in a container.
fn base(prepared: &PreparedServer) -> String {
    let address = prepared.address();
    match prepared.panel_url() {
        Some(url) if !address.ip().is_loopback() => url.to_string(),
        _ => format!("http://{address}"),
    }
}

/// Feeds the invented catalogue, unless it was fed for this address.
async fn feed_invented(
    prepared: &PreparedServer,
    keys: &mut DemoKeys,
    base: &str,
) -> Result<(), CommandError> {
    if keys.fed_for.as_deref() != Some(base) {
        feeding::feed(prepared.service(), keys, base).await?;
        keys.fed_for = Some(base.to_owned());
        keys.write(prepared.data())?;
    }
    Ok(())
}

/// Returns the link that enters the control panel as the owner of the demo; only who reads it can use it, once.
async fn panel_link(
    server: &PreparedServer,
    keys: &DemoKeys,
) -> Result<Option<String>, CommandError> {
    let Some(url) = server.panel_url() else {
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
    of_file: Option<ProductsOfFile>,
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
    let (headline, query, text) = match &of_file {
        None => {
            let headline = format!("The demo shop is open at {base}");
            (headline, "running+shoes".to_owned(), "running shoes")
        }
        Some(own) => {
            let ProductsOfFile { file, products, .. } = own;
            let headline = format!("{products} products of {file} are found at {base}");
            (headline, own.query_in_address(), own.query.as_str())
        }
    };
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
        "{headline}
{panel}
Keys (kept in {file}):
  configuration  {configuration}
  connector      {connector}
  search-only    {search_only}

Search:
  curl -s '{base}/api/v1/search?q={query}&limit=3' -H 'X-API-Key: {search_only}'

Try other weights without saving anything:
  curl -s {base}/api/v1/stores/{store}/relevance/test -H 'X-API-Key: {configuration}' -H 'Content-Type: application/json' -d '{{\"q\": \"{text}\", \"limit\": 3, \"boosts\": {{\"description\": 10}}}}'

Save them:
  curl -s -X PUT {base}/api/v1/stores/{store}/relevance -H 'X-API-Key: {configuration}' -H 'Content-Type: application/json' -d '{{\"boosts\": {{\"description\": 10}}}}'

Let an agent do it (docs/mcp.md names other clients):
  claude mcp add --transport http findwell {base}/mcp --header 'X-API-Key: {configuration}'

Stop with Ctrl-C.",
        file = file.display(),
    ))
}
