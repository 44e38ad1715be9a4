//! The software bill of materials: every crate in the binary with its version, licence and checksum, in the format CycloneDX.

use super::machine::Machine;
use super::output;
use crate::failure::{Failure, Outcome};
use crate::workspace;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// Name of the file, as tools for CycloneDX expect it to end.
const FILE: &str = "findwell.cdx.json";
/// The package of the binary.
const ROOT: &str = "server";

/// Writes the bill of what is built for `machine` into `folder`.
///
/// # Errors
///
/// Cargo fails, or a file cannot be read or written.
pub fn write(folder: &Path, machine: Machine) -> Outcome<()> {
    let metadata = cargo(&["metadata", "--format-version", "1", "--locked"])?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(Failure::of("cargo metadata"))?;
    // What cargo describes are the crates of all systems and features.
    let target = machine.target();
    let tree = ["tree", "--locked", "--package", ROOT, "--target", &target];
    let format = ["--edges", "normal", "--prefix", "none", "--format", "{p}"];
    let tree = cargo(&[tree, format].concat())?;
    let lock = workspace::root().join("Cargo.lock");
    let lock = fs::read_to_string(&lock).map_err(Failure::of(lock.display()))?;
    let path = folder.join(FILE);
    let bill = bill(&metadata, &linked(&tree), &checksums(&lock)?);
    fs::write(&path, format!("{bill:#}\n")).map_err(Failure::of(path.display()))
}

/// Runs cargo on the workspace; returns what it prints.
fn cargo(arguments: &[&str]) -> Outcome<String> {
    let manifest = workspace::root().join("Cargo.toml");
    let of_workspace = ["--manifest-path".as_ref(), manifest.as_os_str()];
    let arguments = arguments.iter().map(OsStr::new).chain(of_workspace);
    let printed = output("cargo", &arguments.collect::<Vec<_>>())?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

/// Name and version of a crate.
type Crate = (String, String);

/// Returns the crates in lines such as `serde v1.0.0`, but for those that run in the compiler.
fn linked(tree: &str) -> BTreeSet<Crate> {
    let lines = tree.lines().filter(|line| !line.contains("(proc-macro)"));
    let crates = lines.filter_map(|line| {
        let mut words = line.split(' ');
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        Some((name.to_owned(), version.to_owned()))
    });
    crates.collect()
}

/// The checksum of each crate.
type Checksums = BTreeMap<Crate, String>;

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

/// Returns the bill of the binary, of the crates that are linked.
fn bill(metadata: &Value, linked: &BTreeSet<Crate>, checksums: &Checksums) -> Value {
    let is_linked = |one: &&Value| {
        linked.contains(&(
            text(&one["name"]).to_owned(),
            text(&one["version"]).to_owned(),
        ))
    };
    let mut crates: Vec<&Value> = list(&metadata["packages"]).filter(is_linked).collect();
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

    use super::{bill, checksums, linked};
    use serde_json::json;

    #[test]
    fn what_is_linked_is_listed() {
        let package =
            |name: &str| json!({"name": name, "version": "1.0.0", "license": "MIT/Apache-2.0"});
        let packages = ["server", "serde", "serde_derive", "proptest"].map(package);
        let metadata = json!({"packages": packages});
        let tree = "server v1.0.0 (/place)\nserde v1.0.0\nserde_derive v1.0.0 (proc-macro)\nserde v1.0.0 (*)\n";
        let lock = "[[package]]\nname = \"serde\"\nversion = \"1.0.0\"\nchecksum = \"ab12\"\n";
        let bill = bill(&metadata, &linked(tree), &checksums(lock).expect("TOML"));
        let components = bill["components"].as_array().expect("components");
        let names: Vec<_> = components.iter().map(|one| one["name"].as_str()).collect();
        assert_eq!(names, [Some("serde"), Some("server")]);
        let serde = &components[0];
        assert_eq!(serde["purl"], "pkg:cargo/serde@1.0.0");
        assert_eq!(serde["hashes"][0]["content"], "ab12");
        assert_eq!(serde["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert!(components[1]["hashes"].is_null());
    }
}
