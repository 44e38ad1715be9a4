//! Two services on one database, and pairs of operations of which the first one pauses in the middle.

use super::pause::{Pause, execute};
use crate::places::{places_of, url_of};
use crate::world::{World, open, options};
use operations::{Service, ServiceOptions};
use std::future::Future;
use std::pin::Pin;
use storage::Storage;
use tempfile::TempDir;

/// An operation of a pair: what became of it, `ok` or the code of its error.
pub type Operation = Pin<Box<dyn Future<Output = String> + Send>>;

/// An operation, and the table that it writes to in the middle of its transaction.
pub struct Step {
    pub table: &'static str,
    operation: Operation,
}

/// Returns an operation that pauses after its first statement on `table`.
pub fn step(table: &'static str, operation: impl Future<Output = String> + Send + 'static) -> Step {
    Step {
        table,
        operation: Box::pin(operation),
    }
}

/// Whether the locks that have names, and no row, are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedLocks {
    Kept,
    TakenOut,
}

/// A service, and another one on its database; with the database in a file there is one process, so both are one.
pub struct Two {
    pub world: World,
    pub other: Service,
    url: Option<String>,
    _dir: TempDir,
}

impl Two {
    pub async fn new(locks: NamedLocks) -> Self {
        let mut world = World::new().await;
        let url = url_of(world.dir.path());
        if let (NamedLocks::TakenOut, Some(url)) = (locks, &url) {
            world.service.close().await;
            take_out(url);
            world.service = open(&world.dir, &world.clock).await;
        }
        let dir = tempfile::tempdir().expect("a directory");
        let other = match &url {
            None => world.service.clone(),
            Some(_) => {
                let locations = places_of(world.dir.path());
                let options = ServiceOptions {
                    locations,
                    ..options(&dir, &world.clock)
                };
                Service::open(options).await.expect("opens")
            }
        };
        Self {
            world,
            other,
            url,
            _dir: dir,
        }
    }

    /// Whether the database is on a server, so that transactions pause.
    pub fn is_on_server(&self) -> bool {
        self.url.is_some()
    }

    /// What a statement selects from a database on a server.
    pub fn selected(&self, sql: &str) -> Option<String> {
        let url = self.url.as_deref()?;
        Some(tokio::task::block_in_place(|| execute(url, sql)))
    }

    /// A connection to the database.
    pub async fn storage(&self) -> Storage {
        self.world.storage().await
    }

    /// Runs both operations at once, the second one first if they are `swapped`. The first one that runs pauses in the middle
    /// until the other one waits for it or has ended.
    ///
    /// Returns what became of both, in the order given; an error if the other one did not wait.
    pub async fn run(
        &self,
        swapped: bool,
        one: Step,
        two: Step,
    ) -> Result<(String, String), String> {
        let (first, second) = if swapped { (two, one) } else { (one, two) };
        let (first, second) = self.in_order(first, second).await?;
        Ok(if swapped {
            (second, first)
        } else {
            (first, second)
        })
    }

    async fn in_order(&self, first: Step, second: Step) -> Result<(String, String), String> {
        let Some(url) = &self.url else {
            return Ok(tokio::join!(first.operation, second.operation));
        };
        let mut pause = tokio::task::block_in_place(|| Pause::at(url, first.table));
        let running = tokio::spawn(first.operation);
        tokio::task::block_in_place(|| pause.until_reached(|| running.is_finished()));
        let waiting = tokio::spawn(second.operation);
        let waits = tokio::task::block_in_place(|| pause.until_awaited(|| waiting.is_finished()));
        tokio::task::block_in_place(|| pause.release());
        let first = running.await.map_err(|error| error.to_string())?;
        let second = waiting.await.map_err(|error| error.to_string())?;
        tokio::task::block_in_place(|| pause.remove());
        match waits {
            true => Ok((first, second)),
            false => Err(format!(
                "the second one did not wait: {first}, then {second}"
            )),
        }
    }

    pub async fn close(self) {
        if self.url.is_some() {
            self.other.close().await;
        }
        self.world.service.close().await;
    }
}

/// Puts a function that does nothing in the place of the one that takes named locks, for connections from now on.
fn take_out(url: &str) {
    execute(
        url,
        "CREATE FUNCTION public.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE sql AS 'SELECT'; \
         DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$",
    );
}
