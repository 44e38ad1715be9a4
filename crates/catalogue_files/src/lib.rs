//! Reads the files in which shops have their catalogue: exports of platforms, product feeds, CSV, JSON and XML.
//!
//! A pure function of a file and settings to documents, notices and rejected rows (`docs/import.md`); it knows neither
//! storage nor HTTP. Memory does not grow with the file: rows that belong together meet in temporary files.

pub mod bounds;
mod bytes;
mod catalogue;
mod column_counts;
mod documents;
mod error;
mod mapping;
mod opened;
pub mod report;
mod rows;
mod settings;
mod statistics;
mod values;

pub use catalogue::{Catalogue, ReadProgress, read};
pub use documents::partitions::{FileDocument, MergedFile};
pub use documents::spool::SpoolReader;
pub use error::{FileError, FileErrorCode, ReadError};
pub use mapping::options::{MappedColumn, MappingOptions};
pub use mapping::profile::ColumnProfile;
pub use mapping::table::{NEVER_STORED, TABLE_PROFILES, TableRow, table};
pub use mapping::target::Target;
pub use mapping::target_name::MappedTarget;
pub use mapping::woocommerce::translations;
pub use opened::{OpenedFile, is_stream_of_documents};
pub use settings::ReadSettings;
pub use statistics::DocumentStatistics;
pub use values::currencies::is_code;

/// Returns the encoding of a label of the WHATWG, such as `windows-1252`.
pub fn encoding_of(label: &str) -> Option<&'static encoding_rs::Encoding> {
    encoding_rs::Encoding::for_label(label.as_bytes())
}
