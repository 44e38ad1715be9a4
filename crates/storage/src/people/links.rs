//! Statements on one-time links. A link is looked up by the SHA-256 of its token.

use super::{PeopleWrite, instant, stores, stores_text, unknown};
use crate::Storage;
use crate::error::{Doing, StorageError};
use domain::access::AccountPermit;
use domain::{AccountId, Email, LinkId, Role, StoreReach, Timestamp, UserId};
use sqlx::Row;
use sqlx::any::AnyRow;

/// One link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRow {
    /// Public id.
    pub id: LinkId,
    /// SHA-256 of the token, in hexadecimal.
    pub digest: String,
    /// Kind: the prefix of the token.
    pub kind: String,
    /// What it is for.
    pub target: LinkTarget,
    /// Who made it.
    pub made_by: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was used.
    pub used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// What a link is for; what its kind does not need is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkTarget {
    /// The account to join.
    pub account: Option<AccountId>,
    /// The user that it is for.
    pub user: Option<UserId>,
    /// The invited address.
    pub email: Option<Email>,
    /// The role to get.
    pub role: Option<Role>,
    /// The stores to reach.
    pub stores: Option<StoreReach>,
}

macro_rules! columns {
    () => {
        "id, digest, kind, account_id, user_id, email, role, stores, made_by, created_at, expires_at, used_at, \
         revoked_at"
    };
}

fn link(row: &AnyRow) -> Result<LinkRow, sqlx::Error> {
    let role: Option<String> = row.try_get("role")?;
    let role = role
        .map(|text| Role::parse(&text).ok_or_else(|| unknown("role", &text)))
        .transpose()?;
    let only = stores(row)?;
    Ok(LinkRow {
        id: LinkId(row.try_get("id")?),
        digest: row.try_get("digest")?,
        kind: row.try_get("kind")?,
        target: LinkTarget {
            account: row
                .try_get::<Option<String>, _>("account_id")?
                .map(AccountId),
            user: row.try_get::<Option<String>, _>("user_id")?.map(UserId),
            email: row
                .try_get::<Option<String>, _>("email")?
                .map(Email::of_storage),
            role,
            stores: role.map(|_| only.map_or(StoreReach::All, StoreReach::Only)),
        },
        made_by: row.try_get("made_by")?,
        created_at: Timestamp(row.try_get("created_at")?),
        expires_at: Timestamp(row.try_get("expires_at")?),
        used_at: instant(row, "used_at")?,
        revoked_at: instant(row, "revoked_at")?,
    })
}

const BY_DIGEST: &str = concat!("SELECT ", columns!(), " FROM links WHERE digest = $1");
/// Open at `$2`.
const OPEN: &str = "used_at IS NULL AND revoked_at IS NULL AND expires_at > $2";

async fn by_digest<'c>(
    connection: impl sqlx::Executor<'c, Database = sqlx::Any>,
    digest: &str,
) -> Result<Option<LinkRow>, StorageError> {
    let doing = "looking a link up";
    sqlx::query(BY_DIGEST)
        .bind(digest)
        .try_map(|row| link(&row))
        .fetch_optional(connection)
        .await
        .doing(doing)
}

impl Storage {
    /// Returns the link whose token has this digest.
    pub async fn link(&self, digest: &str) -> Result<Option<LinkRow>, StorageError> {
        by_digest(&self.read, digest).await
    }

    /// Returns the links of the permitted account that are open at `now`, the newest first.
    pub async fn open_links(
        &self,
        permit: &AccountPermit,
        now: Timestamp,
    ) -> Result<Vec<LinkRow>, StorageError> {
        let doing = "reading the links of an account";
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM links WHERE account_id = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2 \
             ORDER BY created_at DESC, id"
        );
        sqlx::query(sql)
            .bind(permit.account().as_str())
            .bind(now.0)
            .try_map(|row| link(&row))
            .fetch_all(&self.read)
            .await
            .doing(doing)
    }
}

impl PeopleWrite {
    /// Returns the link whose token has this digest, as of this transaction.
    pub async fn link(&mut self, digest: &str) -> Result<Option<LinkRow>, StorageError> {
        by_digest(self.connection(), digest).await
    }

