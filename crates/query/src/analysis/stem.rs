//! Stems: Snowball, helped where it is fed words without accents or plurals that it leaves.

use super::languages::LanguageRow;
use frostem::{Algorithm, Stemmer};
use std::borrow::Cow;

/// Letters of a word from which its ending may be put right.
const ENDING_LETTERS_MIN: usize = 5;
/// Letters that a stem of such a word has at least; what is left of less says nothing.
const STEM_LETTERS_MIN: usize = 3;

/// How words of a language are stemmed.
pub(super) struct Stemming {
    stemmer: Option<Stemmer>,
    before: Before,
}

/// What happens to a word before the algorithm sees it.
enum Before {
    /// A list of irregular plurals.
    English,
    /// Plurals by rule, then the accent of common endings.
    Spanish,
    /// Endings with their replacement, the longest first.
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

    /// The stem of a folded word. Words with a digit are codes or measures and stay as they are.
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
                if word.chars().count() < ENDING_LETTERS_MIN
                    || stem.chars().nth(STEM_LETTERS_MIN - 1).is_some()
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

/// The word with the first fitting ending replaced; short words only as a whole.
fn with_ending<'a>(word: &'a str, endings: &[(&str, &str)]) -> Cow<'a, str> {
    let fitting = endings.iter().find_map(|(ending, replacement)| {
        let root = word.strip_suffix(ending)?;
        let may = root.is_empty() || word.chars().count() >= ENDING_LETTERS_MIN;
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

/// The singular of a plural by the regular rules, so that `sartenes` and `sarten` meet the stemmer alike.
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

/// The word with the accent that the stemmer's endings carry and that folding took away.
fn accented_spanish(word: String) -> String {
    for (plain, accented) in [("acion", "ación"), ("ucion", "ución"), ("logia", "logía")] {
        if let Some(root) = word.strip_suffix(plain) {
            return format!("{root}{accented}");
        }
    }
    word
}
