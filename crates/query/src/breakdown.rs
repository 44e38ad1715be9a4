//! The breakdown: why a hit has its score, part by part, and in one sentence (contract section 4).

use crate::scoring::Factors;
use domain::relevance::field::{FieldId, FieldKind};
use schemars::JsonSchema;
use serde::Serialize;

/// How a word met a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MatchKind {
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
    pub word: String,
    /// The field.
    pub field: &'static str,
    /// What stands in the document.
    pub matched: String,
    /// How they met.
    pub kind: MatchKind,
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
        FieldId::named(self.field).is_some_and(|field| field.kind() == FieldKind::Code)
    }
}

/// A bonus that a field earns.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FieldBonus {
    /// The field.
    pub field: &'static str,
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

fn summary(text: &TextBreakdown, factors: &Factors, rules: &[RuleMultiplier]) -> String {
    let mut sentences = Vec::new();
    if let Some(code) = &text.exact_reference {
        sentences.push(format!("the question is its {}", label(code.field)));
    }
    sentences.extend(word_sentences(&text.matches));
    if let Some(phrase) = &text.phrase {
        sentences.push(format!(
            "the words stand side by side in {}",
            label(phrase.field)
        ));
    }
    if sentences.is_empty() && text.score == 0.0 {
        sentences.push("it matches no word of the question".to_owned());
    }
    if sentences.is_empty() {
        sentences.push("nothing was asked, so every product counts alike".to_owned());
    }
    let mut sentence = sentences.join("; ");
    sentence.push_str(&lift(factors));
    if !rules.is_empty() {
        let multiplier: f64 = rules.iter().map(|rule| rule.multiplier).product();
        sentence.push_str(&format!(", multiplied by {multiplier:.2} by rules"));
    }
    sentence.push('.');
    capitalised(sentence)
}

fn word_sentences(matches: &[WordMatch]) -> Vec<String> {
    let mut words: Vec<(&str, Vec<&WordMatch>)> = Vec::new();
    for found in matches {
        match words.iter_mut().find(|(word, _)| *word == found.word) {
            Some((_, all)) => all.push(found),
            None => words.push((&found.word, vec![found])),
        }
    }
    words
        .iter()
        .map(|(word, all)| word_sentence(word, all))
        .collect()
}

fn word_sentence(word: &str, all: &[&WordMatch]) -> String {
    let mut fields: Vec<&str> = Vec::new();
    for found in all {
        let name = label(found.field);
        if !fields.contains(&name) && fields.len() < 3 {
            fields.push(name);
        }
    }
    let fields = listed(&fields);
    let best = all[0];
    match best.kind {
        MatchKind::Exact => format!("“{word}” is in {fields}"),
        MatchKind::Typo => format!("“{word}” is close to “{}” in {fields}", best.matched),
        MatchKind::Prefix => format!("“{word}” begins “{}” in {fields}", best.matched),
        MatchKind::Split => format!("“{word}” shares a part with “{}” in {fields}", best.matched),
        MatchKind::Synonym => {
            format!(
                "“{word}” is found as its synonym “{}” in {fields}",
                best.matched
            )
        }
        MatchKind::Partial if best.is_code() => format!("“{word}” is part of its {fields}"),
        MatchKind::Partial => format!("“{word}” is part of “{}” in {fields}", best.matched),
    }
}

/// What the factors do, as the end of the sentence.
fn lift(factors: &Factors) -> String {
    let mut parts = [
        (factors.stock, "being in stock"),
        (factors.sales, "its sales"),
        (factors.rating, "its rating"),
        (factors.discount, "its discount"),
    ];
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let named: Vec<&str> = parts
        .iter()
        .filter(|(value, _)| *value > 0.0)
        .map(|(_, name)| *name)
        .collect();
    if named.is_empty() {
        return String::new();
    }
    format!(
        ", counted {:.2} times for {}",
        factors.multiplier,
        listed(&named)
    )
}

fn label(field: &str) -> &str {
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

fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

fn capitalised(sentence: String) -> String {
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => sentence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::{FactorBoosts, FactorValues, factors};

    #[test]
    fn the_sentence_says_where_the_words_are_and_what_lifts_the_product() {
        let found = |word: &str, field, kind| WordMatch {
            word: word.to_owned(),
            field,
            matched: "tent".to_owned(),
            kind,
            distance: 0,
            boost: 6.0,
            score: 3.0,
        };
        let text = TextBreakdown {
            score: 7.0,
            matches: vec![
                found("tents", "name", MatchKind::Exact),
                found("tents", "tags", MatchKind::Exact),
                found("tant", "name", MatchKind::Typo),
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