    /// Adds a link.
    pub async fn create_link(&mut self, row: &LinkRow) -> Result<(), StorageError> {
        let doing = "adding a link";
        let only = match &row.target.stores {
            Some(StoreReach::Only(stores)) => Some(stores.as_slice()),
            _ => None,
        };
        let sql = concat!(
            "INSERT INTO links (",
            columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
        );
        let target = &row.target;
        sqlx::query(sql)
            .bind(row.id.as_str())
            .bind(row.digest.as_str())
            .bind(row.kind.as_str())
            .bind(target.account.as_ref().map(AccountId::as_str))
            .bind(target.user.as_ref().map(UserId::as_str))
            .bind(target.email.as_ref().map(Email::as_str))
            .bind(target.role.map(Role::as_str))
            .bind(stores_text(only, doing)?)
            .bind(row.made_by.as_str())
            .bind(row.created_at.0)
            .bind(row.expires_at.0)
            .bind(row.used_at.map(|at| at.0))
            .bind(row.revoked_at.map(|at| at.0))
            .execute(self.connection())
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Returns how many links of `account` are open at `now`, and how many were made since `since`.
    pub async fn count_links(
        &mut self,
        account: &AccountId,
        now: Timestamp,
        since: Timestamp,
    ) -> Result<(u64, u64), StorageError> {
        let doing = "counting the links of an account";
        let sql = "SELECT COALESCE(SUM(CASE WHEN used_at IS NULL AND revoked_at IS NULL AND expires_at > $2 \
                   THEN 1 ELSE 0 END), 0), COALESCE(SUM(CASE WHEN created_at > $3 THEN 1 ELSE 0 END), 0) \
                   FROM links WHERE account_id = $1";
        let row = sqlx::query(sql)
            .bind(account.as_str())
            .bind(now.0)
            .bind(since.0)
            .fetch_one(self.connection())
            .await
            .doing(doing)?;
        let number = |at: usize| Ok(row.try_get::<i64, _>(at).doing(doing)?.unsigned_abs());
        Ok((number(0)?, number(1)?))
    }

    /// Marks a link as used that is open at `at`; returns whether it was open, which only one transaction is told.
    pub async fn use_link(&mut self, id: &LinkId, at: Timestamp) -> Result<bool, StorageError> {
        let sql = format!("UPDATE links SET used_at = $2 WHERE id = $1 AND {OPEN}");
        let done = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(id.as_str())
            .bind(at.0)
            .execute(self.connection())
            .await
            .doing("using a link")?;
        Ok(done.rows_affected() > 0)
    }

    /// Revokes an open link of `account`; returns whether there was one.
    pub async fn revoke_link(
        &mut self,
        account: &AccountId,
        id: &LinkId,
        at: Timestamp,
    ) -> Result<bool, StorageError> {
        let sql = "UPDATE links SET revoked_at = $2 WHERE id = $1 AND account_id = $3 \
                   AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2";
        let done = sqlx::query(sql)
            .bind(id.as_str())
            .bind(at.0)
            .bind(account.as_str())
            .execute(self.connection())
            .await
            .doing("revoking a link")?;
        Ok(done.rows_affected() > 0)
    }

    /// Revokes all open links for `user`.
    pub async fn revoke_links_of(
        &mut self,
        user: &UserId,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        self.revoke_open("user_id", user.as_str(), at).await
    }

    /// Returns whether a link of this kind is open at `at`.
    pub async fn has_open_link(&mut self, kind: &str, at: Timestamp) -> Result<bool, StorageError> {
        let sql = format!("SELECT 1 FROM links WHERE kind = $1 AND {OPEN} LIMIT 1");
        let row = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(kind)
            .bind(at.0)
            .fetch_optional(self.connection())
            .await
            .doing("looking for an open link")?;
        Ok(row.is_some())
    }

    /// Revokes all open links of this kind.
    pub async fn revoke_kind(&mut self, kind: &str, at: Timestamp) -> Result<(), StorageError> {
        self.revoke_open("kind", kind, at).await
    }

    async fn revoke_open(
        &mut self,
        column: &'static str,
        value: &str,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let sql = format!("UPDATE links SET revoked_at = $2 WHERE {column} = $1 AND {OPEN}");
        sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(value)
            .bind(at.0)
            .execute(self.connection())
            .await
            .doing("revoking links")?;
        Ok(())
    }
}
