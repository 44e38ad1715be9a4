//! Copies of data directories.

use std::path::Path;

/// Copies the files and folders in `from` into `to`, over what is there; sockets are left out.
pub fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("created");
    for entry in std::fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() {
            copy_folder(&path, &target);
        } else if kind.is_file() {
            std::fs::copy(&path, &target).expect("copied");
        }
    }
}
