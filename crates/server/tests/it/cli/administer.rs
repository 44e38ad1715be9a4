//! 1. Ids, keys and lists are printed alone on stdout; `--json` prints everything; nothing else is on stdout.
//! 2. The same commands work with and without a running server, and take effect at once.
//! 3. Wrong usage is status 2, failure is status 1, and both give the reason on stderr.
//! 4. A store is deleted by its exact name, stays closed after a kill, and is opened again with its keys.
//! 5. `key list` marks keys that no longer work.
//! 6. `store delete --now` removes a store that is closed already, by its exact name, and nothing else; it is audited.
//! 7. A directory without data, such as one on which nothing is mounted, is an error, and stays as it is.
//! 8. The data directory and the files with secrets are readable by their owner only.

use crate::harness::{Binary, Outcome, findwell};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

fn directory() -> TempDir {
    TempDir::new().expect("a directory")
}

#[test]
fn ids_and_keys_are_printed_alone_on_stdout() {
    let data = directory();
    let run = |arguments: &[&str]| findwell(data.path(), arguments);
    let account = run(&["account", "create", "--name", "Acme", "--max-stores", "7"])
        .line()
        .to_owned();
    let created = run(&[
        "store",
        "create",
        "--name",
        "Shop",
        "--language",
        "es",
        "--language",
        "en",
    ]);
    let store = created.line().to_owned();
    let key = run(&[
        "key",
        "create",
        "--store",
        &store,
        "--kind",
        "configuration",
    ]);
    assert!(key.line().starts_with("cfg_"));

    let stores = run(&["store", "list", "--json"]).json();
    assert_eq!(stores[0]["id"], json!(store));
    assert_eq!(stores[0]["languages"], json!(["es", "en"]));
    assert_eq!(stores[0]["defaultLanguage"], "es");
    let line = run(&["store", "list"]);
    assert_eq!(line.line(), format!("{store}\tactive\tes,en\tShop"));

    let full = run(&[
        "key",
        "create",
        "--account",
        &account,
        "--kind",
        "configuration",
        "--scope",
        "config:write",
        "--name",
        "agent",
        "--expires",
        "2099-01-01T00:00:00Z",
        "--json",
    ])
    .json();
    assert_eq!(full["scope"], "config:write");
    assert_eq!(full["expiresAt"], "2099-01-01T00:00:00Z");
    assert!(
        full["key"]
            .as_str()
            .is_some_and(|key| key.starts_with("cfg_"))
    );

    let keys = run(&["key", "list", "--json"]).json();
    assert_eq!(keys.as_array().map(Vec::len), Some(3));
    assert!(keys[0].get("key").is_none(), "a key is shown once");
    assert_eq!(keys[0]["kind"], "connector");
    assert_eq!(keys[1]["scope"], "config:read");
    let of_store = run(&["key", "list", "--store", &store, "--json"]).json();
    assert_eq!(of_store.as_array().map(Vec::len), Some(2));
}

#[test]
fn a_new_store_prints_its_connector_key() {
    let data = directory();
    let arguments = ["store", "create", "--name", "Shop", "--language", "es"];
    let created = findwell(data.path(), &arguments);
    assert!(!created.line().contains("con_"));
    let printed = created.stderr.split_whitespace().last().unwrap_or_default();
    assert!(printed.starts_with("con_"), "{created:?}");
    let full = findwell(data.path(), &[&arguments[..], &["--json"]].concat());
    assert!(!full.stderr.contains("con_"), "{full:?}");
    let from_json = full.json()["connectorKey"].clone();
    let server = Binary::serve(data.path());
    for key in [printed, from_json.as_str().expect("a key")] {
        let connected = server.client.call("GET", "/api/v1/feed/connect");
        connected.key(key).send().ok();
    }
}

