//! 1. What the statistics have shown survives `kill -9`, and a start after a kill in the middle of a write succeeds.
//!    What nobody has asked for is written by itself within 15 seconds, and survives from then on.
//! 2. A clean stop loses nothing, not even a search that waits for the next keystroke, and marks of events survive.
//! 3. A damaged `analytics.db`, whole or in its pages, is set aside with a warning and begun anew; all else stays.
//! 4. A backup holds the statistics, and a check does not look at them.
//! 5. The statistics of a store are deleted by command, up to a date or all of them, and the deletion is audited.
//! 6. Without a search log nothing is recorded, and searches and events are answered.

use super::disk::Disk;
use crate::harness::{Binary, Reply, SeededStore, command, eventually, findwell};
use crate::hostile::meter::{time_max, timed};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;

const FILE: &str = "analytics.db";

/// A store with a product and a key that reads its statistics.
struct Shop {
    seeded: SeededStore,
    reader: String,
}

impl Shop {
    fn new() -> Self {
        let seeded = SeededStore::indexed(1);
        let arguments = [
            "key",
            "create",
            "--store",
            &seeded.store,
            "--kind",
            "configuration",
        ];
        let reader = findwell(seeded.path(), &arguments).line().to_owned();
        Self { seeded, reader }
    }

    fn search(&self, server: &Binary, request: &Value) -> Reply {
        let call = server
            .client
            .call("POST", "/api/v1/search")
            .key(&self.seeded.key);
        call.json(request).send().ok()
    }

    fn click(&self, server: &Binary, response: &Reply) -> u64 {
        let body = json!({"queryId": response.data()["queryId"], "type": "click", "id": "0"});
        let call = server
            .client
            .call("POST", "/api/v1/events")
            .key(&self.seeded.key);
        call.json(&body).send().ok().data()["accepted"]
            .as_u64()
            .expect("a number")
    }

    fn summary(&self, server: &Binary) -> Reply {
        let path = format!("/api/v1/stores/{}/analytics/summary", self.seeded.store);
        server.client.call("GET", path).key(&self.reader).send()
    }

    fn searches(&self, server: &Binary) -> u64 {
        let reply = self.summary(server).ok();
        reply.data()["searches"].as_u64().expect("a number")
    }

    fn path(&self) -> &Path {
        self.seeded.path()
    }
}

#[test]
fn kills_lose_nothing_that_was_shown() {
    let shop = Shop::new();
    let mut expected = 0;
    for round in 0..3 {
        let server = Binary::serve(shop.path());
        assert_eq!(shop.searches(&server), expected, "round {round}");
        for _ in 0..4 {
            shop.search(&server, &json!({"q": "bota"}));
        }
        expected += 4;
        eventually("they are shown", || shop.searches(&server) == expected);
        server.kill();
    }
}

#[test]
fn what_was_counted_is_written_within_15_seconds() {
    let shop = Shop::new();
    let server = Binary::serve(shop.path());
    // The log of the database; reading the statistics would write them.
    let wal = shop.path().join("analytics.db-wal");
    let bytes = || fs::read(&wal).unwrap_or_default();
    let holds = |bytes: &[u8]| bytes.windows(9).any(|window| window == b"botaqueda");
    let ((), took) = timed(|| {
        shop.search(&server, &json!({"q": "botaqueda"}));
        eventually("it is written", || holds(&bytes()));
    });
    server.kill();
    assert!(took <= time_max(Duration::from_secs(15)), "{took:?}");
    let server = Binary::serve(shop.path());
    assert_eq!(shop.searches(&server), 1);
}

#[test]
fn a_command_deletes_the_statistics() {
    let shop = Shop::new();
    let server = Binary::serve(shop.path());
    shop.search(&server, &json!({"q": "bota"}));
    eventually("it is shown", || shop.searches(&server) == 1);
    let clear = |more: &[&str]| {
        let arguments = ["analytics", "clear", "--store", &shop.seeded.store];
        findwell(shop.path(), &[&arguments[..], more].concat())
    };
    assert_eq!(clear(&["--before", "2020-01-01"]).line(), "0");
    assert_eq!(shop.searches(&server), 1);
    // The query and the total of its day.
    assert_eq!(clear(&[]).line(), "2");
    assert_eq!(shop.searches(&server), 0);
    for wrong in [&["--before", "yesterday"][..], &["--store", "nobody"]] {
        assert_ne!(clear(wrong).status, 0, "{wrong:?}");
    }
    drop(server);
    shop.search(&Binary::serve(shop.path()), &json!({"q": "bota"}));
    assert_ne!(clear(&[]).line(), "", "without a server, too");
    let audit = findwell(shop.path(), &["audit", "list", "--json"]);
    assert!(audit.stdout.contains("clear_analytics"), "{audit:?}");
}

