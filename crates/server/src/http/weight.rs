//! Estimates the memory that a body takes once it is parsed, from its bytes before parsing.

use super::input::Input;
use crate::validation::strict_json::{ITEM_BYTES, OBJECT_BYTES, VALUE_BYTES_MAX};

/// Bytes of memory for each byte of a body whose items are parsed one by one: their text and what is indexed of it.
const READ_LATER_RATIO: usize = 8;

/// Returns the bytes that `body` takes as a `T`, including the body itself.
pub fn of<T: Input>(body: &[u8]) -> usize {
    match T::READ_LATER {
        Some(_) => at_most::<T>(body.len()),
        None => of_values(body),
    }
}

/// Returns the bytes that `body` takes as a single value, including the body itself.
pub fn of_values(body: &[u8]) -> usize {
    let mut values: usize = 0;
    let mut objects: usize = 0;
    for byte in body {
        values += usize::from(matches!(byte, b',' | b'['));
        objects += usize::from(*byte == b'{');
    }
    let estimate = values * ITEM_BYTES + objects * OBJECT_BYTES;
    2 * body.len() + estimate.min(VALUE_BYTES_MAX)
}

/// Returns the most bytes that any body of `bytes` bytes takes as a `T`.
pub fn at_most<T: Input>(bytes: usize) -> usize {
    let bytes = bytes.min(T::BYTES_MAX);
    match T::READ_LATER {
        Some(_) => READ_LATER_RATIO * bytes,
        None => 2 * bytes + VALUE_BYTES_MAX.min(bytes * OBJECT_BYTES / 8),
    }
}
