//! All other tests once more, on databases of a PostgreSQL server, less those about SQLite's file.

use crate::each_test::{Selection, run_again};
use crate::place::address;
use storage::Storage;
use tokio::runtime::Runtime;

/// About files: their copies, and what is wrong with them or their directory.
const OF_FILES: [&str; 5] = [
    "a_missing_directory_is_reported",
    "an_unusable_file_is_set_aside",
    "a_file_of_a_newer_version_stays",
    "counted_bytes_cover_what_records_take_on_disk",
    "servers::",
];

#[test]
fn everything_but_files() {
    let tests = Selection {
        skipped: &OF_FILES,
        ..Selection::default()
    };
    run_again(&tests, |template| {
        let runtime = Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let migrated = Storage::open(&address(template)).await.expect("migrates");
            migrated.close().await;
        });
    });
}
