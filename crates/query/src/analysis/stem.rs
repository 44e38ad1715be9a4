//! Stems of English and Spanish: Snowball, helped where it is fed words without accents or irregular plurals.

use frostem::{Algorithm, Stemmer};

/// How words of a language are stemmed.
pub(super) enum Stemming {
    /// Porter2 after a list of irregular plurals.
    English(Stemmer),
    /// Snowball after the plural is taken off and the accent of common endings is put back.
    Spanish(Stemmer),
    /// Not at all.
    None,
}

impl std::fmt::Debug for Stemming {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::English(_) => "English",
            Self::Spanish(_) => "Spanish",
            Self::None => "None",
        })
    }
}

impl Stemming {
    pub fn of(base: &str) -> Self {
        match base {
            "en" => Self::English(Stemmer::new(Algorithm::English)),
            "es" => Self::Spanish(Stemmer::new(Algorithm::Spanish)),
            _ => Self::None,
        }
    }

    /// The stem of a folded word. Words with a digit are codes or measures and stay as they are.
    pub fn stem(&self, folded: &str) -> String {
        if folded.bytes().any(|b| b.is_ascii_digit()) {
            return folded.to_owned();
        }
        match self {
            Self::English(stemmer) => stemmer.stem(singular_english(folded)).into_owned(),
            Self::Spanish(stemmer) => {
                let stem = stemmer
                    .stem(&accented_spanish(singular_spanish(folded)))
                    .into_owned();
                super::fold(&stem)
            }
            Self::None => folded.to_owned(),
        }
    }
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
