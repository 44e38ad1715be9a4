//! Macros that make a type usable as request body or query parameters of an operation.

use crate::message;
use domain::first_characters;
use domain::limits::SHOWN_CHARACTERS_MAX;
use domain::{ErrorList, Invalid};
use serde_json::Value;

/// Implements `Input` with the schema of the type; items after the type go into the implementation.
macro_rules! input {
    ($type:ty $(, $($more:tt)+)?) => {
        impl $crate::http::input::Input for $type {
            fn checker() -> &'static $crate::validation::Checker {
                static CHECKER: std::sync::LazyLock<$crate::validation::Checker> =
                    std::sync::LazyLock::new($crate::validation::Checker::of::<$type>);
                &CHECKER
            }
            $($($more)+)?
        }
    };
}

/// Implements `QueryInput` with the schema of the type, optionally without one property.
macro_rules! query_input {
    ($type:ty) => {
        query_input!($type, $crate::validation::Checker::of::<$type>);
    };
    ($type:ty, without $name:literal) => {
        query_input!($type, || $crate::validation::Checker::of_without::<$type>(
            $name
        ));
    };
    ($type:ty, $checker:expr) => {
        impl $crate::http::input::QueryInput for $type {
            fn query_checker() -> &'static $crate::validation::Checker {
                static CHECKER: std::sync::LazyLock<$crate::validation::Checker> =
                    std::sync::LazyLock::new($checker);
                &CHECKER
            }
        }
    };
}

pub(crate) use {input, query_input};

/// Returns the errors of a check.
pub fn errors_of<T>(checked: Result<T, Vec<Invalid>>) -> Vec<Invalid> {
    checked.err().unwrap_or_default()
}

/// Returns an error for every key of `value` that is not in `open`.
pub fn reserved_except(value: &Value, open: &[&str]) -> ErrorList {
    let mut errors = ErrorList::default();
    for (key, _) in value.as_object().into_iter().flatten() {
        if !open.contains(&key.as_str()) {
            errors.push_with(|| {
                let shown = first_characters(key, SHOWN_CHARACTERS_MAX);
                Invalid::new(shown, message::request::panel_only())
            });
        }
    }
    errors
}
