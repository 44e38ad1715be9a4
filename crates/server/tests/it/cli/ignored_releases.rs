//! What lies among the releases and belongs to none is reported once, by name, and releases beside it are not.

use super::logs::Logged;
use crate::harness::command;
use std::fs;
use tempfile::TempDir;

#[test]
fn files_that_are_no_releases_are_reported_once() {
    let data = TempDir::new().expect("a directory");
    let releases = data.path().join("releases");
    let wrong = [
        "README.txt",
        "PrestaShop/prestashop-1.0.0.zip",
        "prestashop/prestashop-2.8.zip",
        "prestashop/prestashop-2.9.0-beta.zip",
        "prestashop/prestashop-2.1.0.json",
        "prestashop/prestashop-3.0.0.zip",
    ];
    for name in wrong {
        let path = releases.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, "x").expect("written");
    }
    let logged = Logged::start(command(data.path(), &["serve", "--listen", "127.0.0.1:0"]));
    assert_eq!(
        logged.server.client.call("GET", "/healthz").send().status,
        200
    );
    let log = logged.stop();
    for name in wrong {
        // A folder that is no platform is not looked into.
        let name = name.strip_suffix("/prestashop-1.0.0.zip").unwrap_or(name);
        let lines = log.lines().filter(|line| {
            line.contains("WARN") && line.split_whitespace().any(|word| word.ends_with(name))
        });
        assert_eq!(lines.count(), 1, "{name}: {log}");
    }
}
