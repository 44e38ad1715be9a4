//! 1. A second server on a directory, and a port in use, end with status 1 and a clear message.
//! 2. A server stops at a signal with status 0 and leaves no socket behind; the socket of a killed server is removed.
//! 3. The tool server accepts the hosts and origins of its option and file; an invalid one is wrong usage.
//! 4. A data directory that is a file or not writable is reported; a directory with a long name works.

use crate::harness::{Binary, command, findwell, outcome};
use serde_json::json;
use std::path::PathBuf;
use std::process::Stdio;
use tempfile::TempDir;

fn directory() -> TempDir {
    TempDir::new().expect("a directory")
}

#[test]
fn a_directory_has_one_server() {
    let data = directory();
    let server = Binary::serve(data.path());
    for command in ["serve", "demo"] {
        let second = findwell(data.path(), &[command, "--listen", "127.0.0.1:0"]);
        assert_eq!(second.status, 1, "{second:?}");
        assert!(
            second.stderr.contains("in use by another findwell"),
            "{second:?}"
        );
    }
    server.client.call("GET", "/readyz").send().ok();
}

#[test]
fn a_port_in_use_is_reported() {
    let (one, two) = (directory(), directory());
    let server = Binary::serve(one.path());
    let address = server
        .client
        .base()
        .trim_start_matches("http://")
        .to_owned();
    let second = findwell(two.path(), &["serve", "--listen", &address]);
    assert_eq!(second.status, 1, "{second:?}");
    assert!(
        second
            .stderr
            .contains(&format!("cannot listen on {address}")),
        "{second:?}"
    );
}

#[test]
fn the_tool_server_accepts_configured_hosts_and_origins() {
    let data = directory();
    let run = |line: &str| {
        let arguments: Vec<&str> = line.split(' ').collect();
        findwell(data.path(), &arguments).line().to_owned()
    };
    let store = run("store create --name x --language es");
    let key = run(&format!("key create --store {store} --kind configuration"));
    let settings = "mcp-origin = [\"https://agent.example\"]\n";
    std::fs::write(data.path().join("findwell.toml"), settings).expect("written");
    let named = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--mcp-host",
        "mcp.example.com",
    ];
    let child = command(data.path(), &named)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let server = Binary::of(child);
    let status = |header: &str, value: &str| {
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
        let call = server.client.call("POST", "/mcp").key(&key);
        call.header(header, value).json(&list).send().status
    };
    assert_eq!(status("Host", "mcp.example.com"), 200);
    assert_eq!(status("Host", "other.example.com"), 403);
    assert_eq!(status("Origin", "https://agent.example"), 200);
    assert_eq!(status("Origin", "https://agent.example:8443"), 403);
    assert_eq!(status("Origin", "https://other.example"), 403);
    for (option, value) in [
        ("--mcp-host", "https://mcp.example.com"),
        ("--mcp-origin", "agent.example"),
    ] {
        let failed = findwell(data.path(), &["serve", option, value]);
        assert_eq!(failed.status, 2, "{failed:?}");
        assert!(failed.stderr.contains("such as"), "{failed:?}");
    }
}

#[test]
fn a_server_stops_cleanly_and_starts_after_a_crash() {
    let data = directory();
    let socket = data.path().join("findwell.sock");
    let server = Binary::serve(data.path());
    assert!(socket.exists());
    assert_eq!(server.terminate(), 0);
    assert!(!socket.exists());

    Binary::serve(data.path()).kill();
    assert!(socket.exists());
    assert_eq!(findwell(data.path(), &["store", "list"]).status, 0);
    let server = Binary::serve(data.path());
    server.client.call("GET", "/healthz").send().ok();
    assert_eq!(findwell(data.path(), &["store", "list"]).status, 0);
}

#[test]
fn unusable_directories_are_reported() {
    let dir = directory();
    let file = dir.path().join("file");
    std::fs::write(&file, "x").expect("written");
    for data in [
        file.clone(),
        file.join("below"),
        PathBuf::from("/proc/nothere"),
    ] {
        let data = data.to_str().expect("a path in UTF-8");
        let outcome = findwell(dir.path(), &["serve", "--data", data]);
        assert_eq!(outcome.status, 1, "{data}: {outcome:?}");
        assert!(outcome.stderr.contains(data), "{data}: {outcome:?}");
    }
}

#[test]
fn a_misspelled_directory_is_reported_and_not_created() {
    let dir = directory();
    for arguments in [
        &["store", "list"][..],
        &["key", "list"],
        &["key", "deactivate", "x"],
    ] {
        let arguments = [arguments, &["--data", "mispelled"]].concat();
        let outcome = findwell(dir.path(), &arguments);
        assert_eq!(outcome.status, 1, "{outcome:?}");
        assert!(outcome.stderr.contains("mispelled"), "{outcome:?}");
    }
    assert!(!dir.path().join("mispelled").exists());
}

#[test]
fn a_long_directory_name_works() {
    let dir = directory();
    let data = dir.path().join("a".repeat(120)).join("b".repeat(120));
    std::fs::create_dir_all(&data).expect("created");
    let server = Binary::serve(&data);
    let created = findwell(
        &data,
        &["store", "create", "--name", "x", "--language", "es"],
    );
    created.line();
    assert_eq!(server.terminate(), 0);
}

#[test]
fn a_server_prints_its_address_as_json_too() {
    let data = directory();
    let mut child = command(data.path(), &["serve", "--listen", "127.0.0.1:0", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let stdout = child.stdout.take().expect("a pipe");
    let mut values = serde_json::Deserializer::from_reader(stdout).into_iter();
    let first: serde_json::Value = values.next().expect("a line").expect("JSON");
    assert!(
        first["address"]
            .as_str()
            .is_some_and(|a| a.starts_with("http://127.0.0.1:"))
    );
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let help = outcome(&mut command(data.path(), &["serve", "--help"]));
    assert!(help.stdout.contains("FINDWELL_LISTEN"), "{help:?}");
}
