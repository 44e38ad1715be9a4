//! Statements that read the audit trail of one store or account: by page, or as a whole in portions.

use crate::Storage;
use crate::audit_trail::{AuditRow, audit_row, oldest_within};
use crate::error::{Doing, StorageError};
use domain::Permit;
use domain::access::{AccountPermit, Read};
use domain::audit::AuditSelection;
use domain::limits::AUDIT_CHANGES_SHOWN_BYTES;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, Row};

/// Whose records to read.
#[derive(Clone, Debug)]
pub enum AuditScope {
    /// Those of a store.
    Store(Permit<Read>),
    /// Those of an account with all its stores, also former ones.
    Account(AccountPermit),
}

/// Selects `$columns` of the records with the condition `$about` on `$1`.
macro_rules! selected {
    ($columns:literal, $about:literal, $end:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM audit a LEFT JOIN revisions r \
             ON a.changes = '' AND r.store_id = a.store_id AND r.revision = a.revision WHERE ",
            $about,
            " AND ($2 = '' OR a.user_id = $2) AND ($3 = '' OR a.key_id = $3) \
             AND ($4 = '' OR a.operation = $4) \
             AND ($5 = '' OR a.resource = $5 OR SUBSTR(a.resource, 1, LENGTH($5) + 1) = $5 || '/') \
             AND ($6 = '' OR COALESCE(a.lowered, LOWER(a.summary || '\n' || a.resource || '\n' || a.operation || '\n' \
             || a.actor)) LIKE $6 ESCAPE '!') \
             AND a.at >= $7 AND a.at < $8 ",
            $end
        )
    };
}

/// The statements of one scope: the number of records, one page, the sizes of a portion, and the portion.
macro_rules! statements {
    ($about:literal) => {
        Statements {
            count: selected!("COUNT(*)", $about, ""),
            page: selected!(
                "a.id, a.at, a.account_id, a.store_id, a.key_id, a.user_id, a.actor, a.operation, a.resource, a.summary, a.translatable, \
                 a.request_id, a.revision, a.note, a.forced, \
                 OCTET_LENGTH(a.changes) + COALESCE(OCTET_LENGTH(r.changes), 0) AS bytes, \
                 CASE WHEN OCTET_LENGTH(a.changes) + COALESCE(OCTET_LENGTH(r.changes), 0) > $11 THEN '[]' \
                 WHEN a.changes = '' THEN COALESCE(r.changes, '[]') ELSE a.changes END AS changes",
                $about,
                "ORDER BY a.id DESC LIMIT $9 OFFSET $10"
            ),
            sizes: selected!(
                "a.id, OCTET_LENGTH(a.changes) + COALESCE(OCTET_LENGTH(r.changes), 0) AS bytes",
                $about,
                "AND a.id < $9 ORDER BY a.id DESC LIMIT $10"
            ),
            portion: selected!(
                "a.id, a.at, a.account_id, a.store_id, a.key_id, a.user_id, a.actor, a.operation, a.resource, a.summary, a.translatable, \
                 a.request_id, a.revision, a.note, a.forced, \
                 CASE WHEN a.changes = '' THEN COALESCE(r.changes, '[]') ELSE a.changes END AS changes",
                $about,
                "AND a.id < $9 AND a.id >= $10 ORDER BY a.id DESC"
            ),
        }
    };
}

struct Statements {
    count: &'static str,
    page: &'static str,
    sizes: &'static str,
    portion: &'static str,
}

const OF_STORE: Statements = statements!("a.store_id = $1");
const OF_ACCOUNT: Statements = statements!("a.account_id = $1");

/// Records of a portion.
const PORTION_RECORDS: i64 = 100;
/// Bytes of changes of a portion, unless a single record has more.
const PORTION_BYTES: u64 = 4 * 1024 * 1024;

impl AuditScope {
    fn statements(&self) -> &'static Statements {
        match self {
            Self::Store(_) => &OF_STORE,
            Self::Account(_) => &OF_ACCOUNT,
        }
    }

    fn id(&self) -> &str {
        match self {
            Self::Store(permit) => permit.store().as_str(),
            Self::Account(permit) => permit.account().as_str(),
        }
    }

    /// Returns the statement `sql` with its first eight values.
    fn query<'q>(
        &'q self,
        sql: &'static str,
        selection: &'q AuditSelection,
        pattern: &'q str,
    ) -> Query<'q, Any, AnyArguments> {
        let text = |value: &'q Option<String>| value.as_deref().unwrap_or_default();
        let query = &selection.query;
        sqlx::query(sql)
            .bind(self.id())
            .bind(text(&query.user))
            .bind(text(&query.key))
            .bind(text(&query.operation))
            .bind(text(&query.resource))
            .bind(pattern)
            .bind(selection.since.map_or(i64::MIN, |since| since.0))
            .bind(selection.until.map_or(i64::MAX, |until| until.0))
    }
}

/// Returns the pattern of texts that contain the one of `query`.
fn pattern(selection: &AuditSelection) -> String {
    let text = selection.query.text.as_deref().unwrap_or_default();
    if text.is_empty() {
        return String::new();
    }
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for character in text.to_lowercase().chars() {
        if matches!(character, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

impl Storage {
    /// Returns a page of the selected records, the newest first, each with whether its changes are left out because they
    /// are large; and the number of all selected records.
    pub async fn audit_page(
        &self,
        scope: &AuditScope,
        selection: &AuditSelection,
    ) -> Result<(Vec<(AuditRow, bool)>, u64), StorageError> {
        let doing = "reading a page of the audit trail";
        let (statements, pattern) = (scope.statements(), pattern(selection));
        let (page, limit) = selection.query.page();
        let shown = i64::try_from(AUDIT_CHANGES_SHOWN_BYTES).unwrap_or(i64::MAX);
        let mut tx = self.snapshot().await.doing(doing)?;
        let count = scope.query(statements.count, selection, &pattern);
        let count = count.fetch_one(&mut *tx).await.doing(doing)?;
        let count = count.try_get::<i64, _>(0).doing(doing)?.unsigned_abs();
        let rows = scope
            .query(statements.page, selection, &pattern)
            .bind(i64::from(limit))
            .bind(i64::from(page.saturating_sub(1)) * i64::from(limit))
            .bind(shown)
            .fetch_all(&mut *tx)
            .await
            .doing(doing)?;
        let rows: Result<_, StorageError> = rows
            .iter()
            .map(|row| {
                let bytes: i64 = row.try_get("bytes").doing(doing)?;
                Ok((audit_row(row).doing(doing)?, bytes > shown))
            })
            .collect();
        Ok((rows?, count))
    }

    /// Returns the next selected records with an id below `before`, the newest first; none at the end.
    pub async fn audit_portion(
        &self,
        scope: &AuditScope,
        selection: &AuditSelection,
        before: i64,
    ) -> Result<Vec<AuditRow>, StorageError> {
        let doing = "reading a portion of the audit trail";
        let (statements, pattern) = (scope.statements(), pattern(selection));
        let mut tx = self.snapshot().await.doing(doing)?;
        let sizes = scope.query(statements.sizes, selection, &pattern);
        let sizes = sizes.bind(before).bind(PORTION_RECORDS);
        let sizes = sizes.fetch_all(&mut *tx).await.doing(doing)?;
        let Some(oldest) = oldest_within(&sizes, PORTION_BYTES).doing(doing)? else {
            return Ok(Vec::new());
        };
        scope
            .query(statements.portion, selection, &pattern)
            .bind(before)
            .bind(oldest)
            .try_map(|row| audit_row(&row))
            .fetch_all(&mut *tx)
            .await
            .doing(doing)
    }
}
