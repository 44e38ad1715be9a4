//! The command `serve`, and the commands on accounts, stores and keys.

use super::args::Common;
use super::key_args::NewKeyArgs;
use super::logging::LogFormat;
use super::outcome::{CommandError, ExitStatus};
use super::output;
use super::serving_args::ServeArgs;
use super::stop_signals::StopSignals;
use super::store_args::{
    AccountSettingsArgs, AnalyticsToClear, ClosedStoreId, NewAccount, NewStoreArgs, StoreDeletion,
    StoreListArgs, StoreSettingsArgs,
};
use crate::admin::{AdminFailure, AdminRequest, ClosedStoreRequest, DataAccess};
use crate::boot::{ConnectionLimits, PanelOptions, Proxies, Running, ServerOptions, ToolServer};
use crate::validation::strict_json;
use domain::document::DocType;
use domain::source::SourceRules;
use domain::store::PlanLimits;
use domain::{KeyId, StoreId, bytes_without_byte_order_mark};
use operations::keys::NewApiKey;
use operations::rates::Rates;
use operations::search_log::SearchLogOptions;
use operations::sources::SourceOptions;
use operations::stores::{NewStore, StoreSettings};
use operations::{SessionTimes, people};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Serves until a stop signal.
pub async fn serve(common: &Common, serving: &ServeArgs) -> Result<ExitStatus, CommandError> {
    let server = crate::boot::start(options(common, serving)?).await?;
    let stop = StopSignals::listen()?;
    let address = format!("http://{}", server.address());
    print_first_link(common, &server).await?;
    if common.json {
        let metrics = server.metrics_address();
        let metrics = metrics.map(|metrics| json!({ "metrics": format!("http://{metrics}") }));
        let mut response = metrics.unwrap_or_else(|| json!({}));
        response["address"] = json!(address);
        output::json(&response)?;
    } else {
        output::result(&address)?;
    }
    stop.serve_until_stopped(server).await
}

/// Prints the link of the first owner of the control panel, as long as there is no user.
async fn print_first_link(common: &Common, server: &Running) -> Result<(), CommandError> {
    let Some(url) = server.panel_url() else {
        return Ok(());
    };
    let made = people::first_owner(server.service()).await;
    if let Some(made) = made.map_err(AdminFailure::from)? {
        let link = url.link(&made.token);
        let message = "Set up the control panel within a day";
        // The log redacts links, so it cannot carry this one; a log in JSON stays one object per line.
        match common.log_format {
            LogFormat::Text => output::note(format_args!("{message}: {link}")),
            LogFormat::Json => output::note(json!({"message": message, "link": link})),
        }
    }
    Ok(())
}

/// Returns the options of a server.
pub fn options(common: &Common, serving: &ServeArgs) -> Result<ServerOptions, CommandError> {
    Ok(ServerOptions {
        locations: common.locations.read()?,
        proxies: Proxies {
            trusted: serving.trusted_proxy.clone(),
            header: serving.proxy_header,
        },
        metrics_listen: serving.metrics_listen,
        connections: ConnectionLimits {
            per_address: serving.connections_per_address,
            ..ConnectionLimits::default()
        },
        open_indexes_max: serving.open_indexes_max,
        rates: Rates {
            requests: serving.requests_per_minute,
            writes: serving.writes_per_minute,
        },
        tools: ToolServer {
            hosts: serving.mcp_host.clone(),
            origins: serving.mcp_origin.clone(),
        },
        public_url: serving.public_url.clone(),
        releases: serving.releases.clone(),
        search_log: SearchLogOptions {
            days: serving.search_log_days,
            bytes_max: serving.search_log_bytes_max,
        },
        slow_searches: serving.slow_search_ms.map(Duration::from_millis),
        panel: PanelOptions {
            enabled: !serving.panel.no_panel,
            urls: serving.panel.panel_url.clone(),
            sessions: SessionTimes {
                idle: serving.panel.session_idle,
                max: serving.panel.session_max,
            },
            ..PanelOptions::default()
        },
        sources: SourceOptions {
            rules: SourceRules {
                allowed: serving.allow_source_host.clone(),
            },
            enabled: !serving.no_sources,
        },
        remember_keys: Duration::from_secs(serving.remember_keys),
        copy_indexes_from: serving.copy_indexes_from.clone(),
        ..ServerOptions::new(common.data.clone(), serving.listen)
    })
}

