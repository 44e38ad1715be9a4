//! Random values: ids, secrets and nonces.

use crate::OperationError;
use domain::{
    AccountId, FilterId, LinkId, ProposalId, RuleId, RunId, SourceId, StoreId, SynonymId, UserId,
};

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Returns a new id of an account.
pub(crate) fn account() -> AccountId {
    AccountId(cuid2::create_id())
}

/// Returns a new id of a store.
pub(crate) fn store() -> StoreId {
    StoreId(cuid2::create_id())
}

/// Returns a new id of a user.
pub(crate) fn user() -> UserId {
    UserId(cuid2::create_id())
}

/// Returns a new public id of a link.
pub(crate) fn link() -> LinkId {
    LinkId(cuid2::create_id())
}

/// Returns a new public id of a session or a browser.
pub(crate) fn session() -> String {
    cuid2::create_id()
}

/// Returns a new id of a synonym group.
pub(crate) fn synonym() -> SynonymId {
    SynonymId(cuid2::create_id())
}

/// Returns a new id of a rule.
pub(crate) fn rule() -> RuleId {
    RuleId(cuid2::create_id())
}

/// Returns a new id of a filter.
pub(crate) fn filter() -> FilterId {
    FilterId(cuid2::create_id())
}

/// Returns a new id of a proposal.
pub(crate) fn proposal() -> ProposalId {
    ProposalId(cuid2::create_id())
}

/// Returns a new id of a source.
pub(crate) fn source() -> SourceId {
    SourceId(cuid2::create_id())
}

/// Returns a new key of a group of values, which never equals a shop's id of a value.
pub(crate) fn group() -> String {
    format!("group_{}", cuid2::create_id())
}

/// Returns a new id of a run.
pub(crate) fn run() -> RunId {
    RunId(format!("run_{}", cuid2::create_id()))
}

/// Returns a new id of an import.
pub(crate) fn import() -> String {
    cuid2::create_id()
}

/// Returns random bytes of the operating system.
pub(crate) fn bytes<const COUNT: usize>() -> Result<[u8; COUNT], OperationError> {
    let mut bytes = [0; COUNT];
    getrandom::fill(&mut bytes).map_err(|error| OperationError::internal(error.to_string()))?;
    Ok(bytes)
}

/// Returns random letters and digits of 5.95 bits each.
pub(crate) fn alphanumeric(count: usize) -> Result<String, OperationError> {
    let mut text = String::with_capacity(count);
    while text.len() < count {
        // Bytes from 248 on would make the first characters of the alphabet more likely than the rest.
        let fair = bytes::<32>()?.into_iter().filter(|byte| *byte < 248);
        text.extend(fair.take(count - text.len()).map(base62_digit));
    }
    Ok(text)
}

/// Returns `number` in base 62 with six digits.
pub(crate) fn base62(mut number: u32) -> String {
    let mut text = [b'0'; 6];
    for digit in text.iter_mut().rev() {
        *digit = BASE62[(number % 62) as usize];
        number /= 62;
    }
    text.iter().map(|byte| char::from(*byte)).collect()
}

fn base62_digit(byte: u8) -> char {
    char::from(BASE62[usize::from(byte % 62)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_texts_have_the_given_length_and_never_repeat() {
        let one = alphanumeric(28).expect("random");
        let two = alphanumeric(28).expect("random");
        assert_eq!((one.len(), two.len()), (28, 28));
        assert_ne!(one, two);
        assert!(one.bytes().all(|b| BASE62.contains(&b)));
    }

    #[test]
    fn six_digits_write_every_number() {
        assert_eq!(base62(0), "000000");
        assert_eq!(base62(61), "00000z");
        assert_ne!(base62(u32::MAX), base62(u32::MAX - 62));
    }
}
