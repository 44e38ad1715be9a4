//! The context of the container image: a folder that `docker build` or `podman build` takes as it is.

use super::staging::{FILE, PROGRAM, Staging};
use crate::failure::Outcome;
use crate::workspace;
use std::path::Path;

/// Writes the folder `image` into `dist`, which has the releases.
///
/// # Errors
///
/// A file cannot be read or written.
pub fn write(dist: &Path, binary: &Path) -> Outcome<()> {
    let staging = Staging::new(dist.join("image"))?;
    let dockerfile = workspace::root().join("packaging/image/Dockerfile");
    staging.copy("Dockerfile", &dockerfile, FILE)?;
    staging.copy("findwell", binary, PROGRAM)?;
    staging.copy_folder("releases", &dist.join("releases"))
}
