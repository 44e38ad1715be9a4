//! `Failure`: the error message of a task.

use std::fmt::{Display, Formatter, Result as Written};

/// Why a task failed, for the person at the terminal.
#[derive(Debug)]
pub struct Failure(String);

/// The result of a task.
pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// A failure that `text` describes.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Turns the error of what was `doing` into a failure; for `map_err`.
    pub fn of<E: Display>(doing: impl Display) -> impl FnOnce(E) -> Self {
        move |error| Self(format!("{doing}: {error}"))
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str(&self.0)
    }
}
