//! The demo of a file, run from the built binary.
//!
//! 1. Its page finds the products of the file and none of the invented ones, in the language of the file; a start with
//!    another file replaces them.
//! 2. A file that is no catalogue is reported with its name and line, and nothing is created; a row that is rejected is
//!    reported with its line and does not keep the others out.
//! 3. A directory with another demo's or a server's data, or with another language, is an error and stays as it is.
//! 4. Without a directory it takes one of its own.
//! 5. Listening for other machines, with an address of the panel on this one, it is at that address and its link enters.

use super::{Demo, start_with};
use crate::harness::{command, findwell, free_ports, outcome};
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;

const LAMPS: &str = "sku,title,price,brand,image_url\n\
    L-1,Brass lantern,89.00 EUR,Nordlys,https://pictures.example/l1.jpg\n\
    L-2,Paper lantern,12.50 EUR,Nordlys,https://pictures.example/l2.jpg\n";
const CHAIRS: &str = "sku,title,price\nC-1,Folding chair,39.00 USD\n";

fn put(folder: &TempDir, name: &str, text: &str) -> String {
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    path.to_string_lossy().into_owned()
}

fn open(data: &TempDir, file: &str, more: &[&str]) -> Demo {
    start_with(data, &[&["--file", file], more].concat())
}

/// Names of what the storefront finds.
fn found(demo: &Demo, q: &str, lang: &str) -> Vec<Value> {
    let call = demo.server.client.call("POST", "/demo/search");
    let reply = call.json(&json!({"q": q, "lang": lang})).send().ok();
    let hits = reply.data()["products"]["hits"].as_array().cloned();
    let hits = hits.expect("a list").into_iter();
    hits.map(|hit| hit["name"].clone()).collect()
}

#[test]
fn the_products_of_the_file_are_found_and_replaced_by_another_one() {
    let (files, data) = (TempDir::new().expect("a"), TempDir::new().expect("b"));
    let lamps = put(&files, "lamps.csv", LAMPS);
    let demo = open(&data, &lamps, &["--language", "de"]);
    assert_eq!(found(&demo, "lantern", "de").len(), 2);
    assert_eq!(found(&demo, "", "de").len(), 2, "no invented ones");
    let page = demo.server.client.call("GET", "/").send();
    assert!(
        page.text
            .contains("<body data-of-file data-languages=\"de\">"),
        "{}",
        page.text
    );
    let policy = page.header("content-security-policy");
    assert!(policy.contains("img-src 'self' https: http:;"), "{policy}");
    let keys = demo.printed["keys"].clone();
    assert_eq!(demo.server.terminate(), 0);

    let chairs = put(&files, "chairs.csv", CHAIRS);
    let demo = open(&data, &chairs, &[]);
    assert_eq!(demo.printed["keys"], keys);
    assert_eq!(found(&demo, "", "de"), [json!("Folding chair")]);
    let call = demo.server.client.call("GET", "/api/v1/search?q=chair");
    let key = keys["searchOnly"].as_str().expect("a key");
    let hit = call.key(key).send().ok().data()["products"]["hits"][0].clone();
    assert_eq!(
        (&hit["price"], &hit["currency"]),
        (&json!(39.0), &json!("USD"))
    );
}

#[test]
fn the_language_is_that_of_the_feed() {
    let (files, data) = (TempDir::new().expect("a"), TempDir::new().expect("b"));
    let feed = "<rss version=\"2.0\" xmlns:g=\"http://base.google.com/ns/1.0\"><channel><language>fr-CA</language>\
        <item><g:id>1</g:id><title>Chaise pliante</title><g:price>39.00 EUR</g:price></item></channel></rss>";
    let demo = open(&data, &put(&files, "feed.xml", feed), &[]);
    assert_eq!(found(&demo, "chaise", "fr"), [json!("Chaise pliante")]);
}

