//! The breakdown: why a hit has its score, part by part, and in one sentence (contract section 4).

use crate::scoring::Factors;
use domain::relevance::field::{FIELD_COUNT, FieldId, FieldKind};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::sync::{Arc, LazyLock};

/// How a word met a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WordMatchKind {
    /// The same analysed form, or the same code.
    Exact,
    /// Some letters away.
    Typo,
    /// The beginning of a word of the name.
    Prefix,
    /// A part of a word of the name or of a code.
    Partial,
    /// A part of a longer word, or the last part of the word.
    Split,
    /// A term that the store's synonyms give the word.
    Synonym,
}

/// How the whole question meets a code in the reference modes, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// It is a code of the product.
    Exact,
    /// A code of the product starts so.
    Starts,
    /// A code of the product contains it.
    Contains,
    /// A code of the product is one letter away.
    Typo,
}

impl Tier {
    /// All tiers, the best first.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Starts, Self::Contains, Self::Typo];
}

/// One word in one field.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WordMatch {
    /// The word as typed.
    #[serde(serialize_with = "text")]
    #[schemars(with = "String")]
    pub word: Arc<str>,
    /// The field.
    #[serde(serialize_with = "name")]
    #[schemars(with = "String")]
    pub field: FieldId,
    /// What stands in the document.
    #[serde(serialize_with = "text")]
    #[schemars(with = "String")]
    pub matched: Arc<str>,
    /// How they met.
    pub kind: WordMatchKind,
    /// Letters between them.
    pub distance: u32,
    /// Boost of the field.
    pub boost: f64,
    /// What it adds to the text score.
    pub score: f64,
}

impl WordMatch {
    /// Whether it was met in a field of codes.
    pub fn is_code(&self) -> bool {
        self.field.kind() == FieldKind::Code
    }
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
    /// The field.
    #[serde(serialize_with = "name")]
    #[schemars(with = "String")]
    pub field: FieldId,
    /// What it adds to the text score.
    pub score: f64,
}

/// A bonus of the document.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Bonus {
    /// What it adds to the text score.
    pub score: f64,
}

/// The text part of a score.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextBreakdown {
    /// Sum of the parts; 1 when nothing was asked.
    pub score: f64,
    /// Words in fields, in the order of the question, the best field first.
    pub matches: Vec<WordMatch>,
    /// All words side by side.
    pub phrase: Option<FieldBonus>,
    /// The question is a code.
    pub exact_reference: Option<FieldBonus>,
    /// Exact matches spread over the document.
    pub cross_fields: Option<Bonus>,
}

/// Why a hit has its score.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Breakdown {
    /// From the words.
    pub text: TextBreakdown,
    /// How the question meets its codes, in the reference modes.
    pub tier: Option<Tier>,
    /// From stock, sales, rating and discount.
    pub factors: Factors,
    /// Multipliers of rules.
    pub rules: Vec<RuleMultiplier>,
    /// Whether a rule put it where it stands.
    pub pinned: bool,
    /// One plain sentence.
    pub summary: String,
}

/// What a rule multiplied a score with.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RuleMultiplier {
    /// The rule.
    pub id: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The multiplier.
    pub multiplier: f64,
}

impl Breakdown {
    /// The breakdown of a hit, with its sentence.
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

    /// The same with what rules multiply the score with.
    #[must_use]
    pub fn with_rules(mut self, rules: Vec<RuleMultiplier>) -> Self {
        if !rules.is_empty() {
            self.summary = summary(&self.text, &self.factors, &rules);
            self.rules = rules;
        }
        self
    }

    /// The same of a hit that a rule put where it stands, or did not.
    #[must_use]
    pub fn pinned(mut self, pinned: bool) -> Self {
        if pinned {
            self.pinned = true;
            self.summary = format!("A rule pins it here. {}", self.summary);
        }
        self
    }
}

/// Letters of a sentence of common length, so that it is written into one piece of memory.
const SENTENCE_LETTERS: usize = 256;

fn summary(text: &TextBreakdown, factors: &Factors, rules: &[RuleMultiplier]) -> String {
    let mut sentence = String::with_capacity(SENTENCE_LETTERS);
    if let Some(code) = &text.exact_reference {
        add(&mut sentence, &["the question is its ", label(code.field)]);
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
        sentence.push_str("it matches no word of the question");
    }
    if sentence.is_empty() {
        sentence.push_str("nothing was asked, so every product counts alike");
    }
    add_lift(&mut sentence, factors);
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

/// Adds a part to the sentence, in pieces.
fn add(sentence: &mut String, pieces: &[&str]) {
    if !sentence.is_empty() {
        sentence.push_str("; ");
    }
    sentence.extend(pieces.iter().copied());
}

/// Adds how a word was met, `best` being the best of its matches; they are among `all`.
fn add_word(sentence: &mut String, best: &WordMatch, all: &[WordMatch]) {
    let (word, matched) = (&*best.word, &*best.matched);
    match best.kind {
        WordMatchKind::Exact => add(sentence, &["“", word, "” is in "]),
        WordMatchKind::Typo => add(sentence, &["“", word, "” is close to “", matched, "” in "]),
        WordMatchKind::Prefix => add(sentence, &["“", word, "” begins “", matched, "” in "]),
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

/// Adds what the factors do, which ends the sentence.
fn add_lift(sentence: &mut String, factors: &Factors) {
    let mut parts = [
        (factors.stock, "being in stock"),
        (factors.sales, "its sales"),
        (factors.rating, "its rating"),
        (factors.discount, "its discount"),
    ];
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    // What lifts stands before what does not.
    let named = parts.iter().filter(|(value, _)| *value > 0.0).count();
    if named > 0 {
        sentence.push_str(&format!(", counted {:.2} times for ", factors.multiplier));
        add_list(sentence, &parts.map(|(_, name)| name)[..named]);
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

/// What a field is called in a sentence.
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
    fn the_sentence_says_where_the_words_are_and_what_lifts_the_product() {
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
