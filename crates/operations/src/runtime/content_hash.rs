//! Names content by its hash: the first 64 bits of its SHA-256.

use crate::access::key_text::digest;

/// Hexadecimal digits of a hash: plenty for the states of one resource.
const DIGITS: usize = 16;

/// Returns the hash of `content`: 16 hexadecimal digits.
pub fn content_hash(content: &(impl AsRef<[u8]> + ?Sized)) -> String {
    let mut hash = digest(content);
    hash.truncate(DIGITS);
    hash
}
