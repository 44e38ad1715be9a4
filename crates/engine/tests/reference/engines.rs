//! The engines that are compared with the reference: the one place that names them.

use engine::{EmbeddedEngine, Engine};
use std::path::Path;

/// Memory budget of memos in bytes: a sixteenth of it has room for a handful of values.
const LITTLE: usize = 16 * 1024;

/// Creates the engine of a folder; called again, it is the engine after a restart.
pub type EngineOf = fn(&Path) -> Box<dyn Engine>;

/// The embedded engine with the sizes of the product.
pub fn embedded(folder: &Path) -> Box<dyn Engine> {
    Box::new(EmbeddedEngine::new(folder.to_owned()))
}

/// The embedded engine with small sizes.
pub fn embedded_small(folder: &Path) -> Box<dyn Engine> {
    Box::new(EmbeddedEngine::small(folder.to_owned()))
}

/// The embedded engine with small sizes and little memory for memos.
pub fn embedded_little_memory(folder: &Path) -> Box<dyn Engine> {
    Box::new(EmbeddedEngine::small(folder.to_owned()).with_memos(LITTLE))
}

/// The engine on a node of OpenSearch, where one runs.
pub fn opensearch(folder: &Path) -> Box<dyn Engine> {
    Box::new(super::node::engine(folder))
}
