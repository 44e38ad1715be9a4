//! The breakdown of a score: its parts, and a summary in one sentence (`docs/api.md`).

use crate::rules::used;
use crate::scoring::Factors;
use domain::relevance::field::{FIELD_COUNT, FieldId, FieldKind};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::sync::{Arc, LazyLock};

/// How a word matched a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WordMatchKind {
    /// The same stem, or the same code.
    Exact,
    /// A fuzzy match.
    Typo,
    /// A prefix of a word of the name.
    Prefix,
    /// A substring of a word of the name or of a code.
    Partial,
    /// Part of a compound, the last part of the word as a compound, or the parts of the word side by side.
    Split,
    /// The word and its neighbours as one word.
    Joined,
    /// A synonym of the word in the store.
    Synonym,
}

/// How the whole query matches a code in the reference modes, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// The query is a code of the product.
    Exact,
    /// A code of the product starts with the query.
    Starts,
    /// A code of the product contains the query.
    Contains,
    /// A code of the product is at edit distance 1.
    Typo,
}

impl Tier {
    /// All tiers, the best first.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Starts, Self::Contains, Self::Typo];
}

/// A match of one word in one field.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WordMatch {
    /// The word as typed.
    #[serde(serialize_with = "text")]
    #[schemars(with = "String")]
    pub word: Arc<str>,
    /// The matched field.
    #[serde(serialize_with = "name")]
    #[schemars(with = "String")]
    pub field: FieldId,
    /// The matched term of the document; left out where only a compared product matches.
    #[serde(serialize_with = "text", skip_serializing_if = "is_empty")]
    #[schemars(with = "String")]
    pub matched: Arc<str>,
    /// How they matched.
    pub kind: WordMatchKind,
    /// Edit distance between them.
    pub distance: u32,
    /// Boost of the field.
    pub boost: f64,
    /// Contribution to the text score.
    pub score: f64,
}

impl WordMatch {
    /// Whether the field is one of codes.
    pub fn is_code(&self) -> bool {
        self.field.kind() == FieldKind::Code
    }
}

fn is_empty(text: &Arc<str>) -> bool {
    text.is_empty()
}

fn text<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

fn name<S: Serializer>(field: &FieldId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(field.name())
}

/// A bonus that a field earns.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FieldBonus {
    /// The field that earns it.
    #[serde(serialize_with = "name")]
    #[schemars(with = "String")]
    pub field: FieldId,
    /// Contribution to the text score.
    pub score: f64,
}

/// A bonus of the document.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Bonus {
    /// Contribution to the text score.
    pub score: f64,
}

/// The text part of a score.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextBreakdown {
    /// Sum of the parts; 1 for an empty query.
    pub score: f64,
    /// Matches of words in fields, in the order of the query, the best field first.
    pub matches: Vec<WordMatch>,
    /// All words are adjacent.
    pub phrase: Option<FieldBonus>,
    /// The query is a code of the product.
    pub exact_reference: Option<FieldBonus>,
    /// Exact matches spread over the document.
    pub cross_fields: Option<Bonus>,
}

/// Why a hit has its score.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Breakdown {
    /// The text part.
    pub text: TextBreakdown,
    /// How the query matches its codes, in the reference modes.
    pub tier: Option<Tier>,
    /// Factors from stock, sales, rating and discount.
    pub factors: Factors,
    /// Multipliers of rules.
    pub rules: Vec<RuleMultiplier>,
    /// Whether a rule pins it to its position.
    pub pinned: bool,
    /// The explanation in one sentence.
    pub summary: String,
}

/// A rule's multiplier of a score.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RuleMultiplier {
    /// Id of the rule.
    pub id: String,
    /// Type of the rule.
    #[serde(rename = "type")]
    pub kind: String,
    /// The multiplier.
    pub multiplier: f64,
}

impl RuleMultiplier {
    /// The multipliers of BOOST rules, each with its id, as they are applied, without those of 1.
    pub fn shown(rules: impl IntoIterator<Item = (String, f64)>) -> Vec<Self> {
        let (ids, multipliers): (Vec<String>, Vec<f64>) = rules.into_iter().unzip();
        let applied = ids.into_iter().zip(used(&multipliers));
        let applied = applied.filter(|(_, multiplier)| *multiplier != 1.0);
        applied
            .map(|(id, multiplier)| Self {
                id,
                kind: "BOOST".to_owned(),
                multiplier,
            })
            .collect()
    }
}

