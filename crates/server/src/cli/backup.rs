//! `findwell backup`: copies the data directory, also while the server runs.

use super::args::{BackUp, Common};
use super::outcome::{CommandError, ExitStatus};
use super::output;
use crate::admin::{AdminRequest, DataAccess};
use operations::backup::Backup;
use std::path::absolute;

/// Creates the backup, prints its directory, and names the key file that it does not contain.
pub async fn run(common: &Common, backup: BackUp) -> Result<ExitStatus, CommandError> {
    // The working directory of the server may differ from that of the command.
    let directory = absolute(&backup.directory).map_err(|error| {
        CommandError::failed(format!("{}: {error}", backup.directory.display()))
    })?;
    let mut access = DataAccess::open(&common.data, &common.locations.read()?, false).await?;
    let outcome = access.execute(AdminRequest::BackUp { directory }).await;
    access.close().await;
    let created: Backup = serde_json::from_value(outcome?).map_err(|error| {
        CommandError::failed(format!("cannot parse the server's response: {error}"))
    })?;
    if common.json {
        output::json(&created)?;
    } else {
        output::result(created.directory.display())?;
    }
    if created.left_out > 0 {
        output::note(format_args!(
            "not in the backup: {} indexes, whose engine keeps no files on this machine; they can be rebuilt from the \
             database",
            created.left_out
        ));
    }
    output::note(format_args!(
        "not in the backup: {}; keep a separate copy, without it the secrets in the backup cannot be read",
        created.key_file.display()
    ));
    Ok(ExitStatus::Done)
}
