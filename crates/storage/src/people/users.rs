//! Statements on users.

use super::{PeopleWrite, instant, unknown};
use crate::Storage;
use crate::error::{Doing, StorageError};
use domain::{Email, PanelLanguage, Timestamp, UserId};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// One user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRow {
    /// Its id.
    pub id: UserId,
    /// E-mail address, unique.
    pub email: Email,
    /// Name.
    pub name: String,
    /// Language of the panel.
    pub language: PanelLanguage,
    /// PHC string of the password; `None` for a user who enters by links only.
    pub password: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it signed in last.
    pub last_sign_in_at: Option<Timestamp>,
    /// When it was deactivated.
    pub deactivated_at: Option<Timestamp>,
}

/// The columns that [`user`] reads, of a table `u`.
macro_rules! columns {
    () => {
        "u.id AS user_id, u.email, u.name, u.language, u.password, u.created_at AS user_created_at, \
         u.last_sign_in_at, u.deactivated_at"
    };
}
pub(super) use columns;

pub(super) fn user(row: &AnyRow) -> Result<UserRow, sqlx::Error> {
    let language: String = row.try_get("language")?;
    Ok(UserRow {
        id: UserId(row.try_get("user_id")?),
        email: Email::of_storage(row.try_get("email")?),
        name: row.try_get("name")?,
        language: PanelLanguage::parse(&language).ok_or_else(|| unknown("language", &language))?,
        password: row.try_get("password")?,
        created_at: Timestamp(row.try_get("user_created_at")?),
        last_sign_in_at: instant(row, "last_sign_in_at")?,
        deactivated_at: instant(row, "deactivated_at")?,
    })
}

const BY_ID: &str = concat!("SELECT ", columns!(), " FROM users u WHERE u.id = $1");
const BY_EMAIL: &str = concat!("SELECT ", columns!(), " FROM users u WHERE u.email = $1");

async fn one<'c>(
    connection: impl sqlx::Executor<'c, Database = sqlx::Any>,
    sql: &'static str,
    value: &str,
) -> Result<Option<UserRow>, StorageError> {
    let doing = "reading a user";
    sqlx::query(sql)
        .bind(value)
        .try_map(|row| user(&row))
        .fetch_optional(connection)
        .await
        .doing(doing)
}

async fn update(
    connection: &mut AnyConnection,
    sql: &'static str,
    id: &UserId,
    value: Option<i64>,
) -> Result<(), StorageError> {
    let query = sqlx::query(sql).bind(id.as_str()).bind(value);
    query.execute(connection).await.doing("updating a user")?;
    Ok(())
}

impl Storage {
    /// Returns the user `id`.
    pub async fn user(&self, id: &UserId) -> Result<Option<UserRow>, StorageError> {
        one(&self.read, BY_ID, id.as_str()).await
    }

    /// Returns the user with this e-mail address.
    pub async fn user_by_email(&self, email: &Email) -> Result<Option<UserRow>, StorageError> {
        one(&self.read, BY_EMAIL, email.as_str()).await
    }

    /// Returns all users, by e-mail address.
    pub async fn users(&self) -> Result<Vec<UserRow>, StorageError> {
        let doing = "reading the users";
        sqlx::query(concat!(
            "SELECT ",
            columns!(),
            " FROM users u ORDER BY u.email"
        ))
        .try_map(|row| user(&row))
        .fetch_all(&self.read)
        .await
        .doing(doing)
    }

    /// Returns whether there is a user.
    pub async fn has_users(&self) -> Result<bool, StorageError> {
        let found = sqlx::query("SELECT 1 FROM users LIMIT 1").fetch_optional(&self.read);
        Ok(found.await.doing("looking for users")?.is_some())
    }
}

impl PeopleWrite {
    /// Returns the user `id` as of this transaction.
    pub async fn user(&mut self, id: &UserId) -> Result<Option<UserRow>, StorageError> {
        one(self.connection(), BY_ID, id.as_str()).await
    }

    /// Returns the user with this e-mail address as of this transaction.
    pub async fn user_by_email(&mut self, email: &Email) -> Result<Option<UserRow>, StorageError> {
        one(self.connection(), BY_EMAIL, email.as_str()).await
    }

    /// Returns whether there is a user as of this transaction.
    pub async fn has_users(&mut self) -> Result<bool, StorageError> {
        let found = sqlx::query("SELECT 1 FROM users LIMIT 1").fetch_optional(self.connection());
        Ok(found.await.doing("looking for users")?.is_some())
    }

    /// Returns the user as of this transaction, which locks it, if the password that was compared still lets it in: it is
    /// that of `compared`, and the user is not deactivated.
    pub async fn unchanged_user(
        &mut self,
        compared: &UserRow,
    ) -> Result<Option<UserRow>, StorageError> {
        let sql = "UPDATE users SET password = password \
                   WHERE id = $1 AND COALESCE(password, '') = $2 AND deactivated_at IS NULL";
        let locked = sqlx::query(sql)
            .bind(compared.id.as_str())
            .bind(compared.password.as_deref().unwrap_or_default())
            .execute(self.connection())
            .await
            .doing("comparing a user with what was read before")?;
        if locked.rows_affected() == 0 {
            return Ok(None);
        }
        self.user(&compared.id).await
    }

    /// Adds a user; returns whether the address was free.
    pub async fn create_user(&mut self, user: &UserRow) -> Result<bool, StorageError> {
        let sql = "INSERT INTO users (id, email, name, language, password, created_at, last_sign_in_at, \
                   deactivated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (email) DO NOTHING";
        let added = sqlx::query(sql)
            .bind(user.id.as_str())
            .bind(user.email.as_str())
            .bind(user.name.as_str())
            .bind(user.language.as_str())
            .bind(user.password.as_deref())
            .bind(user.created_at.0)
            .bind(user.last_sign_in_at.map(|at| at.0))
            .bind(user.deactivated_at.map(|at| at.0))
            .execute(self.connection())
            .await
            .doing("adding a user")?;
        Ok(added.rows_affected() > 0)
    }

    /// Saves name and language of a user.
    pub async fn save_profile(
        &mut self,
        id: &UserId,
        name: &str,
        language: PanelLanguage,
    ) -> Result<(), StorageError> {
        sqlx::query("UPDATE users SET name = $2, language = $3 WHERE id = $1")
            .bind(id.as_str())
            .bind(name)
            .bind(language.as_str())
            .execute(self.connection())
            .await
            .doing("saving the profile of a user")?;
        Ok(())
    }

    /// Saves the PHC string of a password.
    pub async fn save_password(&mut self, id: &UserId, phc: &str) -> Result<(), StorageError> {
        sqlx::query("UPDATE users SET password = $2 WHERE id = $1")
            .bind(id.as_str())
            .bind(phc)
            .execute(self.connection())
            .await
            .doing("saving a password")?;
        Ok(())
    }

    /// Stores that a user signed in at `at`.
    pub async fn note_sign_in(&mut self, id: &UserId, at: Timestamp) -> Result<(), StorageError> {
        let sql = "UPDATE users SET last_sign_in_at = $2 WHERE id = $1";
        update(self.connection(), sql, id, Some(at.0)).await
    }

    /// Deactivates a user at `at`, or activates it again.
    pub async fn deactivate_user(
        &mut self,
        id: &UserId,
        at: Option<Timestamp>,
    ) -> Result<(), StorageError> {
        let sql = "UPDATE users SET deactivated_at = $2 WHERE id = $1";
        update(self.connection(), sql, id, at.map(|at| at.0)).await
    }
}