impl TextBreakdown {
    /// The text part of a hit of a query with words: the sum of its parts.
    pub fn of_words(
        matches: Vec<WordMatch>,
        phrase: Option<FieldBonus>,
        exact_reference: Option<FieldBonus>,
        cross_fields: Option<Bonus>,
    ) -> Self {
        let of_field = |bonus: &Option<FieldBonus>| bonus.as_ref().map_or(0.0, |own| own.score);
        let score = matches.iter().map(|found| found.score).sum::<f64>()
            + of_field(&phrase)
            + of_field(&exact_reference)
            + cross_fields.as_ref().map_or(0.0, |bonus| bonus.score);
        Self {
            score,
            matches,
            phrase,
            exact_reference,
            cross_fields,
        }
    }

    /// The text part of a hit of a query without words, which counts every document alike.
    pub fn without_words() -> Self {
        Self {
            score: 1.0,
            matches: Vec::new(),
            phrase: None,
            exact_reference: None,
            cross_fields: None,
        }
    }
}

impl Breakdown {
    /// The breakdown of a hit, with its summary.
    pub fn new(text: TextBreakdown, factors: Factors) -> Self {
        let summary = summary(&text, &factors, &[]);
        Self {
            text,
            tier: None,
            factors,
            rules: Vec::new(),
            pinned: false,
            summary,
        }
    }

    /// Adds the multipliers of rules.
    #[must_use]
    pub fn with_rules(mut self, rules: Vec<RuleMultiplier>) -> Self {
        if !rules.is_empty() {
            self.summary = summary(&self.text, &self.factors, &rules);
            self.rules = rules;
        }
        self
    }

    /// Sets whether a rule pins the hit.
    #[must_use]
    pub fn pinned(mut self, pinned: bool) -> Self {
        if pinned {
            self.pinned = true;
            self.summary = format!("A rule pins it here. {}", self.summary);
        }
        self
    }
}

/// Initial capacity of a summary in bytes, enough for most, so that it is allocated once.
const SUMMARY_CAPACITY: usize = 256;

fn summary(text: &TextBreakdown, factors: &Factors, rules: &[RuleMultiplier]) -> String {
    let mut sentence = String::with_capacity(SUMMARY_CAPACITY);
    if let Some(code) = &text.exact_reference {
        add(&mut sentence, &["the query is its ", label(code.field)]);
    }
    for (at, found) in text.matches.iter().enumerate() {
        let (before, from_here) = text.matches.split_at(at);
        if !before.iter().any(|other| other.word == found.word) {
            add_word(&mut sentence, found, from_here);
        }
    }
    if let Some(phrase) = &text.phrase {
        let field = label(phrase.field);
        add(&mut sentence, &["the words stand side by side in ", field]);
    }
    if sentence.is_empty() && text.score == 0.0 {
        sentence.push_str("it matches no word of the query");
    }
    if sentence.is_empty() {
        sentence.push_str("the query is empty, so every product counts alike");
    }
    add_factors(&mut sentence, factors);
    if !rules.is_empty() {
        let multiplier: f64 = rules.iter().map(|rule| rule.multiplier).product();
        sentence.push_str(&format!(", multiplied by {multiplier:.2} by rules"));
    }
    sentence.push('.');
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    sentence
}

/// Adds a clause, given in pieces, to the sentence.
fn add(sentence: &mut String, pieces: &[&str]) {
    if !sentence.is_empty() {
        sentence.push_str("; ");
    }
    sentence.extend(pieces.iter().copied());
}

