//! Lists the files of both folders of migrations as Rust, so that the crate embeds them; a new file rebuilds it.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let out = env::var("OUT_DIR")?;
    for folder in ["migrations", "migrations-analytics"] {
        println!("cargo:rerun-if-changed=../../{folder}");
        let list = list(&root.join(folder).canonicalize()?)?;
        fs::write(Path::new(&out).join(format!("{folder}.rs")), list)?;
    }
    Ok(())
}

/// Returns the expression for the numbers, descriptions and texts of the files, such as `0001_accounts.sql`.
fn list(folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut rows = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let (number, name) = stem
            .and_then(|stem| stem.split_once('_'))
            .ok_or("no name")?;
        let (number, description): (i64, _) = (number.parse()?, name.replace('_', " "));
        rows.push(format!(
            "({number}, {description:?}, include_str!({path:?}))"
        ));
    }
    Ok(format!("&[{}]", rows.join(", ")))
}
