//! Numbers as people write them: a decimal comma is a decimal point, separators of thousands are left out.
//!
//! Where a separator may be either, as in `1.000`, the language decides.

/// A number in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// With a decimal point and without separators of thousands.
    pub text: String,
    /// Whether it may also be a list: groups of three digits from the first one on, such as `301,302`.
    pub may_be_list: bool,
}

/// Reads groups of digits with a separator after each but the last: `.`, `,` or `'`. None if they are no number, such as
/// the parts of a date. `decimal` is the decimal separator of the language.
pub(super) fn number(groups: &[&str], separators: &[char], decimal: char) -> Option<Number> {
    let (last, thousands) = separators.split_last()?;
    let whole = |groups: &[&str]| Number {
        text: groups.concat(),
        may_be_list: groups[0].len() == 3,
    };
    if thousands.iter().all(|separator| separator == last) {
        let may_be_decimal = thousands.is_empty() && *last != '\'';
        let is_decimal = may_be_decimal && (*last == decimal || !are_thousands(groups));
        return match is_decimal {
            true => Some(with_fraction(groups)),
            false => are_thousands(groups).then(|| whole(groups)),
        };
    }
    let same = thousands.iter().all(|separator| *separator == thousands[0]);
    let grouped = same && *last != '\'' && are_thousands(&groups[..groups.len() - 1]);
    grouped.then(|| with_fraction(groups))
}

/// The last group is the fraction.
fn with_fraction(groups: &[&str]) -> Number {
    let (fraction, whole) = groups.split_last().expect("a number has groups");
    Number {
        text: format!("{}.{fraction}", whole.concat()),
        may_be_list: false,
    }
}

/// Whether `groups` can be one number with separators of thousands.
fn are_thousands(groups: &[&str]) -> bool {
    let (first, others) = groups.split_first().expect("a number has groups");
    (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && others.iter().all(|group| group.len() == 3)
}

#[cfg(test)]
mod tests {
    //! 1. A decimal comma is a decimal point, thousands are one number, and the language decides between the two.
    //! 2. Dates, versions and lists are no numbers.

    use super::*;

    fn read(text: &str, decimal: char) -> Option<(String, bool)> {
        let separators: Vec<char> = text.chars().filter(|c| !c.is_ascii_digit()).collect();
        let groups: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).collect();
        number(&groups, &separators, decimal).map(|number| (number.text, number.may_be_list))
    }

    #[test]
    fn numbers_are_read_by_the_language() {
        for (text, point, comma) in [
            ("1,5", "1.5", "1.5"),
            ("1.5", "1.5", "1.5"),
            ("0,125", "0.125", "0.125"),
            ("1.000", "1.000", "1000"),
            ("1,000", "1000", "1.000"),
            ("1'000", "1000", "1000"),
            ("1.234,56", "1234.56", "1234.56"),
            ("1,234.56", "1234.56", "1234.56"),
            ("12.345.678", "12345678", "12345678"),
        ] {
            let text_of = |decimal| read(text, decimal).map(|(text, _)| text);
            assert_eq!(text_of('.').as_deref(), Some(point), "{text}");
            assert_eq!(text_of(',').as_deref(), Some(comma), "{text}");
        }
        let list = |text: &str| read(text, '.').map(|(_, may_be_list)| may_be_list);
        assert_eq!(list("301,302,303"), Some(true));
        assert_eq!(list("1,000"), Some(false));
    }

    #[test]
    fn dates_and_versions_are_no_numbers() {
        for text in ["12.05.2026", "1.2.3", "38,39,40", "1,2.3,4", "0.000.000"] {
            assert_eq!(read(text, '.'), None, "{text}");
        }
    }
}
