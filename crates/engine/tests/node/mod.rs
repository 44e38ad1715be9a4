//! A node of OpenSearch for tests: the one that `cargo xtask nodes up` started in this checkout.

mod access;
mod address;

pub use access::access;
pub use address::address;

use engine::{OpenSearchEngine, SEARCH_SHARDS};
use std::path::Path;
use std::sync::Once;

/// The engine on the node, with indexes of its own for each folder; called again, it is the engine after a restart.
///
/// Indexes whose folder is gone are deleted first: the memory of the node is small.
pub fn engine(folder: &Path) -> OpenSearchEngine {
    let address = address().expect("a node");
    remove_left(&address);
    let access = access(address, prefix(folder), SEARCH_SHARDS);
    let engine = OpenSearchEngine::new(&access).expect("an address");
    static CHECKED: Once = Once::new();
    CHECKED.call_once(|| engine.check().expect("a cluster that can be used"));
    engine
}

fn remove_left(address: &str) {
    let list = ureq::get(format!("{address}/_cat/indices/t*?h=index")).call();
    let list = list.and_then(|mut response| response.body_mut().read_to_string());
    for index in list.expect("the indexes of the node").lines() {
        let name = index.split('-').next().and_then(folder_of);
        if name.is_some_and(|name| !std::env::temp_dir().join(name).exists()) {
            // Another process may have deleted it.
            let _ = ureq::delete(format!("{address}/{index}")).call();
        }
    }
}

/// The name of the folder with a prefix.
fn folder_of(prefix: &str) -> Option<String> {
    let digits = prefix.strip_prefix('t')?.as_bytes().chunks(2);
    let bytes = digits.map(|two| {
        let two = std::str::from_utf8(two).ok()?;
        u8::from_str_radix(two, 16).ok()
    });
    String::from_utf8(bytes.collect::<Option<_>>()?).ok()
}

/// Names of indexes have no capital letters, those of folders have some.
pub fn prefix(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default();
    let letters = name
        .as_encoded_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"));
    format!("t{}", letters.collect::<String>())
}
