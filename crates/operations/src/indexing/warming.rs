//! Opening the first stores when the service starts, so that their first search does not wait.

use super::Indexing;
use domain::StoreId;

/// Stores that are opened when the service starts, before anybody asks for them.
const WARM_STORES_MAX: usize = 64;

/// How many of the stores that are opened at the start are open, or could not be opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Warming {
    /// Stores that need not be waited for any more.
    pub done: usize,
    /// Stores that are opened at the start.
    pub of: usize,
}

impl Warming {
    /// Whether all are done.
    pub fn is_over(&self) -> bool {
        self.done >= self.of
    }
}

impl Indexing {
    /// How far the opening of stores at the start is.
    pub fn warming(&self) -> Warming {
        *self.inner.warming.borrow()
    }

    /// Opens the first of `stores`, one after the other, as long as indexes may stay open.
    pub(super) fn warm(&self, mut stores: Vec<StoreId>) {
        stores.truncate(WARM_STORES_MAX);
        let of = stores.len();
        let told = |done| self.inner.warming.send_replace(Warming { done, of });
        told(0);
        let indexing = self.clone();
        tokio::spawn(async move {
            for (done, store) in stores.into_iter().enumerate() {
                if *indexing.inner.closing.borrow() || indexing.inner.stores.are_full() {
                    break;
                }
                // One that was being opened when the service stopped finds storage closed, which is no fault.
                if let Err(error) = indexing.snapshot(&store).await
                    && !*indexing.inner.closing.borrow()
                {
                    tracing::error!(%store, error = ?error, "a store cannot be opened");
                }
                let done = done + 1;
                indexing.inner.warming.send_replace(Warming { done, of });
            }
            indexing
                .inner
                .warming
                .send_replace(Warming { done: of, of });
        });
    }
}
