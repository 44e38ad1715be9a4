//! The scoring formula: weights of matches, bonuses of a document, factors.
//!
//! Text fields are scored by BM25 (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond")
//! with parameters by kind of field; `docs/relevance.md` describes the whole formula. All values are `f64`.

use domain::SearchSettings;
use domain::document::Numbers;
use domain::relevance::field::FieldKind;
use schemars::JsonSchema;
use serde::Serialize;

/// Share of the scores of a word's other fields that is added to that of its best field, as in a dis-max query.
pub const TIE: f64 = 0.2;
/// Weight of a match of the surface form, relative to one of the stem.
pub const SURFACE_FORM_WEIGHT: f64 = 1.05;
/// Weight of another word of the stem, where the catalogue has the typed word.
pub const OTHER_WORD_WEIGHT: f64 = 1.0 / 7.0;
/// Weight of a fuzzy match when a document that the visitor may see has the word in another way.
pub const PRESENT_TYPO_WEIGHT: f64 = 0.125;
/// Weight of a fuzzy match when the word itself, or a nearer term, is in the index.
pub const TYPO_DAMPING: f64 = 0.2;
/// Weight of a prefix match when the word itself is in the index.
pub const PREFIX_DAMPING: f64 = 0.5;
/// Weight of a match of a synonym, relative to the same match of the typed word.
pub const SYNONYM_WEIGHT: f64 = 0.9;
/// Weight of a word found as part of a compound, and of the last part of a compound that is not in the index.
pub const COMPOUND_WEIGHT: f64 = 0.6;
/// Weight of a stop word beside other words, relative to that of all of them in the same field: in names of the usual
/// length, more than one more word of a field takes away.
pub const STOP_WORD_WEIGHT: f64 = 0.08;
/// Most terms that decompounding adds to one word: the most frequent ones.
pub const COMPOUND_TERMS_MAX: usize = 50;
/// Documents that must contain the last part of a compound before it may replace the compound; one is enough in a small
/// index.
pub const LAST_PART_DOCUMENTS_MIN: u64 = 3;
/// Number of documents below which an index is small.
pub const SMALL_INDEX: u64 = 1_000;
/// Weight of a code match, times the boost of its field; replaces term frequency, field length and idf.
pub const CODE_WEIGHT: f64 = 5.0;
/// Factor of `crossFieldsBoost` in the coordination bonus.
pub const COORDINATION_FACTOR: f64 = 5.0 / 3.0;
/// Divisor of `phraseBoost` in the phrase bonus.
pub const PHRASE_DIVISOR: f64 = 16.0;
/// Factor of `exactRefBoost` in the exact-code bonus.
pub const EXACT_CODE_FACTOR: f64 = 16.0;
/// Most fuzzy terms of one word: the nearest, then the most frequent ones.
pub const FUZZY_TERMS_MAX: usize = 50;
/// Length in characters from which one typo in a code is tolerated.
pub const CODE_TYPO_CHARACTERS_MIN: usize = 5;
/// Weight of a substring match in a code, relative to a match of the whole code.
pub const CODE_SUBSTRING_WEIGHT: f64 = 0.5;
/// Characters of the shortest substring that finds a code.
pub const CODE_SUBSTRING_CHARACTERS_MIN: usize = 3;
/// Characters of the shortest prefix that matches a word of the name.
pub const PREFIX_CHARACTERS_MIN: usize = 2;
/// Characters of the longest prefix that is indexed.
pub const PREFIX_CHARACTERS_MAX: usize = 20;

/// Characters of the shortest substring that matches within a word of the name.
pub const SUBSTRING_CHARACTERS_MIN: usize = 3;
/// Characters of the longest substring that is indexed.
pub const SUBSTRING_CHARACTERS_MAX: usize = 20;

/// Term frequency saturation and length normalisation of a field: `k1` and `b` of BM25.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saturation {
    /// Saturation: the lower, the less repetitions add.
    pub k1: f64,
    /// Length normalisation, 0 to 1.
    pub b: f64,
}

