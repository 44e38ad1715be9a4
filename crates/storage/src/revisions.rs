//! Statements that read the immutable revisions of a configuration.

use crate::audit_trail::actor;
use crate::error::{Doing, StorageError};
use crate::json::{json, optional_json};
use crate::{AppliedProposal, ConfigurationView, ConfigurationWrite, RevisionNotes};
use domain::audit::{Actor, FieldChange};
use domain::{ProposalId, StoreId, Timestamp, Translatable};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// One immutable revision of a store's configuration.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of docs/api.md")]
pub struct RevisionRow {
    pub revision: i64,
    pub parent: Option<i64>,
    pub at: Timestamp,
    pub actor: Actor,
    pub operation: String,
    pub resource: String,
    pub summary: String,
    pub translatable: Option<Translatable>,
    pub notes: RevisionNotes,
    pub changes: Vec<FieldChange>,
}

fn revision_row(row: &AnyRow) -> Result<RevisionRow, sqlx::Error> {
    Ok(RevisionRow {
        revision: row.try_get("revision")?,
        parent: row.try_get("parent")?,
        at: Timestamp(row.try_get("at")?),
        actor: actor(row)?,
        operation: row.try_get("operation")?,
        resource: row.try_get("resource")?,
        summary: row.try_get("summary")?,
        translatable: optional_json(row, "translatable")?,
        notes: RevisionNotes {
            note: row.try_get("note")?,
            restores: row.try_get("restores")?,
            forced: row.try_get::<i64, _>("forced")? != 0,
            gate: optional_json(row, "gate")?,
            proposal: applied_proposal(row)?,
        },
        changes: json(row, "changes")?,
    })
}

fn applied_proposal(row: &AnyRow) -> Result<Option<AppliedProposal>, sqlx::Error> {
    let id: Option<String> = row.try_get("proposal")?;
    let by = optional_json(row, "proposed_by")?;
    Ok(id.zip(by).map(|(id, by)| AppliedProposal {
        id: ProposalId(id),
        by,
    }))
}

/// The columns that [`revision_row`] reads, except the changes.
macro_rules! revision_columns {
    () => {
        "revision, parent, at, key_id, user_id, actor, operation, resource, summary, translatable, note, restores, forced, \
         gate, proposal, proposed_by"
    };
}

impl ConfigurationView {
    /// Returns a page of the revisions of the store, the newest first, without their changes; only those that applied
    /// `proposal`, if one is named.
    pub async fn revisions(
        &mut self,
        (page, limit): (u32, u32),
        proposal: Option<&str>,
    ) -> Result<Vec<RevisionRow>, StorageError> {
        let doing = "reading the revisions of a store";
        let sql = concat!(
            "SELECT ",
            revision_columns!(),
            ", '[]' AS changes FROM revisions WHERE store_id = $1 AND ($4 = '' OR proposal = $4) ORDER BY revision DESC LIMIT $2 OFFSET $3"
        );
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(i64::from(limit))
            .bind(i64::from(page.saturating_sub(1)) * i64::from(limit))
            .bind(proposal.unwrap_or_default())
            .try_map(|row| revision_row(&row))
            .fetch_all(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Returns the changes of a page of the revisions of the store by number, the newest first; none of those whose JSON
    /// has more than `most` characters.
    pub async fn outlines(
        &mut self,
        page: u32,
        limit: u32,
        most: usize,
    ) -> Result<Vec<(i64, Vec<FieldChange>)>, StorageError> {
        let doing = "reading what the revisions of a store changed";
        let sql = "SELECT revision, CASE WHEN LENGTH(changes) <= $4 THEN changes ELSE '[]' END AS changes \
                   FROM revisions WHERE store_id = $1 ORDER BY revision DESC LIMIT $2 OFFSET $3";
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(i64::from(limit))
            .bind(i64::from(page.saturating_sub(1)) * i64::from(limit))
            .bind(most as i64)
            .try_map(|row: AnyRow| Ok((row.try_get("revision")?, json(&row, "changes")?)))
            .fetch_all(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Returns the number of revisions of the store; only of those that applied `proposal`, if one is named.
    pub async fn revision_count(&mut self, proposal: Option<&str>) -> Result<u64, StorageError> {
        let doing = "counting the revisions of a store";
        let sql =
            "SELECT COUNT(*) FROM revisions WHERE store_id = $1 AND ($2 = '' OR proposal = $2)";
        let row = sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(proposal.unwrap_or_default())
            .fetch_one(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(row.try_get::<i64, _>(0).doing(doing)?.unsigned_abs())
    }

    /// Returns who created the revision with this number, and when.
    pub async fn author(
        &mut self,
        revision: i64,
    ) -> Result<Option<(Timestamp, Actor)>, StorageError> {
        author(&mut self.tx, &self.store, revision).await
    }

    /// Returns the revision with this number.
    pub async fn one_revision(&mut self, number: i64) -> Result<Option<RevisionRow>, StorageError> {
        let doing = "reading a revision of a store";
        let sql = concat!(
            "SELECT ",
            revision_columns!(),
            ", changes FROM revisions WHERE store_id = $1 AND revision = $2"
        );
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(number)
            .try_map(|row| revision_row(&row))
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)
    }
}

impl ConfigurationWrite {
    /// Returns who created the revision with this number, and when.
    pub async fn author(
        &mut self,
        revision: i64,
    ) -> Result<Option<(Timestamp, Actor)>, StorageError> {
        author(&mut self.tx, &self.before.id, revision).await
    }
}

async fn author(
    connection: &mut AnyConnection,
    store: &StoreId,
    revision: i64,
) -> Result<Option<(Timestamp, Actor)>, StorageError> {
    let doing = "reading the author of a revision";
    let sql =
        "SELECT at, key_id, user_id, actor FROM revisions WHERE store_id = $1 AND revision = $2";
    let row = sqlx::query(sql)
        .bind(store.as_str())
        .bind(revision)
        .fetch_optional(connection)
        .await
        .doing(doing)?;
    row.map(|row| Ok((Timestamp(row.try_get("at")?), actor(&row)?)))
        .transpose()
        .doing(doing)
}
