//! `dist`: builds the release binary without debug information, and a file with that information.

use crate::failure::{Failure, Outcome};
use crate::process;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Option of cargo that keeps the debug information in the built binary, from which it goes to its own file.
const KEEP_DEBUG_INFORMATION: &str = "profile.release.strip=false";
/// Names of the two files.
const BINARY: &str = "findwell";
const DEBUG_INFORMATION: &str = "findwell.debug";

/// Builds both files into the folder `dist` beside the folder `release` of the target directory.
pub fn run() -> Outcome<()> {
    let built = process::build(&["--config", KEEP_DEBUG_INFORMATION])?;
    let folder = folder_of(&built)?;
    fs::create_dir_all(&folder).map_err(Failure::of(folder.display()))?;
    let (binary, debug) = (folder.join(BINARY), folder.join(DEBUG_INFORMATION));
    objcopy([
        OsStr::new("--only-keep-debug"),
        built.as_ref(),
        debug.as_ref(),
    ])?;
    // The link holds the name and a checksum of the file, so a debugger uses no other one.
    let link = format!("--add-gnu-debuglink={}", debug.display());
    let arguments = [
        "--strip-debug".as_ref(),
        link.as_ref(),
        built.as_ref(),
        binary.as_ref(),
    ];
    objcopy(arguments)?;
    for file in [binary, debug] {
        let bytes = fs::metadata(&file)
            .map_err(Failure::of(file.display()))?
            .len();
        println!("{} {} MB", file.display(), bytes / 1_000_000);
    }
    Ok(())
}

fn folder_of(built: &Path) -> Outcome<PathBuf> {
    let target = built.parent().and_then(Path::parent);
    let target = target.ok_or_else(|| Failure::new("the binary is in no target directory"))?;
    Ok(target.join("dist"))
}

/// Runs `objcopy`, which comes with every C compiler.
fn objcopy<const N: usize>(arguments: [&OsStr; N]) -> Outcome<()> {
    let status = Command::new("objcopy").args(arguments).status();
    let status = status.map_err(Failure::of("objcopy"))?;
    let failed = || Failure::new(format!("objcopy: {status}"));
    status.success().then_some(()).ok_or_else(failed)
}
