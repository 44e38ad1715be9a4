//! `findwell reindex`: rebuilds indexes and shows the progress.

use super::args::{Common, Reindex};
use super::outcome::{CommandError, ExitStatus};
use super::output;
use super::progress_bar::styled;
use crate::admin::{AdminRequest, DataAccess};
use indicatif::ProgressBar;
use operations::reindex::{ReindexState, Reindexed};
use serde_json::Value;
use std::time::Duration;

/// Interval of progress requests.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Rebuilds the indexes and waits until all are swapped.
pub async fn run(common: &Common, reindex: Reindex) -> Result<ExitStatus, CommandError> {
    let mut access = DataAccess::open(&common.data, &common.locations.read()?, false).await?;
    let outcome = follow(&mut access, reindex).await;
    access.close().await;
    let indexes = outcome?;
    if common.json {
        output::json(&indexes)?;
    }
    let mut status = ExitStatus::Done;
    for index in &indexes {
        let text = format!(
            "{} in {} of {}",
            index.doc_type.as_str(),
            index.language,
            index.store_id
        );
        if index.state == ReindexState::Failed {
            output::note(format_args!("{text}: failed; the old index stays in use"));
            status = ExitStatus::Incomplete;
        } else if !common.json {
            output::result(format_args!(
                "{}\t{}\t{}\t{}",
                index.store_id,
                index.doc_type.as_str(),
                index.language,
                index.documents
            ))?;
        }
    }
    Ok(status)
}

async fn follow(access: &mut DataAccess, reindex: Reindex) -> Result<Vec<Reindexed>, CommandError> {
    let store = reindex.store;
    let mut indexes = read(access.execute(AdminRequest::Reindex { store }).await?)?;
    let bar = progress_bar();
    while indexes
        .iter()
        .any(|index| index.state == ReindexState::Building)
    {
        bar.set_length(indexes.iter().map(|index| index.of).sum());
        bar.set_position(indexes.iter().map(|index| index.documents).sum());
        tokio::time::sleep(POLL_INTERVAL).await;
        let request = AdminRequest::ReindexProgress {
            indexes: indexes.iter().map(|index| index.index).collect(),
        };
        indexes = read(access.execute(request).await?)?;
    }
    bar.finish_and_clear();
    Ok(indexes)
}

fn read(response: Value) -> Result<Vec<Reindexed>, CommandError> {
    serde_json::from_value(response).map_err(|error| {
        CommandError::failed(format!("cannot parse the server's response: {error}"))
    })
}

fn progress_bar() -> ProgressBar {
    styled(
        ProgressBar::new(0),
        "{bar:30} {pos}/{len} documents ({elapsed} elapsed, {eta} left)",
    )
}
