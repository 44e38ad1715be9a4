//! The software bill of materials: every crate in the binary with its version, licence and checksum, in the format CycloneDX.

use crate::failure::{Failure, Outcome};
use crate::workspace;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Name of the file, as tools for CycloneDX expect it to end.
const FILE: &str = "findwell.cdx.json";
/// The package of the binary.
const ROOT: &str = "server";

/// Writes the bill into `folder`.
///
/// # Errors
///
/// Cargo fails, or a file cannot be read or written.
pub fn write(folder: &Path) -> Outcome<()> {
    let output = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(workspace::root())
        .output()
        .map_err(Failure::of("cargo metadata"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(format!("cargo metadata: {}", reason.trim())));
    }
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(Failure::of("cargo metadata"))?;
    let lock = workspace::root().join("Cargo.lock");
    let lock = fs::read_to_string(&lock).map_err(Failure::of(lock.display()))?;
    let path = folder.join(FILE);
    let text = format!("{:#}\n", bill(&metadata, &checksums(&lock)?));
    fs::write(&path, text).map_err(Failure::of(path.display()))
}

/// Name and version of a crate, and its checksum.
type Checksums = BTreeMap<(String, String), String>;

/// Reads the checksums of crates from the file of locked versions.
fn checksums(lock: &str) -> Outcome<Checksums> {
    let lock: toml::Table = lock.parse().map_err(Failure::of("Cargo.lock"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let found = packages.into_iter().flatten().filter_map(|package| {
        let of = |key: &str| package.get(key)?.as_str().map(str::to_owned);
        Some(((of("name")?, of("version")?), of("checksum")?))
    });
    Ok(found.collect())
}

/// Returns the bill of the binary by what cargo says.
fn bill(metadata: &Value, checksums: &Checksums) -> Value {
    let packages = list(&metadata["packages"]);
    let packages: HashMap<&str, &Value> = packages.map(|one| (text(&one["id"]), one)).collect();
    let root = packages.iter().find(|(_, one)| one["name"] == ROOT);
    let linked = root.map_or_else(BTreeSet::new, |(id, _)| linked(metadata, id));
    let mut crates: Vec<&Value> = linked
        .iter()
        .filter_map(|id| packages.get(id))
        .copied()
        .collect();
    crates.sort_by_key(|one| (text(&one["name"]), text(&one["version"])));
    let components = crates.iter().map(|one| component(one, checksums));
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {
            "type": "application", "name": "findwell", "version": env!("CARGO_PKG_VERSION"),
        }},
        "components": components.collect::<Vec<_>>(),
    })
}

/// Returns the ids of all packages that are linked into that of `root`, itself among them: neither those of tests nor those that
/// run while it is built.
fn linked<'a>(metadata: &'a Value, root: &'a str) -> BTreeSet<&'a str> {
    let nodes = list(&metadata["resolve"]["nodes"]);
    let nodes: HashMap<&str, &Value> = nodes.map(|node| (text(&node["id"]), node)).collect();
    let (mut found, mut next) = (BTreeSet::new(), vec![root]);
    while let Some(id) = next.pop() {
        if found.insert(id)
            && let Some(node) = nodes.get(id)
        {
            let normal = list(&node["deps"])
                .filter(|one| list(&one["dep_kinds"]).any(|kind| kind["kind"].is_null()));
            next.extend(normal.map(|one| text(&one["pkg"])));
        }
    }
    found
}

fn component(package: &Value, checksums: &Checksums) -> Value {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    let mut component = json!({
        "type": "library", "name": name, "version": version, "purl": format!("pkg:cargo/{name}@{version}"),
    });
    if let Some(license) = package["license"].as_str() {
        // Some write "or" as the slash of former times.
        component["licenses"] = json!([{"expression": license.replace('/', " OR ")}]);
    }
    if let Some(checksum) = checksums.get(&(name.to_owned(), version.to_owned())) {
        component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    }
    component
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    //! What is linked is listed with licence and checksum; what tests and builds need is not.

    use super::{bill, checksums};
    use serde_json::json;

    #[test]
    fn what_is_linked_is_listed() {
        let package = |name: &str| json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0"});
        let packages = ["server", "query", "serde", "proptest", "cc"].map(package);
        let normal = json!([{"kind": null}]);
        let metadata = json!({
            "packages": packages,
            "resolve": {"nodes": [
                {"id": "server", "deps": [
                    {"pkg": "query", "dep_kinds": normal},
                    {"pkg": "proptest", "dep_kinds": [{"kind": "dev"}]},
                    {"pkg": "cc", "dep_kinds": [{"kind": "build"}]},
                ]},
                {"id": "query", "deps": [{"pkg": "serde", "dep_kinds": normal}, {"pkg": "server", "dep_kinds": normal}]},
            ]},
        });
        let lock = "[[package]]\nname = \"serde\"\nversion = \"1.0.0\"\nchecksum = \"ab12\"\n";
        let bill = bill(&metadata, &checksums(lock).expect("TOML"));
        let components = bill["components"].as_array().expect("components");
        let names: Vec<_> = components.iter().map(|one| one["name"].as_str()).collect();
        assert_eq!(names, [Some("query"), Some("serde"), Some("server")]);
        assert_eq!(components[1]["purl"], "pkg:cargo/serde@1.0.0");
        assert_eq!(components[1]["hashes"][0]["content"], "ab12");
        assert_eq!(
            components[1]["licenses"][0]["expression"],
            "MIT OR Apache-2.0"
        );
        assert!(components[0]["hashes"].is_null());
    }
}