#[test]
fn a_store_is_deleted_and_opened_again() {
    let data = directory();
    let run = |arguments: &[&str]| findwell(data.path(), arguments);
    let arguments = ["store", "create", "--name", "Old", "--language", "es"];
    let created = run(&[&arguments[..], &["--json"]].concat()).json();
    let text = |name: &str| created[name].as_str().expect("text").to_owned();
    let (store, key) = (text("id"), text("connectorKey"));
    let server = Binary::serve(data.path());
    let wrong = run(&["store", "delete", &store, "--name", "old"]);
    assert_eq!(wrong.status, 2, "{wrong:?}");
    let deleted = run(&["store", "delete", &store, "--name", "Old"]);
    assert_eq!(deleted.line(), store);
    server.kill();
    let server = Binary::serve(data.path());
    let connect = || {
        let call = server.client.call("GET", "/api/v1/feed/connect");
        call.key(&key).send()
    };
    connect().error(401, "key_invalid");
    assert_eq!(run(&["store", "list", "--json"]).json(), json!([]));
    let closed = run(&["store", "list", "--closed"]);
    assert!(closed.line().starts_with(&store) && closed.line().ends_with("\tOld"));
    assert_eq!(run(&["store", "reopen", &store]).line(), store);
    connect().ok();
    let again = run(&["store", "reopen", &store]);
    assert_eq!(again.status, 1, "{again:?}");
}

#[test]
fn a_closed_store_is_removed_at_once() {
    let data = directory();
    let run = |arguments: &[&str]| findwell(data.path(), arguments);
    let create = ["store", "create", "--name", "Old", "--language", "es"];
    for served in [false, true] {
        let server = served.then(|| Binary::serve(data.path()));
        let store = run(&create).line().to_owned();
        let delete = |more: &[&str]| run(&[&["store", "delete", store.as_str()], more].concat());
        let open = delete(&["--now", "--name", "Old"]);
        assert_eq!(open.status, 2, "{open:?}");
        assert_eq!(delete(&["--name", "Old"]).line(), store);
        let closed = run(&["key", "list"]);
        assert!(closed.line().ends_with("\tclosed"), "{closed:?}");
        let other = delete(&["--now", "--name", "old"]);
        assert_eq!(other.status, 2, "{other:?}");
        assert!(
            run(&["store", "list", "--closed"])
                .line()
                .starts_with(&store)
        );
        assert_eq!(delete(&["--now", "--name", "Old"]).line(), store);
        assert_eq!(
            run(&["store", "list", "--closed", "--json"]).json(),
            json!([])
        );
        assert_eq!(run(&["key", "list", "--json"]).json(), json!([]));
        assert_eq!(run(&["store", "reopen", &store]).status, 1);
        assert_eq!(
            delete(&["--now", "--name", "Old"]).status,
            1,
            "it is unknown"
        );
        let audit = run(&["audit", "list", "--limit", "1", "--json"]).json();
        assert_eq!(audit[0]["operation"], "remove_store_now");
        assert_eq!(audit[0]["storeId"], store.as_str());
        let of_store = run(&["audit", "list", "--store", &store, "--json"]).json();
        assert_eq!(
            of_store.as_array().map(Vec::len),
            Some(3),
            "its trail stays"
        );
        assert_eq!(run(&["check"]).status, 0);
        drop(server);
    }
}