/// The parameters of fields of `kind`; low for short fields, where length and repetition say little.
pub fn saturation(kind: FieldKind) -> Saturation {
    match kind {
        FieldKind::Long => Saturation { k1: 1.2, b: 0.75 },
        _ => Saturation { k1: 0.5, b: 0.4 },
    }
}

/// Inverse document frequency of a term in `df` of `n` documents; at least 1.
pub fn idf(n: u64, df: u64) -> f64 {
    let (n, df) = (n.max(df) as f64, df as f64);
    1.0 + (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
}

/// Words of a field above which a length is rounded.
const EXACT_LENGTHS: u32 = 24;
/// Significant bits of the rest of a longer length.
const LENGTH_BITS: u32 = 4;

/// The length that the score counts for a field of `length` words: exact up to 40, above it rounded down by less than an
/// eighth.
///
/// It is the value that Lucene's `SmallFloat.intToByte4` keeps in a byte, so that an engine over Lucene computes the same
/// scores: what exceeds 24 is rounded down to four significant bits.
pub fn counted_length(length: u32) -> u32 {
    let Some(rest) = length.checked_sub(EXACT_LENGTHS) else {
        return length;
    };
    let dropped = (u32::BITS - rest.leading_zeros()).saturating_sub(LENGTH_BITS);
    EXACT_LENGTHS + ((rest >> dropped) << dropped)
}

/// The length norm of a field of `length` counted words, see [`counted_length`], with the average `average`: the summand in the denominator of
/// [`saturated`].
pub fn norm(saturation: Saturation, length: f64, average: f64) -> f64 {
    let Saturation { k1, b } = saturation;
    if average > 0.0 {
        k1 * (1.0 - b + b * length / average)
    } else {
        k1
    }
}

/// BM25 weight of `tf` occurrences in a field with the given [`norm`].
pub fn saturated(saturation: Saturation, tf: f64, norm: f64) -> f64 {
    (saturation.k1 + 1.0) * tf / (tf + norm)
}

/// BM25 weight of `tf` occurrences in a field of `length` counted words, see [`counted_length`], with the average
/// `average`.
pub fn frequency(saturation: Saturation, tf: f64, length: f64, average: f64) -> f64 {
    saturated(saturation, tf, norm(saturation, length, average))
}

/// Weight of a fuzzy match at edit distance `distance` from a word of `length` characters.
pub fn typo(distance: u32, length: usize, damped: bool) -> f64 {
    let share = 1.0 - f64::from(distance) / length.max(1) as f64;
    share * share * if damped { TYPO_DAMPING } else { 1.0 }
}

/// Weight of a word of `length` characters as a prefix or substring of a term of `term` characters.
pub fn prefix(length: usize, term: usize, exists: bool) -> f64 {
    length as f64 / term.max(1) as f64 * if exists { PREFIX_DAMPING } else { 1.0 }
}

/// Weight of a substring match in a code; lower when the substring is itself a code.
pub fn code_substring(exists: bool) -> f64 {
    CODE_SUBSTRING_WEIGHT * if exists { PREFIX_DAMPING } else { 1.0 }
}

/// Score of a word: its best field plus a share of the others.
pub fn word(best: f64, sum: f64) -> f64 {
    best + TIE * (sum - best)
}

/// Share of the score of a field in the score of its word, where `better` fields of the word score higher.
pub fn field_share(better: usize) -> f64 {
    if better == 0 { 1.0 } else { TIE }
}

/// Coordination bonus: grows with the share of the query's summed idf that exact matches cover; from two words on.
pub fn coordination(cross_fields_boost: f64, rarity: f64, covered: f64) -> f64 {
    if rarity <= 0.0 {
        return 0.0;
    }
    let share = covered / rarity;
    cross_fields_boost * COORDINATION_FACTOR * rarity * share * share
}

/// Phrase bonus: all words adjacent in the name or one tag; from two words on.
pub fn phrase(phrase_boost: f64, rarity: f64) -> f64 {
    phrase_boost / PHRASE_DIVISOR * rarity
}

/// Bonus for a query that equals a code, in an index of `n` documents.
pub fn exact_code(exact_ref_boost: f64, n: u64) -> f64 {
    exact_ref_boost * EXACT_CODE_FACTOR * (1.0 + n as f64).ln()
}

/// Whether `score` is at least `percent` percent of the best score.
///
/// Differences below single precision come from another order of summation and are ignored.
pub fn reaches(score: f64, best: f64, percent: u32) -> bool {
    score * 100.0 >= best * f64::from(percent) * (1.0 - 1e-6)
}

/// The lowest score that [`reaches`] `percent` percent of the best score.
pub fn threshold(best: f64, percent: u32) -> f64 {
    best * f64::from(percent) / 100.0 * (1.0 - 1e-6)
}

/// The boosts of the four factors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the fields are the settings of the same name")]
pub struct FactorBoosts {
    pub stock: f64,
    pub sales: f64,
    pub rating: f64,
    pub discount: f64,
}

impl FactorBoosts {
    /// The boosts under `settings`.
    pub fn of(settings: &SearchSettings) -> Self {
        Self {
            stock: settings.stock_boost,
            sales: settings.sales_boost,
            rating: settings.rating_boost,
            discount: settings.discount_boost,
        }
    }
}

/// The values of one document from which its factors are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FactorValues {
    /// Whether it is in stock.
    pub in_stock: bool,
    /// Common logarithm of 1 + units sold.
    pub sales_log: f64,
    /// Common logarithm of 1 + rating.
    pub rating_log: f64,
    /// Whether it has an active discount in the visitor's price context.
    pub discount: bool,
}

