//! `parity`: compares the embedded engine with the one on OpenSearch on real catalogues, on the node that `nodes up` has started.

use crate::failure::{Failure, Outcome};
use crate::workspace;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// What is compared.
#[derive(Args)]
pub struct Options {
    /// Folder of test data, with `icecat-chorus`, `magento-luma` and `mercadona-es` in it
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Only catalogues whose name contains this
    #[arg(long, default_value = "", value_name = "NAME")]
    only: String,
    /// Shards of the indexes in the cluster; may be repeated
    #[arg(long, default_values_t = [1, 3], value_name = "NUMBER")]
    shards: Vec<u16>,
    /// Only the default configuration
    #[arg(long)]
    default: bool,
    /// Queries of names for each other configuration
    #[arg(long, default_value_t = 200, value_name = "NUMBER")]
    queries: usize,
}

impl Options {
    fn arguments(&self) -> Vec<OsString> {
        let mut all: Vec<OsString> = vec![self.data.clone().into(), "--only".into()];
        all.push(self.only.clone().into());
        for shards in &self.shards {
            all.extend(["--shards".into(), shards.to_string().into()]);
        }
        all.extend(["--queries".into(), self.queries.to_string().into()]);
        if self.default {
            all.push("--default".into());
        }
        all
    }
}

/// Builds the comparison and runs it.
pub fn run(options: &Options) -> Outcome<()> {
    let status = Command::new(env!("CARGO"))
        .args(["run", "--release", "--quiet", "--package", "engine"])
        .args(["--example", "parity", "--manifest-path"])
        .arg(workspace::root().join("Cargo.toml"))
        .arg("--")
        .args(options.arguments())
        .status()
        .map_err(Failure::of("cargo"))?;
    match status.success() {
        true => Ok(()),
        false => Err(Failure::new("the engines differ, or could not be compared")),
    }
}
