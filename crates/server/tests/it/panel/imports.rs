//! 1. A file is received, previewed with a corrected mapping, and imported; it is found, audited and listed.
//! 2. What is no file, too large, of another site or of a viewer is refused, and a second one of the store too.
//! 3. A cancelled import leaves no file and stores nothing; cancelling again changes nothing.
//! 4. A file that lacks columns fails, and is read again with a mapping.
//! 5. A complete import removes what is not in the file; the breaker holds back a removal of very many.
//! 6. The first steps of a store tick themselves off.

use super::{PASSWORD, Person, shop};
use crate::harness::{Reply, Shop, product};
use domain::{KeyKind, Role};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

const CSV: &str = "sku,title,price,Marke,image_url\n1,Red mug,12.50,Norte,https://a.example/1.jpg\n\
                   2,Blue mug,8.00,Norte,https://a.example/2.jpg\n3,,1,,\n";

fn upload(shop: &Shop, person: &Person, name: &str, bytes: impl Into<Vec<u8>>) -> Reply {
    let path = shop.of_store(&format!("/imports?name={name}"));
    let call = shop.by(person, "POST", &path);
    call.header("Content-Type", "application/octet-stream")
        .body(bytes)
        .send()
}

fn id(reply: &Reply) -> String {
    reply.data()["id"].as_str().expect("an id").to_owned()
}

/// How often a state is looked for.
const LOOKS_MAX: usize = 20_000;

/// The import, once it is in one of these states.
fn until(shop: &Shop, person: &Person, id: &str, states: &[&str]) -> Value {
    let path = shop.of_store(&format!("/imports/{id}"));
    let mut last = Value::Null;
    for _ in 0..LOOKS_MAX {
        last = shop.by(person, "GET", &path).send().ok().data().clone();
        if states.contains(&last["state"].as_str().expect("a state")) {
            return last;
        }
        // A user has 600 requests a minute of the test's own clock.
        shop.clock.advance_ms(200);
    }
    panic!("none of {states:?}: {last}");
}

fn go(shop: &Shop, person: &Person, id: &str, step: &str, more: &Value) -> Reply {
    let mut body = json!({"type": "products", "language": "es"});
    for (key, value) in more.as_object().into_iter().flatten() {
        body[key] = value.clone();
    }
    let path = shop.of_store(&format!("/imports/{id}/{step}"));
    let call = shop.by(person, "POST", &path);
    match step {
        "cancel" => call.send(),
        _ => call.json(&body).send(),
    }
}

fn files(shop: &Shop) -> Vec<PathBuf> {
    let folder = std::fs::read_dir(shop.dir().join("imports"));
    let entries = folder
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path());
    entries.collect()
}

#[test]
fn a_file_becomes_products() {
    let shop = shop();
    let eve = shop.member("eve@shop.example", Role::Editor);
    let received = upload(&shop, &eve, "products.csv", CSV).ok();
    assert_eq!(received.status, 201);
    let import = id(&received);
    assert_eq!(received.data()["by"]["name"], "eve");
    let [file] = files(&shop).try_into().expect("one file");
    let mode = std::fs::metadata(&file)
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);

    let ready = until(&shop, &eve, &import, &["ready", "failed"]);
    assert_eq!(ready["result"]["documents"], 2, "{ready}");
    assert_eq!(ready["result"]["extraColumns"], json!(["Marke"]));
    assert_eq!(ready["result"]["rejected"][0]["code"], "name_missing");
    assert_eq!(shop.products("es"), [] as [&str; 0]);

    let mapping = json!({"mapping": {"columns": {"Marke": "manufacturer"}}});
    let again = go(&shop, &eve, &import, "preview", &mapping);
    assert_eq!(again.status, 202);
    let ready = until(&shop, &eve, &import, &["ready"]);
    assert_eq!(ready["result"]["preview"][0]["manufacturer"], "Norte");
    let wrong = json!({"mapping": {"columns": {"Marke": "prise"}}});
    let wrong = go(&shop, &eve, &import, "start", &wrong).error(400, "invalid_request");
    assert_eq!(wrong.fields(), ["mapping.columns[\"Marke\"]"]);

    go(&shop, &eve, &import, "start", &mapping).ok();
    let done = until(&shop, &eve, &import, &["done", "failed"]);
    assert_eq!(done["state"], "done", "{done}");
    assert_eq!(done["result"]["accepted"], 2);
    assert_eq!(files(&shop), [] as [PathBuf; 0]);
    shop.until_found("es", &["1", "2"]);

    let audit = shop
        .by(&eve, "GET", &shop.of_store("/audit?limit=1"))
        .send()
        .ok();
    assert_eq!(audit.data()[0]["operation"], "start_import");
    let list = shop.by(&eve, "GET", &shop.of_store("/imports")).send().ok();
    assert_eq!(list.data()[0]["result"]["rejectedCount"], 1);
    assert_eq!(list.data()[0]["result"].get("rejected"), None);
    go(&shop, &eve, &import, "start", &mapping).error(409, "conflict");
}