#[test]
fn keys_that_no_longer_work_are_marked() {
    let data = directory();
    let run = |arguments: &[&str]| findwell(data.path(), arguments);
    let create = ["store", "create", "--name", "Shop", "--language", "es"];
    run(&create).line();
    let states = || {
        let listed = run(&["key", "list"]).stdout;
        let last = listed
            .lines()
            .map(|line| line.rsplit('\t').next().expect("a column"));
        last.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(states(), ["active"]);
    let keys = run(&["key", "list", "--json"]).json();
    run(&["key", "deactivate", keys[0]["id"].as_str().expect("an id")]).line();
    assert_eq!(states(), ["deactivated"]);
}

#[test]
fn commands_reach_the_running_server_and_take_effect_at_once() {
    let data = directory();
    let run = |arguments: &[&str]| findwell(data.path(), arguments);
    let store = run(&["store", "create", "--name", "Shop", "--language", "es"])
        .line()
        .to_owned();
    let server = Binary::serve(data.path());
    let arguments = [
        "key",
        "create",
        "--store",
        &store,
        "--kind",
        "configuration",
        "--json",
    ];
    let created = run(&arguments).json();
    let key = created["key"].as_str().expect("a key");
    let me = || server.client.call("GET", "/api/v1/me").key(key).send();
    me().ok();
    let id = created["id"].as_str().expect("an id");
    assert_eq!(run(&["key", "deactivate", id]).line(), id);
    me().error(401, "key_invalid");
    assert_eq!(
        run(&["store", "list", "--json"]).json()[0]["id"],
        json!(store)
    );
    assert_eq!(server.terminate(), 0);
    // Without the server the command opens the same directory itself.
    let keys: Value = run(&["key", "list", "--json"]).json();
    assert!(keys[1]["deactivatedAt"].is_string(), "{keys}");
}

/// Runs a command whose arguments contain no spaces; `STORE` is replaced by the store's id.
fn run_line(data: &TempDir, line: &str, store: &str) -> Outcome {
    let line = line.replace("STORE", store);
    let arguments: Vec<&str> = line.split_whitespace().collect();
    findwell(data.path(), &arguments)
}

#[test]
fn wrong_usage_is_status_2() {
    let data = directory();
    let store = run_line(&data, "store create --name x --language es", "");
    for line in [
        "",
        "frobnicate",
        "store create --name x",
        "store create --name x --language español",
        "store create --name= --language es",
        "key create --kind configuration",
        "key create --store STORE --account a --kind configuration",
        "key create --store STORE --kind master",
        "key create --store STORE --kind configuration --scope all",
        "key create --store STORE --kind configuration --expires 2020-01-01T00:00:00Z",
        "account create --name x --max-stores -1",
        "account create --name x --max-stores 1000000000",
        "serve --listen nowhere",
        "serve --trusted-proxy 10.0.0.0/33",
        "serve --proxy-header via",
        "import --store STORE --language es --type goods x",
    ] {
        let outcome = run_line(&data, line, store.line());
        assert_eq!(outcome.status, 2, "{line}: {outcome:?}");
        assert!(outcome.stdout.is_empty(), "{line}: {outcome:?}");
        assert!(!outcome.stderr.is_empty(), "{line}: {outcome:?}");
    }
}

#[test]
fn failure_is_status_1_and_help_is_status_0() {
    let data = directory();
    let store = run_line(&data, "store create --name x --language es", "");
    for line in [
        "key create --store nothere --kind configuration",
        "key deactivate nothere",
        "import --store STORE --language es --type products nothere",
        "store create --name x --language es --account nothere",
    ] {
        let outcome = run_line(&data, line, store.line());
        assert_eq!(outcome.status, 1, "{line}: {outcome:?}");
        assert!(outcome.stdout.is_empty(), "{line}: {outcome:?}");
        assert!(outcome.stderr.contains("error: "), "{line}: {outcome:?}");
    }
    assert_eq!(run_line(&data, "--help", "").status, 0);
    let version = run_line(&data, "--version", "");
    assert!(version.line().starts_with("findwell "));
}

#[test]
fn a_directory_without_data_is_an_error_and_stays_empty() {
    let data = directory();
    for line in [
        "store list",
        "key list",
        "user list",
        "audit list",
        "check",
        "check --repair",
        "reindex",
        "backup ../nowhere",
    ] {
        let outcome = run_line(&data, line, "");
        assert_eq!(outcome.status, 1, "{line}: {outcome:?}");
        assert!(outcome.stderr.contains("no data"), "{line}: {outcome:?}");
        let left = std::fs::read_dir(data.path()).expect("a folder").count();
        assert_eq!(left, 0, "{line}");
    }
}

#[test]
fn a_plan_is_read_from_a_file() {
    let data = directory();
    let plan = data.path().join("plan.json");
    let run = |plan_text: &str| {
        std::fs::write(&plan, plan_text).expect("written");
        let file = plan.to_str().expect("a path in UTF-8");
        let arguments = [
            "store",
            "create",
            "--name",
            "x",
            "--language",
            "es",
            "--plan",
            file,
        ];
        findwell(data.path(), &arguments)
    };
    run(r#"{"plan": "pro", "maxLanguages": 2}"#).line();
    for wrong in [
        "{",
        "{\"maxLanguage\": 2}",
        "{\"plan\": \"a\", \"plan\": \"b\"}",
    ] {
        assert_eq!(run(wrong).status, 2, "{wrong}");
    }
}

#[test]
fn secrets_are_readable_by_their_owner_only() {
    let parent = directory();
    let data = parent.path().join("new/data");
    std::fs::create_dir_all(parent.path().join("new")).expect("created");
    let path = data.to_str().expect("a path in UTF-8");
    let arguments = [
        "store",
        "create",
        "--name",
        "x",
        "--language",
        "es",
        "--data",
        path,
    ];
    findwell(parent.path(), &arguments).line();
    let mode = |file: &std::path::Path| {
        let metadata = std::fs::metadata(file).expect("it exists");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join("master.key")), 0o600);
    let server = Binary::serve(&data);
    assert_eq!(mode(&data.join("findwell.sock")), 0o600);
    drop(server);
}
