//! Prices: one number with an optional currency before or behind it.

use super::currencies::WrittenCurrency;
use super::numbers::{DecimalRule, ReadNumber, Unreadable, WrittenNumber};

/// A price as a cell writes it.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenPrice {
    /// The number.
    pub number: WrittenNumber,
    /// The currency.
    pub currency: WrittenCurrency,
}

impl WrittenPrice {
    /// Parses a cell; of `10 - 20` the first number counts.
    ///
    /// Errors: there is no number, or a negative one.
    pub fn parse(text: &str) -> Result<Self, Unreadable> {
        let text = text.trim();
        let start = text.find(|c: char| c.is_ascii_digit()).ok_or(Unreadable)?;
        let mut before = &text[..start];
        let mut number_start = start;
        // A number may begin with its decimal mark.
        if before.is_empty() || before.ends_with(char::is_whitespace) {
        } else if let Some(shorter) = before.strip_suffix(['.', ','])
            && (shorter.is_empty() || shorter.ends_with(char::is_whitespace))
        {
            before = shorter;
            number_start -= 1;
        }
        if before.contains(['-', '−', '(']) {
            return Err(Unreadable);
        }
        let (number, rest) = WrittenNumber::parse(&text[number_start..])?;
        let currency = match WrittenCurrency::of(before) {
            WrittenCurrency::None => WrittenCurrency::of(without_range(rest)),
            before => before,
        };
        Ok(Self { number, currency })
    }

    /// Returns the amount.
    pub fn amount(&self, rule: DecimalRule) -> Result<ReadNumber, Unreadable> {
        self.number.value(rule)
    }
}

/// Drops the second number of a range.
fn without_range(rest: &str) -> &str {
    let Some((currency, second)) = rest.split_once(['-', '–', '—']) else {
        return rest;
    };
    match second.find(|c: char| c.is_ascii_digit()) {
        None => rest,
        Some(_) if !currency.trim().is_empty() => currency,
        Some(start) => {
            let second = &second[start..];
            let is_number =
                |c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | ',' | '\'');
            second.trim_start_matches(is_number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DecimalRule, WrittenCurrency, WrittenPrice};

    #[test]
    fn prices_have_a_currency_before_or_behind() {
        let eur = || WrittenCurrency::Code("EUR".to_owned());
        for (text, amount, currency) in [
            ("15.00 USD", 15.0, WrittenCurrency::Code("USD".to_owned())),
            ("€ 1.234,56", 1234.56, eur()),
            ("1.234,56 €", 1234.56, eur()),
            ("1 234.56 EUR", 1234.56, eur()),
            ("EUR1,234.56", 1234.56, eur()),
            (
                "1 234,5 zł",
                1234.5,
                WrittenCurrency::Code("PLN".to_owned()),
            ),
            ("32.0000", 32.0, WrittenCurrency::None),
            ("10 - 20", 10.0, WrittenCurrency::None),
            ("10 € – 20 €", 10.0, eur()),
            ("15 eur", 15.0, eur()),
            ("15 Taler", 15.0, WrittenCurrency::Unknown),
        ] {
            let price = WrittenPrice::parse(text).expect(text);
            let read = price.amount(DecimalRule::default()).expect(text);
            assert_eq!((read.value, price.currency), (amount, currency), "{text}");
        }
        for text in ["", "n/a", "-5", "(5)", "EUR -5"] {
            assert!(WrittenPrice::parse(text).is_err(), "{text}");
        }
    }
}
