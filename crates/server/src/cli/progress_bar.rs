//! How the progress of long commands looks on a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// Returns `bar` in the form of `template`; one that is no template leaves it as it is.
pub fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
