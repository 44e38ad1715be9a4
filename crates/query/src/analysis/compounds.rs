//! Words made of others: which first parts a longer word may have.

/// The letters that link the parts of a word.
#[derive(Clone, Debug)]
pub struct Compounds {
    links: Vec<&'static str>,
}

/// Letters that a word has at least to be looked for at the end of longer words, or a word's last part to stand for it.
pub const LAST_PART_LETTERS_MIN: usize = 4;
/// Letters that the first part of a word has at least.
pub const FIRST_PART_LETTERS_MIN: usize = 3;

impl Compounds {
    /// Parts linked by nothing or by one of `links`, which blanks separate.
    pub(super) fn with_links(links: &'static str) -> Self {
        Self {
            links: links.split_whitespace().collect(),
        }
    }

    /// What the first part of a word may be when `head` stands before its last part: with and without a link.
    pub fn first_parts<'a>(&self, head: &'a str) -> impl Iterator<Item = &'a str> {
        let unlinked = self.links.iter().filter_map(|link| head.strip_suffix(link));
        let all = std::iter::once(head).chain(unlinked);
        all.filter(|part| part.chars().nth(FIRST_PART_LETTERS_MIN - 1).is_some())
    }
}
