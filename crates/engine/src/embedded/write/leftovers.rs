//! Removes files of deleted documents that an interrupted commit left behind.

use std::path::{Path, PathBuf};

/// Removes `.del` files that the commit does not list from the index in `folder`; nothing else may be writing.
///
/// Such a file is named after its commit. When the commit is repeated it creates the file again, and would fail for ever
/// because the file exists.
pub fn remove(index: &tantivy::Index, folder: &Path) -> tantivy::Result<()> {
    let listed = index.load_metas()?.list_segment_files();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        if name.extension().is_some_and(|end| end == "del") && !listed.contains(&name) {
            std::fs::remove_file(&path)?;
        }
    }
    Ok(())
}