/// The response to an upload that announces so many bytes.
fn announced(shop: &Shop, person: &Person, bytes: u64) -> String {
    let base = shop.client.base();
    let host = base.strip_prefix("http://").expect("http");
    let mut stream = TcpStream::connect(host).expect("a connection");
    let path = shop.of_store("/imports?name=a.csv");
    let head = format!(
        "POST /panel/api{path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {base}\r\nCookie: {}; {}\r\n\
         Content-Type: application/octet-stream\r\nContent-Length: {bytes}\r\nConnection: close\r\n\r\n",
        person.known, person.session
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    response
}

#[test]
fn what_may_not_come_in_is_refused() {
    let shop = shop();
    let eve = shop.member("eve@shop.example", Role::Editor);
    let viewer = shop.member("viewer@shop.example", Role::Viewer);
    upload(&shop, &viewer, "a.csv", CSV).error(403, "role_missing");
    let path = shop.of_store("/imports?name=a.csv");
    let foreign = shop.client.call("POST", format!("/panel/api{path}"));
    let foreign = foreign.header("Origin", "https://evil.example");
    foreign.body(CSV).send().error(403, "cross_site");
    let text = shop
        .by(&eve, "POST", &path)
        .header("Content-Type", "text/csv");
    text.body(CSV).send().error(415, "unsupported_media_type");
    // An address comes without the name of a file, and a file with one.
    let json = shop.by(&eve, "POST", &path).json(&json!({}));
    json.send().error(400, "invalid_request");
    let nameless = shop.by(&eve, "POST", &shop.of_store("/imports"));
    let nameless = nameless.header("Content-Type", "application/octet-stream");
    let nameless = nameless.body(CSV).send().error(400, "invalid_request");
    assert_eq!(nameless.fields(), ["query.name"]);
    upload(&shop, &eve, "a%00b.csv", CSV).error(400, "invalid_request");
    upload(&shop, &eve, "", CSV).error(400, "invalid_request");
    assert!(announced(&shop, &eve, (1 << 30) + 1).starts_with("HTTP/1.1 413 "));
    assert_eq!(files(&shop), [] as [PathBuf; 0]);

    let first = id(&upload(&shop, &eve, "a.csv", CSV).ok());
    upload(&shop, &eve, "b.csv", CSV).error(409, "conflict");
    until(&shop, &eve, &first, &["ready"]);
    upload(&shop, &eve, "b.csv", CSV).error(409, "conflict");
    let of_others = shop.foreign_store();
    let path = format!("/stores/{of_others}/imports/{first}");
    shop.by(&eve, "GET", &path).send().error(404, "not_found");
}

#[test]
fn a_cancelled_import_leaves_nothing() {
    let shop = shop();
    let eve = shop.member("eve@shop.example", Role::Editor);
    let import = id(&upload(&shop, &eve, "a.csv", CSV).ok());
    until(&shop, &eve, &import, &["ready"]);
    for _ in 0..2 {
        let cancelled = go(&shop, &eve, &import, "cancel", &Value::Null).ok();
        assert_eq!(cancelled.data()["state"], "cancelled");
    }
    assert_eq!(files(&shop), [] as [PathBuf; 0]);
    go(&shop, &eve, &import, "start", &Value::Null).error(409, "conflict");
    let many: String = (0..20_000).fold("id,name\n".to_owned(), |text, id| {
        text + &format!("{id},Product number {id}\n")
    });
    let import = id(&upload(&shop, &eve, "b.csv", many).ok());
    until(&shop, &eve, &import, &["ready"]);
    go(&shop, &eve, &import, "start", &Value::Null).ok();
    let cancelled = go(&shop, &eve, &import, "cancel", &Value::Null).ok();
    assert_eq!(cancelled.data()["state"], "cancelled");
    assert_eq!(files(&shop), [] as [PathBuf; 0]);
    upload(&shop, &eve, "c.csv", CSV).ok();
}

#[test]
fn a_file_without_columns_is_read_again() {
    let shop = shop();
    let eve = shop.member("eve@shop.example", Role::Editor);
    let import = id(&upload(&shop, &eve, "a.csv", "Nummer,Bezeichnung\n1,Becher\n").ok());
    let failed = until(&shop, &eve, &import, &["failed", "ready"]);
    assert_eq!(failed["error"]["code"], "no_columns");
    assert_eq!(failed["result"]["columns"][1]["column"], "Bezeichnung");
    go(&shop, &eve, &import, "start", &Value::Null).error(409, "conflict");
    let mapping = json!({"mapping": {"columns": {"Nummer": "id", "Bezeichnung": "name"}}});
    go(&shop, &eve, &import, "preview", &mapping).ok();
    let ready = until(&shop, &eve, &import, &["ready", "failed"]);
    assert_eq!(ready["result"]["documents"], 1, "{ready}");
    assert_eq!(ready.get("error"), None);
}

#[test]
fn a_complete_import_removes_or_is_held() {
    let shop = shop();
    let eve = shop.member("eve@shop.example", Role::Editor);
    let rows = |from: u32, to: u32| {
        (from..to).fold("id,name\n".to_owned(), |text, id| {
            text + &format!("{id},Product {id}\n")
        })
    };
    let run = |file: String| {
        let import = id(&upload(&shop, &eve, "a.csv", file).ok());
        until(&shop, &eve, &import, &["ready"]);
        let complete = json!({"complete": true});
        go(&shop, &eve, &import, "start", &complete).ok();
        until(&shop, &eve, &import, &["done", "held", "failed"])
    };
    assert_eq!(run(rows(0, 100))["result"]["new"], 100);
    let less = run(rows(0, 98));
    assert_eq!(
        (&less["state"], &less["result"]["removed"]),
        (&json!("done"), &json!(2))
    );
    let held = run(rows(0, 30));
    assert_eq!(held["state"], "held", "{held}");
    assert_eq!(held["result"]["held"]["wouldPurge"], 68);
}

#[test]
fn the_first_steps_tick_themselves_off() {
    let shop = shop();
    let owner = shop.member("ana@shop.example", Role::Owner);
    let steps = || {
        let viewer = Person::of(&shop.sign_in(&owner.email, PASSWORD).ok());
        let path = shop.of_store("/first-steps");
        let steps = shop.by(&viewer, "GET", &path).send().ok().data().clone();
        ["catalogue", "pages", "search"].map(|step| steps[step]["done"] == true)
    };
    assert_eq!(steps(), [false, false, false]);
    shop.bulk("products", "es", &json!([product("1", "Taza")]))
        .ok();
    assert_eq!(steps(), [true, false, false]);
    let key = shop.new_key(&shop.store, KeyKind::SearchOnly, None);
    let config = |origin: Option<&str>| {
        let call = shop.api("GET", "/widget/config").key(&key);
        match origin {
            Some(origin) => call.header("Origin", origin),
            None => call,
        }
        .send()
        .ok()
    };
    config(None);
    config(Some("null"));
    assert_eq!(steps(), [true, false, false]);
    config(Some("https://shop.example"));
    assert_eq!(steps(), [true, true, false]);
    shop.clock.advance_ms(31 * 24 * 3_600_000);
    assert_eq!(steps(), [true, false, false]);
    shop.api("GET", "/search?q=taza&lang=es")
        .key(&key)
        .send()
        .ok();
    assert_eq!(steps(), [true, false, true]);
}
