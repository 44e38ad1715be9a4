//! The command line of the benchmark.

use std::path::PathBuf;

const PRODUCTS: u32 = 100_000;

/// The parsed arguments.
pub struct Arguments {
    /// Generated products.
    pub products: u32,
    /// Folder in which the index of these products is kept for the next run; a temporary one by default.
    pub keep: Option<PathBuf>,
    /// Folder of real catalogues.
    pub data: Option<PathBuf>,
    /// Prefix of the names of the selected measurements.
    pub only: String,
}

impl Arguments {
    /// The arguments of this process; none when it runs as part of `cargo test --all-targets`, which must not wait for
    /// it.
    pub fn read() -> Option<Self> {
        let given: Vec<String> = std::env::args().skip(1).collect();
        if !given.iter().any(|argument| argument == "--bench") {
            return None;
        }
        let after = |name: &str| {
            let at = given.iter().position(|argument| argument == name)?;
            given.get(at + 1).cloned()
        };
        Some(Self {
            products: after("--products")
                .and_then(|number| number.parse().ok())
                .unwrap_or(PRODUCTS),
            keep: after("--keep").map(PathBuf::from),
            data: after("--data").map(PathBuf::from),
            only: after("--only").unwrap_or_default(),
        })
    }

    /// Whether the measurement `name` is selected.
    pub fn wants(&self, name: &str) -> bool {
        name.starts_with(&self.only)
    }
}
