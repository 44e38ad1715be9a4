//! Progress of an import on a terminal: rows while the file is read, documents while they are stored.

use indicatif::{ProgressBar, ProgressStyle};

/// Shows rows while the file is read.
pub fn rows() -> ProgressBar {
    styled(ProgressBar::no_length(), "Reading: {pos} rows ({elapsed})")
}

/// Shows documents while they are stored.
pub fn documents(count: u64) -> ProgressBar {
    styled(
        ProgressBar::new(count),
        "{bar:30} {pos}/{len} {msg} ({elapsed} elapsed, {eta} left)",
    )
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
