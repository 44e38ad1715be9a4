//! An index after a restart, damage, or a change of its specification.

use super::fixture::{Engines, apply, delete, folder, ids, load, named, numbers, open, put, spec};
use serde_json::json;
use std::path::{Path, PathBuf};

pub fn a_restart_continues_from_the_watermark(engines: Engines<'_>) {
    let folder = folder();
    for round in 0..4u32 {
        let index = open(engines, &folder);
        assert_eq!(index.watermark(), i64::from(round) * 10);
        let name = |ordinal: u32| named(&format!("p{ordinal}"), "tent");
        let known = (0..round).map(|ordinal| numbers(ordinal, name(ordinal)));
        load(index.as_ref(), known.collect());
        let watermark = i64::from(round + 1) * 10;
        apply(index.as_ref(), watermark, vec![put(round, name(round))]);
        let expected: Vec<String> = (0..=round).map(|ordinal| format!("p{ordinal}")).collect();
        assert_eq!(ids(index.snapshot().as_ref(), "tent"), expected);
    }
}

/// Every file in a folder except hidden ones: locks are empty, and a missing list of files is created again.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if !path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'))
        {
            files.push(path);
        }
    }
    files.sort();
    files
}

pub fn an_unreadable_index_is_left_unchanged(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    apply(index.as_ref(), 3, vec![put(0, named("p0", "tent"))]);
    drop(index);
    let written = files(folder.path());
    for file in &written {
        let bytes = std::fs::read(file).expect("a file");
        std::fs::remove_file(file).expect("removed");
        // Opening it is a system error under any user.
        std::os::unix::fs::symlink(file, file).expect("a link");
        let refused = engines(folder.path()).open(&spec("one", "en"));
        assert!(refused.is_err(), "{}", file.display());
        std::fs::remove_file(file).expect("removed");
        std::fs::write(file, bytes).expect("written");
        let index = open(engines, &folder);
        assert_eq!(index.watermark(), 3, "{}", file.display());
        assert_eq!(index.snapshot().facts().documents, 1);
    }
    assert_eq!(files(folder.path()), written);
}

pub fn a_damaged_index_is_new(engines: Engines<'_>) {
    type Damage = fn(&Path, &[u8]) -> std::io::Result<()>;
    let damages: [(&str, Damage); 5] = [
        ("gone", |file, _| std::fs::remove_file(file)),
        ("empty", |file, _| std::fs::write(file, b"")),
        ("half", |file, bytes| {
            std::fs::write(file, &bytes[..bytes.len() / 2])
        }),
        ("other", |file, bytes| {
            let mut bytes = bytes.to_vec();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0xff;
            std::fs::write(file, bytes)
        }),
        ("short", |file, bytes| {
            std::fs::write(file, &bytes[..bytes.len() - 2])
        }),
    ];
    // One deletion of five does not start a merge, which would run in the background.
    let bodies = ["a", "b", "c", "d", "e"];
    let bodies = bodies.map(|id| json!({"id": id, "name": "red tent", "reference": "K1"}));
    let whole = folder();
    let index = open(engines, &whole);
    let all = (0..).zip(bodies.clone()).map(|(at, body)| put(at, body));
    apply(index.as_ref(), 1, all.collect());
    apply(index.as_ref(), 2, vec![delete(1)]);
    drop(index);
    let files = files(whole.path());
    assert!(files.len() > 5, "an index has files");
    for (what, damage) in damages {
        for damaged in &files {
            let folder = folder();
            let below = |file: &Path| {
                folder
                    .path()
                    .join(file.strip_prefix(&whole).expect("below"))
            };
            for file in &files {
                let copy = below(file);
                std::fs::create_dir_all(copy.parent().expect("a folder")).expect("made");
                std::fs::copy(file, copy).expect("copied");
            }
            let bytes = std::fs::read(damaged).expect("a file");
            damage(&below(damaged), &bytes).expect("damage is done");
            let again = open(engines, &folder);
            assert_eq!(again.watermark(), 0, "{what}: {}", damaged.display());
            apply(again.as_ref(), 3, vec![put(0, bodies[0].clone())]);
            assert_eq!(ids(again.snapshot().as_ref(), "red tent"), ["a"]);
        }
    }
}

/// A commit that is interrupted before its last file leaves all others behind.
pub fn an_interrupted_commit_is_repeated(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let all = (0..5).map(|at| put(at, named(&format!("p{at}"), "tent")));
    apply(index.as_ref(), 5, all.collect());
    drop(index);
    let before = files(folder.path()).into_iter().map(|file| {
        let bytes = std::fs::read(&file).expect("a file");
        (file, bytes)
    });
    let before: Vec<(PathBuf, Vec<u8>)> = before.collect();
    let index = open(engines, &folder);
    apply(index.as_ref(), 6, vec![delete(1)]);
    drop(index);
    for (file, bytes) in before {
        std::fs::write(file, bytes).expect("put back");
    }
    let index = open(engines, &folder);
    assert_eq!(index.watermark(), 5);
    let known = [0, 2, 3, 4].map(|at| numbers(at, named(&format!("p{at}"), "tent")));
    load(index.as_ref(), known.into());
    apply(index.as_ref(), 6, vec![delete(1)]);
    assert_eq!(
        ids(index.snapshot().as_ref(), "tent"),
        ["p0", "p2", "p3", "p4"]
    );
}

pub fn another_identity_or_language_is_new(engines: Engines<'_>) {
    for (identity, language, watermark) in [
        ("one", "en", 4),
        ("one", "en-gb", 4),
        ("two", "en", 0),
        ("one", "es", 0),
    ] {
        let folder = folder();
        let index = open(engines, &folder);
        apply(index.as_ref(), 4, vec![put(0, named("a", "tent"))]);
        drop(index);
        let again = engines(folder.path()).open(&spec(identity, language));
        let again = again.expect("an index");
        assert_eq!(again.watermark(), watermark, "{identity} {language}");
        assert_eq!(again.snapshot().facts().documents, watermark.min(1) as u64);
    }
}

pub fn an_index_of_another_folder_is_copied_once(engines: Engines<'_>) {
    let (first, second) = (folder(), folder());
    let written = open(engines, &first);
    for at in 0..12u32 {
        let name = named(&format!("p{at}"), "tent");
        apply(written.as_ref(), i64::from(at) + 1, vec![put(at, name)]);
    }
    let engine = engines(second.path());
    let files = engine.files().expect("an engine with files");
    let copy = |identity: &str| files.copy_from(&spec(identity, "en"), first.path());
    assert!(!copy("two").expect("not copied"), "of another identity");
    assert!(copy("one").expect("copied"));
    // The first engine goes on, which changes nothing of the copy.
    apply(written.as_ref(), 13, vec![delete(1), delete(2)]);
    assert!(!copy("one").expect("not copied"), "there is one");
    let copied = engine.open(&spec("one", "en")).expect("an index");
    assert_eq!(copied.watermark(), 12);
    let known = (0..12).map(|at| numbers(at, named(&format!("p{at}"), "tent")));
    load(copied.as_ref(), known.collect());
    apply(copied.as_ref(), 13, vec![delete(0)]);
    assert_eq!(ids(copied.snapshot().as_ref(), "tent").len(), 11);
    assert_eq!(ids(written.snapshot().as_ref(), "tent").len(), 10);

    let third = folder();
    let engine = engines(third.path());
    let missing = third.path().join("none");
    let files = engine.files().expect("an engine with files");
    assert!(
        !files
            .copy_from(&spec("one", "en"), &missing)
            .expect("nothing there")
    );
}
