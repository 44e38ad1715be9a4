//! The vocabulary of a shop and its visitors: few words and codes, so similar that every case occurs.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// Similar words: plurals, transpositions, accents, hyphens, prefixes, stop words of several languages.
const WORDS: [&str; 80] = [
    "tent",
    "tents",
    "tant",
    "tnet",
    "tentation",
    "stent",
    "red",
    "Red",
    "rod",
    "reds",
    "shirt",
    "t-shirt",
    "tshirt",
    "t-shirts",
    "shirts",
    "café",
    "cafe",
    "Cafés",
    "knife",
    "knives",
    "men",
    "men's",
    "mens",
    "women",
    "for",
    "the",
    "with",
    "of",
    "a",
    "tv",
    "tvs",
    "wi-fi",
    "wifi",
    "fish",
    "fishing",
    "fisher",
    "backpack",
    "backpacks",
    "bakcpack",
    "packback",
    "straße",
    "strasse",
    "ñandú",
    "nandu",
    "sartén",
    "sartenes",
    "sarten",
    "de",
    "la",
    "para",
    "camisa",
    "camisas",
    "canción",
    "canciones",
    "plata",
    "plato",
    "Platos",
    "platás",
    "universal",
    "university",
    "luz",
    "luces",
    "A4",
    "x2",
    "12",
    "1200",
    "kt",
    "KT-1200",
    "kt1200",
    "ab",
    "aba",
    "abb",
    "bab",
    "abab",
    "aabb",
    "baba",
    "東京",
    "rock'n'roll",
    "state-of-the-art",
    "o'neill",
];

/// Codes similar to each other and to words.
const CODES: [&str; 44] = [
    "KT-1200",
    "KT1200",
    "kt 1200",
    "KT-1201",
    "KT-1210",
    "TK-1200",
    "KT-12000",
    "AB.12/3",
    "ab123",
    "AB-132",
    "0012345678905",
    "12345678905",
    "012345678905",
    "12345678906",
    "00012345",
    "12345",
    "12354",
    "00000001",
    "00000002",
    "4006381333931",
    "4006381333913",
    "04006381333931",
    "A4",
    "x2",
    "tent",
    "tents",
    "red tent",
    "Red-Tent",
    "backpack",
    "backpacks",
    "fishing",
    "ñandú-1",
    "kt-1200",
    "Kt-1200",
    "kT-1200",
    "B-KT-1200-C",
    "1200KT1200",
    "012-345",
    "00123",
    "123",
    "0123",
    "the",
    "THE",
    "of",
];

/// German compounds, with and without a linking element, and words that only look like compounds.
const PARTS: [&str; 24] = [
    "Zelt",
    "Zelte",
    "Zetl",
    "Winterzelt",
    "Wintersportzelte",
    "Winter",
    "Sport",
    "Sportschuhe",
    "Schuh",
    "Winterschuhe",
    "Kinderzelt",
    "Kind",
    "Arbeit",
    "Arbeitsschuhe",
    "Hose",
    "Winterhose",
    "Matrose",
    "Segeltuch",
    "Küche",
    "Küchen",
    "Kuchen",
    "Wand",
    "Wände",
    "Wander",
];

/// The words and codes of one shop.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    languages: Vec<&'static str>,
    words: Vec<String>,
    codes: Vec<&'static str>,
}

impl Vocabulary {
    pub fn languages(&self) -> impl Strategy<Value = &'static str> + use<> {
        select(self.languages.clone())
    }

    pub fn words(&self) -> impl Strategy<Value = String> + use<> {
        select(self.words.clone())
    }

    pub fn codes(&self) -> impl Strategy<Value = &'static str> + use<> {
        select(self.codes.clone())
    }
}

pub fn vocabularies() -> impl Strategy<Value = Vocabulary> {
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    let few = subsequence(WORDS.to_vec(), 3..12).prop_map(owned);
    let many = subsequence(WORDS.to_vec(), 12..60).prop_map(owned);
    let parts = subsequence(PARTS.to_vec(), 6..14).prop_map(owned);
    let all = || vec!["en", "en", "es", "es-mx", "hu", "ja"];
    let words = prop_oneof![
        5 => few.prop_map(move |words| (all(), words)),
        2 => many.prop_map(move |words| (all(), words)),
        2 => parts.prop_map(|words| (vec!["de"], words)),
        1 => Just((all(), crowd())),
    ];
    (words, subsequence(CODES.to_vec(), 2..10)).prop_map(|((languages, words), codes)| Vocabulary {
        languages,
        words,
        codes,
    })
}

/// More similar words than one word has fuzzy terms.
fn crowd() -> Vec<String> {
    let letters = ['a', 'b', 'c'];
    let mut words = vec![String::new()];
    for _ in 0..4 {
        let longer = words
            .iter()
            .flat_map(|word| letters.map(|letter| format!("{word}{letter}")));
        words = longer.collect();
    }
    words
}
