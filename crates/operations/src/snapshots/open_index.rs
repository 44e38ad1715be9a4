//! `OpenIndex`: an index of an open store, as searches need it.

use super::published::Published;
use domain::IndexId;
use domain::feed::FeedScope;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::watch;

/// A future of a trait that is used behind a pointer.
pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An index that can be searched, whoever writes it.
pub(crate) trait OpenIndex: Send + Sync {
    /// Returns the number of the index.
    fn id(&self) -> IndexId;

    /// Returns type and language of the index.
    fn scope(&self) -> &FeedScope;

    /// Returns the searchable state of the index.
    fn snapshot(&self) -> Arc<dyn engine::Snapshot>;

    /// Returns whether no work on it is in progress or waiting, so that it may be closed.
    fn is_idle(&self) -> bool;

    /// Publishes every newer state of the index until `ending` is true, then releases the index.
    fn run(
        self: Arc<Self>,
        published: Arc<Published>,
        ending: watch::Receiver<bool>,
    ) -> Boxed<'static, ()>;
}
