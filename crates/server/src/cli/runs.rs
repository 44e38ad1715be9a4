//! The commands on indexing runs.

use super::administer::execute;
use super::args::{Common, Release, RunsOf};
use super::outcome::{CommandError, ExitStatus};
use super::output;
use crate::admin::AdminRequest;
use serde_json::Value;

/// Prints the latest runs of a store, newest first: id, state, mode, opening time and held purges.
pub async fn list(common: &Common, of: RunsOf) -> Result<ExitStatus, CommandError> {
    let runs = execute(common, AdminRequest::ListRuns { store: of.store }).await?;
    if common.json {
        output::json(&runs)?;
        return Ok(ExitStatus::Done);
    }
    for run in runs.as_array().into_iter().flatten() {
        let cell = |name: &str| run[name].as_str().unwrap_or("-").to_owned();
        let cells = ["runId", "state", "mode", "openedAt"].map(cell);
        output::result(format_args!("{}\t{}", cells.join("\t"), held(run)))?;
    }
    Ok(ExitStatus::Done)
}

/// Formats the scopes whose purge is held and the number of documents it would delete, such as `products/es:120`.
fn held(run: &Value) -> String {
    let scopes = run["scopes"].as_array().into_iter().flatten();
    let waiting = scopes.filter_map(|scope| {
        let documents = scope.get("wouldPurge")?;
        let name = |part: &str| scope[part].as_str().unwrap_or_default().to_owned();
        Some(format!("{}/{}:{documents}", name("type"), name("language")))
    });
    match waiting.collect::<Vec<_>>() {
        none if none.is_empty() => "-".to_owned(),
        some => some.join(","),
    }
}

/// Releases held purges and prints the ids of their runs.
pub async fn release(common: &Common, release: Release) -> Result<ExitStatus, CommandError> {
    let request = AdminRequest::ReleaseRuns {
        store: release.store,
        run: release.run,
    };
    let released = execute(common, request).await?;
    if common.json {
        output::json(&released)?;
        return Ok(ExitStatus::Done);
    }
    let runs = released.as_array().into_iter().flatten();
    for id in runs.filter_map(|run| run["runId"].as_str()) {
        output::result(id)?;
    }
    if released.as_array().is_some_and(Vec::is_empty) {
        output::note("nothing is held back");
    }
    Ok(ExitStatus::Done)
}