#[test]
fn what_is_wrong_with_a_file_is_reported() {
    let (files, data) = (TempDir::new().expect("a"), TempDir::new().expect("b"));
    let start = |file: &str| {
        findwell(
            data.path(),
            &["demo", "--listen", "127.0.0.1:0", "--file", file],
        )
    };
    let cut = put(&files, "cut.csv", "sku,title\n1,Chair\n2,\"Table\n");
    let ended = start(&cut);
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stderr.contains("quote_open: line 3"), "{ended:?}");
    assert!(ended.stderr.contains("cut.csv"), "{ended:?}");
    let missing = start("nothing.csv");
    assert_eq!(missing.status, 1, "{missing:?}");
    assert!(
        missing.stderr.contains("nothing.csv: No such file"),
        "{missing:?}"
    );
    assert!(!data.path().join("demo-keys.json").exists());
    assert!(!data.path().join("findwell.db").exists());

    let nameless = put(&files, "nameless.csv", "sku,title,price\n1,,3.00 EUR\n");
    let ended = start(&nameless);
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stderr.contains("line 2: name_missing"), "{ended:?}");
}

#[test]
fn other_data_stays_as_it_is() {
    let files = TempDir::new().expect("a directory");
    let lamps = put(&files, "lamps.csv", LAMPS);
    let of = |data: &TempDir, more: &[&str]| {
        let ended = findwell(
            data.path(),
            &[&["demo", "--listen", "127.0.0.1:0"], more].concat(),
        );
        assert_eq!(ended.status, 1, "{ended:?}");
        ended.stderr
    };
    let invented = TempDir::new().expect("a directory");
    assert_eq!(start_with(&invented, &[]).server.terminate(), 0);
    let reason = of(&invented, &["--file", &lamps]);
    assert!(
        reason.contains("the invented shop of another demo"),
        "{reason}"
    );

    let server = TempDir::new().expect("a directory");
    let created = ["store", "create", "--name", "S", "--language", "en"];
    assert_eq!(findwell(server.path(), &created).status, 0);
    let reason = of(&server, &["--file", &lamps]);
    assert!(reason.contains("the data of a server"), "{reason}");
    assert!(!server.path().join("demo-keys.json").exists());

    let of_file = TempDir::new().expect("a directory");
    assert_eq!(
        open(&of_file, &lamps, &["--language", "en"])
            .server
            .terminate(),
        0
    );
    assert!(of(&of_file, &[]).contains("the products of a file"));
    let reason = of(&of_file, &["--file", &lamps, "--language", "es"]);
    assert!(reason.contains("in the language en"), "{reason}");
}

#[test]
fn without_a_directory_it_takes_one_of_its_own() {
    let folder = TempDir::new().expect("a directory");
    let lamps = put(&folder, "lamps.csv", "sku,title\n1,\n");
    let arguments = ["demo", "--listen", "127.0.0.1:0", "--file", &lamps];
    let ended = outcome(command(folder.path(), &arguments).env_remove("FINDWELL_DATA"));
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(folder.path().join("findwell-demo-file").is_dir());
    assert!(!folder.path().join("findwell-data").exists());
}

#[test]
fn for_other_machines_it_is_at_the_address_of_the_panel() {
    let (files, data) = (TempDir::new().expect("a"), TempDir::new().expect("b"));
    let [port] = free_ports();
    let (listen, url) = (
        format!("0.0.0.0:{port}"),
        format!("http://localhost:{port}"),
    );
    let lamps = put(&files, "lamps.csv", LAMPS);
    let demo = open(&data, &lamps, &["--listen", &listen, "--panel-url", &url]);
    assert_eq!(demo.printed["address"], json!(url));
    let link = demo.printed["panel"].as_str().expect("a link");
    let (page, token) = link.split_once('#').expect("a token");
    assert_eq!(page, format!("{url}/panel/link"));
    let client = &demo.server.client;
    let call = client
        .call("POST", "/panel/api/links/use")
        .header("Origin", &url);
    let used = call.json(&json!({ "token": token })).send().ok();
    assert_eq!(used.data()["user"]["name"], "Demo owner");
}
