//! Files that are laid out before they are packed: copied, written and made readable for everybody.

use crate::failure::{Failure, Outcome};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Mode of a program or script, and of any other file.
pub const PROGRAM: u32 = 0o755;
pub const FILE: u32 = 0o644;

/// A folder that takes the files of a package or image.
pub struct Staging(PathBuf);

impl Staging {
    /// Begins the folder anew.
    pub fn new(folder: PathBuf) -> Outcome<Self> {
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(Failure::of(folder.display()))?;
        }
        fs::create_dir_all(&folder).map_err(Failure::of(folder.display()))?;
        Ok(Self(folder))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Writes a file with a mode; folders above it are created.
    pub fn write(&self, path: &str, content: &[u8], mode: u32) -> Outcome<()> {
        let target = self.0.join(path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(Failure::of(parent.display()))?;
        }
        fs::write(&target, content).map_err(Failure::of(target.display()))?;
        let permissions = Permissions::from_mode(mode);
        fs::set_permissions(&target, permissions).map_err(Failure::of(target.display()))
    }

    /// Copies a file with a mode.
    pub fn copy(&self, path: &str, source: &Path, mode: u32) -> Outcome<()> {
        let content = fs::read(source).map_err(Failure::of(source.display()))?;
        self.write(path, &content, mode)
    }

    /// Copies all files below a folder.
    pub fn copy_folder(&self, path: &str, source: &Path) -> Outcome<()> {
        for file in super::checksums::files_below(source)? {
            let inner = file
                .strip_prefix(source)
                .map_err(Failure::of(file.display()))?;
            self.copy(&format!("{path}/{}", inner.display()), &file, FILE)?;
        }
        Ok(())
    }

    /// Kilobytes of all files.
    pub fn kilobytes(&self) -> Outcome<u64> {
        let files = super::checksums::files_below(&self.0)?;
        let sizes = files
            .iter()
            .map(|file| fs::metadata(file).map(|about| about.len()));
        let bytes: std::io::Result<u64> = sizes.sum();
        let bytes = bytes.map_err(Failure::of(self.0.display()))?;
        Ok(bytes.div_ceil(1_024))
    }
}
