//! Everything random: ids, secrets and nonces.

use crate::OperationError;
use domain::{AccountId, FilterId, RuleId, RunId, StoreId, SynonymId};

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A new id of an account.
pub(crate) fn account() -> AccountId {
    AccountId(cuid2::create_id())
}

/// A new id of a store.
pub(crate) fn store() -> StoreId {
    StoreId(cuid2::create_id())
}

/// A new id of a synonym group.
pub(crate) fn synonym() -> SynonymId {
    SynonymId(cuid2::create_id())
}

/// A new id of a rule.
pub(crate) fn rule() -> RuleId {
    RuleId(cuid2::create_id())
}

/// A new id of a filter.
pub(crate) fn filter() -> FilterId {
    FilterId(cuid2::create_id())
}

/// A new key of a group of values, which no shop has as the id of a value.
pub(crate) fn group() -> String {
    format!("group_{}", cuid2::create_id())
}

/// A new id of a run.
pub(crate) fn run() -> RunId {
    RunId(format!("run_{}", cuid2::create_id()))
}

/// A new id of an answer to a search.
pub(crate) fn query_id() -> String {
    format!("q_{}", cuid2::create_id())
}

/// Random bytes of the operating system.
pub(crate) fn bytes<const COUNT: usize>() -> Result<[u8; COUNT], OperationError> {
    let mut bytes = [0; COUNT];
    getrandom::fill(&mut bytes).map_err(|error| OperationError::internal(error.to_string()))?;
    Ok(bytes)
}

/// Random letters and digits; each carries 5.95 bits.
pub(crate) fn letters(count: usize) -> Result<String, OperationError> {
    let mut text = String::with_capacity(count);
    while text.len() < count {
        // Bytes from 248 on would make the first letters of the alphabet likelier than the rest.
        let fair = bytes::<32>()?.into_iter().filter(|byte| *byte < 248);
        text.extend(fair.take(count - text.len()).map(letter));
    }
    Ok(text)
}

/// Six letters and digits that write `number`.
pub(crate) fn base62(mut number: u32) -> String {
    let mut text = [b'0'; 6];
    for place in text.iter_mut().rev() {
        *place = BASE62[(number % 62) as usize];
        number /= 62;
    }
    text.iter().map(|byte| char::from(*byte)).collect()
}

fn letter(byte: u8) -> char {
    char::from(BASE62[usize::from(byte % 62)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_the_asked_length_and_never_repeat() {
        let one = letters(28).expect("random");
        let two = letters(28).expect("random");
        assert_eq!((one.len(), two.len()), (28, 28));
        assert_ne!(one, two);
        assert!(one.bytes().all(|b| BASE62.contains(&b)));
    }

    #[test]
    fn six_letters_write_every_number() {
        assert_eq!(base62(0), "000000");
        assert_eq!(base62(61), "00000z");
        assert_ne!(base62(u32::MAX), base62(u32::MAX - 62));
    }
}
