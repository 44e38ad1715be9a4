//! Lists of deleted documents that no commit names: what is left of a commit that was cut off.

use std::path::{Path, PathBuf};

/// Removes them from the index in `folder`, into which nobody may be writing.
///
/// Such a list is named after the commit that it was for. Repeated, that commit makes it again, and would fail for
/// ever because a file of that name is there.
pub fn remove(index: &tantivy::Index, folder: &Path) -> tantivy::Result<()> {
    let named = index.load_metas()?.list_segment_files();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        if name.extension().is_some_and(|end| end == "del") && !named.contains(&name) {
            std::fs::remove_file(&path)?;
        }
    }
    Ok(())
}