impl FactorValues {
    /// The values of a document with these numbers, with an active `discount` or without; a missing or negative value
    /// counts as 0.
    pub fn of(numbers: &Numbers, discount: bool) -> Self {
        let log = |value: Option<f64>| (1.0 + value.unwrap_or(0.0).max(0.0)).log10();
        Self {
            in_stock: numbers.available(),
            sales_log: log(numbers.sales_count),
            rating_log: log(numbers.rating),
            discount,
        }
    }
}

/// The factors of one document, and the multiplier of its text score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[expect(
    missing_docs,
    reason = "the fields are the factors of `docs/relevance.md`"
)]
pub struct Factors {
    pub stock: f64,
    pub sales: f64,
    pub rating: f64,
    pub discount: f64,
    /// 1 + the sum of the factors.
    pub multiplier: f64,
}

impl Factors {
    /// Each factor, with what it comes from, as a part of a sentence.
    pub fn named(&self) -> Vec<(f64, &'static str)> {
        vec![
            (self.stock, "being in stock"),
            (self.sales, "its sales"),
            (self.rating, "its rating"),
            (self.discount, "its discount"),
        ]
    }
}

/// The factors of a document: score = text × (1 + stock + sales + rating + discount).
pub fn factors(boosts: &FactorBoosts, values: &FactorValues) -> Factors {
    let stock = if values.in_stock { boosts.stock } else { 0.0 };
    let discount = if values.discount {
        boosts.discount
    } else {
        0.0
    };
    let sales = boosts.sales * values.sales_log;
    let rating = boosts.rating * values.rating_log;
    Factors {
        stock,
        sales,
        rating,
        discount,
        multiplier: 1.0 + stock + sales + rating + discount,
    }
}

#[cfg(test)]
mod tests {
    //! 1. Without factors the multiplier is 1. 2. Rarer words weigh more, never less than 1.
    //! 3. More occurrences weigh more, longer fields less. 4. An exact match outweighs a typo.
    //! 5. Lengths are counted as Lucene keeps them, exactly up to 40; rounding keeps their order, is at most an eighth,
    //!    happens once, and leaves at most 256 different lengths.

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_product_without_factors_is_neutral() {
        let none = factors(
            &FactorBoosts {
                stock: 1.5,
                sales: 0.5,
                rating: 0.3,
                discount: 1.1,
            },
            &FactorValues::default(),
        );
        assert_eq!(none.multiplier, 1.0);
    }

