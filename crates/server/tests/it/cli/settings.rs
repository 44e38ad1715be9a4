//! 1. An option overrides its variable, the variable the file, the file the default.
//! 2. Unknown keys in a file are wrong usage; so is a file that is given and does not exist.

use crate::harness::command;
use crate::harness::outcome;
use std::path::Path;
use tempfile::TempDir;

/// The data directory that a command used, recognised by the lock file it left there.
fn used(work: &Path, arguments: &[&str], variable: Option<&str>) -> Vec<&'static str> {
    let mut command = command(work, arguments);
    command.env_remove("FINDWELL_DATA");
    if let Some(data) = variable {
        command.env("FINDWELL_DATA", work.join(data));
    }
    let outcome = outcome(&mut command);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let names = ["option", "variable", "file", "findwell-data"];
    let found = names
        .into_iter()
        .filter(|name| work.join(name).join("findwell.lock").exists())
        .collect();
    for name in names {
        let _ = std::fs::remove_dir_all(work.join(name));
    }
    found
}

#[test]
fn options_override_variables_and_files() {
    let dir = TempDir::new().expect("a directory");
    let work = dir.path();
    let list = ["account", "create", "--name", "x"];
    assert_eq!(used(work, &list, None), ["findwell-data"]);
    std::fs::write(work.join("findwell.toml"), "data = \"file\"\n").expect("written");
    assert_eq!(used(work, &list, None), ["file"]);
    assert_eq!(used(work, &list, Some("variable")), ["variable"]);
    let with_option = ["account", "create", "--name", "x", "--data", "option"];
    assert_eq!(used(work, &with_option, Some("variable")), ["option"]);
    std::fs::write(work.join("other.toml"), "data = \"option\"\n").expect("written");
    let with_config = ["--config", "other.toml", "account", "create", "--name", "x"];
    assert_eq!(used(work, &with_config, None), ["option"]);
}

#[test]
fn a_file_may_set_every_option() {
    let dir = TempDir::new().expect("a directory");
    let settings =
        "name = \"Shop\"\nlanguage = [\"es\", \"en\"]\njson = true\nlisten = \"127.0.0.1:0\"\n";
    std::fs::write(dir.path().join("findwell.toml"), settings).expect("written");
    let created = outcome(&mut command(dir.path(), &["store", "create"]));
    assert_eq!(
        created.json()["languages"],
        serde_json::json!(["es", "en"]),
        "{created:?}"
    );
}

#[test]
fn invalid_files_are_wrong_usage() {
    let dir = TempDir::new().expect("a directory");
    for (text, reason) in [
        ("lisen = \"x\"", "did you mean listen?"),
        ("listen = ", "findwell.toml"),
        ("[serve]\nlisten = \"x\"", "serve"),
        ("listen = \"nowhere\"", "nowhere"),
    ] {
        std::fs::write(dir.path().join("findwell.toml"), text).expect("written");
        let outcome = outcome(&mut command(dir.path(), &["serve"]));
        assert_eq!(outcome.status, 2, "{text}: {outcome:?}");
        assert!(outcome.stderr.contains(reason), "{text}: {outcome:?}");
    }
    std::fs::remove_file(dir.path().join("findwell.toml")).expect("removed");
    let arguments = ["store", "list", "--config", "nothere.toml"];
    assert_eq!(outcome(&mut command(dir.path(), &arguments)).status, 2);
}
