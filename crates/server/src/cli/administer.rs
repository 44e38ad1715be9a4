//! The commands that serve, and those that make, list and deactivate accounts, stores and keys.

use super::args::{Common, NewAccount, NewKeyArgs, NewStoreArgs, Serving, StoreSettingsArgs};
use super::outcome::{Ending, ExitStatus};
use super::output;
use super::stop_signals::StopSignals;
use crate::admin::{AdminRequest, DataAccess};
use crate::boot::{ConnectionLimits, Proxies, ServerOptions, ToolServer};
use crate::validation::strict_json;
use domain::document::DocType;
use domain::store::PlanLimits;
use domain::{KeyId, StoreId};
use operations::rates::Rates;
use operations::stores::StoreSettings;
use serde_json::{Value, json};
use std::path::Path;

/// Serves until the process is told to stop.
pub async fn serve(common: &Common, serving: &Serving) -> Result<ExitStatus, Ending> {
    let server = crate::boot::start(options(common, serving)).await?;
    let stop = StopSignals::listen()?;
    let address = format!("http://{}", server.address());
    if common.json {
        let metrics = server.metrics_address();
        let metrics = metrics.map(|metrics| json!({ "metrics": format!("http://{metrics}") }));
        let mut answer = metrics.unwrap_or_else(|| json!({}));
        answer["address"] = json!(address);
        output::json(&answer)?;
    } else {
        output::result(&address)?;
    }
    stop.serve_until_told(server).await
}

/// The options of a server.
pub fn options(common: &Common, serving: &Serving) -> ServerOptions {
    ServerOptions {
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
        ..ServerOptions::new(common.data.clone(), serving.listen)
    }
}

/// Makes an account and prints its id.
pub async fn create_account(common: &Common, new: NewAccount) -> Result<ExitStatus, Ending> {
    let request = AdminRequest::CreateAccount { name: new.name };
    let account = execute(common, request).await?;
    print_one(common, &account, "/id")
}

/// Makes a store and prints its id; the key of its connector goes to stderr.
pub async fn create_store(common: &Common, new: NewStoreArgs) -> Result<ExitStatus, Ending> {
    let plan = new
        .plan
        .as_deref()
        .map_or_else(|| Ok(PlanLimits::default()), read_plan)?;
    let request = AdminRequest::CreateStore {
        name: new.name,
        account: new.account,
        languages: new.language,
        plan,
    };
    let store = execute(common, request).await?;
    if !common.json {
        let key = shown(&store["connectorKey"]);
        output::note(format_args!("connector key, shown this once: {key}"));
    }
    print_one(common, &store, "/id")
}

/// Changes what only the operator changes of a store, and prints its id.
pub async fn set_store(common: &Common, settings: StoreSettingsArgs) -> Result<ExitStatus, Ending> {
    let plan = settings.plan.as_deref().map(read_plan).transpose()?;
    if settings.status.is_none() && plan.is_none() && settings.purge_breaker.is_none() {
        return Err(Ending::usage(
            "give at least one of --status, --plan and --purge-breaker",
        ));
    }
    let request = AdminRequest::SetStore {
        store: settings.id,
        settings: StoreSettings {
            status: settings.status,
            plan,
            purge_breaker: settings.purge_breaker,
        },
    };
    let store = execute(common, request).await?;
    print_one(common, &store, "/id")
}

fn read_plan(path: &Path) -> Result<PlanLimits, Ending> {
    let wrong =
        |reason: String| Ending::usage(format!("the plan file {}: {reason}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let value = strict_json::parse(&bytes).map_err(|error| wrong(error.to_string()))?;
    if !value.is_object() {
        return Err(wrong("must be an object".to_owned()));
    }
    let plan: PlanLimits =
        serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?;
    match plan
        .max_documents
        .keys()
        .find(|name| DocType::parse(name).is_none())
    {
        Some(name) => Err(wrong(format!("maxDocuments.{name}: there is no such type"))),
        None => Ok(plan),
    }
}

/// Prints all stores.
pub async fn list_stores(common: &Common) -> Result<ExitStatus, Ending> {
    let stores = execute(common, AdminRequest::ListStores).await?;
    print_list(common, &stores, &["/id", "/status", "/languages", "/name"])
}

/// Makes a key and prints it.
pub async fn create_key(common: &Common, new: NewKeyArgs) -> Result<ExitStatus, Ending> {
    if new.store.is_some() == new.account.is_some() {
        return Err(Ending::usage("give either --store or --account"));
    }
    let request = AdminRequest::CreateKey {
        store: new.store,
        account: new.account,
        kind: new.kind,
        scope: new.scope,
        name: new.name,
        expires: new.expires,
    };
    let key = execute(common, request).await?;
    print_one(common, &key, "/key")
}

/// Prints the keys of a store, or all.
pub async fn list_keys(common: &Common, store: Option<StoreId>) -> Result<ExitStatus, Ending> {
    let keys = execute(common, AdminRequest::ListKeys { store }).await?;
    print_list(
        common,
        &keys,
        &["/id", "/kind", "/scope", "/storeId", "/name"],
    )
}

/// Deactivates a key and prints its id.
pub async fn deactivate_key(common: &Common, key: KeyId) -> Result<ExitStatus, Ending> {
    let id = key.0.clone();
    execute(common, AdminRequest::DeactivateKey { key }).await?;
    print_one(common, &json!({ "id": id }), "/id")
}

/// Has `request` executed by the running server, or here when none runs.
pub async fn execute(common: &Common, request: AdminRequest) -> Result<Value, Ending> {
    let mut access = DataAccess::open(&common.data, request.may_begin()).await?;
    let outcome = access.execute(request).await;
    access.close().await;
    Ok(outcome?)
}

/// The whole answer as JSON, or the one value of it that scripts need.
fn print_one(common: &Common, answer: &Value, pointer: &str) -> Result<ExitStatus, Ending> {
    if common.json {
        output::json(answer)?;
    } else {
        output::result(shown(answer.pointer(pointer).unwrap_or(&Value::Null)))?;
    }
    Ok(ExitStatus::Done)
}

/// A list as JSON, or one line per record with its columns, which are named by pointers, separated by tabs.
pub fn print_list(common: &Common, answer: &Value, columns: &[&str]) -> Result<ExitStatus, Ending> {
    if common.json {
        output::json(answer)?;
        return Ok(ExitStatus::Done);
    }
    for record in answer.as_array().into_iter().flatten() {
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
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
