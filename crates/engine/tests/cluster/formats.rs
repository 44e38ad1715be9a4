//! Servers of two versions on one cluster.
//!
//! 1. Each version has indexes of its own: one that is missing does not exist for it, and while it is filled and from then on
//!    the other one is searched as before.
//! 2. Indexes of an earlier version are deleted once nobody uses them, those of this and of a later one never.
//! 3. An index that is discarded is gone in every version.

use crate::node;
use crate::tents::{self, found, write};
use domain::IndexId;
use engine::{
    ClusterAccess, Engine, IndexSpec, OpenSearchEngine, SEARCH_FORMAT, SEARCH_SHARDS, SharedIndexes,
};
use tempfile::TempDir;

const FORMER: u32 = SEARCH_FORMAT;
const NEW: u32 = SEARCH_FORMAT + 1;

fn spec(id: i64) -> IndexSpec {
    tents::spec("formats", id)
}

fn shared(engine: &OpenSearchEngine) -> &dyn SharedIndexes {
    engine.shared().expect("shared indexes")
}

fn exists(engine: &OpenSearchEngine, id: i64) -> bool {
    shared(engine).exists(&spec(id)).expect("known")
}

#[test]
fn two_versions_have_indexes_of_their_own() {
    let Some(address) = node::address() else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let of = |format| {
        let prefix = node::prefix(folder.path());
        let access = ClusterAccess {
            format,
            ..node::access(address.clone(), prefix, SEARCH_SHARDS)
        };
        OpenSearchEngine::new(&access).expect("an access")
    };
    let (former, new) = (of(FORMER), of(NEW));
    let before = former.open(&spec(1)).expect("an index");
    write(before.as_ref(), 0);
    assert_eq!((exists(&former, 1), exists(&new, 1)), (true, false));

    let after = new.rebuild(&spec(1)).expect("an index");
    write(after.as_ref(), 0);
    write(after.as_ref(), 1);
    assert!(!exists(&new, 1));
    after.complete().expect("completed");
    assert!(exists(&new, 1));
    assert_eq!((found(before.as_ref()), found(after.as_ref())), (1, 2));
    // A rebuild by the new one retires nothing of the former one.
    new.renew(&spec(1)).expect("an index");
    let reopened = former.open(&spec(1)).expect("an index");
    assert_eq!(found(reopened.as_ref()), 1);

    for (engine, used, deleted) in [
        (&former, &[][..], 0),
        (&new, &[FORMER, NEW], 0),
        (&new, &[NEW], 1),
        (&new, &[NEW], 0),
    ] {
        let own = shared(engine).discard_earlier(used).expect("deleted");
        assert_eq!(own, deleted, "{used:?}");
    }
    assert_eq!((exists(&former, 1), exists(&new, 1)), (false, true));

    former.renew(&spec(2)).expect("an index");
    new.renew(&spec(2)).expect("an index");
    former.discard(IndexId(2)).expect("deleted");
    assert_eq!((exists(&former, 2), exists(&new, 2)), (false, false));
    new.discard(IndexId(1)).expect("deleted");
}
