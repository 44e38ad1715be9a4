//! `findwell move`: takes the data of a service that does not run to a server, to another directory, or back.

use super::args::{Common, Move};
use super::location_args::LocationArgs;
use super::outcome::{CommandError, ExitStatus};
use super::output;
use super::progress_bar::styled;
use super::search_args::SearchArgs;
use crate::data_dir::{self, Lock};
use indicatif::ProgressBar;
use operations::moving::{self, DataHome, MoveProgress, Moved};
use operations::{DataLocations, causes};
use std::path::{Path, PathBuf};

/// Moves the data, prints each table with its rows, and says what the next start needs.
pub async fn run(common: &Common, to: Move) -> Result<ExitStatus, CommandError> {
    let from = DataHome {
        data_dir: common.data.clone(),
        locations: common.locations.read()?,
    };
    let target = target(common, &to)?;
    let failed = |error: data_dir::DirError| CommandError::failed(error.to_string());
    let _source = data_dir::lock_data(&from.data_dir, &from.locations).map_err(failed)?;
    let _target = lock_target(&from, &target)?;
    let bar = styled(ProgressBar::new_spinner(), "{spinner} {msg} ({elapsed})");
    let mut report = |progress: MoveProgress| {
        let doing = match progress.comparing {
            true => "compared",
            false => "copied",
        };
        bar.set_message(format!(
            "{}: {} rows {doing}",
            progress.table, progress.rows
        ));
        bar.tick();
    };
    let moved = moving::run(&from, &target, &mut report).await;
    bar.finish_and_clear();
    let moved = moved.map_err(|error| CommandError::failed(causes(&error)))?;
    show(common, &to, &from, &target, &moved)?;
    Ok(ExitStatus::Done)
}

fn target(common: &Common, to: &Move) -> Result<DataHome, CommandError> {
    if !to.to.starts_with("postgres://") && !to.to.starts_with("postgresql://") {
        if to.to_analytics_database.is_some() {
            let reason = "--to-analytics-database needs an address as --to; a directory has a file for the search log";
            return Err(CommandError::usage(reason));
        }
        let locations = DataLocations {
            master_key: to.to_master_key_file.clone(),
            ..DataLocations::default()
        };
        let data_dir = PathBuf::from(&to.to);
        return Ok(DataHome {
            data_dir,
            locations,
        });
    }
    if to.to_master_key_file.is_none() {
        return Err(CommandError::usage(
            "--to with an address needs --to-master-key-file, which is written if it is missing",
        ));
    }
    let password = to.to_database_password_file.as_ref();
    let password = password.or(common.locations.database_password_file.as_ref());
    let locations = LocationArgs {
        search: SearchArgs::default(),
        database: Some(to.to.clone()),
        database_password_file: password.cloned(),
        analytics_database: to.to_analytics_database.clone(),
        master_key_file: to.to_master_key_file.clone(),
    };
    Ok(DataHome {
        data_dir: common.data.clone(),
        locations: locations.read_as("--to", "--to-analytics-database")?,
    })
}

/// Takes the lock of another data directory than the source's, which is created if it is missing.
fn lock_target(from: &DataHome, to: &DataHome) -> Result<Option<Lock>, CommandError> {
    if to.locations.has_server() {
        return Ok(None);
    }
    let failed = |dir: &Path, error: &dyn std::fmt::Display| {
        CommandError::failed(format!("{}: {error}", dir.display()))
    };
    let dir = &to.data_dir;
    data_dir::create(dir).map_err(|error| failed(dir, &error))?;
    let canonical = |dir: &Path| dir.canonicalize().map_err(|error| failed(dir, &error));
    if canonical(&from.data_dir)? == canonical(dir)? {
        return Ok(None);
    }
    let lock = Lock::take(dir).map_err(|error| CommandError::failed(error.to_string()))?;
    Ok(Some(lock))
}

fn show(
    common: &Common,
    wanted: &Move,
    from: &DataHome,
    to: &DataHome,
    moved: &Moved,
) -> Result<(), CommandError> {
    if common.json {
        output::json(moved)?;
    } else {
        for table in moved.tables.iter().chain(&moved.search_log) {
            output::result(format_args!("{}\t{}", table.table, table.rows))?;
        }
    }
    let rows: u64 = moved.tables.iter().map(|table| table.rows).sum();
    output::note(format_args!("{rows} rows moved, each compared"));
    if moved.search_log.is_empty() && to.locations.database.is_some() {
        let place = match &from.locations.search_log {
            Some(url) => url.to_string(),
            None => from.data_dir.display().to_string(),
        };
        output::note(format_args!(
            "the search log was not moved and stays in {place}; --to-analytics-database moves it"
        ));
    }
    let option = match &to.locations.database {
        Some(_) => "--database",
        None => "--data",
    };
    output::note(format_args!(
        "start the server with {option} {}; the master key is in {}, and the former place did not change",
        wanted.to,
        moved.key_file.display()
    ));
    Ok(())
}
