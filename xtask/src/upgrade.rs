//! `upgrade`: builds an earlier version and replaces its servers one by one by those of this version, under load.

use crate::failure::{Failure, Outcome};
use crate::journeys::{succeed, tests};
use crate::{nodes, workspace};
use clap::Args;
use std::path::PathBuf;
use std::process::Command;

/// From which version.
#[derive(Args)]
pub struct Options {
    /// The commit of the version before; the last tag unless it is said
    #[arg(long, value_name = "COMMIT", conflicts_with = "binary")]
    from: Option<String>,
    /// Its binary, where it is built already
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// Builds the version before, starts a node of OpenSearch where Java is, and runs the tests.
///
/// # Errors
///
/// When there is no such version, it does not build, or a test fails.
pub fn run(options: &Options) -> Outcome<()> {
    let before = match &options.binary {
        Some(binary) => binary.canonicalize().map_err(Failure::of("the binary"))?,
        None => built(&commit(options.from.as_deref())?)?,
    };
    nodes::beside(|| {
        succeed(
            tests(&["journeys::upgrade"])
                .args(["--include-ignored", "--nocapture"])
                .env("FINDWELL_BEFORE", &before),
        )
    })
}

/// Returns the commit to build.
fn commit(from: Option<&str>) -> Outcome<String> {
    if let Some(from) = from {
        return Ok(from.to_owned());
    }
    let described = Command::new("git")
        .args(["describe", "--tags", "--abbrev=0", "HEAD^"])
        .current_dir(workspace::root())
        .output()
        .map_err(Failure::of("git"))?;
    let tag = String::from_utf8_lossy(&described.stdout);
    match tag.trim() {
        "" => Err(Failure::new("there is no tag: --from names a commit")),
        tag => Ok(tag.to_owned()),
    }
}

/// Builds the binary of a commit in a work tree of its own.
fn built(commit: &str) -> Outcome<PathBuf> {
    let folder = workspace::root().join("target/upgrade");
    let (source, target) = (folder.join("source"), folder.join("build"));
    let tree = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.arg("worktree")
            .args(arguments)
            .current_dir(workspace::root());
        git
    };
    let place = source.display().to_string();
    // An interrupted run leaves it.
    let _ = tree(&["remove", "--force", &place]).output();
    succeed(&mut tree(&["add", "--force", "--detach", &place, commit]))?;
    let built = succeed(
        Command::new("cargo")
            .args(["build", "--bin", "findwell", "--target-dir"])
            .arg(&target)
            .current_dir(&source),
    );
    succeed(&mut tree(&["remove", "--force", &place]))?;
    built.map(|()| target.join("debug/findwell"))
}
