//! 1. A source is added, listed, changed and deleted, with and without a server; wrong values are wrong usage.
//! 2. Its secret comes from the environment or standard input, and is printed nowhere.
//! 3. `fetch --wait` says how it ended, by its status too.

use crate::harness::{Binary, SeededStore, command, findwell, outcome};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpListener;

/// A server that sends the same catalogue to everybody; returns its address.
fn catalogue() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let _ = stream.read(&mut [0; 4_096]);
            let body = "id,title,price\n1,Bota,10 EUR\n2,Sandalia,12 EUR\n";
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length";
            let _ = stream.write_all(format!("{head}: {}\r\n\r\n{body}", body.len()).as_bytes());
        }
    });
    format!("{address}")
}

#[test]
fn a_source_is_managed_without_a_server() {
    let data = SeededStore::empty();
    let run = |arguments: &[&str]| findwell(data.path(), arguments);
    let url = "https://shop.example/feed.csv?token=1";
    let mut add = command(
        data.path(),
        &[
            "source",
            "add",
            "--store",
            &data.store,
            "--url",
            url,
            "--user",
            "shop",
            "--interval",
            "1d",
        ],
    );
    let added = outcome(add.env("FINDWELL_SOURCE_SECRET", "s3cret-word"));
    assert_eq!(added.status, 0, "{added:?}");
    let id = added.line().to_owned();
    let listed = run(&["source", "list", "--store", &data.store]);
    assert!(
        listed.stdout.contains(&id) && listed.stdout.contains(url),
        "{listed:?}"
    );
    let set = run(&[
        "source",
        "set",
        &id,
        "--name",
        "Shop",
        "--active",
        "false",
        "--map",
        "Precio=priceInclTax",
    ]);
    assert_eq!(set.status, 0, "{set:?}");
    let listed = run(&["source", "list", "--store", &data.store, "--json"]);
    let source = &listed.json()[0];
    assert_eq!(source["name"], "Shop");
    assert_eq!(source["intervalMinutes"], 1_440);
    assert_eq!(source["auth"]["user"], "shop");
    assert_eq!(source["auth"].get("secretMissing"), None);
    assert_eq!(source["state"], "inactive");
    assert_eq!(
        source["mapping"]["columns"]["Precio"],
        serde_json::json!(["priceInclTax"])
    );
    for shown in [&added, &set, &listed] {
        let all = format!("{}{}", shown.stdout, shown.stderr);
        assert!(!all.contains("s3cret-word"), "{all}");
    }
    for wrong in [
        &[
            "source",
            "add",
            "--store",
            &data.store,
            "--url",
            "http://127.0.0.1/",
        ][..],
        &["source", "add", "--store", &data.store],
        &["source", "set", &id, "--map", "A=prise"],
        &["source", "set", &id, "--interval", "1m"],
    ] {
        assert_eq!(run(wrong).status, 2, "{wrong:?}");
    }
    assert_eq!(run(&["source", "delete", &id]).line(), id);
    assert_eq!(run(&["source", "delete", &id]).status, 1);
}

#[test]
fn a_running_server_fetches() {
    let data = SeededStore::empty();
    let host = catalogue();
    let mut serve = command(
        data.path(),
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--allow-source-host",
            &host,
        ],
    );
    let serve = serve.stdout(std::process::Stdio::piped());
    let _server = Binary::of(serve.spawn().expect("a server"));
    let url = format!("http://{host}/feed.csv");
    let run = |arguments: &[&str]| findwell(data.path(), arguments);
    let added = run(&["source", "add", "--store", &data.store, "--url", &url]);
    assert_eq!(added.status, 0, "{added:?}");
    let id = added.line().to_owned();
    crate::harness::eventually("it was fetched", || {
        let listed = run(&["source", "list", "--store", &data.store, "--json"]);
        listed.json()[0]["state"] == "ok"
    });
    let fetched = run(&["source", "fetch", &id, "--wait", "--json"]);
    assert_eq!(fetched.status, 0, "{fetched:?}");
    let fetch: Value = fetched.json();
    assert_eq!(
        (&fetch["outcome"], &fetch["trigger"]),
        (&"unchanged".into(), &"manual".into())
    );
    let hasty = run(&["source", "fetch", &id]);
    assert_eq!(hasty.status, 1, "{hasty:?}");
}
