//! `dist`: builds what is shipped: the release binary without debug information, a file with that information, the
//! archive of the shop module, the Debian package, the context of the container image, the bill of materials, and the checksums
//! of all of it.

mod checksums;
mod image;
mod machine;
mod materials;
mod package;
mod staging;

use crate::failure::{Failure, Outcome};
use crate::module_release;
use clap::Args;
use machine::Machine;
use staging::Staging;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names of the files of the binary, and of the folder that a service reads releases of the shop module from.
const BINARY: &str = "findwell";
const DEBUG_INFORMATION: &str = "findwell.debug";
const RELEASES: &str = "releases";
/// 1980-01-01, as in the archive of the shop module: the same files give the same package.
const TIME: &str = "315532800";

/// Options of the task.
#[derive(Args)]
pub struct Options {
    /// Packs this binary instead of building one.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Builds for this architecture, too, into a folder of its name; needs a compiler of C and the target of Rust for it.
    #[arg(long, value_enum, value_name = "ARCHITECTURE")]
    also: Vec<Machine>,
}

/// Builds everything into the folder `dist` beside the folder of the built binary, which is begun anew.
pub fn run(options: &Options) -> Outcome<()> {
    let this = Machine::this()?;
    let mut others = options.also.clone();
    others.retain(|machine| *machine != this);
    let built = match &options.binary {
        Some(binary) => fs::canonicalize(binary).map_err(Failure::of(binary.display()))?,
        None => this.build()?,
    };
    let folder = folder_of(&built)?;
    // What an earlier version left is no part of this one.
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Failure::of(folder.display()))?;
    }
    let here = Shipped::new(this, &built, &folder)?;
    here.write(&here.binary)?;
    for machine in others {
        let folder = folder.join(machine.debian());
        Shipped::new(machine, &machine.build()?, &folder)?.write(&here.binary)?;
    }
    let files = checksums::files_below(&folder)?;
    checksums::write(&folder, &files)?;
    for file in files {
        let metadata = fs::metadata(&file).map_err(Failure::of(file.display()))?;
        println!("{} {} kB", file.display(), metadata.len().div_ceil(1_000));
    }
    Ok(())
}

/// What is shipped for one architecture.
struct Shipped<'a> {
    machine: Machine,
    folder: &'a Path,
    /// Without its debug information.
    binary: PathBuf,
}

impl<'a> Shipped<'a> {
    /// Takes the debug information out of the binary `built`, into `folder`, which is created.
    fn new(machine: Machine, built: &Path, folder: &'a Path) -> Outcome<Self> {
        fs::create_dir_all(folder).map_err(Failure::of(folder.display()))?;
        let binary = binary(machine, built, folder)?;
        Ok(Self {
            machine,
            folder,
            binary,
        })
    }

    /// Writes all of it. Manual pages and completions are what `runnable`, the binary of this machine, writes.
    fn write(&self, runnable: &Path) -> Outcome<()> {
        package::pack(self, &self.lay_out()?, runnable)?;
        materials::write(self.folder, self.machine)
    }

    /// Writes the archive of the shop module, and all that has it too: the context of the image, and the files of the
    /// package, which it returns.
    fn lay_out(&self) -> Outcome<Staging> {
        module_release::write(&self.folder.join(RELEASES))?;
        image::write(self.folder, &self.binary)?;
        package::lay_out(self)
    }
}

/// Writes the binary without its debug information, and a file that has it; returns the binary.
fn binary(machine: Machine, built: &Path, folder: &Path) -> Outcome<PathBuf> {
    let (binary, debug) = (folder.join(BINARY), folder.join(DEBUG_INFORMATION));
    // It comes with every compiler of C.
    let objcopy = machine.tool("objcopy")?;
    let arguments = [
        OsStr::new("--only-keep-debug"),
        built.as_ref(),
        debug.as_ref(),
    ];
    output(&objcopy, &arguments)?;
    // The link holds the name and a checksum of the file, so a debugger uses no other one.
    let link = format!("--add-gnu-debuglink={}", debug.display());
    let arguments = [
        "--strip-debug".as_ref(),
        link.as_ref(),
        built.as_ref(),
        binary.as_ref(),
    ];
    output(&objcopy, &arguments)?;
    Ok(binary)
}

fn folder_of(built: &Path) -> Outcome<PathBuf> {
    let target = built.parent().and_then(Path::parent);
    let target = target.ok_or_else(|| Failure::new("the binary is in no target directory"))?;
    Ok(target.join("dist"))
}

/// Runs a program; returns its stdout.
fn output(program: &str, arguments: &[&OsStr]) -> Outcome<Vec<u8>> {
    let run = Command::new(PathBuf::from(program))
        .args(arguments)
        .env("SOURCE_DATE_EPOCH", TIME)
        .output()
        .map_err(Failure::of(program))?;
    let failed = || {
        let reason = String::from_utf8_lossy(&run.stderr);
        Failure::new(format!("{program}: {}", reason.trim()))
    };
    run.status.success().then_some(()).ok_or_else(failed)?;
    Ok(run.stdout)
}

#[cfg(test)]
mod tests {
    //! 1. The archive of the shop module and its description are shipped by themselves, in the image and in the package,
    //!    and the list of checksums has them.

    use super::{Machine, Shipped, checksums};
    use crate::workspace;
    use serde_json::Value;
    use std::fs;

    #[test]
    fn whatever_is_shipped_has_the_shop_module() {
        let place = tempfile::tempdir().expect("a folder");
        let (folder, binary) = (place.path().join("dist"), place.path().join("findwell"));
        fs::write(&binary, "a program").expect("written");
        let shipped = Shipped {
            machine: Machine::Amd64,
            folder: &folder,
            binary,
        };
        shipped.lay_out().expect("laid out");
        let files = checksums::files_below(&folder).expect("read");
        checksums::write(&folder, &files).expect("written");
        let list = fs::read_to_string(folder.join("SHA256SUMS")).expect("the list");
        let release = workspace::root().join("modules/prestashop/release.json");
        let release = fs::read_to_string(release).expect("release.json");
        let release: Value = serde_json::from_str(&release).expect("JSON");
        let version = release["version"].as_str().expect("a version");
        for above in ["", "image/", "package/usr/share/findwell/"] {
            for ending in ["zip", "json"] {
                let file = format!("{above}releases/prestashop/prestashop-{version}.{ending}");
                assert!(list.contains(&format!("  {file}\n")), "{file}: {list}");
            }
        }
        let archive = format!("releases/prestashop/prestashop-{version}.zip");
        let archive = fs::read(folder.join(archive)).expect("the archive");
        assert!(archive.starts_with(b"PK"));
    }
}
