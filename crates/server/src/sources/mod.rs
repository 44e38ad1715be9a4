//! Sources are fetched and imported here, by one job of the process; what is due and what becomes of it is known by the
//! operations, how a file is fetched by `fetching`, how it is read and stored by `imports`.

mod fetch_file;
mod import_file;
mod job;
mod mapping;
mod one_source;
mod spool;

pub use job::SourceJob;
pub use mapping::invalid_mapping;