/// Sets how many stores the users of an account may have and prints its id.
pub async fn set_account(
    common: &Common,
    set: AccountSettingsArgs,
) -> Result<ExitStatus, CommandError> {
    let request = AdminRequest::SetAccount {
        account: set.account,
        max_stores: set.max_stores,
    };
    let account = execute(common, request).await?;
    print_one(common, &account, "/id")
}

/// Creates an account and prints its id.
pub async fn create_account(common: &Common, new: NewAccount) -> Result<ExitStatus, CommandError> {
    let request = AdminRequest::CreateAccount {
        name: new.name,
        max_stores: new.max_stores,
    };
    let account = execute(common, request).await?;
    print_one(common, &account, "/id")
}

/// Creates a store and prints its id; its connector key goes to stderr.
pub async fn create_store(common: &Common, new: NewStoreArgs) -> Result<ExitStatus, CommandError> {
    let plan = new
        .plan
        .as_deref()
        .map_or_else(|| Ok(PlanLimits::default()), read_plan)?;
    let request = AdminRequest::CreateStore(NewStore {
        name: new.name,
        account: new.account,
        languages: new.language,
        plan,
    });
    let store = execute(common, request).await?;
    if !common.json {
        let key = shown(&store["connectorKey"]);
        output::note(format_args!("connector key, shown only once: {key}"));
    }
    print_one(common, &store, "/id")
}

/// Changes the settings of a store that only the operator may change, and prints its id.
pub async fn set_store(
    common: &Common,
    settings: StoreSettingsArgs,
) -> Result<ExitStatus, CommandError> {
    let plan = settings.plan.as_deref().map(read_plan).transpose()?;
    let changes = StoreSettings {
        status: settings.status,
        plan,
        purge_breaker: settings.purge_breaker,
        url: settings.url,
        platform: settings.platform,
        impact_gate: settings.impact_gate,
        keys_may_force: settings.keys_may_force,
    };
    if changes == StoreSettings::default() {
        return Err(CommandError::usage(
            "give at least one of --status, --plan, --purge-breaker, --url, --platform, --impact-gate and --keys-may-force",
        ));
    }
    let request = AdminRequest::SetStore {
        store: settings.id,
        settings: changes,
    };
    let store = execute(common, request).await?;
    print_one(common, &store, "/id")
}

