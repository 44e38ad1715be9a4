//! 1. A CSV with the names of other quick starts is in, with prices, brands, categories and pictures, and what is assumed
//!    and missing is said. 2. The currency of the file becomes that of the store.
//! 3. A preview stores nothing and creates no index. 4. A mapping is obeyed; a wrong one is wrong usage.
//! 5. A complete import removes what is missing, touches what is equal, keeps rejected ones, and is held by the breaker.
//! 6. A file that is no catalogue changes nothing. 7. Standard input is read. 8. With and without a server.

use crate::harness::{Binary, Outcome, SeededStore, eventually, findwell};
use serde_json::{Value, json};
use std::path::Path;

fn import(data: &SeededStore, file: &Path, more: &[&str]) -> Outcome {
    let file = file.to_str().expect("a path in UTF-8");
    let of = ["import", "--store", &data.store];
    findwell(data.path(), &[&of[..], more, &[file]].concat())
}

fn products(numbers: impl Iterator<Item = usize>) -> Vec<u8> {
    let rows = numbers.map(|number| format!("{number},Bota {number},{number}.50 EUR\n"));
    let text = ["sku,title,price\n".to_owned()].into_iter().chain(rows);
    text.collect::<String>().into_bytes()
}

#[test]
fn a_csv_of_other_names_is_in() {
    let data = SeededStore::empty();
    let server = Binary::serve(data.path());
    let text = "sku,title,price,brand,category,image_url,Farbcode\n\
                A1,Bota alta,12.50 EUR,Acme,Zapatos,https://s.example/1.jpg,#f00\n\
                A2,Bota baja,8 EUR,Acme,Zapatos,https://s.example/2.jpg,\n";
    let file = data.file("shop.csv", text.as_bytes());
    let outcome = import(&data, &file, &["--json"]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let result = outcome.json();
    assert_eq!(
        (&result["received"], &result["accepted"], &result["new"]),
        (&json!(2), &json!(2), &json!(2))
    );
    assert_eq!(result["currency"], "EUR");
    let notices: Vec<&Value> = result["notices"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|n| &n["code"])
        .collect();
    assert!(
        notices.contains(&&json!("stock_assumed"))
            && notices.contains(&&json!("currency_declared"))
    );
    assert_eq!(result["extraColumns"], json!(["Farbcode"]));
    assert_eq!(
        result["missingFields"],
        json!(["url", "stock", "description"])
    );
    eventually("both are found", || data.total(&server.client, "bota") == 2);
    let path = "/api/v1/search?q=alta&types=products&analytics=false";
    let reply = server
        .client
        .call("GET", path.to_owned())
        .key(&data.key)
        .send()
        .ok();
    let hit = reply.data()["products"]["hits"][0].clone();
    assert_eq!(
        (&hit["price"], &hit["manufacturer"], &hit["inStock"]),
        (&json!(12.5), &json!("Acme"), &json!(true))
    );
    assert_eq!(hit.get("extra"), None);
    let again = import(&data, &file, &["--json"]).json();
    assert_eq!((&again["unchanged"], &again["new"]), (&json!(2), &json!(0)));
    let usd = data.file("usd.csv", b"sku,title,price\nA3,Bota cara,15 USD\n");
    let outcome = import(&data, &usd, &["--json"]);
    assert_eq!(
        (outcome.status, &outcome.json()["warnings"][0]["code"]),
        (0, &json!("currency_undeclared"))
    );
}

#[test]
fn a_preview_stores_nothing() {
    let data = SeededStore::empty();
    let file = data.file("shop.csv", &products(1..40));
    let outcome = import(&data, &file, &["--preview", "--json"]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let result = outcome.json();
    assert_eq!(
        (&result["documents"], &result["accepted"]),
        (&json!(39), &json!(0))
    );
    assert_eq!(result["preview"].as_array().map(Vec::len), Some(3));
    assert_eq!(result["preview"][0]["name"], "Bota 1");
    assert!(
        !data.path().join("indexes").exists()
            || std::fs::read_dir(data.path().join("indexes"))
                .expect("a folder")
                .next()
                .is_none()
    );
    let screen = import(&data, &file, &["--preview"]);
    assert!(
        screen.stdout.is_empty() && screen.stderr.contains("price -> priceInclTax"),
        "{screen:?}"
    );
}

#[test]
fn a_mapping_is_obeyed() {
    let data = SeededStore::empty();
    let file = data.file(
        "shop.csv",
        "sku;name;Precio;Talla\n1;Bota;\"9,50\";S|M\n".as_bytes(),
    );
    let map = [
        "--map",
        "Precio=priceInclTax",
        "--map",
        "Talla=attributes.Talla[|]",
        "--preview",
        "--json",
    ];
    let result = import(&data, &file, &map).json();
    assert_eq!(result["preview"][0]["priceInclTax"], 9.5);
    assert_eq!(
        result["preview"][0]["attributes"].as_array().map(Vec::len),
        Some(2)
    );
    let toml = data.file(
        "map.toml",
        b"decimal = \",\"\n[columns]\nPrecio = [\"priceInclTax\"]\n",
    );
    let toml = toml.to_str().expect("a path");
    let result = import(&data, &file, &["--map-file", toml, "--preview", "--json"]).json();
    assert_eq!(result["preview"][0]["priceInclTax"], 9.5);
    for wrong in [
        ["--map", "Precio=prise"],
        ["--encoding", "klingon"],
        ["--decimal", ";"],
        ["--profile", "x"],
    ] {
        let outcome = import(&data, &file, &wrong);
        assert_eq!(outcome.status, 2, "{outcome:?}");
    }
}

#[test]
fn a_complete_import_removes_what_is_missing() {
    let data = SeededStore::empty();
    let complete = |numbers: &[u8]| {
        let file = data.file("shop.csv", numbers);
        let outcome = import(&data, &file, &["--complete", "--json"]);
        (outcome.status, outcome.json())
    };
    let (status, first) = complete(&products(0..100));
    assert_eq!(
        (status, &first["new"], &first["removed"]),
        (0, &json!(100), &json!(0))
    );
    let (status, second) = complete(&products(0..98));
    assert_eq!(
        (status, &second["unchanged"], &second["removed"]),
        (0, &json!(98), &json!(2)),
        "{second}"
    );
    let mut nameless = products(1..98);
    nameless.extend(b"0,,5 EUR\n");
    let (status, kept) = complete(&nameless);
    assert_eq!(
        (status, &kept["kept"], &kept["removed"]),
        (1, &json!(1), &json!(0)),
        "{kept}"
    );
    assert_eq!(kept["rejected"][0]["code"], "name_missing");
    let mut broken = products(0..80);
    broken.extend(
        (80..98)
            .map(|n| format!("{n},,1\n"))
            .collect::<String>()
            .bytes(),
    );
    let (_, broken) = complete(&broken);
    let notices = broken["notices"].to_string();
    assert_eq!(broken["removed"], 0, "{broken}");
    assert!(notices.contains("too_many_rejected"), "{broken}");
    let (status, held) = complete(&products(0..38));
    assert_eq!(
        (status, &held["held"]["wouldPurge"]),
        (1, &json!(60)),
        "{held}"
    );
    let (status, all) = complete(&products(0..98));
    assert_eq!(
        (status, &all["removed"], &all["unchanged"]),
        (0, &json!(0), &json!(98)),
        "{all}"
    );
    let (_, held) = complete(&products(0..38));
    let run = held["held"]["runId"].as_str().expect("a run").to_owned();
    assert_eq!(
        findwell(
            data.path(),
            &["run", "release", "--store", &data.store, &run]
        )
        .status,
        0
    );
    let server = Binary::serve(data.path());
    eventually("what is missing is gone", || {
        data.total(&server.client, "bota") == 38
    });
}

#[test]
fn a_file_that_is_no_catalogue_changes_nothing() {
    let data = SeededStore::empty();
    for (text, code) in [
        ("<!DOCTYPE html><html></html>", "html_page"),
        ("sku,name\n1,\"open\n2,b\n", "quote_open"),
        ("colour,weight\nred,1\n", "no_columns"),
    ] {
        let file = data.file("broken.csv", text.as_bytes());
        let outcome = import(&data, &file, &["--complete", "--json"]);
        assert_eq!(
            (outcome.status, &outcome.json()["error"]["code"]),
            (1, &json!(code)),
            "{outcome:?}"
        );
        let outcome = import(&data, &file, &[]);
        assert!(
            outcome.stderr.contains(code) && outcome.stdout.is_empty(),
            "{outcome:?}"
        );
    }
}

#[test]
fn documents_in_our_names_say_what_nothing_uses() {
    let data = SeededStore::empty();
    let file = data.file(
        "a.ndjson",
        b"{\"id\": \"1\", \"name\": \"Bota\", \"wight\": 3}\n",
    );
    let outcome = import(&data, &file, &["--json"]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let report = outcome.json();
    assert_eq!(report["unknownFields"], json!(["wight"]));
    assert!(
        report["missingFields"]
            .as_array()
            .is_some_and(|all| all.contains(&json!("price"))),
        "{report}"
    );
    assert!(
        outcome
            .stderr
            .contains("hardly any product has: url, image, price"),
        "{outcome:?}"
    );
}
