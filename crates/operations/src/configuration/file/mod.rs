//! The whole configuration of a store as one file: export, import and copy (docs/api.md, "The configuration as one file").

mod applying;
mod checking;
mod export;
mod groups;
mod import;
mod matching;
mod whole;

pub use checking::FileChecks;
pub use export::{ConfigurationFile, ExportedRule, ExportedStore, export};
pub use import::{Imported, PartCounts, import};
