//! The codes of a product and of its variants.

use super::source::{OptionChoice, OptionGroup, OptionValue};

/// Digits that open the EANs which a shop may give out by itself.
const IN_STORE: &str = "20";

/// The EAN of variant `variant` of product `id`, 0 for the product itself.
///
/// It is made of the two numbers alone, so it stays the same as long as they do.
pub(super) fn ean13(id: &str, variant: usize) -> String {
    let digits = format!("{IN_STORE}{id:0>5}{variant:05}");
    let check = check_digit(&digits);
    format!("{digits}{check}")
}

/// The last digit of an EAN, from the twelve before it.
pub(super) fn check_digit(digits: &str) -> u32 {
    let sum: u32 = digits
        .bytes()
        .enumerate()
        .map(|(at, byte)| u32::from(byte - b'0') * if at % 2 == 0 { 1 } else { 3 })
        .sum();
    (10 - sum % 10) % 10
}

/// One value that a product comes in, with its group.
pub(super) type ChosenValue<'a> = (&'a OptionGroup, &'a OptionValue);

/// The values of each option of a product. Options and values that the shop does not know are left out.
pub(super) fn chosen<'a>(
    groups: &'a [OptionGroup],
    options: &[OptionChoice],
) -> Vec<Vec<ChosenValue<'a>>> {
    options
        .iter()
        .filter_map(|option| Some((groups.iter().find(|g| g.key == option.group)?, option)))
        .map(|(group, option)| {
            let value = |key: &String| group.values.iter().find(|value| value.key == *key);
            let known = option.values.iter().filter_map(value);
            known.map(|value| (group, value)).collect()
        })
        .collect()
}

/// What the codes of the variants end with, such as `-FOR-M`: all combinations, none without options.
pub(super) fn endings(options: &[Vec<ChosenValue<'_>>]) -> Vec<String> {
    if options.is_empty() {
        return Vec::new();
    }
    options.iter().fold(vec![String::new()], |endings, values| {
        let longer = |ending: &String| {
            let one = |(_, value): &ChosenValue<'_>| format!("{ending}-{}", value.code);
            values.iter().map(one).collect::<Vec<_>>()
        };
        endings.iter().flat_map(longer).collect()
    })
}
