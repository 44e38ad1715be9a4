//! How the binary and the benchmarks allocate (decision record 15).

use libmimalloc_sys::{mi_option_set_default, mi_option_t, mi_option_use_numa_nodes};
use mimalloc::MiMalloc;

/// Questions, answers and documents are many small pieces that live for a moment.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The option `purge_delay`, which the library names for C alone: the milliseconds after which memory that was freed
/// goes back to the system. Its neighbour tells that the number still is the one of this option.
pub const PURGE_DELAY: mi_option_t = 15;
const _: () = assert!(PURGE_DELAY + 1 == mi_option_use_numa_nodes);

/// What an index needs for one batch it needs for the next one too, a second or two later; given back in between, it
/// has to be cleared and mapped again, by small pages then.
pub const KEPT_MILLISECONDS: i64 = 60_000;

/// Keeps freed memory for a minute; where the environment says otherwise (`MIMALLOC_PURGE_DELAY`), that counts.
pub fn keep_freed_memory() {
    // SAFETY: The option exists, as is asserted above, and any number is a good value of it. It is an atomic, so it does
    // not matter which threads are at work.
    #[expect(unsafe_code, reason = "an option of a C library")]
    unsafe {
        mi_option_set_default(PURGE_DELAY, KEPT_MILLISECONDS);
    }
}
