//! The Debian package: binary, unit, settings, manual pages, completions and the shop module, packed by `dpkg-deb`.

use super::staging::{FILE, PROGRAM, Staging};
use super::{Shipped, output};
use crate::failure::{Failure, Outcome};
use crate::workspace;
use flate2::{Compression, GzBuilder};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Completions of a shell, and where the shell looks for them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/findwell"),
    ("zsh", "usr/share/zsh/vendor-completions/_findwell"),
    ("fish", "usr/share/fish/vendor_completions.d/findwell.fish"),
];
const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];

/// Writes `findwell_<version>_<architecture>.deb` beside the binary: what is laid out, and what `runnable` writes about itself.
///
/// # Errors
///
/// A file cannot be read or written, or a program fails or is missing.
pub fn pack(shipped: &Shipped<'_>, staging: &Staging, runnable: &Path) -> Outcome<()> {
    about_itself(staging, shipped.folder, runnable)?;
    let version = env!("CARGO_PKG_VERSION");
    let architecture = shipped.machine.debian();
    let control = workspace::root().join("packaging/debian/control");
    let control = fs::read_to_string(&control).map_err(Failure::of(control.display()))?;
    let control = control
        .replace("@VERSION@", version)
        .replace("@ARCHITECTURE@", architecture)
        .replace("@KILOBYTES@", &staging.kilobytes()?.to_string())
        .replace("@LIBC@", &libc_of(shipped)?);
    staging.write("DEBIAN/control", control.as_bytes(), FILE)?;
    let name = format!("findwell_{version}_{architecture}.deb");
    let package = shipped.folder.join(name);
    let arguments = [
        "--root-owner-group".as_ref(),
        "--build".as_ref(),
        staging.folder().as_os_str(),
        package.as_os_str(),
    ];
    output("dpkg-deb", &arguments)?;
    fs::remove_dir_all(staging.folder()).map_err(Failure::of("package"))
}

/// Lays out the files that no program writes; the releases are there.
///
/// # Errors
///
/// A file cannot be read or written.
pub fn lay_out(shipped: &Shipped<'_>) -> Outcome<Staging> {
    let staging = Staging::new(shipped.folder.join("package"))?;
    let sources = workspace::root().join("packaging");
    staging.copy("usr/bin/findwell", &shipped.binary, PROGRAM)?;
    let releases = shipped.folder.join(super::RELEASES);
    staging.copy_folder("usr/share/findwell/releases", &releases)?;
    for (path, source) in [
        (
            "usr/lib/systemd/system/findwell.service",
            "findwell.service",
        ),
        ("etc/findwell/findwell.toml", "findwell.toml"),
        ("usr/share/doc/findwell/copyright", "debian/copyright"),
        ("DEBIAN/conffiles", "debian/conffiles"),
    ] {
        staging.copy(path, &sources.join(source), FILE)?;
    }
    for script in SCRIPTS {
        let source = sources.join("debian").join(script);
        staging.copy(&format!("DEBIAN/{script}"), &source, PROGRAM)?;
    }
    Ok(staging)
}

/// Manual pages and completions, which the binary writes.
fn about_itself(staging: &Staging, dist: &Path, binary: &Path) -> Outcome<()> {
    let pages = dist.join("manual");
    let program = binary.to_string_lossy();
    output(&program, &["manual".as_ref(), pages.as_os_str()])?;
    for page in super::checksums::files_below(&pages)? {
        let text = fs::read(&page).map_err(Failure::of(page.display()))?;
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        let path = format!("usr/share/man/man1/{name}.gz");
        staging.write(&path, &compressed(&text)?, FILE)?;
    }
    fs::remove_dir_all(&pages).map_err(Failure::of(pages.display()))?;
    for (shell, path) in COMPLETIONS {
        let script = output(&program, &["completions".as_ref(), shell.as_ref()])?;
        staging.write(path, &script, FILE)?;
    }
    let changelog = workspace::root().join("CHANGELOG.md");
    let changelog = fs::read(&changelog).map_err(Failure::of(changelog.display()))?;
    let path = "usr/share/doc/findwell/changelog.gz";
    staging.write(path, &compressed(&changelog)?, FILE)
}

/// Compresses without name and time.
fn compressed(text: &[u8]) -> Outcome<Vec<u8>> {
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
    let written = encoder.write_all(text).and_then(|()| encoder.finish());
    written.map_err(Failure::of("gzip"))
}

/// Returns the lowest version of the C library that has all that the binary uses.
fn libc_of(shipped: &Shipped<'_>) -> Outcome<String> {
    let objdump = shipped.machine.tool("objdump")?;
    let symbols = output(&objdump, &["-T".as_ref(), shipped.binary.as_os_str()])?;
    let symbols = String::from_utf8_lossy(&symbols);
    let highest = highest_version(&symbols);
    highest.ok_or_else(|| Failure::new("the binary names no version of the C library"))
}

fn highest_version(symbols: &str) -> Option<String> {
    let named = symbols.split("GLIBC_").skip(1).filter_map(|rest| {
        let end = rest.find(|letter: char| letter != '.' && !letter.is_ascii_digit());
        let numbers = rest[..end.unwrap_or(rest.len())].split('.');
        let numbers: Result<Vec<u32>, _> = numbers.map(str::parse).collect();
        numbers.ok()
    });
    let highest = named.max()?;
    let texts: Vec<String> = highest.iter().map(u32::to_string).collect();
    Some(texts.join("."))
}

#[cfg(test)]
mod tests {
    use super::highest_version;

    #[test]
    fn the_highest_version_is_found_by_its_numbers() {
        let symbols =
            "0 DF *UND* 0 (GLIBC_2.9)  pipe2\n0 DF *UND* 0 (GLIBC_2.34) dlsym\n0 (GLIBC_2.3.4) x\n";
        assert_eq!(highest_version(symbols).as_deref(), Some("2.34"));
        assert_eq!(highest_version(""), None);
    }
}
