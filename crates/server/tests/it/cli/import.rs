//! 1. A file is imported, plain or compressed, with and without a server; a missing index is created.
//! 2. Rejected lines are reported with their numbers, the others are imported, and the status is 1.
//! 3. An import adds and replaces and never deletes.
//! 4. A damaged file is reported; everything before the damage is imported.
//! 5. Lines above the plan are rejected one by one, and those after them are still read.
//! 6. A small import ends without an error, whatever still runs in the background.

use crate::harness::{Binary, Outcome, SeededStore, eventually};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::io::Write;
use std::path::Path;

fn import(data: &SeededStore, file: &Path, more: &[&str]) -> Outcome {
    data.import_file("products", file, more)
}

fn lines(ids: impl Iterator<Item = usize>) -> Vec<u8> {
    ids.flat_map(|id| format!("{}\n", json!({"id": id.to_string(), "name": "Bota"})).into_bytes())
        .collect()
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("compressed");
    encoder.finish().expect("compressed")
}

#[test]
fn a_small_import_ends_without_an_error() {
    for _ in 0..5 {
        // It ends while the index of the new store is still being opened.
        let outcome = SeededStore::empty().import(0..1);
        assert_eq!(outcome.status, 0);
        assert!(!outcome.stderr.contains("ERROR"), "{outcome:?}");
    }
}

#[test]
fn files_are_imported_with_and_without_a_server() {
    let data = SeededStore::empty();
    let first = data.file("a.ndjson", &lines(0..1_200));
    let outcome = import(&data, &first, &[]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert!(outcome.stdout.is_empty(), "{outcome:?}");
    assert!(outcome.stderr.contains("1200 accepted"), "{outcome:?}");

    let server = Binary::serve(data.path());
    eventually("all are found", || {
        data.total(&server.client, "bota") == 1_200
    });
    let second = data.file("b.ndjson.gz", &compressed(&lines(1_000..1_500)));
    let outcome = import(&data, &second, &["--json"]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let expected =
        json!({"received": 500, "accepted": 500, "clipped": 0, "stale": 0, "rejected": []});
    let report = outcome.json();
    for (key, value) in expected.as_object().expect("an object") {
        assert_eq!(report[key], *value, "{key}");
    }
    eventually("the new ones are found beside the old ones", || {
        data.total(&server.client, "bota") == 1_500
    });
}

#[test]
fn rejected_lines_are_reported_with_their_numbers() {
    let data = SeededStore::empty();
    let text = "{\"id\": \"1\", \"name\": \"Bota\"}\n\
                \n\
                {\"id\": \"2\"}\n\
                {\"id\": \"3\", \"name\": \"Bota\"\n\
                {\"id\": \"4\", \"id\": \"5\", \"name\": \"Bota\"}\n\
                {\"id\": \"6\", \"name\": \"Bota\", \"ean13\": 12}\n\
                {\"id\": \"7\", \"name\": \"Bota\"}";
    let file = data.file("mixed.ndjson", text.as_bytes());
    let outcome = import(&data, &file, &[]);
    assert_eq!(outcome.status, 1, "{outcome:?}");
    for expected in [
        "line 3: name_missing: name is empty (id 2)",
        "line 4: invalid_document: malformed JSON",
        "line 5: invalid_document: duplicate keys: id",
        "line 6: invalid_document: ean13: ",
        "6 documents read, 2 accepted, 0 older than what is stored, 4 rejected",
    ] {
        assert!(outcome.stderr.contains(expected), "{expected}: {outcome:?}");
    }
    let report = import(&data, &file, &["--json"]);
    assert_eq!(report.status, 1);
    let numbers: Vec<u64> = report.json()["rejected"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|rejected| rejected["line"].as_u64())
        .collect();
    assert_eq!(numbers.len(), 4);
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [3, 4, 5, 6]);
    let server = Binary::serve(data.path());
    eventually("the sound lines are found", || {
        data.total(&server.client, "bota") == 2
    });
}

#[test]
fn a_damaged_file_is_reported() {
    let data = SeededStore::empty();
    let mut bytes = compressed(&lines(0..2_000));
    bytes.truncate(bytes.len() - 10);
    let file = data.file("damaged.ndjson.gz", &bytes);
    let outcome = import(&data, &file, &[]);
    assert_eq!(outcome.status, 1, "{outcome:?}");
    assert!(
        outcome.stderr.contains("the lines before it are imported"),
        "{outcome:?}"
    );

    let empty = data.file("empty.ndjson", b"");
    let outcome = import(&data, &empty, &["--json"]);
    assert_eq!(
        (outcome.status, outcome.json()["error"]["code"].clone()),
        (1, json!("empty_file"))
    );
}

#[test]
fn a_line_longer_than_a_block_is_rejected_alone() {
    let data = SeededStore::empty();
    let mut bytes = lines(0..1);
    bytes.extend(format!("{{\"id\": \"x\", \"name\": \"{}\"}}\n", "n".repeat(9 << 20)).bytes());
    bytes.extend(lines(1..2));
    let file = data.file("long.ndjson", &bytes);
    let outcome = import(&data, &file, &["--json"]);
    assert_eq!(outcome.status, 1, "{outcome:?}");
    assert_eq!(outcome.json()["accepted"], 2);
    assert_eq!(outcome.json()["rejected"][0]["line"], 2);
}

#[test]
fn lines_above_the_plan_are_rejected_one_by_one() {
    let data = SeededStore::of_plan(&json!({"maxDocuments": {"products": 500}}));
    let file = data.file("many.ndjson", &lines((0..1_000).chain(0..10)));
    let outcome = import(&data, &file, &["--json"]);
    assert_eq!(outcome.status, 1, "{outcome:?}");
    let report = outcome.json();
    assert_eq!(
        (&report["received"], &report["accepted"]),
        (&json!(1_010), &json!(510))
    );
    let rejected = report["rejected"].as_array().expect("a list");
    let numbers = rejected.iter().filter_map(|line| line["line"].as_u64());
    assert!(numbers.eq(501..=1_000), "{report}");
    assert!(rejected.iter().all(|line| line["code"] == "plan_limit"));
}
