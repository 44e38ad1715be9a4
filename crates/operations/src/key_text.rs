//! The form of a key: `<prefix>_<id>_<secret>`, the secret ending in a checksum of all before it.

use crate::{OperationError, ids};
use domain::{KeyId, KeyKind};
use sha2::{Digest, Sha256};

/// Letters of the public id.
const ID_LETTERS: usize = 12;
/// Random letters of the secret: 28 × 5.95 = 166 bits.
const SECRET_LETTERS: usize = 28;
/// Letters of the checksum.
const CHECKSUM_LETTERS: usize = 6;

/// A key that was just made.
pub(crate) struct NewKeyText {
    pub id: KeyId,
    pub text: String,
}

/// A new key of `kind`.
pub(crate) fn mint(kind: KeyKind) -> Result<NewKeyText, OperationError> {
    let id = ids::letters(ID_LETTERS)?;
    let secret = ids::letters(SECRET_LETTERS)?;
    let body = format!("{}_{id}_{secret}", kind.prefix());
    let text = format!("{body}{}", checksum(&body));
    Ok(NewKeyText {
        id: KeyId(id),
        text,
    })
}

/// The public id in a key's text; none when the text is no key, or was mistyped.
pub(crate) fn id_of(text: &str) -> Option<KeyId> {
    let mut parts = text.splitn(3, '_');
    KeyKind::from_prefix(parts.next()?)?;
    let id = parts.next()?;
    let secret = parts.next()?;
    let plain = |part: &str| part.bytes().all(|b| b.is_ascii_alphanumeric());
    let sound = id.len() == ID_LETTERS
        && secret.len() == SECRET_LETTERS + CHECKSUM_LETTERS
        && plain(id)
        && plain(secret);
    if !sound {
        return None;
    }
    let (body, end) = text.split_at(text.len() - CHECKSUM_LETTERS);
    (checksum(body) == end).then(|| KeyId(id.to_owned()))
}

/// SHA-256 of the whole key, as hexadecimal text.
pub(crate) fn digest(text: &str) -> String {
    use std::fmt::Write;
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// The last four letters, by which people tell their keys apart.
pub(crate) fn last_four(text: &str) -> String {
    text.get(text.len().saturating_sub(4)..)
        .unwrap_or_default()
        .to_owned()
}

fn checksum(body: &str) -> String {
    ids::base62(crc32fast::hash(body.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_its_id_and_a_mistyped_one_does_not() {
        let key = mint(KeyKind::Connector).expect("random");
        assert!(key.text.starts_with("con_"));
        assert_eq!(id_of(&key.text), Some(key.id.clone()));
        assert_eq!(last_four(&key.text).len(), 4);
        for at in 0..key.text.len() {
            let mut letters = key.text.clone().into_bytes();
            letters[at] = if letters[at] == b'7' { b'8' } else { b'7' };
            let mistyped = String::from_utf8(letters).expect("ASCII");
            assert_eq!(id_of(&mistyped), None, "{mistyped}");
        }
        for odd in ["", "cfg", "cfg__", "cfg_é_x", "x_y_z", "_", "cfg_a_b_c"] {
            assert_eq!(id_of(odd), None, "{odd}");
        }
    }

    #[test]
    fn the_digest_is_sha_256() {
        assert!(digest("abc").starts_with("ba7816bf"));
    }
}
