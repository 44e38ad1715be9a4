//! Codes of products: text with leading zeros, and which kind of code digits are.

/// The field of a code of digits, by its length.
pub fn gtin_field(code: &str) -> &'static str {
    let digits: Vec<u8> = code
        .bytes()
        .filter(|byte| !matches!(byte, b'-' | b' '))
        .collect();
    let are_digits = |digits: &[u8]| digits.iter().all(u8::is_ascii_digit);
    match digits.len() {
        12 if are_digits(&digits) => "upc",
        13 if digits.starts_with(b"978") || digits.starts_with(b"979") => "isbn",
        10 if are_digits(&digits[..9]) => "isbn",
        _ => "ean13",
    }
}

/// Returns whether a spreadsheet has made a number of a code, such as `8,41E+12`.
pub fn is_damaged(code: &str) -> bool {
    let Some((mantissa, exponent)) = code.split_once(['E', 'e']) else {
        return false;
    };
    let Some(exponent) = exponent.strip_prefix('+') else {
        return false;
    };
    let (whole, fraction) = mantissa.split_once([',', '.']).unwrap_or((mantissa, "0"));
    let are_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits(exponent) && whole.len() == 1 && are_digits(whole) && are_digits(fraction)
}

/// Returns whether a text is a UUID.
pub fn is_uuid(text: &str) -> bool {
    let lengths = [8, 4, 4, 4, 12];
    let parts: Vec<&str> = text.split('-').collect();
    parts.len() == lengths.len()
        && parts.iter().zip(lengths).all(|(part, length)| {
            part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
}

/// Returns whether a text is an id of 32 hexadecimal digits.
pub fn is_hex_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::{gtin_field, is_damaged};

    #[test]
    fn digits_are_codes_by_their_length() {
        for (code, field) in [
            ("012345678905", "upc"),
            ("0012345678905", "ean13"),
            ("9783161484100", "isbn"),
            ("316148410X", "isbn"),
            ("12345670", "ean13"),
            ("123", "ean13"),
        ] {
            assert_eq!(gtin_field(code), field, "{code}");
        }
        for (code, damaged) in [
            ("8,41E+12", true),
            ("8.41E+12", true),
            ("E1", false),
            ("1E5", false),
        ] {
            assert_eq!(is_damaged(code), damaged, "{code}");
        }
    }
}
