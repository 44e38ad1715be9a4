//! Lists the files of the control panel for `panel/files.rs`, as they stand in their folder, so that no list is kept by
//! hand. Every build embeds their texts.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Folder of the files.
const FOLDER: &str = "src/assets/panel";

/// Start of the names of files that `panel/preview.rs` embeds: their page has addresses of its own.
const PREVIEW: &str = "preview.";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={FOLDER}");
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join(FOLDER);
    let mut names = Vec::new();
    collect(&folder, "", &mut names)?;
    names.retain(|name| !name.starts_with(PREVIEW));
    names.sort();
    let rows = names.iter().map(|name| {
        let path = folder.join(name);
        format!("({name:?}, include_str!({path:?})),\n")
    });
    let list = format!("&[\n{}]\n", rows.collect::<String>());
    fs::write(
        PathBuf::from(env::var("OUT_DIR")?).join("panel_files.rs"),
        list,
    )?;
    Ok(())
}

/// Adds the names of the files of a folder and of the folders in it, each with the path from the first folder.
fn collect(folder: &Path, above: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{above}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), names)?;
        } else {
            names.push(name);
        }
    }
    Ok(())
}
