//! `TablePages`: reads the rows of one table page by page in the order of its key, inserts and compares them.

use super::tables::CopiedTable;
use super::{MoveProgress, MoveReport, MovedTable};
use crate::dialect::Dialect;
use crate::error::{Doing, StorageError};
use crate::rows::{placeholders, values};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Row};

/// Rows of a page. A row takes up to a few hundred kilobytes, and a statement up to 32,766 values.
const PAGE: usize = 250;

/// A value of a row; the databases have no others.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    Number(Option<i64>),
    Text(Option<String>),
}

struct Column {
    name: String,
    is_number: bool,
}

/// A table, and the statements on it.
pub(super) struct TablePages {
    pub table: &'static CopiedTable,
    columns: Vec<Column>,
    /// Positions of the key's columns.
    key: Vec<usize>,
    first: String,
    next: String,
}

type Cells = Vec<Cell>;

impl TablePages {
    /// Reads which columns the table has in the database of `pool`.
    pub async fn new(
        table: &'static CopiedTable,
        pool: &AnyPool,
        dialect: Dialect,
    ) -> Result<Self, StorageError> {
        let doing = "reading the columns of a table";
        let rows = sqlx::query(dialect.columns())
            .bind(table.name)
            .fetch_all(pool);
        let mut columns = Vec::new();
        for row in rows.await.doing(doing)? {
            columns.push(Column {
                name: row.try_get(0).doing(doing)?,
                is_number: row.try_get::<i64, _>(1).doing(doing)? == 1,
            });
        }
        let positions = table.key.iter().map(|key| {
            let found = columns.iter().position(|column| column.name == *key);
            found
                .ok_or_else(|| StorageError::damaged(doing, format!("{} has no {key}", table.name)))
        });
        let key = positions.collect::<Result<Vec<_>, _>>()?;
        let names = list(columns.iter().map(|column| &*column.name));
        let (name, only) = (table.name, table.only);
        let order = table.key.join(", ");
        let after = placeholders(key.len(), 0);
        let read = format!("SELECT {names} FROM {name} WHERE {only}");
        let ordered = format!("ORDER BY {order} LIMIT {PAGE}");
        Ok(Self {
            table,
            key,
            first: format!("{read} {ordered}"),
            next: format!("{read} AND ({order}) > ({after}) {ordered}"),
            columns,
        })
    }

    /// Copies the rows behind the last one that `target` has. Nobody else writes there, so no turn is taken.
    pub async fn copy(
        &self,
        source: &AnyPool,
        target: &AnyPool,
        report: MoveReport<'_>,
    ) -> Result<(), StorageError> {
        let doing = "storing rows of a move";
        let (mut last, mut rows) = self.end(target).await?;
        loop {
            let page = self.page(source, last.as_ref()).await?;
            let Some(end) = page.last().cloned() else {
                return Ok(());
            };
            let mut tx = target.begin().await.doing(doing)?;
            self.insert(&mut tx, &page).await?;
            tx.commit().await.doing(doing)?;
            rows += page.len() as u64;
            last = Some(end);
            report(self.progress(false, rows));
        }
    }

    /// Compares all rows; `None` if any differs, or is on one side only.
    pub async fn compare(
        &self,
        source: &AnyPool,
        target: &AnyPool,
        report: MoveReport<'_>,
    ) -> Result<Option<MovedTable>, StorageError> {
        let (mut last, mut rows) = (None, 0);
        loop {
            let page = self.page(source, last.as_ref()).await?;
            if page != self.page(target, last.as_ref()).await? {
                return Ok(None);
            }
            rows += page.len() as u64;
            report(self.progress(true, rows));
            last = page.last().cloned();
            if last.is_none() {
                let table = self.table.name;
                return Ok(Some(MovedTable { table, rows }));
            }
        }
    }

    /// Returns whether the table has no rows.
    pub async fn is_empty(&self, pool: &AnyPool) -> Result<bool, StorageError> {
        Ok(self.end(pool).await?.1 == 0)
    }

    fn progress(&self, comparing: bool, rows: u64) -> MoveProgress {
        MoveProgress {
            table: self.table.name,
            comparing,
            rows,
        }
    }

    /// Returns the last row of a table, and how many there are.
    async fn end(&self, pool: &AnyPool) -> Result<(Option<Cells>, u64), StorageError> {
        let doing = "reading how far a move is";
        let (name, only) = (self.table.name, self.table.only);
        let names = list(self.columns.iter().map(|column| &*column.name));
        let order = list(self.table.key.iter().map(|key| format!("{key} DESC")));
        let last = format!("SELECT {names} FROM {name} WHERE {only} ORDER BY {order} LIMIT 1");
        let last = sqlx::query(AssertSqlSafe(last)).fetch_optional(pool).await;
        let last = last.doing(doing)?;
        let last = last.map(|row| self.cells(&row)).transpose().doing(doing)?;
        let count = format!("SELECT COUNT(*) FROM {name} WHERE {only}");
        let count = sqlx::query(AssertSqlSafe(count)).fetch_one(pool).await;
        let count: i64 = count.and_then(|row| row.try_get(0)).doing(doing)?;
        Ok((last, count.unsigned_abs()))
    }

    /// Reads the rows behind `last`.
    async fn page(&self, pool: &AnyPool, last: Option<&Cells>) -> Result<Vec<Cells>, StorageError> {
        let doing = "reading rows to move";
        let rows = match last {
            None => sqlx::query(AssertSqlSafe(self.first.clone())).fetch_all(pool),
            Some(last) => {
                let query = sqlx::query(AssertSqlSafe(self.next.clone()));
                let key = self.key.iter().map(|position| &last[*position]);
                key.fold(query, bind).fetch_all(pool)
            }
        };
        let rows = rows.await.doing(doing)?;
        let cells = rows.iter().map(|row| self.cells(row));
        cells.collect::<Result<_, _>>().doing(doing)
    }

    fn cells(&self, row: &AnyRow) -> Result<Cells, sqlx::Error> {
        let columns = self.columns.iter().enumerate();
        columns
            .map(|(position, column)| {
                Ok(match column.is_number {
                    true => Cell::Number(row.try_get(position)?),
                    false => Cell::Text(row.try_get(position)?),
                })
            })
            .collect()
    }

    async fn insert(&self, tx: &mut AnyConnection, page: &[Cells]) -> Result<(), StorageError> {
        let names = list(self.columns.iter().map(|column| &*column.name));
        let sql = format!(
            "INSERT INTO {} ({names}) VALUES {}",
            self.table.name,
            values(page.len(), &[], 0, self.columns.len())
        );
        let query = sqlx::query(AssertSqlSafe(sql));
        let query = page.iter().flatten().fold(query, bind);
        let inserted = query.execute(tx).await;
        inserted.doing("storing rows of a move").map(drop)
    }
}

fn bind<'q>(query: Query<'q, Any, AnyArguments>, cell: &'q Cell) -> Query<'q, Any, AnyArguments> {
    match cell {
        Cell::Number(number) => query.bind(*number),
        Cell::Text(text) => query.bind(text.as_deref()),
    }
}

fn list(parts: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(part.as_ref());
    }
    text
}
