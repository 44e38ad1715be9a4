//! `ConfigurationWrite`: a transaction on a store's configuration, committed only with its audit entry.

use crate::error::{Doing, StorageError};
use crate::json::text;
use crate::store_rows::{columns, store};
use crate::writer::{Party, Transaction};
use crate::{AppliedProposal, RevisionNotes, Storage, audit};
use domain::access;
use domain::audit::{AuditEntry, FieldChange};
use domain::store::Store;
use domain::{ChangeNote, GateMeasure, Permit, StoreId, Timestamp};
use sqlx::{AnyConnection, Row};

/// What fails if others cannot be told of a change.
pub(crate) const TELLING: &str = "telling other servers of a change";

/// A transaction on one store's configuration, rolled back if it is dropped without [`ConfigurationWrite::commit`].
pub struct ConfigurationWrite {
    pub(crate) tx: Transaction,
    pub(crate) before: Store,
    pub(crate) notes: RevisionNotes,
    /// Bytes of the former states that it keeps.
    pub(crate) kept_bytes: u64,
    /// Changes that belong to no revision.
    unrevised: Vec<FieldChange>,
    /// The store as it was before a write that only proposes, which is undone before it ends.
    proposing_from: Option<Box<Store>>,
}

impl Storage {
    /// Begins a transaction on the permitted store; `None` if it does not exist.
    ///
    /// The store's row is locked from here on, so two changes of one store never read the same state.
    pub async fn begin(
        &self,
        permit: &Permit<access::Write>,
    ) -> Result<Option<ConfigurationWrite>, StorageError> {
        let doing = "opening a change of the configuration";
        let party = Party::Store(permit.store().clone());
        let mut tx = self.writer.begin(party).await.doing(doing)?;
        let sql = concat!(
            "UPDATE stores SET config_revision = config_revision WHERE id = $1 AND closed_at IS NULL RETURNING ",
            columns!()
        );
        let row = sqlx::query(sql)
            .bind(permit.store().as_str())
            .fetch_optional(&mut *tx)
            .await
            .doing(doing)?;
        let Some(row) = row else {
            return Ok(None);
        };
        let before = store(&row).doing(doing)?;
        let mut proposing_from = None;
        if permit.proposes() {
            let savepoint = sqlx::query("SAVEPOINT unproposed");
            savepoint.execute(&mut *tx).await.doing(doing)?;
            proposing_from = Some(Box::new(before.clone()));
        }
        Ok(Some(ConfigurationWrite {
            tx,
            before,
            notes: RevisionNotes {
                note: note_of(permit.attempt().note.as_ref()),
                ..RevisionNotes::default()
            },
            kept_bytes: 0,
            unrevised: Vec::new(),
            proposing_from,
        }))
    }
}

/// The size of the synonym groups, rules, filters and the widget of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigurationSize {
    /// Their total bytes.
    pub bytes: u64,
    /// Languages of the groups and rules.
    pub languages: u64,
}

fn note_of(note: Option<&ChangeNote>) -> Option<String> {
    note.map(|note| note.as_str().to_owned())
}

