//! The first characters of a text.

/// Returns the first `max` characters of `text`, or all of it if it is shorter.
///
/// Reads at most those characters, and none at all if `text` has no more than `max` bytes.
pub fn first_characters(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    text.char_indices()
        .nth(max)
        .map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_and_not_bytes() {
        for (text, max, first) in [
            ("", 0, ""),
            ("abc", 3, "abc"),
            ("abc", 2, "ab"),
            ("ñandú", 4, "ñand"),
            ("ñandú", 5, "ñandú"),
            ("漢字", 1, "漢"),
            ("漢字", 0, ""),
        ] {
            assert_eq!(first_characters(text, max), first);
        }
    }
}
