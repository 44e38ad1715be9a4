//! An index that is built beside the one in use, and what remains when that is interrupted.

use super::fixture::{
    Engines, apply, folder, ids, keeps_snapshots, load, local, named, numbers, open, put, release,
    spec,
};
use engine::{Batch, Index};
use std::path::Path;

/// Documents with one name, numbered from 0.
fn fill(index: &dyn Index, count: u32, name: &str) {
    let changes = (0..count).map(|at| put(at, named(&format!("p{at}"), name)));
    apply(index, i64::from(count), changes.collect());
}

/// The watermark and the settled sequence number.
fn sequences(index: &dyn Index) -> (i64, i64) {
    (index.watermark(), local(index).settled())
}

fn folders(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder.join("7")).expect("a folder");
    entries.count()
}

pub fn a_rebuilt_index_is_opened_once_complete(engines: Engines<'_>) {
    let folder = folder();
    let engine = engines(folder.path());
    let former = open(engines, &folder);
    fill(former.as_ref(), 2, "tent");
    let rebuilt = engine.rebuild(&spec("one", "en")).expect("an index");
    assert_eq!(rebuilt.watermark(), 0);
    fill(rebuilt.as_ref(), 2, "red tent");
    assert!(ids(former.snapshot().as_ref(), "red").is_empty());
    rebuilt.complete().expect("completed");
    let reader = former.snapshot();
    former.retire();
    drop(former);
    assert_eq!(ids(reader.as_ref(), "tent"), ["p0", "p1"]);
    drop(reader);
    release(rebuilt.as_ref());
    drop(rebuilt);
    let index = open(engines, &folder);
    assert_eq!(index.watermark(), 2);
    load(index.as_ref(), vec![numbers(0, named("p0", "red tent"))]);
    // Where numbers are loaded, a document without them is not found.
    let found: &[&str] = match keeps_snapshots(index.as_ref()) {
        true => &["p0"],
        false => &["p0", "p1"],
    };
    assert_eq!(ids(index.snapshot().as_ref(), "red"), found);
}

pub fn an_incomplete_index_is_not_opened(engines: Engines<'_>) {
    let folder = folder();
    let former = open(engines, &folder);
    fill(former.as_ref(), 2, "tent");
    drop(former);
    let engine = engines(folder.path());
    let unfinished = engine.rebuild(&spec("one", "en")).expect("an index");
    fill(unfinished.as_ref(), 1, "red tent");
    // The process ends here.
    drop(unfinished);
    assert_eq!(open(engines, &folder).watermark(), 2);
}

pub fn former_and_incomplete_indexes_leave_no_files(engines: Engines<'_>) {
    let folder = folder();
    let former = open(engines, &folder);
    fill(former.as_ref(), 2, "tent");
    let engine = engines(folder.path());
    let rebuilt = engine.rebuild(&spec("one", "en")).expect("an index");
    fill(rebuilt.as_ref(), 2, "red tent");
    rebuilt.complete().expect("completed");
    let reader = former.snapshot();
    former.retire();
    drop(former);
    assert_eq!(folders(folder.path()), 2, "the former one is still read");
    drop(reader);
    assert_eq!(folders(folder.path()), 1);
    release(rebuilt.as_ref());
    drop(rebuilt);

    let unfinished = engine.rebuild(&spec("one", "en")).expect("an index");
    fill(unfinished.as_ref(), 1, "blue tent");
    // The process ends here.
    drop(unfinished);
    assert_eq!(folders(folder.path()), 2);
    let _index = open(engines, &folder);
    assert_eq!(folders(folder.path()), 1);
    // An abandoned index leaves nothing.
    let given_up = engine.rebuild(&spec("one", "en")).expect("an index");
    given_up.retire();
    drop(given_up);
    assert_eq!(folders(folder.path()), 1);
}

pub fn an_interrupted_catching_up_is_detected(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    assert_eq!(sequences(index.as_ref()), (0, 0));
    fill(index.as_ref(), 2, "tent");
    assert_eq!(sequences(index.as_ref()), (2, 2));
    let part = Batch {
        changes: vec![put(2, named("p2", "tent"))],
        watermark: 7,
    };
    let applied = local(index.as_ref())
        .apply_part(part)
        .expect("a batch is applied");
    assert_eq!(applied.rejected, []);
    assert_eq!(sequences(index.as_ref()), (7, 2));
    drop(index);
    let index = open(engines, &folder);
    assert_eq!(sequences(index.as_ref()), (7, 2));
    apply(index.as_ref(), 9, vec![put(3, named("p3", "tent"))]);
    assert_eq!(sequences(index.as_ref()), (9, 9));
}

/// The settled number rises in memory, and never exceeds the watermark after a restart.
pub fn numbers_change_no_sequence_number_on_disk(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    apply(index.as_ref(), 9, vec![put(3, named("p3", "tent"))]);
    apply(index.as_ref(), 12, vec![numbers(3, named("p3", "tent"))]);
    assert_eq!(sequences(index.as_ref()), (9, 12));
    local(index.as_ref())
        .freeze_averages(0.0)
        .expect("averages");
    drop(index);
    let index = open(engines, &folder);
    assert_eq!(sequences(index.as_ref()), (9, 9));
}
