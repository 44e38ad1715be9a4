//! Hashes of content: its SHA-256, and the first 64 bits of it, which name the content.

use sha2::{Digest, Sha256};

/// Hexadecimal digits of a hash: plenty for the states of one resource.
const DIGITS: usize = 16;

/// Returns the hash of `content`: 16 hexadecimal digits.
pub fn content_hash(content: &(impl AsRef<[u8]> + ?Sized)) -> String {
    let mut hash = digest(content);
    hash.truncate(DIGITS);
    hash
}

/// Returns the SHA-256 of `content` in hexadecimal.
pub(crate) fn digest(content: &(impl AsRef<[u8]> + ?Sized)) -> String {
    use std::fmt::Write;
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(content) {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_sha_256() {
        assert!(digest("abc").starts_with("ba7816bf"));
    }
}
