//! The binary `findwell`: passes its arguments to the command line of the server.

mod allocator;

use std::process::ExitCode;

fn main() -> ExitCode {
    allocator::keep_freed_memory();
    server::cli::run(std::env::args_os().collect())
}

#[cfg(test)]
mod tests {
    use super::allocator::{KEPT_MILLISECONDS, PURGE_DELAY, keep_freed_memory};
    use libmimalloc_sys::mi_option_get;

    #[test]
    fn freed_memory_is_kept_for_a_minute() {
        let delay = || {
            // SAFETY: Options may be read at any time.
            #[expect(unsafe_code, reason = "an option of a C library")]
            unsafe {
                mi_option_get(PURGE_DELAY)
            }
        };
        assert_eq!(delay(), 1_000, "the library has another option there");
        keep_freed_memory();
        assert_eq!(delay(), KEPT_MILLISECONDS);
    }
}
