//! The architectures that are shipped, and the tools that build for each.

use crate::failure::{Failure, Outcome};
use crate::process;
use clap::ValueEnum;
use std::path::PathBuf;

/// Option of cargo that keeps the debug information in the built binary, from which it goes to its own file.
const KEEP_DEBUG_INFORMATION: &str = "profile.release.strip=false";

/// An architecture, by its name in Debian.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Machine {
    Amd64,
    Arm64,
}

impl Machine {
    /// That of this machine.
    ///
    /// # Errors
    ///
    /// Nothing is shipped for it.
    pub fn this() -> Outcome<Self> {
        match std::env::consts::ARCH {
            "x86_64" => Ok(Self::Amd64),
            "aarch64" => Ok(Self::Arm64),
            other => Err(Failure::new(format!(
                "no package for the architecture {other}"
            ))),
        }
    }

    /// Its name in Debian.
    pub fn debian(self) -> &'static str {
        match self {
            Self::Amd64 => "amd64",
            Self::Arm64 => "arm64",
        }
    }

    /// Its name in the GNU tools, such as `aarch64`.
    fn gnu(self) -> &'static str {
        match self {
            Self::Amd64 => "x86_64",
            Self::Arm64 => "aarch64",
        }
    }

    /// The target of the compiler.
    pub fn target(self) -> String {
        format!("{}-unknown-linux-gnu", self.gnu())
    }

    /// The program `name` of the GNU tools for this architecture; those of this machine have no prefix everywhere.
    pub fn tool(self, name: &str) -> Outcome<String> {
        match self == Self::this()? {
            true => Ok(name.to_owned()),
            false => Ok(format!("{}-linux-gnu-{name}", self.gnu())),
        }
    }

    /// Builds the release binary with its debug information; returns its path.
    ///
    /// # Errors
    ///
    /// It does not build: for another architecture than this machine's, the compiler of C or the target of Rust is missing.
    pub fn build(self) -> Outcome<PathBuf> {
        let options = ["--config", KEEP_DEBUG_INFORMATION];
        if self == Self::this()? {
            return process::build(&options);
        }
        let target = self.target();
        let linker = format!("target.{target}.linker=\"{}\"", self.tool("gcc")?);
        let built = process::build_for(&target, &[&options[..], &["--config", &linker]].concat());
        built.map_err(|failure| {
            let (gnu, debian) = (self.gnu(), self.debian());
            Failure::new(format!(
                "{failure}; it needs {gnu}-linux-gnu-gcc (Debian: gcc-{gnu}-linux-gnu and libc6-dev-{debian}-cross) and \
                 `rustup target add {target}`",
            ))
        })
    }
}
