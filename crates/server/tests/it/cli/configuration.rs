//! 1. `configuration export` prints the same file as the interface; `import` and `copy` say what they did, also in a dry run,
//!    which saves nothing. A rejected file is status 1, with all its errors.

use crate::harness::findwell;
use serde_json::{Value, json};
use tempfile::TempDir;

#[test]
fn configurations_are_exported_imported_and_copied() {
    let data = TempDir::new().expect("a directory");
    let run = |arguments: &[&str]| findwell(data.path(), arguments);
    let store = |name: &str| {
        let arguments = ["store", "create", "--name", name, "--language", "es"];
        run(&arguments).line().to_owned()
    };
    let (first, second) = (store("First"), store("Second"));
    let folder = TempDir::new().expect("a directory");
    let path = folder.path().join("configuration.json");
    let path = path.to_str().expect("a path");
    let file = json!({"format": "findwell-configuration", "version": 1,
        "relevance": {"boosts": {"name": 9}},
        "synonyms": [{"terms": ["sofá", "diván"]}, {"terms": ["a", "b"], "language": "en"}]});
    std::fs::write(path, file.to_string()).expect("a file");

    let import = |more: &[&str]| {
        let arguments = ["configuration", "import", "--store", &first, path];
        run(&[&arguments[..], more].concat())
    };
    let tried = import(&["--dry-run", "--json"]).json();
    assert_eq!(tried["parts"]["synonyms"]["created"], 2);
    assert_eq!(tried["advice"][0]["code"], "language_missing");
    let imported = import(&[]);
    assert!(
        imported.stdout.contains("synonyms\t2 created"),
        "{imported:?}"
    );
    let exported = run(&["configuration", "export", "--store", &first]);
    let exported: Value = serde_json::from_str(&exported.stdout).expect("a file");
    assert_eq!(exported["relevance"]["boosts"], json!({"name": 9.0}));

    let copy = ["configuration", "copy", "--from", &first, "--to", &second];
    let copied = run(&[&copy[..], &["--parts", "synonyms", "--json"]].concat()).json();
    assert_eq!(copied["parts"]["synonyms"]["created"], 2);
    let parts = [
        "configuration",
        "export",
        "--store",
        &second,
        "--parts",
        "relevance",
    ];
    let parts: Value = serde_json::from_str(&run(&parts).stdout).expect("a file");
    assert_eq!(parts["relevance"]["boosts"], json!({}));
    assert!(parts.get("synonyms").is_none());

    std::fs::write(path, file.to_string().replace("diván", "!")).expect("a file");
    let rejected = import(&[]);
    assert_eq!(rejected.status, 1, "{rejected:?}");
    assert!(
        rejected.stderr.contains("synonyms[0].terms[1]"),
        "{rejected:?}"
    );
}
