//! Other work on the machine: threads that keep every core busy.

use crate::stopwatch::pause;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Steps between two looks at the end.
const STEPS: u64 = 1_000_000;

/// Keeps all cores busy for `time`.
pub fn keep_cores_busy(time: Duration) {
    let over = AtomicBool::new(false);
    let cores = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    black_box((0..STEPS).fold(0_u64, |sum, step| black_box(sum ^ step)));
                }
            });
        }
        pause(time);
        over.store(true, Ordering::Relaxed);
    });
}
