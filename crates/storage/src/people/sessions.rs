//! Statements on sessions. A session is looked up by the SHA-256 of its token.

use super::memberships::{MembershipRow, membership, membership_columns};
use super::users::{self, UserRow};
use super::{PeopleWrite, instant};
use crate::Storage;
use crate::error::{Doing, StorageError};
use crate::writer::Party;
use domain::{Timestamp, UserId};
use sqlx::Row;
use sqlx::any::AnyRow;

/// One session of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// SHA-256 of the token, in hexadecimal.
    pub digest: String,
    /// Public id.
    pub id: String,
    /// The user.
    pub user: UserId,
    /// When the user signed in.
    pub signed_in_at: Timestamp,
    /// When it was last used, to the minute.
    pub used_at: Timestamp,
    /// When the password was given last.
    pub confirmed_at: Option<Timestamp>,
    /// Address of the client that signed in.
    pub address: String,
    /// What the browser says it is.
    pub browser: String,
}

/// A session with what decides what its user may do.
#[derive(Clone, Debug)]
pub struct SignedInRow {
    /// The session.
    pub session: SessionRow,
    /// Its user.
    pub user: UserRow,
    /// The memberships of the user, the oldest first; at least one.
    pub memberships: Vec<MembershipRow>,
}

macro_rules! columns {
    () => {
        "digest, id, user_id, signed_in_at, used_at, confirmed_at, address, browser"
    };
}

const SIGNED_IN: &str = concat!(
    "SELECT s.digest, s.id, s.signed_in_at, s.used_at, s.confirmed_at, s.address, s.browser, ",
    users::columns!(),
    ", ",
    membership_columns!(),
    " FROM sessions s JOIN users u ON u.id = s.user_id JOIN memberships m ON m.user_id = u.id \
     WHERE s.digest = $1 ORDER BY m.created_at, m.account_id"
);

fn session(row: &AnyRow) -> Result<SessionRow, sqlx::Error> {
    Ok(SessionRow {
        digest: row.try_get("digest")?,
        id: row.try_get("id")?,
        user: UserId(row.try_get("user_id")?),
        signed_in_at: Timestamp(row.try_get("signed_in_at")?),
        used_at: Timestamp(row.try_get("used_at")?),
        confirmed_at: instant(row, "confirmed_at")?,
        address: row.try_get("address")?,
        browser: row.try_get("browser")?,
    })
}

impl Storage {
    /// Returns the session whose token has this digest, with its user; none if the user has no membership.
    ///
    /// One statement, because every call of the control panel begins with it.
    pub async fn signed_in(&self, digest: &str) -> Result<Option<SignedInRow>, StorageError> {
        let doing = "looking a session and its user up";
        let rows = sqlx::query(SIGNED_IN).bind(digest).fetch_all(&self.read);
        let rows = rows.await.doing(doing)?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let memberships = rows.iter().map(membership).collect::<Result<_, _>>();
        Ok(Some(SignedInRow {
            session: session(first).doing(doing)?,
            user: users::user(first).doing(doing)?,
            memberships: memberships.doing(doing)?,
        }))
    }

    /// Returns the sessions of a user, the last used first.
    pub async fn sessions_of(&self, user: &UserId) -> Result<Vec<SessionRow>, StorageError> {
        let doing = "reading the sessions of a user";
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM sessions WHERE user_id = $1 ORDER BY used_at DESC, digest"
        );
        sqlx::query(sql)
            .bind(user.as_str())
            .try_map(|row| session(&row))
            .fetch_all(&self.read)
            .await
            .doing(doing)
    }

    /// Stores that a session was used at `at`.
    pub async fn note_session_use(&self, digest: &str, at: Timestamp) -> Result<(), StorageError> {
        let doing = "storing the last use of a session";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        sqlx::query("UPDATE sessions SET used_at = $2 WHERE digest = $1 AND used_at < $2")
            .bind(digest)
            .bind(at.0)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)
    }

    /// Removes sessions that were last used before `used` or signed in before `signed_in`; returns how many.
    pub async fn delete_ended_sessions(
        &self,
        used: Timestamp,
        signed_in: Timestamp,
    ) -> Result<u64, StorageError> {
        let doing = "removing ended sessions";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        let done = sqlx::query("DELETE FROM sessions WHERE used_at < $1 OR signed_in_at < $2")
            .bind(used.0)
            .bind(signed_in.0)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)?;
        Ok(done.rows_affected())
    }
}

impl PeopleWrite {
    /// Adds a session, and ends the user's oldest ones above `most`.
    pub async fn create_session(
        &mut self,
        row: &SessionRow,
        most: u32,
    ) -> Result<(), StorageError> {
        let doing = "adding a session";
        let sql = concat!(
            "INSERT INTO sessions (",
            columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
        );
        sqlx::query(sql)
            .bind(row.digest.as_str())
            .bind(row.id.as_str())
            .bind(row.user.as_str())
            .bind(row.signed_in_at.0)
            .bind(row.used_at.0)
            .bind(row.confirmed_at.map(|at| at.0))
            .bind(row.address.as_str())
            .bind(row.browser.as_str())
            .execute(self.connection())
            .await
            .doing(doing)?;
        let sql = "DELETE FROM sessions WHERE user_id = $1 AND digest NOT IN (SELECT digest FROM sessions \
                   WHERE user_id = $1 ORDER BY used_at DESC, signed_in_at DESC, digest LIMIT $2)";
        sqlx::query(sql)
            .bind(row.user.as_str())
            .bind(i64::from(most))
            .execute(self.connection())
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Ends the session with this digest and returns it; `None` if it has ended already.
    pub async fn end_session(&mut self, digest: &str) -> Result<Option<SessionRow>, StorageError> {
        let sql = concat!(
            "DELETE FROM sessions WHERE digest = $1 RETURNING ",
            columns!()
        );
        sqlx::query(sql)
            .bind(digest)
            .try_map(|row| session(&row))
            .fetch_optional(self.connection())
            .await
            .doing("ending a session")
    }

    /// Ends the session of `user` with this public id; returns whether there was one.
    pub async fn end_session_of(&mut self, user: &UserId, id: &str) -> Result<bool, StorageError> {
        let done = sqlx::query("DELETE FROM sessions WHERE user_id = $1 AND id = $2")
            .bind(user.as_str())
            .bind(id)
            .execute(self.connection())
            .await
            .doing("ending a session")?;
        Ok(done.rows_affected() > 0)
    }

    /// Ends all sessions of `user`.
    pub async fn end_sessions(&mut self, user: &UserId) -> Result<(), StorageError> {
        sqlx::query("DELETE FROM sessions WHERE user_id = $1")
            .bind(user.as_str())
            .execute(self.connection())
            .await
            .doing("ending the sessions of a user")?;
        Ok(())
    }

    /// Ends the sessions of all users.
    pub async fn end_all_sessions(&mut self) -> Result<(), StorageError> {
        let ended = sqlx::query("DELETE FROM sessions").execute(self.connection());
        ended.await.doing("ending all sessions")?;
        Ok(())
    }
}
