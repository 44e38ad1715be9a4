//! The most similar known name, for error messages about a misspelled key.

/// Maximum bytes of a text that is compared: the time is proportional to its length.
const BYTES_MAX: usize = 64;

/// Returns the known name that is most similar to `name`, if any is similar enough.
///
/// The distance may be a third of the characters (at least two); case is ignored. Longer texts than 64 bytes have no
/// similar name.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > BYTES_MAX {
        return None;
    }
    let wanted = name.to_lowercase();
    let allowed = (wanted.chars().count() / 3).max(2);
    known
        .into_iter()
        .map(|candidate| (distance(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the number of characters to insert, delete, replace or swap with their neighbour to turn `a` into `b`
/// (optimal string alignment, a restricted Damerau-Levenshtein distance).
pub fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn a_transposition_is_one_edit() {
        assert_eq!(distance("socsk", "socks"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn only_similar_names_are_proposed() {
        assert_eq!(
            nearest("stockBost", ["stockBoost", "salesBoost"]),
            Some("stockBoost")
        );
        assert_eq!(nearest("colour", ["name", "tags"]), None);
        assert_eq!(nearest(&"n".repeat(65), ["n".repeat(65).as_str()]), None);
    }
}
