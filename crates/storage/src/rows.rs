//! SQL of multi-row statements, with numbered placeholders, which both databases support.

use std::fmt::Write;

/// Maximum rows of a multi-row statement. Databases look placeholders up in a list, so a statement with thousands of
/// them is slower than several with hundreds.
pub(crate) const ROWS_MAX: usize = 50;

/// Maximum ids of a list in a condition.
pub(crate) const IDS_MAX: usize = 500;

/// Returns `rows` rows such as `($1, $4, $5), ($1, $6, $7)`: each has the shared placeholders and then `own` of its
/// own, numbered after the `first` that the statement uses otherwise.
pub(crate) fn values(rows: usize, shared: &[usize], first: usize, own: usize) -> String {
    let mut text = String::with_capacity(rows * (own + shared.len()) * 6);
    let mut next = first + 1;
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ", (" });
        let numbers = shared.iter().copied().chain(next..next + own);
        list(&mut text, numbers);
        text.push(')');
        next += own;
    }
    text
}

/// Returns `count` placeholders such as `$2, $3, $4`, numbered after the `first` that the statement uses otherwise.
pub(crate) fn placeholders(count: usize, first: usize) -> String {
    let mut text = String::with_capacity(count * 5);
    list(&mut text, first + 1..=first + count);
    text
}

fn list(text: &mut String, numbers: impl Iterator<Item = usize>) {
    for (at, number) in numbers.enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        // Writing to a String cannot fail.
        let _ = write!(text, "${number}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_placeholders_repeat_and_others_are_numbered() {
        assert_eq!(values(2, &[1], 3, 2), "($1, $4, $5), ($1, $6, $7)");
        assert_eq!(placeholders(3, 1), "$2, $3, $4");
    }
}
