//! 1. A server that still opens its first stores is alive and not ready, and tells how far it is.
//! 2. Once they are open it is ready, also where an index had to be built anew.

use crate::harness::{Binary, Furnished, eventually};
use serde_json::json;
use std::process::Command;

#[test]
fn a_server_is_ready_once_its_stores_are_open() {
    let shop = Furnished::indexed(3);
    let mut generations = std::fs::read_dir(shop.index()).expect("generations");
    let generation = generations.next().expect("one").expect("an entry").path();
    // Who reads a pipe waits until somebody writes into it.
    let meta = generation.join("meta.json");
    std::fs::remove_file(&meta).expect("removed");
    let made = Command::new("mkfifo").arg(&meta).status();
    assert!(made.is_ok_and(|status| status.success()));

    let server = Binary::serve(shop.path());
    let ask = |path: &str| server.client.call("GET", path).send();
    ask("/healthz").ok();
    let refused = ask("/readyz").refused(503, "unavailable");
    assert_eq!(refused.json["details"], json!({"open": 0, "stores": 1}));
    assert_eq!(refused.header("retry-after"), "1");
    std::fs::write(&meta, "nothing that could be read").expect("somebody reads");
    eventually("it is ready", || ask("/readyz").status == 200);
    assert_eq!(shop.total(&server.client, "bota"), 3);
}
