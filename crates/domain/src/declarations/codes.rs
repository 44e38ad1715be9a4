//! The codes of declarations: currencies, countries, customer groups with their own prices.

use crate::form::text_form;
use crate::limits::PRICE_GROUP_DIGITS_MAX;
use crate::message::{self, Message, expected};
use schemars::{Schema, json_schema};

text_form!(
    /// ISO code of a currency: three upper-case letters.
    CurrencyCode,
    schema("^[A-Z]{3}$", &expected::upper_case_code()),
    |text| check(
        text,
        3..=3,
        |c| c.is_ascii_uppercase(),
        expected::upper_case_code
    )
);

text_form!(
    /// ISO code of a country: two lower-case letters.
    CountryCode,
    schema("^[a-z]{2}$", &expected::lower_case_code()),
    |text| check(
        text,
        2..=2,
        |c| c.is_ascii_lowercase(),
        expected::lower_case_code
    )
);

text_form!(
    /// Id of a customer group with its own prices: 1 to [`PRICE_GROUP_DIGITS_MAX`] digits.
    PriceGroupId,
    schema(
        &format!("^[0-9]{{1,{PRICE_GROUP_DIGITS_MAX}}}$"),
        &digits()
    ),
    |text| check(
        text,
        1..=PRICE_GROUP_DIGITS_MAX,
        |c| c.is_ascii_digit(),
        digits
    )
);

fn digits() -> Message {
    expected::digits(PRICE_GROUP_DIGITS_MAX)
}

/// Returns the schema of a code, by which requests are checked; the empty description keeps the place of the field's.
fn schema(pattern: &str, expected: &Message) -> Schema {
    json_schema!({"type": "string", "description": "", "pattern": pattern, "x-expected": expected.text})
}

fn check(
    text: &str,
    characters: std::ops::RangeInclusive<usize>,
    allowed: fn(&char) -> bool,
    expected: fn() -> Message,
) -> Result<(), Message> {
    if characters.contains(&text.len()) && text.chars().all(|c| allowed(&c)) {
        Ok(())
    } else {
        Err(message::value::must_be_got(
            expected(),
            message::quoted(text),
        ))
    }
}

#[cfg(test)]
mod tests {
    //! 1. The schema of a code accepts exactly what the type accepts.

    use super::{CountryCode, CurrencyCode, PriceGroupId};
    use proptest::prelude::*;
    use regex::Regex;
    use schemars::{JsonSchema, SchemaGenerator};

    fn accepts<T: JsonSchema>(text: &str) -> bool {
        let schema = T::json_schema(&mut SchemaGenerator::default()).to_value();
        let pattern = schema["pattern"].as_str().expect("a pattern");
        Regex::new(pattern)
            .expect("a regular expression")
            .is_match(text)
    }

    proptest! {
        #[test]
        fn patterns_accept_what_the_types_accept(text in "[A-Z]{1,4}|[a-z]{1,3}|[0-9]{0,22}|[aA1é\n]{0,4}") {
            prop_assert_eq!(accepts::<CurrencyCode>(&text), CurrencyCode::parse(&*text).is_ok());
            prop_assert_eq!(accepts::<CountryCode>(&text), CountryCode::parse(&*text).is_ok());
            prop_assert_eq!(accepts::<PriceGroupId>(&text), PriceGroupId::parse(&*text).is_ok());
        }
    }
}
