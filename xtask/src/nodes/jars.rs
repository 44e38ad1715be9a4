//! The program of the node: downloaded by Maven from Maven Central, and compared with pinned checksums.

use crate::failure::{Failure, Outcome};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The task of Maven that copies what a project needs.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";

/// Downloads the program that `sources` names into `folder`, unless it is there, and returns the folder of its archives.
///
/// Errors: an archive is missing or has another checksum.
pub fn download(sources: &Path, folder: &Path) -> Outcome<PathBuf> {
    let list = sources.join("jars.sha256");
    let text = fs::read_to_string(&list).map_err(Failure::of(list.display()))?;
    let pinned = pinned(&text);
    let lib = folder.join("lib");
    if found(&lib).is_ok_and(|found| found == pinned) {
        return Ok(lib);
    }
    copy(&sources.join("pom.xml"), &lib)?;
    let found = found(&lib)?;
    let differs = pinned
        .iter()
        .find(|(name, sum)| found.get(*name) != Some(*sum));
    let unknown = found.keys().find(|name| !pinned.contains_key(*name));
    match (differs.map(|(name, _)| name)).or(unknown) {
        None => Ok(lib),
        Some(name) => Err(Failure::new(format!(
            "{}: {name} is not the one of jars.sha256",
            lib.display()
        ))),
    }
}

/// Returns the checksum of each archive of the list.
fn pinned(list: &str) -> BTreeMap<String, String> {
    let lines = list.lines().filter_map(|line| line.split_once("  "));
    lines
        .map(|(sum, name)| (name.to_owned(), sum.to_owned()))
        .collect()
}

/// Returns the checksum of each archive in `lib`.
fn found(lib: &Path) -> Outcome<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(lib).map_err(Failure::of(lib.display()))? {
        let path = entry.map_err(Failure::of(lib.display()))?.path();
        let bytes = fs::read(&path).map_err(Failure::of(path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let digest = Sha256::digest(&bytes);
        let sum: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        found.insert(name.into_owned(), sum);
    }
    Ok(found)
}

fn copy(pom: &Path, lib: &Path) -> Outcome<()> {
    let status = Command::new("mvn")
        .args(["-B", "-q", "-f"])
        .arg(pom)
        .args([COPY, "-DincludeScope=runtime"])
        .arg(format!("-DoutputDirectory={}", lib.display()))
        .status()
        .map_err(Failure::of("mvn, which is the package maven of Debian"))?;
    match status.success() {
        true => Ok(()),
        false => Err(Failure::new("Maven could not download the node")),
    }
}