fn read_plan(path: &Path) -> Result<PlanLimits, CommandError> {
    let invalid =
        |reason: String| CommandError::usage(format!("the plan file {}: {reason}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| invalid(error.to_string()))?;
    let text = bytes_without_byte_order_mark(&bytes);
    let value = strict_json::parse(text).map_err(|error| invalid(error.to_string()))?;
    if !value.is_object() {
        return Err(invalid("must be an object".to_owned()));
    }
    let plan: PlanLimits =
        serde_json::from_value(value).map_err(|error| invalid(error.to_string()))?;
    match plan
        .max_documents
        .keys()
        .find(|name| DocType::parse(name).is_none())
    {
        Some(name) => Err(invalid(format!("maxDocuments.{name}: is not a known type"))),
        None => Ok(plan),
    }
}

/// Lists all stores, or those that were closed.
pub async fn list_stores(common: &Common, of: &StoreListArgs) -> Result<ExitStatus, CommandError> {
    if of.closed {
        let stores = execute(common, AdminRequest::ClosedStores(ClosedStoreRequest::List)).await?;
        return print_list(
            common,
            &stores,
            &["/id", "/closedAt", "/removedFrom", "/name"],
        );
    }
    let stores = execute(common, AdminRequest::ListStores).await?;
    print_list(common, &stores, &["/id", "/status", "/languages", "/name"])
}

/// Closes a store, which is removed some days later, or removes a closed one at once; prints its id.
pub async fn delete_store(
    common: &Common,
    deletion: StoreDeletion,
) -> Result<ExitStatus, CommandError> {
    let StoreDeletion { store, name, now } = deletion;
    let request = if now {
        ClosedStoreRequest::Remove { store, name }
    } else {
        ClosedStoreRequest::Close { store, name }
    };
    let closed = execute(common, AdminRequest::ClosedStores(request)).await?;
    if !common.json && !now {
        let until = shown(&closed["removedFrom"]);
        output::note(format_args!("it can be reopened until {until}"));
    }
    print_one(common, &closed, "/id")
}

/// Opens a closed store again and prints its id.
pub async fn reopen_store(
    common: &Common,
    closed: ClosedStoreId,
) -> Result<ExitStatus, CommandError> {
    let store = closed.store;
    let request = ClosedStoreRequest::Reopen { store };
    let opened = execute(common, AdminRequest::ClosedStores(request)).await?;
    print_one(common, &opened, "/id")
}

/// Creates a key and prints it.
pub async fn create_key(common: &Common, new: NewKeyArgs) -> Result<ExitStatus, CommandError> {
    if new.store.is_some() == new.account.is_some() {
        return Err(CommandError::usage("give either --store or --account"));
    }
    let request = AdminRequest::CreateKey(NewApiKey {
        store: new.store,
        account: new.account,
        kind: new.kind,
        scope: new.scope,
        name: new.name,
        expires: new.expires,
    });
    let key = execute(common, request).await?;
    print_one(common, &key, "/key")
}

/// Prints the keys of a store, or all keys.
pub async fn list_keys(
    common: &Common,
    store: Option<StoreId>,
) -> Result<ExitStatus, CommandError> {
    let keys = execute(common, AdminRequest::ListKeys { store }).await?;
    print_list(
        common,
        &keys,
        &["/id", "/kind", "/scope", "/storeId", "/name", "/state"],
    )
}

/// Deactivates a key and prints its id.
pub async fn deactivate_key(common: &Common, key: KeyId) -> Result<ExitStatus, CommandError> {
    let id = key.0.clone();
    execute(common, AdminRequest::DeactivateKey { key }).await?;
    print_one(common, &json!({ "id": id }), "/id")
}

/// Deletes the statistics of searches of a store, and prints how many rows they had.
pub async fn clear_analytics(
    common: &Common,
    of: AnalyticsToClear,
) -> Result<ExitStatus, CommandError> {
    let request = AdminRequest::ClearAnalytics {
        store: of.store,
        before: of.before,
    };
    let cleared = execute(common, request).await?;
    print_one(common, &cleared, "/rows")
}

/// Executes `request` through the running server, or in this process if there is none.
pub async fn execute(common: &Common, request: AdminRequest) -> Result<Value, CommandError> {
    let mut access = DataAccess::open(
        &common.data,
        &common.locations.read()?,
        request.may_create_data(),
    )
    .await?;
    let outcome = access.execute(request).await;
    access.close().await;
    Ok(outcome?)
}

/// Prints the whole response as JSON, or only the value at `pointer`.
pub fn print_one(
    common: &Common,
    response: &Value,
    pointer: &str,
) -> Result<ExitStatus, CommandError> {
    if common.json {
        output::json(response)?;
    } else {
        output::result(shown(response.pointer(pointer).unwrap_or(&Value::Null)))?;
    }
    Ok(ExitStatus::Done)
}

/// Prints a list as JSON, or one line per record with tab-separated columns, given as JSON pointers.
pub fn print_list(
    common: &Common,
    response: &Value,
    columns: &[&str],
) -> Result<ExitStatus, CommandError> {
    if common.json {
        output::json(response)?;
        return Ok(ExitStatus::Done);
    }
    for record in response.as_array().into_iter().flatten() {
        let cells: Vec<String> = columns
            .iter()
            .map(|pointer| shown(record.pointer(pointer).unwrap_or(&Value::Null)))
            .collect();
        output::result(cells.join("\t"))?;
    }
    Ok(ExitStatus::Done)
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        // Texts of others may have line breaks, and each record is one line.
        Value::String(text) => text.replace(['\n', '\r', '\t'], " "),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
