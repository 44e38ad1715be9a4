//! `Workers`: a few threads for work that takes much memory for a moment.
//!
//! An allocator keeps what a thread has freed for that thread. On the threads that tokio has for work that blocks, of
//! which each job takes the next, such work leaves its memory on all of them; on these it is used again.

use crate::OperationError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, available_parallelism};
use tokio::sync::oneshot;

/// Most threads, however many cores there are.
const THREADS_MAX: usize = 8;

type Work = Box<dyn FnOnce() + Send>;

/// Threads that take jobs in the order in which they come. They end with this value, after the jobs that it has.
pub(crate) struct Workers {
    jobs: Sender<Work>,
}

impl Workers {
    /// Starts a thread of this name per core, from 2 to 8.
    pub fn new(name: &str) -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Self::with(cores.clamp(2, THREADS_MAX), name)
    }

    fn with(threads: usize, name: &str) -> Self {
        let (jobs, waiting) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads {
            let waiting = Arc::clone(&waiting);
            let started = Builder::new()
                .name(name.to_owned())
                .spawn(move || work(&waiting));
            if let Err(error) = started {
                tracing::error!(%error, name, "a thread could not be started");
            }
        }
        Self { jobs }
    }

    /// Runs `job`. Whoever waits no longer when its turn comes has none of it run.
    ///
    /// Errors: `Internal` if it panics or there is no thread.
    pub async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, OperationError> {
        let (done, result) = oneshot::channel();
        let job = move || {
            if !done.is_closed() {
                // Nobody may wait any longer by now.
                let _ = done.send(job());
            }
        };
        let sent = self.jobs.send(Box::new(job));
        sent.map_err(|_| OperationError::internal("there is no thread for this work"))?;
        result.await.map_err(OperationError::internal)
    }
}

/// Runs jobs until no more can come.
fn work(waiting: &Mutex<Receiver<Work>>) {
    loop {
        let next = waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok(job) = next else {
            return;
        };
        // What panics has told so on standard error, and whoever waits for it gets an error.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    //! 1. Jobs run on the threads there are and return their results.
    //! 2. A job that panics is an error, and the thread takes the next one.
    //! 3. A job that nobody waits for any more does not run.
    //! 4. Without a thread a job is an error, not a wait.

    use super::Workers;
    use crate::OperationError;
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    fn is_internal<T>(result: Result<T, OperationError>) -> bool {
        matches!(result, Err(OperationError::Internal { .. }))
    }

    #[tokio::test]
    async fn jobs_run_on_the_threads_there_are() {
        let workers = Workers::with(2, "test");
        let mut threads = BTreeSet::new();
        for at in 0..100 {
            let job = move || (at, format!("{:?}", thread::current().id()));
            let (number, thread) = workers.run(job).await.expect("a result");
            assert_eq!(number, at);
            threads.insert(thread);
        }
        assert!((1..=2).contains(&threads.len()), "{threads:?}");
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_the_thread_goes_on() {
        let workers = Workers::with(1, "test");
        let panicked = workers.run(|| -> u32 { panic!("of a test") }).await;
        assert!(is_internal(panicked));
        assert_eq!(workers.run(|| 1).await.expect("a result"), 1);
    }

    #[tokio::test]
    async fn what_nobody_waits_for_does_not_run() {
        let workers = Workers::with(1, "test");
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let first = workers.run(move || wait.recv().is_ok());
        let ran = Arc::new(AtomicBool::new(false));
        let left = Arc::clone(&ran);
        let second = workers.run(move || left.store(true, Ordering::SeqCst));
        let both = async {
            // Each is sent when it is first polled: the second waits behind the first, and is dropped here.
            let sent = tokio::select! { biased;
                _ = second => false,
                () = std::future::ready(()) => true,
            };
            assert!(sent);
            go.send(()).expect("the first job waits");
        };
        let (first, ()) = tokio::join!(first, both);
        assert!(first.expect("a result"));
        workers.run(|| ()).await.expect("a result");
        assert!(!ran.load(Ordering::SeqCst));
    }

    #[tokio::test]
    async fn without_a_thread_a_job_is_an_error() {
        let workers = Workers::with(0, "test");
        assert!(is_internal(workers.run(|| ()).await));
    }
}
