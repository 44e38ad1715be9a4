//! `findwell backup`: a copy of the data directory, also while the server runs.

use super::args::{BackUp, Common};
use super::outcome::{Ending, ExitStatus};
use super::output;
use crate::admin::{AdminRequest, DataAccess};
use operations::backup::Backup;
use std::path::absolute;

/// Makes the copy, prints where it is, and names the file that must be kept apart.
pub async fn run(common: &Common, backup: BackUp) -> Result<ExitStatus, Ending> {
    // The server may stand in another directory than the command.
    let directory = absolute(&backup.directory)
        .map_err(|error| Ending::failed(format!("{}: {error}", backup.directory.display())))?;
    let mut access = DataAccess::open(&common.data, false).await?;
    let outcome = access.execute(AdminRequest::BackUp { directory }).await;
    access.close().await;
    let made: Backup = serde_json::from_value(outcome?).map_err(|error| {
        Ending::failed(format!("the server's answer is not understood: {error}"))
    })?;
    if common.json {
        output::json(&made)?;
    } else {
        output::result(made.directory.display())?;
    }
    output::note(format_args!(
        "not in the backup: {}; keep a copy of it apart, without it the secrets in the backup cannot be read",
        made.key_file.display()
    ));
    Ok(ExitStatus::Done)
}