async fn size(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<ConfigurationSize, StorageError> {
    let doing = "measuring the configuration of a store";
    let sql = "SELECT (SELECT COALESCE(SUM(OCTET_LENGTH(terms) + COALESCE(OCTET_LENGTH(input), 0)), 0) \
               FROM synonyms WHERE store_id = $1) \
               + (SELECT COALESCE(SUM(OCTET_LENGTH(content)), 0) FROM rules WHERE store_id = $1) \
               + (SELECT COALESCE(SUM(OCTET_LENGTH(content)), 0) FROM filters WHERE store_id = $1) \
               + (SELECT COALESCE(SUM(OCTET_LENGTH(content)), 0) FROM widgets WHERE store_id = $1), \
               (SELECT COUNT(*) FROM (SELECT language FROM synonyms WHERE store_id = $1 \
               UNION SELECT language FROM rules WHERE store_id = $1) AS languages)";
    let row = sqlx::query(sql)
        .bind(store.as_str())
        .fetch_one(connection)
        .await
        .doing(doing)?;
    let number = |at: usize| Ok(row.try_get::<i64, _>(at).doing(doing)?.unsigned_abs());
    Ok(ConfigurationSize {
        bytes: number(0)?,
        languages: number(1)?,
    })
}

impl Storage {
    /// Returns the size of the committed records of the permitted store.
    pub async fn configuration_size(
        &self,
        permit: &Permit<impl access::MayRead>,
    ) -> Result<ConfigurationSize, StorageError> {
        let doing = "measuring the configuration of a store";
        let mut connection = self.read.acquire().await.doing(doing)?;
        size(&mut connection, permit.store()).await
    }
}

impl ConfigurationWrite {
    /// Returns the store as it was at the beginning of the transaction, with name and development URL as saved since.
    pub fn before(&self) -> &Store {
        &self.before
    }

    /// Returns the total bytes of changes of the store on the day of `at`, including `entry` and the former states that
    /// this transaction keeps.
    pub async fn changed_today(
        &mut self,
        entry: &AuditEntry,
        at: Timestamp,
    ) -> Result<u64, StorageError> {
        let today = audit::changed_today(&mut self.tx, &self.before.id, entry, at).await?;
        let unrevised = match self.unrevised.is_empty() {
            true => 0,
            false => text(&self.unrevised, "measuring changes")?.len() as u64,
        };
        let note = self.notes.note.as_ref().map_or(0, String::len) as u64;
        // The note stands in the revision and in the audit record.
        Ok(today + self.kept_bytes + unrevised + 2 * note)
    }

    /// Records that the revision restores the state after the revision `number`.
    pub fn set_restored(&mut self, number: i64) {
        self.notes.restores = Some(number);
    }

    /// Records that the revision is saved although the gate does not let it through, and what was measured of it.
    pub fn set_forced(&mut self, gate: Option<GateMeasure>) {
        (self.notes.forced, self.notes.gate) = (true, gate);
    }

    /// Replaces the note of the revision and the audit record, which is that of the permit's attempt.
    pub fn set_note(&mut self, note: Option<&ChangeNote>) {
        self.notes.note = note_of(note);
    }

    /// Records that the revision applies a proposal.
    pub fn set_proposal(&mut self, proposal: AppliedProposal) {
        self.notes.proposal = Some(proposal);
    }

    /// Undoes everything that a write has changed that only proposes. What is read from here on is what is saved.
    ///
    /// Errors: if the permit of the transaction does not propose.
    pub async fn undo(&mut self) -> Result<(), StorageError> {
        let doing = "undoing a write that is proposed";
        let saved = self.proposing_from.take();
        let saved = saved
            .ok_or(sqlx::Error::InvalidSavePointStatement)
            .doing(doing)?;
        sqlx::query("ROLLBACK TO SAVEPOINT unproposed")
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        self.before = *saved;
        self.notes.restores = None;
        self.kept_bytes = 0;
        self.unrevised.clear();
        Ok(())
    }

    /// Fails while there is something to undo: a write that proposes saves nothing, whatever calls for its commit.
    fn require_undone(&self, doing: &'static str) -> Result<(), StorageError> {
        match self.proposing_from {
            Some(_) => Err(sqlx::Error::InvalidSavePointStatement).doing(doing),
            None => Ok(()),
        }
    }

    /// Adds changes that the audit record has beside those of the revision.
    pub fn audit_unrevised(&mut self, changes: Vec<FieldChange>) {
        self.unrevised.extend(changes);
    }

    /// Returns the changes that belong to no revision.
    pub fn unrevised(&self) -> &[FieldChange] {
        &self.unrevised
    }

    /// Returns the size of the records of the store as of this transaction.
    pub async fn configuration_size(&mut self) -> Result<ConfigurationSize, StorageError> {
        size(&mut self.tx, &self.before.id).await
    }

    /// Counts the bytes of the change. If it has an effect, the store has a new version, and others hear of it.
    async fn note_changed(
        &mut self,
        entry: &AuditEntry,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let today = self.changed_today(entry, at).await?;
        let has_effect = !(entry.changes.is_empty() && self.unrevised.is_empty());
        let id = &self.before.id;
        audit::note_changed(&mut self.tx, id, (today, has_effect), at).await?;
        if has_effect {
            self.tx.tell(id).await.doing(TELLING)?;
        }
        Ok(())
    }

    /// Commits a change that belongs to no revision with its audit record.
    pub async fn commit_unrevised(
        mut self,
        entry: &AuditEntry,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        self.require_undone("committing a change without a revision")?;
        self.note_changed(entry, at).await?;
        let context = audit::AuditContext {
            note: self.notes.note.as_deref(),
            ..audit::AuditContext::of_store(&self.before.id, at)
        };
        audit::record(&mut self.tx, entry, &context).await?;
        let doing = "committing a change without a revision";
        self.tx.commit().await.doing(doing)
    }

    /// Commits the change, its audit record and, if something changed, a new revision, and returns the resulting
    /// revision.
    pub async fn commit(mut self, entry: &AuditEntry, at: Timestamp) -> Result<i64, StorageError> {
        self.require_undone("committing a change of the configuration")?;
        self.note_changed(entry, at).await?;
        let id = &self.before.id;
        let changed = !entry.changes.is_empty();
        let revision = if changed {
            audit::revise(&mut self.tx, id, (entry, &self.notes), at).await?
        } else {
            self.before.config_revision
        };
        let context = audit::AuditContext {
            revision: changed.then_some(revision),
            note: self.notes.note.as_deref(),
            forced: self.notes.forced,
            ..audit::AuditContext::of_store(id, at)
        };
        if self.unrevised.is_empty() {
            audit::record(&mut self.tx, entry, &context).await?;
        } else {
            let all = entry.changes.iter().chain(&self.unrevised);
            let all: Vec<&FieldChange> = all.collect();
            let changes = text(&all, "writing the audit trail")?;
            audit::record_with(&mut self.tx, entry, &context, changes).await?;
        }
        self.tx
            .commit()
            .await
            .doing("committing a change of the configuration")?;
        Ok(revision)
    }
}
