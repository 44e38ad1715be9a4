//! Whether the files of an index hold what was once written into them.

use tantivy::directory::Directory;
use tantivy::error::DataCorruption;
use tantivy::{IndexMeta, TantivyError};

/// Compares every file that the commit `metas` of `index` names with its checksum.
///
/// The library itself only looks at the ends of files: a bit that fell over in their midst would be found by a search,
/// as a wrong answer.
pub fn verify(index: &tantivy::Index, metas: &IndexMeta) -> tantivy::Result<()> {
    let directory = index.directory();
    for file in metas.list_segment_files() {
        // A segment names more files than it needs to have; one that it does need is missed when it is opened.
        if directory.exists(&file)? && !directory.validate_checksum(&file)? {
            let damaged = DataCorruption::new(file, "it is not what was written".to_owned());
            return Err(TantivyError::DataCorruption(damaged));
        }
    }
    Ok(())
}