#[test]
fn a_stop_may_be_killed_at_any_step_of_writing() {
    let disk = Disk::new();
    let server = disk.serve();
    drop(server);
    let store = super::data::Store::create(disk.path());
    for step in (0..40).step_by(4) {
        let mut server = disk.serve();
        let call = server
            .client
            .call("POST", "/api/v1/search")
            .key(&store.public);
        call.json(&json!({"q": format!("bota {step}")})).send().ok();
        disk.kill_after(step);
        server.stop();
        disk.spare();
    }
    let server = disk.serve();
    let path = format!("/api/v1/stores/{}/analytics/summary", store.id);
    let reply = server
        .client
        .call("GET", path)
        .key(&store.write_key)
        .send()
        .ok();
    assert!(reply.data()["searches"].as_u64() <= Some(10), "{reply:?}");
    assert!(!disk.path().join("analytics.db.damaged").exists());
}

#[test]
fn a_clean_stop_loses_nothing() {
    let shop = Shop::new();
    let mut server = Binary::serve(shop.path());
    let found = shop.search(&server, &json!({"q": "bota", "sessionId": "s1"}));
    assert_eq!(shop.click(&server, &found), 1);
    shop.search(&server, &json!({"q": "botas", "sessionId": "s2"}));
    assert_eq!(server.stop(), 0);
    let server = Binary::serve(shop.path());
    assert_eq!(shop.searches(&server), 2);
    assert_eq!(shop.click(&server, &found), 0, "it is counted already");
    let data = shop.summary(&server).ok();
    assert_eq!(
        (&data.data()["clicks"], &data.data()["clickThroughRate"]),
        (&json!(1), &json!(0.5))
    );
}

#[test]
fn a_damaged_file_is_set_aside() {
    let shop = Shop::new();
    let file = shop.path().join(FILE);
    let aside = shop.path().join("analytics.db.damaged");
    let mut server = Binary::serve(shop.path());
    for at in 0..200 {
        shop.search(
            &server,
            &json!({"q": format!("bota {at} {}", "x".repeat(80))}),
        );
    }
    assert_eq!(server.stop(), 0);
    let length = fs::metadata(&file).expect("a file").len();
    assert!(length > 40_000, "{length} bytes");
    // Its head is intact, so that the damage shows when it is read.
    let mut bytes = fs::read(&file).expect("read");
    bytes[4_096..].fill(0x5a);
    fs::write(&file, bytes).expect("written");
    let mut server = Binary::serve(shop.path());
    assert_eq!(
        shop.seeded.total(&server.client, "bota"),
        1,
        "shoppers notice nothing"
    );
    eventually("statistics begin anew", || {
        shop.summary(&server).status == 200
    });
    assert!(aside.exists());
    shop.search(&server, &json!({"q": "bota", "sessionId": "s1"}));
    assert_eq!(server.stop(), 0);
    // Now the whole file is none, and the command that meets it says so.
    fs::write(&file, "no database").expect("written");
    let listed = findwell(shop.path(), &["store", "list"]);
    assert_eq!(listed.status, 0);
    assert!(
        listed.stderr.contains("analytics.db.damaged"),
        "{}",
        listed.stderr
    );
    assert_eq!(fs::read(&aside).expect("a file"), b"no database");
    let server = Binary::serve(shop.path());
    assert_eq!(shop.searches(&server), 0);
}

#[test]
fn a_backup_holds_the_statistics() {
    let shop = Shop::new();
    let mut server = Binary::serve(shop.path());
    shop.search(&server, &json!({"q": "bota", "sessionId": "s1"}));
    assert_eq!(server.stop(), 0);
    let target = TempDir::new().expect("a directory");
    let dir = target.path().join("b");
    let backup = findwell(shop.path(), &["backup", dir.to_str().expect("UTF-8")]);
    assert_eq!(backup.status, 0, "{backup:?}");
    fs::copy(shop.path().join("master.key"), dir.join("master.key")).expect("the key");
    let server = Binary::serve(&dir);
    assert_eq!(shop.searches(&server), 1);
    server.kill();
    // A damaged log is no finding, and does not stop a backup of everything else.
    let file = dir.join(FILE);
    fs::write(&file, "no database").expect("written");
    assert_eq!(findwell(&dir, &["check"]).status, 0);
}

#[test]
fn without_a_log_nothing_is_recorded() {
    let shop = Shop::new();
    let mut command = command(
        shop.path(),
        &["serve", "--listen", "127.0.0.1:0", "--search-log-days", "0"],
    );
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut server = Binary::of(child.expect("the binary runs"));
    let found = shop.search(&server, &json!({"q": "bota"}));
    assert_eq!(shop.click(&server, &found), 0);
    assert_eq!(server.stop(), 0);
    let server = Binary::serve(shop.path());
    assert_eq!(shop.searches(&server), 0);
    server.kill();
    for days in ["731", "-1", "x"] {
        let started = findwell(
            shop.path(),
            &["serve", &format!("--search-log-days={days}")],
        );
        assert_eq!(started.status, 2, "{started:?}");
    }
}
