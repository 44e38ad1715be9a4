//! The feed and the control panel once more, with the data of every shop in a database on a PostgreSQL server: imports,
//! sources and their fetches among them.

use crate::each_test::{Selection, run_again};
use crate::harness::locations;
use operations::{DatabaseUrl, Service, ServiceOptions};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// What runs again.
const TESTS: Selection<'_> = Selection {
    named: &["panel::", "feed::"],
    skipped: &[],
};

#[test]
fn feed_and_panel() {
    run_again(&TESTS, |template| {
        let dir = TempDir::new().expect("a directory");
        let url = DatabaseUrl::parse(template, None).expect("an address");
        let options = ServiceOptions {
            locations: locations(&dir, Some(url)),
            ..ServiceOptions::new(dir.path().join("data"))
        };
        Runtime::new().expect("a runtime").block_on(async {
            let service = Service::open(options).await.expect("migrates");
            service.close().await;
        });
    });
}