    #[test]
    fn factors_are_common_logarithms() {
        let boosts = FactorBoosts {
            stock: 1.5,
            sales: 0.5,
            rating: 0.3,
            discount: 1.1,
        };
        let numbers = Numbers {
            in_stock: Some(true),
            sales_count: Some(999.0),
            rating: Some(9.0),
            ..Numbers::default()
        };
        let values = FactorValues::of(&numbers, true);
        let factors = factors(&boosts, &values);
        assert!((factors.multiplier - (1.0 + 1.5 + 1.5 + 0.3 + 1.1)).abs() < 1e-12);
    }

    /// The lengths that the byte codes of Lucene stand for: `code` up to 23, above it 24 plus a number of three bits, with
    /// a fourth bit above them from 8 on, and a shift in the upper bits.
    fn length_of_code(code: u32) -> u64 {
        let Some(float) = code.checked_sub(24) else {
            return u64::from(code);
        };
        let (bits, shift) = (u64::from(float % 8), float / 8);
        24 + match shift {
            0 => bits,
            _ => (bits | 8) << (shift - 1),
        }
    }

    #[test]
    fn lengths_are_those_of_the_256_codes() {
        let codes: Vec<u64> = (0..256).map(length_of_code).collect();
        assert!(codes.is_sorted_by(|a, b| a < b));
        for length in (0..200_000u32).chain([i32::MAX as u32]) {
            let above = codes.partition_point(|code| *code <= u64::from(length));
            assert_eq!(u64::from(counted_length(length)), codes[above - 1]);
        }
    }

    #[test]
    fn lengths_are_exact_up_to_40() {
        for length in 0..=40 {
            assert_eq!(counted_length(length), length);
        }
        for (length, counted) in [(41, 40), (63, 60), (300, 280), (1000, 984)] {
            assert_eq!(counted_length(length), counted);
        }
    }

    proptest! {
        #[test]
        fn counted_lengths_keep_their_order(length: u32, other: u32, short in 0u32..100_000) {
            for (length, other) in [(length, other), (short, short + 1), (short, other)] {
                let (shorter, longer) = (length.min(other), length.max(other));
                prop_assert!(counted_length(shorter) <= counted_length(longer));
            }
        }

        #[test]
        fn lengths_are_rounded_once_and_by_less_than_an_eighth(length: u32, short in 0u32..100_000) {
            for length in [length, short] {
                let counted = counted_length(length);
                prop_assert_eq!(counted_length(counted), counted);
                prop_assert!(counted <= length && u64::from(length - counted) * 8 < u64::from(length.max(1)));
            }
        }

        #[test]
        fn rarity_falls_with_frequency(n in 1u64..1_000_000, df in 0u64..1_000_000) {
            let df = df.min(n);
            prop_assert!(idf(n, df) >= 1.0);
            if df > 0 {
                prop_assert!(idf(n, df) < idf(n, df - 1));
            }
        }

        #[test]
        fn frequency_and_length_pull_in_opposite_directions(tf in 1u32..50, length in 1u32..500, average in 1u32..200) {
            let (tf, length, average) = (f64::from(tf), f64::from(length), f64::from(average));
            for kind in [FieldKind::Short, FieldKind::Long] {
                let s = saturation(kind);
                prop_assert!(frequency(s, tf + 1.0, length, average) > frequency(s, tf, length, average));
                prop_assert!(frequency(s, tf, length + 1.0, average) < frequency(s, tf, length, average));
            }
        }

        #[test]
        fn a_typo_weighs_less_than_the_word(distance in 1u32..3, length in 3usize..30, damped: bool) {
            prop_assert!(typo(distance, length, damped) < 1.0);
            prop_assert!(typo(distance, length, damped) > 0.0);
        }
    }
}
