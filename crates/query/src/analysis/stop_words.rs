//! Stop words: words so common that they say nothing about a product. Sorted, folded.
//!
//! Words that change what is wanted (not, without, sin) are no stop words.

const ENGLISH: [&str; 29] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "from", "in", "into", "is",
    "it", "its", "of", "on", "or", "that", "the", "their", "these", "this", "to", "was", "which",
    "will", "with",
];

const SPANISH: [&str; 35] = [
    "a", "al", "como", "con", "cual", "de", "del", "e", "el", "ella", "en", "es", "esta", "este",
    "esto", "la", "las", "le", "les", "lo", "los", "o", "para", "por", "que", "se", "ser", "son",
    "su", "sus", "u", "un", "una", "unos", "y",
];

/// The stop words of a language, sorted.
pub(super) fn of(base: &str) -> &'static [&'static str] {
    match base {
        "en" => &ENGLISH,
        "es" => &SPANISH,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_lists_are_sorted_without_repetition() {
        for language in ["en", "es"] {
            assert!(super::of(language).is_sorted_by(|a, b| a < b), "{language}");
        }
    }
}
