//! Where the node of OpenSearch for tests is: the one that `cargo xtask nodes up` started in this checkout.

use std::io::{self, Write};
use std::path::PathBuf;

/// `required` lets tests fail where no node runs, `off` skips them where one does.
const MODE: &str = "FINDWELL_OPENSEARCH";

/// Returns the address of the node; `None`, once said on stderr, where these tests are skipped.
pub fn address() -> Option<String> {
    let mode = std::env::var(MODE).unwrap_or_default();
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/nodes/address");
    let found = (mode != "off")
        .then(|| std::fs::read_to_string(file).ok())
        .flatten();
    if found.is_none() {
        assert_ne!(mode, "required", "no node runs: cargo xtask nodes up");
        let name = std::thread::current().name().unwrap_or("a test").to_owned();
        let line = format!(
            "SKIPPED: {name}, because no node of OpenSearch runs (cargo xtask nodes up) or {MODE}=off\n"
        );
        // Unlike `eprintln!`, this is shown for tests that succeed, too.
        let _ = io::stderr().write_all(line.as_bytes());
    }
    found
}
