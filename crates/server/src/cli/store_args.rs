//! The arguments of the commands on deleted stores.

use clap::Args;
use domain::StoreId;

/// Which stores to list.
#[derive(Debug, Args)]
pub struct StoreListArgs {
    /// List the closed stores instead, which will be removed
    #[arg(long)]
    pub closed: bool,
}

/// A store to delete.
#[derive(Debug, Args)]
pub struct StoreDeletion {
    /// Store
    #[arg(value_name = "ID")]
    pub store: StoreId,
    /// Its name, exactly
    #[arg(long)]
    pub name: String,
}

/// A closed store.
#[derive(Debug, Args)]
pub struct ClosedStoreId {
    /// Store
    #[arg(value_name = "ID")]
    pub store: StoreId,
}
