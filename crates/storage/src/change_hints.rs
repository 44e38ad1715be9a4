//! `ChangeHints`: which stores other servers have changed, heard at once. What is missed is found by polling, so nothing
//! depends on it but haste.

use crate::Storage;
use crate::database::Database;
use crate::postgres;
use domain::StoreId;
use sqlx::postgres::PgListener;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Pause before listening is tried again.
const RETRY: Duration = Duration::from_secs(5);

/// Where the servers of a database hear of each other.
const CHANNEL: &str = "findwell_store";

/// A connection that listens; none for a file, which one server uses.
pub struct ChangeHints {
    database: Arc<Database>,
    listener: Option<PgListener>,
}

impl Storage {
    /// Returns what hears of changes from its first use on.
    pub fn change_hints(&self) -> ChangeHints {
        ChangeHints {
            database: Arc::clone(&self.database),
            listener: None,
        }
    }
}

impl ChangeHints {
    /// Waits for the next store that a server has changed, which may be this one.
    pub async fn next(&mut self) -> StoreId {
        loop {
            if let Ok(store) = self.heard().await {
                return store;
            }
            // Whoever polls tells that the database does not respond.
            self.listener = None;
            sleep(RETRY).await;
        }
    }

    async fn heard(&mut self) -> Result<StoreId, sqlx::Error> {
        let Database::Url(url) = &*self.database else {
            return std::future::pending().await;
        };
        let listener = match &mut self.listener {
            Some(listener) => listener,
            none => {
                let mut listener = postgres::listener(url).await?;
                listener.listen(CHANNEL).await?;
                none.insert(listener)
            }
        };
        let heard = listener.recv().await?;
        Ok(StoreId(heard.payload().to_owned()))
    }
}

impl fmt::Debug for ChangeHints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeHints").finish_non_exhaustive()
    }
}
