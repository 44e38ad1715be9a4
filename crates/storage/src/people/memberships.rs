//! Statements on memberships of users in accounts.

use super::users::{UserRow, columns, user};
use super::{PeopleWrite, stores, stores_text, unknown};
use crate::Storage;
use crate::error::{Doing, StorageError};
use domain::access::AccountPermit;
use domain::{AccountId, Role, StoreId, StoreReach, Timestamp, UserId};
use sqlx::Row;
use sqlx::any::AnyRow;

/// The membership of a user in an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MembershipRow {
    /// The user.
    pub user: UserId,
    /// The account.
    pub account: AccountId,
    /// The role.
    pub role: Role,
    /// The stores that are reached.
    pub stores: StoreReach,
    /// When it began.
    pub created_at: Timestamp,
}

/// A member of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRow {
    /// The user.
    pub user: UserRow,
    /// The membership.
    pub membership: MembershipRow,
}

/// The columns that [`membership`] reads, of a table `m`.
macro_rules! membership_columns {
    () => {
        "m.user_id AS member_id, m.account_id, m.role, m.stores, m.created_at AS member_since"
    };
}
pub(super) use membership_columns;

pub(super) fn membership(row: &AnyRow) -> Result<MembershipRow, sqlx::Error> {
    let role: String = row.try_get("role")?;
    Ok(MembershipRow {
        user: UserId(row.try_get("member_id")?),
        account: AccountId(row.try_get("account_id")?),
        role: Role::parse(&role).ok_or_else(|| unknown("role", &role))?,
        stores: stores(row)?.map_or(StoreReach::All, StoreReach::Only),
        created_at: Timestamp(row.try_get("member_since")?),
    })
}

const OF_USER: &str = concat!(
    "SELECT ",
    membership_columns!(),
    " FROM memberships m WHERE m.user_id = $1 ORDER BY m.created_at, m.account_id"
);
const MEMBERS: &str = concat!(
    "SELECT ",
    columns!(),
    ", ",
    membership_columns!(),
    " FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = $1 ORDER BY u.email"
);

async fn of_user<'c>(
    connection: impl sqlx::Executor<'c, Database = sqlx::Any>,
    id: &UserId,
) -> Result<Vec<MembershipRow>, StorageError> {
    let doing = "reading the memberships of a user";
    sqlx::query(OF_USER)
        .bind(id.as_str())
        .try_map(|row| membership(&row))
        .fetch_all(connection)
        .await
        .doing(doing)
}

async fn members<'c>(
    connection: impl sqlx::Executor<'c, Database = sqlx::Any>,
    account: &AccountId,
) -> Result<Vec<MemberRow>, StorageError> {
    let doing = "reading the members of an account";
    sqlx::query(MEMBERS)
        .bind(account.as_str())
        .fetch_all(connection)
        .await
        .doing(doing)?
        .iter()
        .map(|row| {
            let user = user(row).doing(doing)?;
            let membership = membership(row).doing(doing)?;
            Ok(MemberRow { user, membership })
        })
        .collect()
}

impl Storage {
    /// Returns the memberships of a user, the oldest first.
    pub async fn memberships_of(&self, id: &UserId) -> Result<Vec<MembershipRow>, StorageError> {
        of_user(&self.read, id).await
    }

    /// Returns every store of the accounts of a user with its account, the oldest first.
    pub async fn stores_of_user(
        &self,
        id: &UserId,
    ) -> Result<Vec<(AccountId, StoreId)>, StorageError> {
        let doing = "reading the stores of a user";
        let sql = "SELECT s.account_id, s.id FROM stores s JOIN memberships m ON m.account_id = s.account_id \
                   WHERE m.user_id = $1 AND s.closed_at IS NULL ORDER BY s.created_at, s.id";
        sqlx::query(sql)
            .bind(id.as_str())
            .fetch_all(&self.read)
            .await
            .doing(doing)?
            .iter()
            .map(|row| {
                let account = row.try_get(0).doing(doing)?;
                Ok((AccountId(account), StoreId(row.try_get(1).doing(doing)?)))
            })
            .collect()
    }

    /// Returns the members of the permitted account, by e-mail address.
    pub async fn members(&self, permit: &AccountPermit) -> Result<Vec<MemberRow>, StorageError> {
        members(&self.read, permit.account()).await
    }
}

impl PeopleWrite {
    /// Returns the memberships of a user as of this transaction.
    pub async fn memberships_of(
        &mut self,
        id: &UserId,
    ) -> Result<Vec<MembershipRow>, StorageError> {
        of_user(self.connection(), id).await
    }

    /// Returns the members of an account as of this transaction.
    pub async fn members(&mut self, account: &AccountId) -> Result<Vec<MemberRow>, StorageError> {
        members(self.connection(), account).await
    }

    /// Adds a membership or replaces its role and stores.
    pub async fn save_membership(&mut self, row: &MembershipRow) -> Result<(), StorageError> {
        let doing = "saving a membership";
        let only = match &row.stores {
            StoreReach::All => None,
            StoreReach::Only(stores) => Some(stores.as_slice()),
        };
        let sql = "INSERT INTO memberships (user_id, account_id, role, stores, created_at) \
                   VALUES ($1, $2, $3, $4, $5) ON CONFLICT (user_id, account_id) \
                   DO UPDATE SET role = excluded.role, stores = excluded.stores";
        sqlx::query(sql)
            .bind(row.user.as_str())
            .bind(row.account.as_str())
            .bind(row.role.as_str())
            .bind(stores_text(only, doing)?)
            .bind(row.created_at.0)
            .execute(self.connection())
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Ends a membership.
    pub async fn remove_membership(
        &mut self,
        user: &UserId,
        account: &AccountId,
    ) -> Result<(), StorageError> {
        sqlx::query("DELETE FROM memberships WHERE user_id = $1 AND account_id = $2")
            .bind(user.as_str())
            .bind(account.as_str())
            .execute(self.connection())
            .await
            .doing("ending a membership")?;
        Ok(())
    }
}
