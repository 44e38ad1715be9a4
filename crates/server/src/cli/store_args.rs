//! The arguments of the commands on deleted stores and on statistics of stores.

use clap::Args;
use domain::{Day, StoreId};

/// Which stores to list.
#[derive(Debug, Args)]
pub struct StoreListArgs {
    /// List the closed stores instead, which will be removed
    #[arg(long, env = "FINDWELL_CLOSED")]
    pub closed: bool,
}

/// A store to delete.
#[derive(Debug, Args)]
pub struct StoreDeletion {
    /// Store
    #[arg(value_name = "ID")]
    pub store: StoreId,
    /// Its name, exactly
    #[arg(long, env = "FINDWELL_NAME")]
    pub name: String,
}

/// A closed store.
#[derive(Debug, Args)]
pub struct ClosedStoreId {
    /// Store
    #[arg(value_name = "ID")]
    pub store: StoreId,
}

/// Which statistics to delete.
#[derive(Debug, Args)]
pub struct AnalyticsToClear {
    /// Store of the statistics
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
    /// Only those of days before this one (UTC), such as 2027-01-31
    #[arg(long, env = "FINDWELL_BEFORE", value_name = "DATE", value_parser = day)]
    pub before: Option<Day>,
}

fn day(text: &str) -> Result<Day, &'static str> {
    Day::parse(text).ok_or("must be a day such as 2027-01-31")
}
