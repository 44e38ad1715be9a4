//! The codes of a product and of its variants.

use super::source::{OptionChoice, OptionGroup, OptionValue};

/// Prefix of EANs that a shop may assign itself.
const IN_STORE: &str = "20";

/// Returns the EAN of variant `variant` of product `id`; 0 is the product itself.
///
/// It depends on these two numbers only.
pub(super) fn ean13(id: &str, variant: usize) -> String {
    let digits = format!("{IN_STORE}{id:0>5}{variant:05}");
    let check = check_digit(&digits);
    format!("{digits}{check}")
}

/// Returns the check digit of an EAN from its first twelve digits.
pub(super) fn check_digit(digits: &str) -> u32 {
    let sum: u32 = digits
        .bytes()
        .enumerate()
        .map(|(at, byte)| u32::from(byte - b'0') * if at % 2 == 0 { 1 } else { 3 })
        .sum();
    (10 - sum % 10) % 10
}

/// One option value of a product, with its group.
pub(super) type ChosenValue<'a> = (&'a OptionGroup, &'a OptionValue);

/// Returns the values of each option of a product. Unknown options and values are skipped.
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

/// Returns the suffixes of the variants' codes, such as `-FOR-M`: all combinations, or none without options.
pub(super) fn suffixes(options: &[Vec<ChosenValue<'_>>]) -> Vec<String> {
    if options.is_empty() {
        return Vec::new();
    }
    options
        .iter()
        .fold(vec![String::new()], |suffixes, values| {
            let longer = |suffix: &String| {
                let one = |(_, value): &ChosenValue<'_>| format!("{suffix}-{}", value.code);
                values.iter().map(one).collect::<Vec<_>>()
            };
            suffixes.iter().flat_map(longer).collect()
        })
}
