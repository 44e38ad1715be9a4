//! The only crate that knows SQL: one database, a SQLite file or one of a PostgreSQL server, is the source of truth; every
//! index is derived from it.
//!
//! It contains no business rules. The configuration changes only in a [`ConfigurationWrite`], documents only in a
//! [`FeedWrite`], accounts, stores and keys only in an [`Administration`]; each is opened with the permit of its kind
//! and takes its store from it. Users, sessions and links change in a [`PeopleWrite`], which precedes all permits.
//! Statements that read a store take a permit, too; those of no store in particular serve authentication, the operator,
//! jobs and indexing.
//!
//! The statements use only what SQLite and PostgreSQL have in common; `Dialect` knows what they have not.

mod accounts;
mod administration;
pub mod analytics;
mod audit;
mod audit_pages;
mod audit_trail;
mod backup;
mod change_hints;
mod changes;
mod check;
mod closed_stores;
mod configuration_view;
mod connect;
mod connectors;
mod counters;
mod custom_code;
mod database;
mod declarations;
mod dialect;
mod documents;
mod error;
mod error_class;
mod feed_pace;
mod feed_write;
mod filters;
mod former_keys;
mod former_states;
mod hidden_queries;
mod impact_samples;
mod imports;
mod indices;
mod installations;
mod json;
mod keys;
mod locks;
mod maintenance;
mod migrations;
mod moving;
mod node_lock;
mod nodes;
mod people;
mod postgres;
mod proposals;
mod purges;
mod read_only;
mod rebuilds;
mod rejections;
mod relevance;
mod revisions;
mod rows;
mod rules;
mod runs;
mod seals;
mod seen;
mod sources;
mod sqlite;
mod store_rows;
mod stored_products;
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
pub use audit::{AppliedProposal, RevisionNotes};
pub use audit_pages::AuditScope;
pub use audit_trail::AuditRow;
pub use change_hints::ChangeHints;
pub use changes::{BulkRemovals, Page, PageSize, Removal, StoredDocument};
pub use check::WrongCounters;
pub use closed_stores::ClosedStoreRow;
pub use configuration_view::{ConfigurationView, RecordCounts, RecordKind};
pub use connectors::ConnectorRow;
pub use database::{Database, DatabaseUrl, DatabaseUrlError};
pub use documents::DocumentRow;
pub use error::StorageError;
pub use error_class::ErrorClass;
pub use feed_pace::ListedStoreRow;
pub use feed_write::FeedWrite;
pub use former_keys::{ContextSecrets, FormerKey};
pub use former_states::{FormerResource, FormerState, LastWrite};
pub use imports::ImportRow;
pub use indices::{IndexRow, IndexState, Purging, TypeCounts};
pub use installations::{InstallationRow, InstallationUse, InstallationWrite};
pub use keys::KeyRow;
pub use moving::{MoveProgress, MoveReport, MoveTarget, MovedTable, move_log};
pub use nodes::{IndexPosition, NodeProgress};
pub use people::{
    Failures, LinkRow, LinkTarget, MemberRow, MembershipRow, PeopleWrite, SessionRow, SignedInRow,
    UserRow,
};
pub use proposals::{ProposalRow, ProposalSelection};
pub use rebuilds::{NodeRebuild, NodeRebuildState};
pub use rejections::{DatedRejection, RejectionRow};
pub use relevance::SavedRelevance;
pub use revisions::RevisionRow;
pub use runs::{NewRunRow, RunRow, RunScopeRow, RunState};
pub use seen::Marked;
pub use sources::SourceRow;
pub use stored_products::StoredProduct;
pub use stores::NewStoreRow;
pub use sweeps::Sweep;
pub use synonyms::SynonymRow;
pub use turns::{Turn, Turns};
pub use write::{ConfigurationSize, ConfigurationWrite};

use connect::PoolAccess;
use dialect::Dialect;
use error::Doing;
use node_lock::NodeLock;
use sqlx::{Any, AnyPool, Transaction};
use std::sync::Arc;
use writer::Writer;

/// Handle of the database, cheap to clone.
#[derive(Clone, Debug)]
pub struct Storage {
    /// For single short statements: keys, stores, secrets, counters.
    read: AnyPool,
    /// For longer reads: a [`ConfigurationView`], a page of documents, a check. No caller holds two of these
    /// connections, so there is no deadlock.
    bulk: AnyPool,
    writer: Writer,
    dialect: Dialect,
    database: Arc<Database>,
    node: NodeLock,
}

impl Storage {
    /// Opens `database` and runs migrations. A file is created, in a directory that must exist; the database of a server
    /// must exist.
    ///
    /// Errors: if it cannot be opened or used, a connection does not accept its settings, a migration fails, or a move into it
    /// was not finished.
    pub async fn open(database: &Database) -> Result<Self, StorageError> {
        let storage = Self::open_unchecked(database).await?;
        match storage.require_whole(database).await {
            Ok(()) => Ok(storage),
            Err(error) => {
                storage.close().await;
                Err(error)
            }
        }
    }

    /// As [`Storage::open`], also for a database into which a move was not finished.
    pub(crate) async fn open_unchecked(database: &Database) -> Result<Self, StorageError> {
        let write =
            connect::migrated_pool(database, PoolAccess::Write, &migrations::OF_DATABASE).await?;
        let read = connect::pool(database, PoolAccess::Read).await?;
        let bulk = connect::pool(database, PoolAccess::Bulk).await?;
        let dialect = database.dialect();
        Ok(Self {
            read,
            bulk,
            writer: Writer::new(write, dialect),
            dialect,
            database: Arc::new(database.clone()),
            node: NodeLock::default(),
        })
    }

    /// Returns whether the database is on a server, which has backups of its own.
    pub fn is_on_server(&self) -> bool {
        self.dialect == Dialect::Postgres
    }

    /// Begins a transaction whose reads all see the same state.
    pub(crate) async fn snapshot(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        self.bulk.begin_with(self.dialect.begin_snapshot()).await
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
        self.node.release().await;
    }
}
