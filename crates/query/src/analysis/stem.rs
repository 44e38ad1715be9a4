//! Stemming by Snowball (Porter 2001), with corrections for words without accents and for plurals that it does not
//! handle.

use super::languages::LanguageRow;
use frostem::{Algorithm, Stemmer};
use std::borrow::Cow;

/// Shortest word, in characters, whose ending is replaced.
const ENDING_WORD_MIN: usize = 5;
/// Shortest stem of such a word, in characters; a shorter one would conflate unrelated words.
const STEM_CHARACTERS_MIN: usize = 3;

/// The stemming of one language.
pub(super) struct Stemming {
    stemmer: Option<Stemmer>,
    before: Before,
}

/// The step before the Snowball algorithm.
enum Before {
    /// A list of irregular plurals.
    English,
    /// Regular plurals, then the accents of common endings.
    Spanish,
    /// Replaced endings, the longest first.
    Endings(Vec<(&'static str, &'static str)>),
}

impl Stemming {
    pub fn of(row: &LanguageRow) -> Self {
        let before = match row.algorithm {
            Some(Algorithm::English) => Before::English,
            Some(Algorithm::Spanish) => Before::Spanish,
            _ => Before::Endings(endings(row.endings)),
        };
        Self {
            stemmer: row.algorithm.map(Stemmer::new),
            before,
        }
    }

    /// The stem of a folded word. Words with a digit are codes or measures and are not stemmed.
    pub fn stem(&self, folded: &str) -> String {
        if folded.bytes().any(|b| b.is_ascii_digit()) {
            return folded.to_owned();
        }
        match &self.before {
            Before::English => self.by_algorithm(singular_english(folded)).into_owned(),
            Before::Spanish => {
                let word = accented_spanish(singular_spanish(folded));
                super::fold(&self.by_algorithm(&word))
            }
            Before::Endings(endings) => {
                let word = with_ending(folded, endings);
                let stem = match self.by_algorithm(&word) {
                    stem if stem.is_ascii() => stem.into_owned(),
                    stem => super::fold(&stem),
                };
                if word.chars().count() < ENDING_WORD_MIN
                    || stem.chars().nth(STEM_CHARACTERS_MIN - 1).is_some()
                {
                    stem
                } else {
                    super::fold(&word)
                }
            }
        }
    }

    fn by_algorithm<'a>(&self, word: &'a str) -> Cow<'a, str> {
        match &self.stemmer {
            Some(stemmer) => stemmer.stem(word),
            None => Cow::Borrowed(word),
        }
    }
}

/// The endings of a row, `ending>replacement` each, the longest first.
fn endings(listed: &'static str) -> Vec<(&'static str, &'static str)> {
    let mut endings: Vec<_> = listed
        .split_whitespace()
        .filter_map(|ending| ending.split_once('>'))
        .collect();
    endings.sort_by_key(|(ending, _)| std::cmp::Reverse(ending.len()));
    endings
}

/// The word with the first matching ending replaced; a short word only when the ending is the whole word.
fn with_ending<'a>(word: &'a str, endings: &[(&str, &str)]) -> Cow<'a, str> {
    let fitting = endings.iter().find_map(|(ending, replacement)| {
        let root = word.strip_suffix(ending)?;
        let may = root.is_empty() || word.chars().count() >= ENDING_WORD_MIN;
        may.then(|| format!("{root}{replacement}"))
    });
    fitting.map_or(Cow::Borrowed(word), Cow::Owned)
}

const IRREGULAR: [(&str, &str); 27] = [
    ("calves", "calf"),
    ("children", "child"),
    ("childrens", "child"),
    ("dice", "die"),
    ("elves", "elf"),
    ("feet", "foot"),
    ("geese", "goose"),
    ("halves", "half"),
    ("hooves", "hoof"),
    ("knives", "knife"),
    ("leaves", "leaf"),
    ("lice", "louse"),
    ("lives", "life"),
    ("loaves", "loaf"),
    ("men", "man"),
    ("mens", "man"),
    ("mice", "mouse"),
    ("oxen", "ox"),
    ("scarves", "scarf"),
    ("selves", "self"),
    ("shelves", "shelf"),
    ("teeth", "tooth"),
    ("thieves", "thief"),
    ("wives", "wife"),
    ("wolves", "wolf"),
    ("women", "woman"),
    ("womens", "woman"),
];

fn singular_english(word: &str) -> &str {
    IRREGULAR
        .binary_search_by(|(plural, _)| plural.cmp(&word))
        .map_or(word, |at| IRREGULAR[at].1)
}

/// The singular of a regular plural, so that the stemmer gets `sarten` for `sartenes` too.
fn singular_spanish(word: &str) -> String {
    if word.len() < 4 || !word.ends_with('s') {
        return word.to_owned();
    }
    if let Some(root) = word.strip_suffix("ces") {
        return format!("{root}z");
    }
    if let Some(root) = word.strip_suffix("es")
        && root.len() >= 3
        && root.ends_with(['n', 'l', 'r', 'd', 'j', 'y', 's', 'z', 'x'])
    {
        return root.to_owned();
    }
    let root = &word[..word.len() - 1];
    if root.ends_with(['a', 'e', 'i', 'o', 'u']) {
        root.to_owned()
    } else {
        word.to_owned()
    }
}

/// Restores the accents that the stemmer's endings expect and that folding removed.
fn accented_spanish(word: String) -> String {
    for (plain, accented) in [("acion", "ación"), ("ucion", "ución"), ("logia", "logía")] {
        if let Some(root) = word.strip_suffix(plain) {
            return format!("{root}{accented}");
        }
    }
    word
}
