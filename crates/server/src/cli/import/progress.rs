//! Progress of an import on a terminal: rows while the file is read, documents while they are stored.

use crate::cli::progress_bar::styled;
use crate::imports::{ImportControl, ImportProgress};
use indicatif::ProgressBar;
use std::sync::{Arc, Mutex, PoisonError};

/// The bar of an import: rows while the file is read, then documents.
#[derive(Clone)]
pub struct ImportDisplay(Arc<Mutex<DisplayState>>);

struct DisplayState {
    bar: ProgressBar,
    is_storing: bool,
}

impl ImportDisplay {
    /// Shows rows.
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(DisplayState {
            bar: styled(ProgressBar::no_length(), "Reading: {pos} rows ({elapsed})"),
            is_storing: false,
        })))
    }

    /// Returns the control of an import that reports to this bar. Nothing cancels it.
    pub fn control(&self) -> ImportControl {
        let shown = self.clone();
        ImportControl::new(move |progress| shown.show(progress)).0
    }

    fn show(&self, progress: ImportProgress) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match progress {
            ImportProgress::Reading { rows } => shown.bar.set_position(rows),
            ImportProgress::Storing {
                documents,
                of,
                accepted,
                rejected,
            } => {
                if !shown.is_storing {
                    shown.bar.finish_and_clear();
                    shown.bar = styled(
                        ProgressBar::new(of),
                        "{bar:30} {pos}/{len} {msg} ({elapsed} elapsed, {eta} left)",
                    );
                    shown.is_storing = true;
                }
                shown.bar.set_position(documents);
                let message = format!("{accepted} stored, {rejected} rejected");
                shown.bar.set_message(message);
            }
        }
    }

    /// Takes the bar off the terminal.
    pub fn clear(&self) {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.bar.finish_and_clear();
    }
}
