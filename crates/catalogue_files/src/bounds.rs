//! What a file may have at most; each bound is enforced while the file is read (`docs/import.md`, "Bounds").

/// Bytes of a file, packed.
pub const RECEIVED_BYTES_MAX: u64 = 4 << 30;
/// Bytes of a file, unpacked.
pub const UNPACKED_BYTES_MAX: u64 = 4 << 30;
/// Unpacked bytes from which on [`UNPACKED_RATIO_MAX`] counts.
pub const UNPACKED_RATIO_FROM: u64 = 10 << 20;
/// Unpacked bytes for each packed one.
pub const UNPACKED_RATIO_MAX: u64 = 200;
/// Bytes of the directory of a zip archive, which is read as a whole.
pub const ZIP_DIRECTORY_BYTES_MAX: u32 = 1 << 20;
/// Bytes of a row.
pub const ROW_BYTES_MAX: usize = 1 << 20;
/// FileColumns of a file.
pub const COLUMNS_MAX: usize = 2_000;
/// Characters of the name of a column.
pub const COLUMN_CHARACTERS_MAX: usize = 255;
/// Rows of a file.
pub const ROWS_MAX: u64 = 10_000_000;
/// Documents of a file.
pub const DOCUMENTS_MAX: u64 = 5_000_000;
/// Depth of elements in XML.
pub const XML_DEPTH_MAX: usize = 16;
/// Attributes of an element in XML.
pub const XML_ATTRIBUTES_MAX: usize = 64;
/// Depth of values in JSON.
pub const JSON_DEPTH_MAX: usize = 32;
/// Rows of a group.
pub const GROUP_ROWS_MAX: usize = 2_048;
/// Bytes of the rows of a group.
pub const GROUP_BYTES_MAX: usize = 16 << 20;
/// Rows at the start of a file that decide what its columns mean.
pub const EVIDENCE_ROWS: u64 = 10_000;
/// Objects at the start of a JSON file that decide whose names its keys are.
pub const PROFILE_OBJECTS: u64 = 1_000;
/// Rows of a preview.
pub const PREVIEW_ROWS_MAX: u64 = 100_000;
/// Bytes of a preview, unpacked.
pub const PREVIEW_BYTES_MAX: u64 = 256 << 20;
/// Documents that a preview shows.
pub const PREVIEW_DOCUMENTS: usize = 3;
/// Rejected rows that a result names.
pub const REJECTED_MAX: usize = 1_000;
/// Warnings of a result.
pub const WARNINGS_MAX: usize = 200;
/// Lines that a warning names.
pub const WARNING_LINES: usize = 5;
/// Characters of an example.
pub const EXAMPLE_CHARACTERS_MAX: usize = 100;
/// Keys of `extra`.
pub const EXTRA_KEYS_MAX: usize = 500;
/// Bytes of `extra`, as JSON.
pub const EXTRA_BYTES_MAX: usize = 64 << 10;
/// Pictures in `images`.
pub const IMAGES_MAX: usize = 20;
/// Characters of an id, of a document, a group or a value.
pub const ID_CHARACTERS_MAX: usize = 255;
/// FileColumns that a mapping names.
pub const MAPPED_COLUMNS_MAX: usize = 500;
/// Share of rows, in percent, that the id of profile `plain` fills.
pub const ID_FILLED_PERCENT: u64 = 95;
/// Items of a list of a document; the feed keeps fewer.
pub const LIST_ITEMS_MAX: usize = 2_000;
/// Bytes of the rows that are merged at a time.
pub const PARTITION_BYTES: u64 = 8 << 20;
/// Files that rows are divided into.
pub const PARTITIONS_MAX: u64 = 256;
/// Share of documents below which a field counts as missing.
pub const MISSING_SHARE: f64 = 0.05;
