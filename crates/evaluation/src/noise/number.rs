//! Singular and plural by the regular endings of a language, written independently of the product's analysis.

use super::{alphabetic, pick, replaced};
use crate::choices::Choices;

/// Characters of a word that changes, at least.
const CHARACTERS_MIN: usize = 4;

/// EndingRules of words and what each becomes; the first that a word has counts. Without a replacement the word stays.
type EndingRules = &'static [(&'static str, Option<&'static str>)];

const ENGLISH: EndingRules = &[
    ("ies", Some("y")),
    ("sses", Some("ss")),
    ("shes", Some("sh")),
    ("ches", Some("ch")),
    ("xes", Some("x")),
    ("ss", Some("sses")),
    ("us", None),
    ("is", None),
    ("s", Some("")),
    ("x", Some("xes")),
    ("z", None),
    ("sh", Some("shes")),
    ("ch", Some("ches")),
    ("ay", Some("ays")),
    ("ey", Some("eys")),
    ("oy", Some("oys")),
    ("y", Some("ies")),
    ("", Some("s")),
];

const SPANISH: EndingRules = &[
    ("ces", Some("z")),
    ("ones", Some("ón")),
    ("les", Some("l")),
    ("res", Some("r")),
    ("des", Some("d")),
    ("as", Some("a")),
    ("os", Some("o")),
    ("es", Some("e")),
    ("s", None),
    ("z", Some("ces")),
    ("ón", Some("ones")),
    ("l", Some("les")),
    ("r", Some("res")),
    ("d", Some("des")),
    ("a", Some("as")),
    ("o", Some("os")),
    ("e", Some("es")),
];

const FRENCH: EndingRules = &[
    ("eaux", Some("eau")),
    ("eux", None),
    ("aux", Some("al")),
    ("ss", None),
    ("us", None),
    ("is", None),
    ("as", None),
    ("s", Some("")),
    ("x", None),
    ("z", None),
    ("eau", Some("eaux")),
    ("al", Some("aux")),
    ("", Some("s")),
];

const ITALIAN: EndingRules = &[
    ("chi", Some("co")),
    ("ghi", Some("go")),
    ("che", Some("ca")),
    ("ghe", Some("ga")),
    ("io", Some("i")),
    ("co", Some("chi")),
    ("go", Some("ghi")),
    ("ca", Some("che")),
    ("ga", Some("ghe")),
    ("o", Some("i")),
    ("a", Some("e")),
    ("e", Some("i")),
    ("i", Some("o")),
];

const GERMAN: EndingRules = &[
    ("ungen", Some("ung")),
    ("ung", Some("ungen")),
    ("keit", Some("keiten")),
    ("heit", Some("heiten")),
    ("ion", Some("ionen")),
    ("eln", Some("el")),
    ("el", Some("eln")),
    ("en", Some("e")),
    ("e", Some("en")),
    ("er", None),
    ("a", Some("as")),
    ("i", Some("is")),
    ("o", Some("os")),
];

/// Returns the query with one word in its other number.
pub(super) fn other(words: &[String], language: &str, choices: &mut Choices) -> Option<String> {
    let endings = endings(language);
    let at = pick(words, choices, |word| {
        alphabetic(word, CHARACTERS_MIN) && changed(word, endings).is_some()
    })?;
    Some(replaced(words, at, &changed(&words[at], endings)?))
}

fn endings(language: &str) -> EndingRules {
    match language {
        "en" => ENGLISH,
        "es" => SPANISH,
        "fr" => FRENCH,
        "it" => ITALIAN,
        "de" => GERMAN,
        _ => &[],
    }
}

fn changed(word: &str, endings: EndingRules) -> Option<String> {
    let (stem, replacement) = endings
        .iter()
        .find_map(|(ending, to)| Some((word.strip_suffix(ending)?, to)))?;
    Some(format!("{stem}{}", (*replacement)?))
}
