//! The allocator of the binary and the benchmarks (`docs/adr/0015-the-allocator-and-cards-as-they-are.md`).

use libmimalloc_sys::{mi_option_set_default, mi_option_t, mi_option_use_numa_nodes};
use mimalloc::MiMalloc;

/// Queries, responses and documents consist of many small, short-lived allocations.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The option `purge_delay`, which the bindings do not export: milliseconds after which freed memory is returned to the
/// system. The assertion on the next option checks that the number is still right.
pub const PURGE_DELAY: mi_option_t = 15;
const _: () = assert!(PURGE_DELAY + 1 == mi_option_use_numa_nodes);

/// An index needs the memory of one batch again for the next one, a second or two later. Returned in between, it would
/// have to be zeroed and mapped again, in small pages.
pub const KEPT_MILLISECONDS: i64 = 60_000;

/// Keeps freed memory for a minute, unless the environment sets `MIMALLOC_PURGE_DELAY`.
pub fn keep_freed_memory() {
    // SAFETY: The option exists, as is asserted above, and any number is a valid value. It is atomic, so other threads
    // do not matter.
    #[expect(unsafe_code, reason = "an option of a C library")]
    unsafe {
        mi_option_set_default(PURGE_DELAY, KEPT_MILLISECONDS);
    }
}
