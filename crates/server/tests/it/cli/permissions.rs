//! 1. Whatever the umask, others cannot read anything in a data directory.
//! 2. A directory that is open to others is logged as a warning; the limit of open files is logged.

use crate::harness::{Binary, command, findwell};
use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;

fn all_below(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all_below(&path, found);
        }
        found.push(path);
    }
}

#[test]
fn files_are_readable_by_their_owner_only() {
    let data = TempDir::new().expect("a directory");
    set_permissions(data.path(), Permissions::from_mode(0o755)).expect("the owner's");
    let log = data.path().join("log");
    let file = std::fs::File::create(&log).expect("a file");
    let child = command(data.path(), &["serve", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(file)
        .spawn()
        .expect("the binary runs");
    let server = Binary::of(child);
    findwell(data.path(), &["account", "create", "--name", "A"]).line();
    let store = ["store", "create", "--name", "S", "--language", "es"];
    assert_eq!(findwell(data.path(), &store).status, 0);
    let mut found = Vec::new();
    all_below(data.path(), &mut found);
    assert!(found.len() > 3, "{found:?}");
    for path in found.iter().filter(|path| **path != log) {
        // Some files are temporary.
        let Ok(about) = path.symlink_metadata() else {
            continue;
        };
        let mode = about.permissions().mode();
        assert_eq!(mode & 0o077, 0, "{} {mode:o}", path.display());
    }
    assert_eq!(server.terminate(), 0);
    let log = std::fs::read_to_string(&log).expect("text");
    assert!(log.contains("open to others"), "{log}");
    assert!(log.contains("limit of open files"), "{log}");
}
