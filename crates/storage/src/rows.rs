//! SQL of multi-row statements, with numbered placeholders, which both databases support.

use std::fmt::Write;

/// Maximum rows of a multi-row statement.
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

/// Returns `sql` with `?` for each placeholder, if they are numbered in the order of their places; else as it is.
///
/// SQLite looks the number of a placeholder up in the list of all of them, which takes the square of their number, and a
/// quarter of the time of a block of documents; one without a number is where it is.
pub(crate) fn unnumbered(sql: String) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut rest = sql.as_str();
    for next in 1_usize.. {
        let Some((before, after)) = rest.split_once('$') else {
            break;
        };
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        if after[..digits].parse() != Ok(next) {
            return sql;
        }
        text.push_str(before);
        text.push('?');
        rest = &after[digits..];
    }
    text.push_str(rest);
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

    #[test]
    fn only_placeholders_in_order_lose_their_numbers() {
        for (sql, expected) in [
            ("SELECT 1", "SELECT 1"),
            ("a = $1 AND b IN ($2, $3)", "a = ? AND b IN (?, ?)"),
            ("a = $2 AND b = $1", "a = $2 AND b = $1"),
            ("a = $1 OR b = $1", "a = $1 OR b = $1"),
            ("a = $1 AND b = '$'", "a = $1 AND b = '$'"),
        ] {
            assert_eq!(unnumbered(sql.to_owned()), expected);
        }
        let twelve = format!("({})", placeholders(12, 0));
        assert_eq!(unnumbered(twelve), format!("({})", ["?"; 12].join(", ")));
    }
}