/// Adds how a word matched. `best` is its best match; `all` contains all of its matches.
fn add_word(sentence: &mut String, best: &WordMatch, all: &[WordMatch]) {
    let (word, matched) = (&*best.word, &*best.matched);
    match best.kind {
        WordMatchKind::Exact => add(sentence, &["“", word, "” is in "]),
        WordMatchKind::Typo => add(sentence, &["“", word, "” is close to “", matched, "” in "]),
        WordMatchKind::Prefix => add(sentence, &["“", word, "” begins “", matched, "” in "]),
        WordMatchKind::Split if matched.contains(' ') => {
            add(sentence, &["“", word, "” is written “", matched, "” in "]);
        }
        WordMatchKind::Joined => {
            let pieces = ["“", word, "” is written together as “", matched, "” in "];
            add(sentence, &pieces);
        }
        WordMatchKind::Split => {
            let pieces = ["“", word, "” shares a part with “", matched, "” in "];
            add(sentence, &pieces);
        }
        WordMatchKind::Synonym => {
            let pieces = ["“", word, "” is found as its synonym “", matched, "” in "];
            add(sentence, &pieces);
        }
        WordMatchKind::Partial if best.is_code() => {
            add(sentence, &["“", word, "” is part of its "])
        }
        WordMatchKind::Partial => add(sentence, &["“", word, "” is part of “", matched, "” in "]),
    }
    let mut fields: [&str; 3] = [""; 3];
    let mut named = 0;
    for found in all.iter().filter(|found| found.word == best.word) {
        if named == fields.len() {
            break;
        }
        let name = label(found.field);
        if !fields[..named].contains(&name) {
            fields[named] = name;
            named += 1;
        }
    }
    add_list(sentence, &fields[..named]);
}

/// Adds the factors that raise the score, at the end of the sentence.
fn add_factors(sentence: &mut String, factors: &Factors) {
    let mut parts = factors.named();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    // After the sort, the factors that raise the score come first.
    let named = parts.iter().filter(|(value, _)| *value > 0.0).count();
    if named > 0 {
        sentence.push_str(&format!(", counted {:.2} times for ", factors.multiplier));
        let names: Vec<&str> = parts.iter().map(|(_, name)| *name).take(named).collect();
        add_list(sentence, &names);
    }
}

fn add_list(sentence: &mut String, names: &[&str]) {
    for (at, name) in names.iter().enumerate() {
        match at {
            0 => {}
            at if at + 1 == names.len() => sentence.push_str(" and "),
            _ => sentence.push_str(", "),
        }
        sentence.push_str(name);
    }
}

/// The name of a field in a sentence.
fn label(field: FieldId) -> &'static str {
    static LABELS: LazyLock<[&str; FIELD_COUNT]> = LazyLock::new(|| {
        let mut labels = [""; FIELD_COUNT];
        FieldId::all().for_each(|field| labels[field.index()] = label_of(field.name()));
        labels
    });
    LABELS[field.index()]
}

fn label_of(field: &str) -> &'static str {
    match field {
        "name" | "name.autocomplete" | "name.partial" => "the name",
        "reference" => "reference",
        "ean13" => "EAN",
        "upc" => "UPC",
        "mpn" => "part number",
        "combinationReferences" => "reference of a variant",
        "combinationEans" => "EAN of a variant",
        "combinationMpns" => "part number of a variant",
        "categories.name" => "the category",
        "tags" => "the tags",
        "attributes.value" => "the variants",
        "features.value" => "the features",
        "short_description" => "the short description",
        "description" => "the description",
        "manufacturer" => "the brand",
        "supplier" => "the supplier",
        _ => "the generated description",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::{FactorBoosts, FactorValues, factors};

    #[test]
    fn the_summary_names_matched_fields_and_factors() {
        let tags = FieldId::TAGS;
        let found = |word: &str, field, kind| WordMatch {
            word: word.into(),
            field,
            matched: "tent".into(),
            kind,
            distance: 0,
            boost: 6.0,
            score: 3.0,
        };
        let text = TextBreakdown {
            score: 7.0,
            matches: vec![
                found("tents", FieldId::NAME, WordMatchKind::Exact),
                found("tents", tags, WordMatchKind::Exact),
                found("tant", FieldId::NAME, WordMatchKind::Typo),
            ],
            phrase: None,
            exact_reference: None,
            cross_fields: None,
        };
        let boosts = FactorBoosts {
            stock: 1.5,
            ..FactorBoosts::default()
        };
        let in_stock = factors(
            &boosts,
            &FactorValues {
                in_stock: true,
                ..FactorValues::default()
            },
        );
        assert_eq!(
            Breakdown::new(text, in_stock).summary,
            "“tents” is in the name and the tags; “tant” is close to “tent” in the name, \
             counted 2.50 times for being in stock."
        );
    }
}
