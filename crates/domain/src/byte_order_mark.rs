//! The byte-order mark, which some editors write at the start of a file in UTF-8.

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Returns `text` without a byte-order mark at its start.
pub fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Returns `bytes` without a byte-order mark at their start.
pub fn bytes_without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    let mark = BYTE_ORDER_MARK.as_bytes();
    bytes.strip_prefix(mark).unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    //! 1. One mark at the start is skipped, of text and of bytes; nothing else is.

    use super::*;

    #[test]
    fn one_mark_at_the_start_is_skipped() {
        for (text, rest) in [
            ("\u{feff}a", "a"),
            ("a\u{feff}", "a\u{feff}"),
            ("\u{feff}\u{feff}", "\u{feff}"),
            ("", ""),
        ] {
            assert_eq!(without_byte_order_mark(text), rest);
            assert_eq!(
                bytes_without_byte_order_mark(text.as_bytes()),
                rest.as_bytes()
            );
        }
    }
}
