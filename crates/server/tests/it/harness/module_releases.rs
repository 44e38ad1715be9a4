//! Releases of the shop module as their folder has them: an archive and its description.

use super::Shop;
use operations::jobs;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A whole archive with this text as its only file.
pub fn archive(text: &str) -> Vec<u8> {
    let mut bytes = [b"PK\x03\x04", text.as_bytes()].concat();
    let directory = u32::try_from(bytes.len()).expect("small");
    bytes.extend(b"PK\x01\x02");
    bytes.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    bytes.extend(4_u32.to_le_bytes());
    bytes.extend(directory.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

/// The description of a version.
pub fn about(version: &str) -> Value {
    json!({
        "version": version, "released": "2026-11-20", "minPlatform": "8.0.0", "maxPlatform": "9.99.99",
        "minPhp": "8.1", "hasUpgradeScript": false, "reindexAdvised": true, "notes": {"en": "New.", "es": "Nuevo."}
    })
}

/// Writes both files of a release of `prestashop`.
pub fn put(dir: &Path, version: &str, zip: &[u8], about: &[u8]) {
    let dir = dir.join("prestashop");
    fs::create_dir_all(&dir).expect("created");
    fs::write(dir.join(format!("prestashop-{version}.zip")), zip).expect("written");
    fs::write(dir.join(format!("prestashop-{version}.json")), about).expect("written");
}

/// Writes a valid release of `prestashop`.
pub fn put_valid(dir: &Path, version: &str) {
    let about = about(version).to_string();
    put(dir, version, &archive(version), about.as_bytes());
}

/// Lets a shop's server read its folder now.
pub fn look_again(shop: &Shop) {
    let run = jobs::releases::run(shop.running().service());
    shop.block_on(run).expect("runs");
}
