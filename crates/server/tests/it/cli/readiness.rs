//! 1. A server that is still opening its first stores is alive and not ready, and reports its progress.
//! 2. Once they are open it is ready, even if an index had to be rebuilt.

use crate::harness::{Binary, SeededStore, eventually};
use serde_json::json;
use std::process::Command;

#[test]
fn a_server_is_ready_once_its_stores_are_open() {
    let shop = SeededStore::indexed(3);
    let mut generations = std::fs::read_dir(shop.index()).expect("generations");
    let generation = generations.next().expect("one").expect("an entry").path();
    // A reader of a pipe waits until somebody writes into it.
    let meta = generation.join("meta.json");
    std::fs::remove_file(&meta).expect("removed");
    let created = Command::new("mkfifo").arg(&meta).status();
    assert!(created.is_ok_and(|status| status.success()));

    let server = Binary::serve(shop.path());
    let get = |path: &str| server.client.call("GET", path).send();
    get("/healthz").ok();
    let error = get("/readyz").error(503, "unavailable");
    assert_eq!(
        error.json["details"],
        json!({"open": 0, "stores": 1, "storage": "up"})
    );
    assert_eq!(error.header("retry-after"), "1");
    std::fs::write(&meta, "nothing that could be read").expect("somebody reads");
    eventually("it is ready", || get("/readyz").status == 200);
    assert_eq!(shop.total(&server.client, "bota"), 3);
}
