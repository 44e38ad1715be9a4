//! Reads the marks of counted events and searches.

use super::batch::{LoggedResponse, SearchMark, SearchMarks};
use super::{AnalyticsStorage, LoggedVisit};
use crate::error::{Doing, StorageError};
use crate::rows::placeholders;
use domain::{Permit, access};
use sqlx::{AssertSqlSafe, Row};
use std::collections::{HashMap, HashSet};

const DOING: &str = "reading the marks of events";

/// Marks of some responses and searches of one store.
#[derive(Clone, Debug, Default)]
pub struct StoredMarks {
    /// Digests of the counted events of each response.
    pub events: HashMap<LoggedResponse, HashSet<i64>>,
    /// Marked searches.
    pub searches: HashMap<LoggedVisit, SearchMarks>,
}

impl AnalyticsStorage {
    /// Returns the marks of the permitted store for these responses and visits, at most some dozen of each.
    pub async fn stored_marks(
        &self,
        permit: &Permit<access::Search>,
        responses: &[i64],
        visits: &[i64],
    ) -> Result<StoredMarks, StorageError> {
        let mut known = StoredMarks::default();
        if responses.is_empty() {
            return Ok(known);
        }
        let pools = self.pools(DOING).await?;
        let mut connection = pools.read.acquire().await.doing(DOING)?;
        let store = permit.store();
        let list = placeholders(responses.len(), 1);
        let sql = format!(
            "SELECT response, event FROM event_marks WHERE store_id = $1 AND response IN ({list})"
        );
        let mut query = sqlx::query(AssertSqlSafe(sql)).bind(store.as_str());
        for response in responses {
            query = query.bind(*response);
        }
        for row in query.fetch_all(&mut *connection).await.doing(DOING)? {
            let response = LoggedResponse {
                store: store.clone(),
                response: row.try_get(0).doing(DOING)?,
            };
            let event: i64 = row.try_get(1).doing(DOING)?;
            known.events.entry(response).or_default().insert(event);
        }
        if visits.is_empty() {
            return Ok(known);
        }
        let list = placeholders(visits.len(), 1);
        let sql = format!(
            "SELECT visit, started, clicked, converted FROM search_marks WHERE store_id = $1 AND visit IN ({list})"
        );
        let mut query = sqlx::query(AssertSqlSafe(sql)).bind(store.as_str());
        for visit in visits {
            query = query.bind(*visit);
        }
        for row in query.fetch_all(&mut *connection).await.doing(DOING)? {
            let number = |at: usize| row.try_get::<i64, _>(at).doing(DOING);
            let visit = LoggedVisit {
                store: store.clone(),
                visit: number(0)?,
            };
            let mark = SearchMark {
                clicked: number(2)? != 0,
                converted: number(3)? != 0,
            };
            let marks = known.searches.entry(visit).or_default();
            marks.insert(number(1)?, mark);
        }
        Ok(known)
    }
}
