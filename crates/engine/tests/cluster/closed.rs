//! An index that was left closed, as by a server that was killed, or that lost its cluster, while it changed the similarities.
//!
//! 1. The next write opens it, whoever has closed it, and nothing of that write is lost or refused.
//! 2. So does whoever reads what others wrote, and the next opening.

use crate::node;
use crate::tents::{found, spec, write};
use engine::Engine;
use tempfile::TempDir;

/// Closes all indexes of an engine on the node.
fn close(address: &str, folder: &TempDir) {
    let indexes = node::prefix(folder.path());
    let closed = ureq::post(format!("{address}/{indexes}-*/_close")).send_empty();
    closed.expect("closed");
}

#[test]
fn an_index_that_was_left_closed_is_opened() {
    let Some(address) = node::address() else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let spec = spec("closed", 1);
    let [engine, other] = [(), ()].map(|()| node::engine(folder.path()));
    let index = engine.open(&spec).expect("an index");
    for number in 0..4 {
        write(index.as_ref(), number);
    }
    // The averages are those of four tents, so the next one does not change them.
    close(&address, &folder);
    write(index.as_ref(), 4);
    assert_eq!(found(index.as_ref()), 5);

    let opened = other.open(&spec).expect("an index");
    close(&address, &folder);
    write(opened.as_ref(), 5);
    assert_eq!(found(index.as_ref()), 6);

    close(&address, &folder);
    assert!(index.reread().expect("read"));
    assert_eq!(found(index.as_ref()), 6);

    close(&address, &folder);
    let reopened = node::engine(folder.path()).open(&spec);
    assert_eq!(found(reopened.expect("an index").as_ref()), 6);
}
