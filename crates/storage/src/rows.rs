//! Texts of multi-row statements: placeholders by number, so that both databases read them.

use std::fmt::Write;

/// Rows of one multi-row statement. Databases look placeholders up by name in a list, so that a statement of
/// thousands of them is slower than several of hundreds.
pub(crate) const ROWS_MAX: usize = 50;

/// Ids of one list in a condition.
pub(crate) const IDS_MAX: usize = 500;

/// `($1, $4, $5), ($1, $6, $7)`: `rows` rows, each the shared placeholders and then `own` of its own, numbered
/// after the `first` that the statement uses otherwise.
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

/// `$2, $3, $4`: `count` placeholders after the `first` that the statement uses otherwise.
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
    fn shared_places_repeat_and_own_places_count_on() {
        assert_eq!(values(2, &[1], 3, 2), "($1, $4, $5), ($1, $6, $7)");
        assert_eq!(placeholders(3, 1), "$2, $3, $4");
    }
}
