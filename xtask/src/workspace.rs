//! The workspace: its folder, its text files, and its manifests.

use crate::failure::{Failure, Outcome};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// A text file of the workspace.
pub struct SourceFile {
    /// Path below the root, with forward slashes.
    pub path: String,
    /// Content of the file.
    pub text: String,
}

impl SourceFile {
    /// Whether the file's extension is `ending`.
    pub fn ends_with(&self, ending: &str) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|e| e == ending)
    }

    /// Returns the text up to the unit tests at the end of the file.
    pub fn product(&self) -> &str {
        let tests = self.text.find("\n#[cfg(test)]\nmod tests");
        tests.map_or(&self.text, |at| &self.text[..at])
    }
}

const TEXT_ENDINGS: [&str; 13] = [
    "rs", "toml", "md", "sql", "js", "ts", "css", "html", "sh", "txt", "php", "tpl", "mjs",
];

/// All text files of the workspace in the order of their paths; build output and hidden folders are left out.
pub fn files(root: &Path) -> Outcome<Vec<SourceFile>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(Failure::of(folder.display()))? {
            let path = entry.map_err(Failure::of(folder.display()))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                let built = ["target", "node_modules"].contains(&&*name);
                let skipped = name.starts_with('.') || built || name.ends_with("-data");
                if !skipped {
                    folders.push(path);
                }
            } else if path
                .extension()
                .is_some_and(|e| TEXT_ENDINGS.iter().any(|t| e == *t))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found.into_iter().map(|path| read(root, &path)).collect()
}

fn read(root: &Path, path: &Path) -> Outcome<SourceFile> {
    let text = fs::read_to_string(path).map_err(Failure::of(path.display()))?;
    let inner = path.strip_prefix(root).unwrap_or(path);
    let path = inner.to_string_lossy().replace('\\', "/");
    Ok(SourceFile { path, text })
}

/// A member of the workspace and what it depends on.
#[derive(Debug, Default)]
pub struct Member {
    /// Dependencies of the crate itself.
    pub dependencies: Vec<String>,
    /// Dependencies of its tests and benches.
    pub dev_dependencies: Vec<String>,
}

/// The members of the workspace by name.
pub fn members(files: &[SourceFile]) -> Outcome<BTreeMap<String, Member>> {
    let mut members = BTreeMap::new();
    for file in files.iter().filter(|f| f.path.ends_with("/Cargo.toml")) {
        let manifest: toml::Table = file.text.parse().map_err(Failure::of(&file.path))?;
        if manifest.contains_key("workspace") {
            // A workspace of its own, such as that of the fuzz targets, is not a crate of this one.
            continue;
        }
        let name = manifest
            .get("package")
            .and_then(|package| package.get("name"))
            .and_then(toml::Value::as_str)
            .ok_or_else(|| Failure::new(format!("{}: package.name is missing", file.path)))?;
        let names = |section: &str| {
            manifest
                .get(section)
                .and_then(toml::Value::as_table)
                .map(|table| table.keys().cloned().collect())
                .unwrap_or_default()
        };
        let member = Member {
            dependencies: names("dependencies"),
            dev_dependencies: names("dev-dependencies"),
        };
        members.insert(name.to_owned(), member);
    }
    Ok(members)
}
