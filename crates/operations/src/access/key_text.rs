//! The text of a key: `<prefix>_<id>_<secret>`. The secret ends in a checksum of everything before it.

use crate::OperationError;
use crate::runtime::ids;
use domain::{KeyId, KeyKind};

/// Characters of the public id.
const ID_CHARACTERS: usize = 12;
/// Random characters of the secret: 28 × 5.95 = 166 bits.
const SECRET_CHARACTERS: usize = 28;
/// Characters of the checksum.
const CHECKSUM_CHARACTERS: usize = 6;

/// A new key.
pub(crate) struct NewKeyText {
    pub id: KeyId,
    pub text: String,
}

/// Returns a new key of `kind`.
pub(crate) fn mint(kind: KeyKind) -> Result<NewKeyText, OperationError> {
    let id = ids::alphanumeric(ID_CHARACTERS)?;
    let secret = ids::alphanumeric(SECRET_CHARACTERS)?;
    let body = format!("{}_{id}_{secret}", kind.prefix());
    let text = format!("{body}{}", checksum(&body));
    Ok(NewKeyText {
        id: KeyId(id),
        text,
    })
}

/// Returns the public id in a key's text; `None` if the text is not a key, or was mistyped.
pub(crate) fn id_of(text: &str) -> Option<KeyId> {
    let mut parts = text.splitn(3, '_');
    KeyKind::from_prefix(parts.next()?)?;
    let id = parts.next()?;
    let secret = parts.next()?;
    let plain = |part: &str| part.bytes().all(|b| b.is_ascii_alphanumeric());
    let sound = id.len() == ID_CHARACTERS
        && secret.len() == SECRET_CHARACTERS + CHECKSUM_CHARACTERS
        && plain(id)
        && plain(secret);
    if !sound {
        return None;
    }
    let (body, end) = text.split_at(text.len() - CHECKSUM_CHARACTERS);
    (checksum(body) == end).then(|| KeyId(id.to_owned()))
}

/// Returns the last four characters, by which people tell their keys apart.
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
            let mut bytes = key.text.clone().into_bytes();
            bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
            let mistyped = String::from_utf8(bytes).expect("ASCII");
            assert_eq!(id_of(&mistyped), None, "{mistyped}");
        }
        for malformed in ["", "cfg", "cfg__", "cfg_é_x", "x_y_z", "_", "cfg_a_b_c"] {
            assert_eq!(id_of(malformed), None, "{malformed}");
        }
    }
}
