//! The most similar known name, for error messages about a misspelled key.

use strsim::osa_distance;

/// Maximum bytes of a text that is compared: the time is proportional to its length.
const BYTES_MAX: usize = 64;

/// Returns the known name that is most similar to `name`, if any is similar enough.
///
/// The distance counts characters to insert, delete, replace or swap with their neighbour (optimal string alignment). It
/// may be a third of the characters (at least two); case is ignored. Longer texts than 64 bytes have no
/// similar name.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > BYTES_MAX {
        return None;
    }
    let wanted = name.to_lowercase();
    let allowed = (wanted.chars().count() / 3).max(2);
    known
        .into_iter()
        .map(|candidate| (osa_distance(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_transposition_is_one_edit() {
        assert_eq!(nearest("tgas", ["tags"]), Some("tags"));
        assert_eq!(nearest("tgsa", ["tags"]), Some("tags"));
        assert_eq!(nearest("sgat", ["tags"]), None);
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
