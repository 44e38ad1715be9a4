//! The commands on sources.

use super::administer::execute;
use super::args::Common;
use super::outcome::{CommandError, ExitStatus};
use super::output;
use super::source_args::{OneSource, SourceCommand, SourceToFetch, SourcesOf};
use crate::admin::{AdminRequest, SentSource, SourceRequest};
use domain::SourceId;
use serde_json::{Map, Value, json};
use std::io::{BufRead, IsTerminal};
use std::time::Duration;

/// Where a secret may be, other than on standard input.
const SECRET_VARIABLE: &str = "FINDWELL_SOURCE_SECRET";
/// How often a source is looked at that is waited for.
const LOOKED_AT_EVERY: Duration = Duration::from_millis(500);
/// How often at most: somewhat more than a fetch may take.
const LOOKS_MAX: u32 = 2 * 90 * 60;

/// Runs a command on sources.
pub async fn run(common: &Common, command: SourceCommand) -> Result<ExitStatus, CommandError> {
    match command {
        SourceCommand::List(of) => list(common, of).await,
        SourceCommand::Add(add) => {
            let source = with_secret(add.written.request()?)?;
            let store = add.store;
            written(common, SourceRequest::Create { store, source }).await
        }
        SourceCommand::Set(set) => {
            let mut request = set.written.request()?;
            if let Some(active) = set.active {
                request.insert("active".to_owned(), json!(active));
            }
            let (id, source) = (set.source, with_secret(request)?);
            written(common, SourceRequest::Update { id, source }).await
        }
        SourceCommand::Fetch(fetch) => fetch_now(common, fetch).await,
        SourceCommand::Delete(OneSource { source: id }) => {
            let deleted = sent(common, SourceRequest::Delete { id }).await?;
            output::result(deleted.as_str().unwrap_or_default())?;
            Ok(ExitStatus::Done)
        }
    }
}

async fn sent(common: &Common, request: SourceRequest) -> Result<Value, CommandError> {
    execute(common, AdminRequest::Sources(request)).await
}

/// Prints one source per line: id, state, name, type, language, next fetch and address.
async fn list(common: &Common, of: SourcesOf) -> Result<ExitStatus, CommandError> {
    let sources = sent(common, SourceRequest::List { store: of.store }).await?;
    if common.json {
        output::json(&sources)?;
        return Ok(ExitStatus::Done);
    }
    for source in sources.as_array().into_iter().flatten() {
        let cell = |name: &str| source[name].as_str().unwrap_or("-").to_owned();
        let names = [
            "id",
            "state",
            "name",
            "type",
            "language",
            "nextFetchAt",
            "url",
        ];
        output::result(names.map(cell).join("\t"))?;
    }
    Ok(ExitStatus::Done)
}

async fn written(common: &Common, request: SourceRequest) -> Result<ExitStatus, CommandError> {
    let source = sent(common, request).await?;
    if common.json {
        output::json(&source)?;
    } else {
        output::result(source["id"].as_str().unwrap_or_default())?;
    }
    if source["auth"]["secretMissing"] == true {
        output::note("the secret has to be sent again before it is fetched");
    }
    Ok(ExitStatus::Done)
}

/// Puts the secret into a request that says how to authenticate.
fn with_secret(mut request: Map<String, Value>) -> Result<SentSource, CommandError> {
    if let Some(Value::Object(auth)) = request.get_mut("auth")
        && let Some(secret) = secret()?
    {
        let key = match auth["kind"] == "basic" {
            true => "password",
            false => "value",
        };
        auth.insert(key.to_owned(), secret.into());
    }
    Ok(SentSource(request.into()))
}

/// Returns the secret of the environment or standard input, if there is one.
fn secret() -> Result<Option<String>, CommandError> {
    if let Ok(secret) = std::env::var(SECRET_VARIABLE) {
        return Ok(Some(secret).filter(|secret| !secret.is_empty()));
    }
    let input = std::io::stdin();
    if input.is_terminal() {
        output::note("the secret, or an empty line to keep the stored one:");
    }
    let mut line = String::new();
    let read = input.lock().read_line(&mut line);
    read.map_err(|error| CommandError::failed(format!("cannot read the secret: {error}")))?;
    let secret = line.trim_end_matches(['\r', '\n']).to_owned();
    Ok(Some(secret).filter(|secret| !secret.is_empty()))
}

async fn fetch_now(common: &Common, fetch: SourceToFetch) -> Result<ExitStatus, CommandError> {
    let id = fetch.source;
    let before = last_fetch(common, &id).await?;
    sent(common, SourceRequest::Fetch { id: id.clone() }).await?;
    if !fetch.wait {
        return Ok(ExitStatus::Done);
    }
    for _ in 0..LOOKS_MAX {
        tokio::time::sleep(LOOKED_AT_EVERY).await;
        let last = last_fetch(common, &id).await?;
        if last != before {
            return ended(common, &last);
        }
    }
    Err(CommandError::failed(
        "the source was not fetched; does a server run?",
    ))
}

/// Returns the last fetch of a source that ended, null if there was none.
async fn last_fetch(common: &Common, id: &SourceId) -> Result<Value, CommandError> {
    sent(common, SourceRequest::LastFetch { id: id.clone() }).await
}

fn ended(common: &Common, fetch: &Value) -> Result<ExitStatus, CommandError> {
    let text = |key: &str| fetch[key].as_str().unwrap_or_default().to_owned();
    if common.json {
        output::json(fetch)?;
    } else {
        output::result(text("outcome"))?;
        let reason = [text("code"), text("message")].join(": ");
        if fetch["outcome"] == "failed" {
            output::note(reason);
        }
    }
    match fetch["outcome"].as_str() {
        Some("updated" | "unchanged") => Ok(ExitStatus::Done),
        _ => Ok(ExitStatus::Incomplete),
    }
}
