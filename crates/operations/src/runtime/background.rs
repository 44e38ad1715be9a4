//! `BackgroundTasks`: the tasks that run as long as the service is open.

use parking_lot::Mutex;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// Handle of the background tasks; clones share it.
#[derive(Clone, Default)]
pub(crate) struct BackgroundTasks(Arc<Mutex<Vec<JoinHandle<()>>>>);

impl BackgroundTasks {
    /// Replaces the tasks; former ones are stopped.
    pub fn replace(&self, tasks: Vec<JoinHandle<()>>) {
        for former in std::mem::replace(&mut *self.0.lock(), tasks) {
            former.abort();
        }
    }

    /// Stops the tasks wherever they are.
    pub async fn stop(&self) {
        let tasks = std::mem::take(&mut *self.0.lock());
        for task in tasks {
            task.abort();
            // The only possible outcome is that it was cancelled.
            let _ = task.await;
        }
    }
}
