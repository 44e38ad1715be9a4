//! 1. Whatever the umask and the directory are, what the server writes is for its owner only; a copy of the data too.
//! 2. A page whose host name was rebound to this machine cannot read the metrics.
//! 3. Keys of the demo are for their owner only, even if a file that others may read was left behind.

use super::target::{Start, Target};
use super::wire::get;
use crate::harness::{Binary, command, findwell};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

/// Fails if others than the owner have access to a file below `folder`.
fn assert_private(folder: &Path) {
    let mut files = 0;
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)
            .expect("a folder")
            .filter_map(Result::ok)
        {
            let path = entry.path();
            let Ok(data) = entry.metadata() else {
                continue;
            };
            let mode = data.permissions().mode() & 0o777;
            assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
            if data.is_dir() {
                open.push(path);
            }
            files += 1;
        }
    }
    assert!(files > 3, "{} is not empty", folder.display());
}

#[test]
fn written_files_are_for_their_owner_only() {
    let target = Target::started(Start {
        before: "umask 022",
        beside_others: true,
        ..Start::default()
    });
    assert_private(target.dir.path());
    let other = TempDir::new().expect("a directory");
    let copy = other.path().join("copy");
    let to = copy.to_str().expect("a path in UTF-8");
    let backed_up = findwell(target.dir.path(), &["backup", to]);
    assert_eq!(backed_up.status, 0, "{backed_up:?}");
    assert_private(other.path());
}

#[test]
fn metrics_are_not_served_to_other_host_names() {
    let target = Target::started(Start {
        beside_others: true,
        ..Start::default()
    });
    let base = target.client().base();
    let own = target.client().call("GET", "/metrics").send();
    assert_eq!(own.status, 200);
    let host = "Host: rebound.example";
    let mut stream = super::wire::connect(base, std::net::Ipv4Addr::LOCALHOST).expect("it listens");
    let request = format!("GET /metrics HTTP/1.1\r\n{host}\r\n\r\n");
    super::wire::send(&mut stream, &request, b"").expect("sent");
    let rebound = super::wire::receive(&mut stream).expect("a response");
    assert!((400..500).contains(&rebound.status), "{rebound:?}");
    let local = get(base, "/metrics", "Accept: text/plain").expect("a response");
    assert_eq!(local.status, 200, "by the name of this machine");
}

#[test]
fn keys_of_the_demo_are_for_their_owner_only() {
    let data = TempDir::new().expect("a directory");
    let left = data.path().join("demo-keys.json.new");
    std::fs::write(&left, "{}").expect("written");
    let open = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(&left, open).expect("set");
    let mut child = command(data.path(), &["demo", "--listen", "127.0.0.1:0", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let mut printed = String::new();
    let stdout = child.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(stdout);
    lines.read_line(&mut printed).expect("it prints its keys");
    let _demo = Binary::at(child, "http://127.0.0.1:1");
    let mode = std::fs::metadata(data.path().join("demo-keys.json")).expect("the keys");
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
}
