//! The texts of the widget and of facets: built-in ones in six languages, and a store's own over them.

use crate::Language;
use crate::widget::Translations;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Texts by key.
pub type LabelTexts = BTreeMap<String, String>;

/// Language of the texts that no other language has.
const ENGLISH: &str = "en";

/// Suffixes of a key for numbers: the plural categories of Unicode (CLDR). The key without one is the category `other`.
const PLURALS: [&str; 5] = [".zero", ".one", ".two", ".few", ".many"];

/// The built-in texts by language.
static BUILT_IN: LazyLock<BTreeMap<&str, LabelTexts>> = LazyLock::new(|| {
    let files = [
        ("de", include_str!("words/de.json")),
        (ENGLISH, include_str!("words/en.json")),
        ("es", include_str!("words/es.json")),
        ("fr", include_str!("words/fr.json")),
        ("it", include_str!("words/it.json")),
        ("pt", include_str!("words/pt.json")),
    ];
    let parse =
        |file: &str| serde_json::from_str(file).expect("a file of texts; a test parses all");
    BTreeMap::from(files.map(|(code, file)| (code, parse(file))))
});

/// The texts of one language: the store's own of exactly this language, else its own of the base language, else the
/// built-in ones, else English.
#[derive(Clone, Debug)]
pub struct Labels<'a> {
    language: &'a Language,
    /// Own texts of the language, then of its base.
    own: [Option<&'a LabelTexts>; 2],
    built_in: Option<&'static LabelTexts>,
}

impl<'a> Labels<'a> {
    /// Returns the texts of `language` for a store with these own ones.
    pub fn new(own: Option<&'a Translations>, language: &'a Language) -> Self {
        let of_base = || {
            let mut all = own?.iter();
            all.find(|(code, _)| code.as_str() == language.base() && *code != language)
        };
        Self {
            language,
            own: [
                own.and_then(|own| own.get(language)),
                of_base().map(|(_, texts)| texts),
            ],
            built_in: BUILT_IN.get(language.base()),
        }
    }

    /// Returns the text of `key`; `None` for a key that neither the store nor the built-in texts have.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        let layers = self.own.into_iter().flatten();
        let layers = layers.chain(self.built_in).chain(BUILT_IN.get(ENGLISH));
        layers
            .filter_map(|texts| texts.get(key))
            .next()
            .map(String::as_str)
    }

    /// Returns the code of the most specific language with any text: the language itself, its base, or English.
    pub fn language(&self) -> &'a str {
        let has_texts = |texts: Option<&LabelTexts>| texts.is_some_and(|texts| !texts.is_empty());
        if has_texts(self.own[0]) {
            self.language.as_str()
        } else if has_texts(self.own[1]) || self.built_in.is_some() {
            self.language.base()
        } else {
            ENGLISH
        }
    }

    /// Returns the text of every key. Own texts are left out from the first on that does not fit into `own_bytes_max`
    /// bytes of JSON.
    pub fn all(&self, own_bytes_max: usize) -> BTreeMap<&'a str, &'a str> {
        let [exact, base] = self.own;
        let mut room = own_bytes_max;
        let [exact, base] = [exact, base].map(|texts| texts_within(texts, &mut room));
        let mut all = BTreeMap::new();
        for texts in BUILT_IN.get(ENGLISH).into_iter().chain(self.built_in) {
            all.extend(
                texts
                    .iter()
                    .map(|(key, text)| (key.as_str(), text.as_str())),
            );
        }
        for texts in [base, exact] {
            for (key, _) in &texts {
                // Forms for numbers of another language do not suit this text.
                for plural in PLURALS {
                    all.remove(format!("{key}{plural}").as_str());
                }
            }
            all.extend(texts);
        }
        all
    }
}

/// Returns the first of `texts` that fit into `room` bytes of JSON, and takes them from it.
fn texts_within<'a>(texts: Option<&'a LabelTexts>, room: &mut usize) -> Vec<(&'a str, &'a str)> {
    let texts = texts.into_iter().flatten();
    let texts = texts.map(|(key, text)| (key.as_str(), text.as_str()));
    let fits = |(key, text): &(&str, &str)| {
        let left = room.checked_sub(entry_bytes(key, text));
        *room = left.unwrap_or(0);
        left.is_some()
    };
    texts.take_while(fits).collect()
}

/// Returns the bytes of one entry as JSON.
pub(crate) fn entry_bytes(key: &str, text: &str) -> usize {
    // Quotes, colon and comma.
    let json = |text: &str| serde_json::to_string(text).map_or(0, |json| json.len());
    json(key) + json(text) + 2
}

