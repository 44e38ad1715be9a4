//! `findwell prepare`: fills the indexes of this version in a search cluster and shows the progress.

use super::args::Common;
use super::outcome::{CommandError, ExitStatus};
use super::output;
use super::progress_bar::styled;
use crate::start_error::StartError;
use domain::Caller;
use indicatif::ProgressBar;
use operations::{ServiceOptions, prepare};
use serde_json::json;

/// Fills what is missing. The data directory belongs to the servers, which may run: this one is thrown away.
pub async fn run(common: &Common) -> Result<ExitStatus, CommandError> {
    let failed = |error| CommandError::failed(format!("cannot create a directory: {error}"));
    let dir = tempfile::tempdir().map_err(failed)?;
    let options = ServiceOptions {
        locations: common.locations.read()?,
        ..ServiceOptions::new(dir.path().to_owned())
    };
    let bar = styled(
        ProgressBar::new(0),
        "{bar:30} {pos}/{len} indexes ({elapsed} elapsed)",
    );
    let told = |prepared: prepare::Prepared| {
        bar.set_length(prepared.of as u64);
        bar.set_position(prepared.indexes as u64);
    };
    let prepared = prepare::run(&Caller::operator(), options, told).await;
    bar.finish_and_clear();
    let Some(prepare::Prepared { indexes, .. }) = prepared.map_err(StartError::from_operation)?
    else {
        output::note(format_args!(
            "without --search each server fills its own indexes: nothing to prepare"
        ));
        return Ok(ExitStatus::Done);
    };
    if common.json {
        output::json(&json!({"indexes": indexes}))?;
    } else {
        output::result(format_args!("{indexes} indexes are prepared"))?;
    }
    Ok(ExitStatus::Done)
}
