//! `module`: builds the archive of the shop module and the description of its release.

use crate::failure::{Failure, Outcome};
use crate::workspace;
use crate::zip_archive::ZipArchive;
use clap::Args;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Top folder of the archive, which is the name of the module.
const FOLDER: &str = "findwell";
/// Keeps a web server from listing a folder of the module.
const INDEX: &str = "<?php\nheader('Location: ../');\nexit;\n";

/// Options of the task.
#[derive(Args)]
pub struct Options {
    /// Folder that the service reads releases from; the files go to its subfolder `prestashop`.
    #[arg(long, default_value = "target/releases")]
    releases: PathBuf,
}

/// Writes `prestashop-<version>.zip` and `prestashop-<version>.json`.
///
/// # Errors
///
/// The files of the module that name its version disagree, or a file cannot be read or written.
pub fn run(options: &Options) -> Outcome<()> {
    write(&options.releases)
}

/// Writes both files into the subfolder `prestashop` of `releases`.
pub fn write(releases: &Path) -> Outcome<()> {
    let source = workspace::root().join("modules/prestashop");
    let files = files(&source.join(FOLDER))?;
    let release = read(&source.join("release.json"))?;
    let mut release: Map<String, Value> = serde_json::from_str(&release)
        .map_err(|error| Failure::new(format!("release.json: {error}")))?;
    let version = agreed_version(&files, &release)?;
    let script = format!("upgrade/upgrade-{version}.php");
    release.insert(
        "hasUpgradeScript".into(),
        files.contains_key(&script).into(),
    );

    let bytes = archive(&files)?;
    let folder = releases.join("prestashop");
    fs::create_dir_all(&folder).map_err(Failure::of(folder.display()))?;
    let text =
        serde_json::to_string_pretty(&release).map_err(|error| Failure::new(error.to_string()))?;
    // The description comes last: the service offers a release only when both are there.
    for (ending, content) in [("zip", bytes), ("json", text.into_bytes())] {
        let path = folder.join(format!("prestashop-{version}.{ending}"));
        fs::write(&path, &content).map_err(Failure::of(path.display()))?;
        println!("{} {} bytes", path.display(), content.len());
    }
    Ok(())
}

fn archive(files: &BTreeMap<String, Vec<u8>>) -> Outcome<Vec<u8>> {
    let mut archive = ZipArchive::default();
    for (name, content) in files {
        let path = format!("{FOLDER}/{name}");
        archive.add(&path, content).map_err(Failure::of(path))?;
    }
    archive.finish().map_err(Failure::of("archive"))
}

/// All files of the module by their path below it, with a guard in each folder.
fn files(root: &Path) -> Outcome<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let path = root.join(&folder);
        found.insert(slashed(&folder.join("index.php")), INDEX.into());
        for entry in fs::read_dir(&path).map_err(Failure::of(path.display()))? {
            let entry = entry.map_err(Failure::of(path.display()))?;
            let below = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(below);
            } else {
                let content =
                    fs::read(entry.path()).map_err(Failure::of(entry.path().display()))?;
                found.insert(slashed(&below), content);
            }
        }
    }
    Ok(found)
}

fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// The version that the main class, the configuration, the code, the changelog and the release name alike.
fn agreed_version(
    files: &BTreeMap<String, Vec<u8>>,
    release: &Map<String, Value>,
) -> Outcome<String> {
    let version = release.get("version").and_then(Value::as_str);
    let version = version.ok_or_else(|| Failure::new("release.json names no version"))?;
    let three = version.split('.').filter(|part| {
        let short = (1..=6).contains(&part.len());
        short && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    if version.split('.').count() != 3 || three.count() != 3 {
        let message = format!("release.json: {version} is no version of three numbers");
        return Err(Failure::new(message));
    }
    let places = [
        ("findwell.php", format!("$this->version = '{version}';")),
        (
            "config.xml",
            format!("<version><![CDATA[{version}]]></version>"),
        ),
        ("src/Platform/Boot.php", format!("VERSION = '{version}';")),
        ("CHANGELOG.md", format!("\n## {version}\n")),
    ];
    for (name, expected) in places {
        let content = files.get(name).map(Vec::as_slice).unwrap_or_default();
        if !String::from_utf8_lossy(content).contains(&expected) {
            let message = format!("{name} does not name the version {version} of release.json");
            return Err(Failure::new(message));
        }
    }
    Ok(version.into())
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(Failure::of(path.display()))
}

#[cfg(test)]
mod tests {
    use super::{agreed_version, archive, files};
    use crate::workspace;
    use serde_json::json;

    #[test]
    fn every_folder_has_a_guard_and_versions_agree() {
        let root = workspace::root().join("modules/prestashop/findwell");
        let files = files(&root).expect("the module");
        for folder in [
            "",
            "src/",
            "src/Core/Sync/",
            "controllers/front/",
            "views/css/",
        ] {
            assert!(
                files.contains_key(&format!("{folder}index.php")),
                "{folder}"
            );
        }
        assert_eq!(archive(&files).expect("zip"), archive(&files).expect("zip"));

        let release = std::fs::read_to_string(root.join("../release.json")).expect("release.json");
        let release: serde_json::Map<_, _> = serde_json::from_str(&release).expect("an object");
        agreed_version(&files, &release).expect("one version");
        for wrong in [json!("99.0.0"), json!("1.0"), json!(1), json!("1.0.x")] {
            let mut release = release.clone();
            release.insert("version".into(), wrong);
            assert!(agreed_version(&files, &release).is_err());
        }
    }
}