#[cfg(test)]
mod tests {
    //! 1. All six languages have the same keys, and the same placeholders in every text.
    //! 2. Every automatic facet and every sort has a text.
    //! 3. A text is the store's own of the exact language, of its base, the built-in one, or English, in this order.
    //! 4. An own text replaces the forms for numbers of other languages.
    //! 5. Own texts have a limit in bytes.

    use super::*;
    use crate::search::{FilterField, Sort};
    use serde_json::json;

    fn placeholders(text: &str) -> Vec<&str> {
        let parts = text.split('{').skip(1);
        let mut names: Vec<&str> = parts.filter_map(|part| part.split('}').next()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn all_languages_have_the_same_keys_and_placeholders() {
        let english = &BUILT_IN[ENGLISH];
        assert_eq!(BUILT_IN.len(), 6);
        for (language, texts) in BUILT_IN.iter() {
            assert!(texts.keys().eq(english.keys()), "{language}");
            for (key, text) in texts {
                assert!(!text.trim().is_empty(), "{language} {key}");
                assert!(!text.contains(['<', '>']), "{language} {key}");
                assert_eq!(
                    placeholders(text),
                    placeholders(&english[key]),
                    "{language} {key}"
                );
            }
        }
    }

    #[test]
    fn facets_and_sorts_have_texts() {
        let english = &BUILT_IN[ENGLISH];
        for field in FilterField::FIXED {
            assert!(english.contains_key(&format!("facet.{field}")), "{field}");
        }
        for sort in Sort::ALL {
            let key = format!("sort.{}", sort.as_str());
            assert!(english.contains_key(&key), "{key}");
        }
    }

    fn own() -> Translations {
        let own = json!({
            "es": {"box.label": "Búsqueda", "mine": "Mío", "results.count": "{n} artículos"},
            "es-mx": {"box.label": "Busca"}, "ca": {"box.label": "Cerca"}
        });
        serde_json::from_value(own).expect("translations")
    }

    fn language(code: &str) -> Language {
        Language::parse(code).expect("a code")
    }

    #[test]
    fn the_nearest_text_is_used() {
        let own = own();
        for (code, label, mine, close, in_language) in [
            ("es-mx", "Busca", Some("Mío"), "Cerrar", "es-mx"),
            ("es-ar", "Búsqueda", Some("Mío"), "Cerrar", "es"),
            ("es", "Búsqueda", Some("Mío"), "Cerrar", "es"),
            ("fr-ca", "Rechercher", None, "Fermer", "fr"),
            ("ca", "Cerca", None, "Close", "ca"),
            ("zh", "Search", None, "Close", "en"),
        ] {
            let language = language(code);
            let labels = Labels::new(Some(&own), &language);
            assert_eq!(labels.text("box.label"), Some(label), "{code}");
            assert_eq!(labels.text("mine"), mine, "{code}");
            assert_eq!(labels.text("box.close"), Some(close), "{code}");
            assert_eq!(labels.language(), in_language, "{code}");
            let all = labels.all(10_000);
            for (key, text) in &all {
                assert_eq!(labels.text(key), Some(*text), "{code} {key}");
            }
            assert_eq!(all.get("mine").copied(), mine, "{code}");
            assert_eq!(all["box.close"], close, "{code}");
        }
        assert_eq!(Labels::new(None, &language("es")).text("nothing"), None);
    }

    #[test]
    fn an_own_text_replaces_the_plurals_of_others() {
        let own = own();
        let (spanish, french) = (language("es"), language("fr"));
        let all = Labels::new(Some(&own), &spanish).all(10_000);
        assert_eq!(all["results.count"], "{n} artículos");
        assert_eq!(all.get("results.count.one"), None);
        assert!(all.contains_key("suggest.count.one"));
        let all = Labels::new(Some(&own), &french).all(10_000);
        assert_eq!(all["results.count.one"], "{n} produit");
    }

    #[test]
    fn own_texts_are_bounded() {
        let own = own();
        let mexican = language("es-mx");
        let labels = Labels::new(Some(&own), &mexican);
        let room = entry_bytes("box.label", "Busca");
        assert_eq!(labels.all(room)["box.label"], "Busca");
        assert_eq!(labels.all(room).get("mine"), None);
        assert_eq!(labels.all(room - 1)["box.label"], "Buscar");
    }
}
