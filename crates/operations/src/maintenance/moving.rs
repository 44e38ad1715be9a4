//! Moves the data of a service that does not run to another place: from a directory to a server, or back.

use crate::runtime::seal::{self, Seal};
use crate::{DataLocations, OperationError};
use serde::Serialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
pub use storage::{MoveProgress, MoveReport, MovedTable};
use storage::{MoveTarget, Storage, move_log};

/// Where the data of a service is.
#[derive(Clone, Debug)]
pub struct DataHome {
    /// The data directory.
    pub data_dir: PathBuf,
    /// What is not in it.
    pub locations: DataLocations,
}

/// What was moved.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Moved {
    /// Tables of the database.
    pub tables: Vec<MovedTable>,
    /// Tables of the search log; none if it stays where it is.
    pub search_log: Vec<MovedTable>,
    /// Whether a move that had been interrupted was finished.
    pub resumed: bool,
    /// The key file of the new place.
    pub key_file: PathBuf,
}

/// Copies database, search log and master key from one place to another, and compares every row. The source does not
/// change. Both directories are locked by the caller; a database on a server is locked here.
///
/// The search log is moved if the target has another place for it than the source. Indexes are not moved: a service in the
/// same directory goes on with its own, one in another directory builds them anew.
///
/// Errors: if a place cannot be opened, both are the same, the target holds other data or another key, or a row differs.
pub async fn run(
    from: &DataHome,
    to: &DataHome,
    report: MoveReport<'_>,
) -> Result<Moved, OperationError> {
    let source = from.locations.database_of(&from.data_dir);
    let target = to.locations.database_of(&to.data_dir);
    if source.to_string() == target.to_string() {
        let reason = format!("the data is in {target} already");
        return Err(OperationError::internal(reason));
    }
    let key_file = from.locations.master_key_of(&from.data_dir);
    let (seal, _) = Seal::open(&key_file, false)?;
    let storage = Storage::open_alone(&source).await?;
    let moved = async {
        if storage.is_on_server() {
            seal.check(&storage, &key_file).await?;
        }
        fill(from, to, &storage, &key_file, report).await
    };
    let moved = moved.await;
    storage.close().await;
    moved
}

async fn fill(
    from: &DataHome,
    to: &DataHome,
    storage: &Storage,
    key_file: &Path,
    report: MoveReport<'_>,
) -> Result<Moved, OperationError> {
    let key = to.locations.master_key_of(&to.data_dir);
    copy_key(key_file, &key)?;
    let target = to.locations.database_of(&to.data_dir);
    let target = MoveTarget::open(&target).await?;
    let resumed = target.is_begun();
    let copied = async {
        let tables = target.fill(storage, &mut *report).await?;
        let search_log = copy_log(from, to, resumed, report).await?;
        Ok::<_, OperationError>((tables, search_log))
    };
    match copied.await {
        Ok((tables, search_log)) => {
            target.finish().await?;
            Ok(Moved {
                tables,
                search_log,
                resumed,
                key_file: key,
            })
        }
        Err(error) => {
            target.close().await;
            Err(error)
        }
    }
}

async fn copy_log(
    from: &DataHome,
    to: &DataHome,
    resumed: bool,
    report: MoveReport<'_>,
) -> Result<Vec<MovedTable>, OperationError> {
    let source = from.locations.search_log_of(&from.data_dir);
    let target = to.locations.search_log_of(&to.data_dir);
    if source.to_string() == target.to_string() || !source.may_exist() {
        return Ok(Vec::new());
    }
    Ok(move_log(&source, &target, resumed, report).await?)
}

/// Writes the key where the target has none; one that is there has to be the same.
fn copy_key(from: &Path, to: &Path) -> Result<(), OperationError> {
    let failed = |path: &Path, error: io::Error| {
        OperationError::internal(format!("{}: {error}", path.display()))
    };
    let key = fs::read(from).map_err(|error| failed(from, error))?;
    match fs::read(to) {
        Ok(present) if present == key => Ok(()),
        Ok(_) => Err(OperationError::internal(format!(
            "{} holds another key than {}",
            to.display(),
            from.display()
        ))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            seal::write_whole(to, &key).map_err(|error| failed(to, error))
        }
        Err(error) => Err(failed(to, error)),
    }
}
