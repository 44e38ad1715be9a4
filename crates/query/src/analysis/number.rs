//! Singular and plural of a folded word by the regular endings of its language (`docs/languages.md`).

use super::fold::fold;
use super::number_endings;

/// Characters that both forms must have in common where an ending is short; a shorter one would relate unrelated words.
const ROOT_CHARACTERS_MIN: usize = 2;
/// Characters from which on an ending may be the whole word, as in `feet`.
const WHOLE_ENDING_MIN: usize = 3;

/// The endings of one language, folded.
#[derive(Clone, Debug)]
pub(super) struct NumberEndings(Vec<(String, String)>);

impl NumberEndings {
    /// The endings of the language with this code, without a region; none for one that is not listed.
    pub fn of(code: &str) -> Self {
        let folded =
            number_endings::endings(code).map(|(singular, plural)| (fold(singular), fold(plural)));
        let mut pairs: Vec<(String, String)> = folded.collect();
        pairs.retain(|(singular, plural)| singular != plural);
        pairs.sort_unstable();
        pairs.dedup();
        Self(pairs)
    }

    /// The other numbers that the folded `word` may have, words or not. Words with a digit have none.
    pub fn others(&self, word: &str) -> Vec<String> {
        let mut others = Vec::new();
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            return others;
        }
        for (singular, plural) in &self.0 {
            for (ending, other) in [(plural, singular), (singular, plural)] {
                let root = word.strip_suffix(ending.as_str());
                let root = root.filter(|root| may_end(root, singular, plural));
                others.extend(root.map(|root| format!("{root}{other}")));
            }
        }
        others.sort_unstable();
        others.dedup();
        others
    }
}

/// Whether a word with this root may have both endings. No plural adds an s to an s.
fn may_end(root: &str, singular: &str, plural: &str) -> bool {
    let is_long = root.chars().count() >= ROOT_CHARACTERS_MIN;
    let is_word = singular.len() >= WHOLE_ENDING_MIN && plural.len() >= WHOLE_ENDING_MIN;
    let adds_to_s = singular.is_empty() && plural == "s" && root.ends_with('s');
    (is_long || is_word) && !adds_to_s
}

#[cfg(test)]
mod tests {
    //! Singular and plural find each other, also where the plural is irregular and listed; other words of the same stem
    //! are no other number.

    use super::*;

    #[test]
    fn singular_and_plural_find_each_other() {
        for (code, singular, plural) in [
            ("en", "sofa", "sofas"),
            ("en", "box", "boxes"),
            ("en", "battery", "batteries"),
            ("en", "shelf", "shelves"),
            ("en", "mouse", "mice"),
            ("es", "sarten", "sartenes"),
            ("es", "camiseta", "camisetas"),
            ("es", "lapiz", "lapices"),
            ("fr", "chapeau", "chapeaux"),
            ("fr", "cheval", "chevaux"),
            ("it", "scarpa", "scarpe"),
            ("it", "bosco", "boschi"),
            ("pt", "botao", "botoes"),
            ("pt", "papel", "papeis"),
            ("de", "tasche", "taschen"),
            ("de", "stuhl", "stuhle"),
            ("de", "fahrrad", "fahrrader"),
            ("nl", "bril", "brillen"),
            ("sv", "skjorta", "skjortor"),
            ("ru", "лампа", "лампы"),
            ("tr", "kitap", "kitaplar"),
        ] {
            let endings = NumberEndings::of(code);
            let finds = |word: &str, other: &str| endings.others(word).iter().any(|o| o == other);
            assert!(finds(singular, plural), "{code} {singular} {plural}");
            assert!(finds(plural, singular), "{code} {plural} {singular}");
        }
    }

    #[test]
    fn other_words_are_no_other_number() {
        for (code, word, other) in [
            ("es", "plata", "plato"),
            ("en", "plan", "planes"),
            ("en", "run", "running"),
            ("en", "glas", "glass"),
            ("en", "r2", "r2s"),
            ("de", "bohr", "bohrer"),
            ("en", "i", "is"),
            ("xx", "sofa", "sofas"),
        ] {
            let endings = NumberEndings::of(code);
            assert!(!endings.others(word).iter().any(|found| found == other));
            assert!(!endings.others(other).iter().any(|found| found == word));
        }
    }
}
