//! Decompounding: the first parts that a compound may have.

/// The linking elements between the parts of compounds of a language.
#[derive(Clone, Debug)]
pub struct Compounds {
    links: Vec<&'static str>,
}

/// Shortest last part of a compound, in characters.
pub const LAST_PART_LETTERS_MIN: usize = 4;
/// Shortest first part of a compound, in characters.
pub const FIRST_PART_LETTERS_MIN: usize = 3;

impl Compounds {
    /// Compounds whose parts are linked by nothing or by one of `links`, separated by spaces.
    pub(super) fn with_links(links: &'static str) -> Self {
        Self {
            links: links.split_whitespace().collect(),
        }
    }

    /// The possible first parts when `head` comes before the last part: with and without a linking element.
    pub fn first_parts<'a>(&self, head: &'a str) -> impl Iterator<Item = &'a str> {
        let unlinked = self.links.iter().filter_map(|link| head.strip_suffix(link));
        let all = std::iter::once(head).chain(unlinked);
        all.filter(|part| part.chars().nth(FIRST_PART_LETTERS_MIN - 1).is_some())
    }
}
