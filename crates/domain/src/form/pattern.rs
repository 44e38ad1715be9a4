//! Parts of the patterns that several forms publish.

/// Control characters, as part of a character class.
pub(crate) const CONTROL: &str = r"\u0000-\u001f\u007f-\u009f";
/// White space except control characters, as part of a character class.
pub(super) const BLANK: &str = r"\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";
/// All white space, as part of a character class.
pub(crate) const SPACE: &str =
    r"\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";

/// The pattern of texts with a character other than white space.
pub(crate) fn not_blank_pattern() -> String {
    format!("[^{SPACE}]")
}
