//! The only crate that knows SQL: one SQLite file is the source of truth, every index is derived from it.
//!
//! It contains no business rules. The configuration changes only in a [`ConfigurationWrite`], documents only in a
//! [`FeedWrite`], accounts, stores and keys only in an [`Administration`]; each is opened with the permit of its kind
//! and takes its store from it. Users, sessions and links change in a [`PeopleWrite`], which precedes all permits.
//! Statements that read a store take a permit, too; those of no store in particular serve authentication, the operator,
//! jobs and indexing.
//!
//! The statements use only what SQLite and PostgreSQL have in common.

mod accounts;
mod administration;
pub mod analytics;
mod audit;
mod audit_pages;
mod audit_trail;
mod backup;
mod changes;
mod check;
mod closed_stores;
mod configuration_view;
mod connect;
mod connectors;
mod counters;
mod custom_code;
mod declarations;
mod documents;
mod error;
mod error_class;
mod feed_pace;
mod feed_write;
mod filters;
mod former_keys;
mod former_states;
mod hidden_queries;
mod indices;
mod installations;
mod json;
mod keys;
mod maintenance;
mod people;
mod purges;
mod read_only;
mod rejections;
mod relevance;
mod revisions;
mod rows;
mod rules;
mod runs;
mod seen;
mod store_rows;
mod stores;
mod sweeps;
mod synonyms;
mod turns;
mod watched;
mod widgets;
mod write;
mod writer;

pub use accounts::AccountRow;
pub use administration::{Administration, AuditSubject};
pub use analytics::AnalyticsStorage;
pub use audit::RevisionNotes;
pub use audit_pages::AuditScope;
pub use audit_trail::AuditRow;
pub use changes::{BulkRemovals, Page, PageSize, Removal, StoredDocument};
pub use check::WrongCounters;
pub use closed_stores::ClosedStoreRow;
pub use configuration_view::{ConfigurationView, RecordCounts, RecordKind};
pub use connectors::ConnectorRow;
pub use documents::DocumentRow;
pub use error::StorageError;
pub use error_class::ErrorClass;
pub use feed_pace::ListedStoreRow;
pub use feed_write::FeedWrite;
pub use former_keys::{ContextSecrets, FormerKey};
pub use former_states::{FormerResource, FormerState, LastWrite};
pub use indices::{IndexRow, IndexState, Purging, TypeCounts};
pub use installations::{InstallationRow, InstallationUse, InstallationWrite};
pub use keys::KeyRow;
pub use people::{
    LinkRow, LinkTarget, MemberRow, MembershipRow, PeopleWrite, SessionRow, SignedInRow, UserRow,
};
pub use rejections::{DatedRejection, RejectionRow};
pub use relevance::SavedRelevance;
pub use revisions::RevisionRow;
pub use runs::{NewRunRow, RunRow, RunScopeRow, RunState};
pub use seen::Marked;
pub use stores::NewStoreRow;
pub use sweeps::Sweep;
pub use synonyms::SynonymRow;
pub use turns::{Turn, Turns};
pub use write::{ConfigurationSize, ConfigurationWrite};

use error::Doing;
use sqlx::AnyPool;
use sqlx::migrate::Migrator;
use std::path::Path;
use writer::Writer;

/// Name of the database file in the data directory.
pub(crate) const FILE_NAME: &str = "findwell.db";

/// The migrations of the database.
pub(crate) static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");

/// Handle of the database, cheap to clone.
#[derive(Clone, Debug)]
pub struct Storage {
    /// For single short statements: keys, stores, secrets, counters.
    read: AnyPool,
    /// For longer reads: a [`ConfigurationView`], a page of documents, a check. No caller holds two of these
    /// connections, so there is no deadlock.
    bulk: AnyPool,
    writer: Writer,
}

impl Storage {
    /// Opens the database in the directory `dir`, which must exist; creates `findwell.db` and runs migrations.
    ///
    /// Errors: if the file cannot be opened, a connection does not accept its settings, or a migration fails.
    pub async fn open(dir: &Path) -> Result<Self, StorageError> {
        let path = dir.join(FILE_NAME);
        let write = connect::pool(&path, connect::PoolAccess::Write).await?;
        MIGRATIONS
            .run(&write)
            .await
            .map_err(|source| StorageError::migration(&path, source))?;
        let read = connect::pool(&path, connect::PoolAccess::Read).await?;
        let bulk = connect::pool(&path, connect::PoolAccess::Read).await?;
        Ok(Self {
            read,
            bulk,
            writer: Writer::new(write),
        })
    }

    /// Returns whether there is a database in `dir`.
    pub fn exists_in(dir: &Path) -> bool {
        dir.join(FILE_NAME).exists()
    }

    /// Checks that the database can be read, even while others write.
    pub async fn ping(&self) -> Result<(), StorageError> {
        sqlx::query("SELECT 1")
            .fetch_optional(&self.read)
            .await
            .doing("checking that storage responds")?;
        Ok(())
    }

    /// Returns the number of writes that wait for their turn.
    pub fn waiting_writes(&self) -> usize {
        self.writer.waiting()
    }

    /// Waits until all connections are returned and closes them.
    pub async fn close(&self) {
        self.read.close().await;
        self.bulk.close().await;
        self.writer.pool.close().await;
    }
}
