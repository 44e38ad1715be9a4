//! Parses query strings strictly: each parameter at most once.

use crate::message;
use domain::first_characters;
use domain::limits::QUERY_PARAMETERS_MAX;
use domain::limits::SHOWN_CHARACTERS_MAX;
use domain::{ErrorList, Invalid};
use std::collections::HashSet;

/// Returns the parameters of a query string, in their order.
///
/// Errors: duplicate or undecodable parameters, as `query.<name>`; more than [`QUERY_PARAMETERS_MAX`].
pub fn parse(query: &str) -> Result<Vec<(String, String)>, ErrorList> {
    let count = pairs(query).count();
    if count > QUERY_PARAMETERS_MAX {
        let reason = message::request::parameters(QUERY_PARAMETERS_MAX, count);
        return Err(vec![Invalid::new("query", reason)].into());
    }
    let mut parameters: Vec<(String, String)> = Vec::new();
    let mut known = HashSet::new();
    let mut errors = Vec::new();
    for (name, value) in pairs(query) {
        let (Some(name), Some(value)) = (decode(name), decode(value)) else {
            let shown = first_characters(name, SHOWN_CHARACTERS_MAX);
            let reason = message::request::percent_encoding();
            errors.push(Invalid::new(format!("query.{shown}"), reason));
            continue;
        };
        if known.insert(name.clone()) {
            parameters.push((name, value));
        } else {
            let shown = first_characters(&name, SHOWN_CHARACTERS_MAX);
            errors.push(Invalid::new(
                format!("query.{shown}"),
                message::value::given_twice(),
            ));
        }
    }
    if errors.is_empty() {
        Ok(parameters)
    } else {
        Err(errors.into())
    }
}

/// Returns the undecoded pairs of a query string.
pub fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// Decodes percent-encoded UTF-8; returns `None` if it is invalid.
fn decode(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let [first, after @ ..] = rest {
        let (byte, after) = match first {
            b'+' => (b' ', after),
            b'%' => escaped(rest)?,
            other => (*other, after),
        };
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

/// Returns the byte that the escape at the start of `text` means, and what follows: `%` with two hexadecimal digits.
pub fn escaped(text: &[u8]) -> Option<(u8, &[u8])> {
    let [b'%', high, low, after @ ..] = text else {
        return None;
    };
    let digit = |one: &u8| char::from(*one).to_digit(16);
    let byte = digit(high)? * 16 + digit(low)?;
    Some((u8::try_from(byte).ok()?, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded() {
        let parsed = parse("q=caf%C3%A9+solo&page=2&flag&&x=a=b").expect("valid");
        let texts: Vec<(&str, &str)> = parsed
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(
            texts,
            [
                ("q", "café solo"),
                ("page", "2"),
                ("flag", ""),
                ("x", "a=b")
            ]
        );
    }

    #[test]
    fn duplicate_and_undecodable_parameters_are_rejected() {
        let errors = parse("q=1&%71=2&x=%ff&y=%f&z=%zz").expect_err("four mistakes");
        let fields: Vec<&str> = errors.listed().iter().map(|w| w.field.as_str()).collect();
        assert_eq!(fields, ["query.q", "query.x", "query.y", "query.z"]);
    }

    #[test]
    fn a_hundred_parameters_are_accepted() {
        let of = |count: usize| (0..count).map(|n| format!("p{n}&")).collect::<String>();
        assert_eq!(parse(&of(100)).map(|all| all.len()), Ok(100));
        let errors = parse(&of(17_600)).expect_err("too many");
        let messages: Vec<String> = errors.listed().iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            ["query: must have at most 100 parameters, got 17600"]
        );
    }
}
