//! The engines that are tested: the one place that names them.

use engine::{EmbeddedEngine, Engine};
use std::path::Path;

/// The embedded engine with the sizes of the product.
pub fn embedded(folder: &Path) -> Box<dyn Engine> {
    Box::new(EmbeddedEngine::new(folder.to_owned()))
}

/// The embedded engine with small sizes.
pub fn embedded_small(folder: &Path) -> Box<dyn Engine> {
    Box::new(EmbeddedEngine::small(folder.to_owned()))
}

/// The engine on a node of OpenSearch, where one runs.
pub fn opensearch(folder: &Path) -> Box<dyn Engine> {
    Box::new(super::node::engine(folder))
}
