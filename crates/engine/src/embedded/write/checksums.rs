//! Verifies the checksums of the files of an index.

use tantivy::directory::Directory;
use tantivy::error::DataCorruption;
use tantivy::{IndexMeta, TantivyError};

/// Compares every file of the commit `metas` of `index` with its checksum.
///
/// Tantivy only checks the footers of files when it opens them, so a flipped bit would surface as a wrong search result.
pub fn verify(index: &tantivy::Index, metas: &IndexMeta) -> tantivy::Result<()> {
    let directory = index.directory();
    for file in metas.list_segment_files() {
        // A segment lists more files than it must have; a missing file that it needs is found when the segment is opened.
        if directory.exists(&file)? && !directory.validate_checksum(&file)? {
            let damaged = DataCorruption::new(file, "its checksum differs".to_owned());
            return Err(TantivyError::DataCorruption(damaged));
        }
    }
    Ok(())
}
