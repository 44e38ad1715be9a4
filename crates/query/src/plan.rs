//! The plan: what a search engine executes, compiled from a query and a relevance configuration.
//!
//! It holds analysed terms, never text that an engine would analyse again (`docs/adr/0002-tokens-in-the-plan.md`).

mod synonyms;

use crate::analysis::SameWord;
use crate::analysis::codes::{self, article_number};
use crate::rules::PlanRules;
use crate::scoring::{CODE_SUBSTRING_CHARACTERS_MIN, CODE_TYPO_CHARACTERS_MIN, FactorBoosts};
use crate::typo_tolerance::typos_allowed;
use crate::user_query::UserQuery;
use domain::document::DocType;
use domain::relevance::field::FieldId;
use domain::relevance::{Boosts, Fuzziness, ReferenceMode, Relevance, SearchSettings};
use synonyms::plan_synonyms;

pub use synonyms::{PlanSynonym, SynonymWord};

/// Which documents a query matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Find {
    /// All documents, with the text score 1: the query is empty.
    Everything,
    /// None: the query has punctuation but no word.
    Nothing,
    /// Those that its words and codes match.
    Words,
}

/// A compiled query.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Which documents match.
    pub find: Find,
    /// The words that count for minimum match, then the stop words beside them, which only add to scores.
    pub words: Vec<PlanWord>,
    /// Parts of the query that may be codes.
    pub codes: Vec<PlanCode>,
    /// Synonyms of words of the query.
    pub synonyms: Vec<PlanSynonym>,
    /// Number of words that a document must match.
    pub min_match: usize,
    /// Whether matching words are counted over all fields together, or within one field.
    pub across_fields: bool,
    /// Boost of every field; a field with boost 0 is not searched.
    pub boosts: Boosts,
    /// Number of leading characters in which no typo is tolerated.
    pub typo_prefix: usize,
    /// The setting `phraseBoost`.
    pub phrase_boost: f64,
    /// The setting `exactRefBoost`.
    pub exact_ref_boost: f64,
    /// The setting `crossFieldsBoost`.
    pub cross_fields_boost: f64,
    /// Boosts of the factors; all 0 for document types other than products.
    pub factors: FactorBoosts,
    /// Whether products that cannot be ordered are left out.
    pub hide_out_of_stock: bool,
    /// Percentage of the best score below which hits are cut off; 0 for no cutoff.
    pub cutoff: u32,
    /// What happens when the query is a code of the index.
    pub reference_mode: ReferenceMode,
    /// Whether the query has the shape of a code.
    pub code_shaped: bool,
    /// The plan to execute instead when the query is a list of codes of the index.
    pub list: Option<Box<Self>>,
    /// Whether only documents with one of the codes match, in the order of the codes.
    pub listed: bool,
    /// What rules change.
    pub rules: PlanRules,
}

/// A word of the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanWord {
    /// As typed, for messages.
    pub text: String,
    /// The stem.
    pub stem: String,
    /// The surface form: as typed, in lower case with accents.
    pub form: String,
    /// Without accents, not stemmed: the form in which prefixes are compared.
    pub folded: String,
    /// Position in the query, counting stop words.
    pub position: u32,
    /// Largest edit distance of a fuzzy match.
    pub typos: u32,
    /// Whether a document that the visitor may see has it in another way than by a typo; typos then weigh less. Known once an
    /// index counted, see [`with_typos`](crate::meaning::typos::with_typos).
    pub is_present: bool,
    /// Whether it may be part of a compound, or a compound itself.
    pub compound: bool,
    /// Its forms that count as the word itself, where they are known: its stem may have other words.
    pub same_word: Option<SameWord>,
    /// Whether it counts for minimum match; false for a stop word, which finds nothing.
    pub counts: bool,
}

/// A part of the query that may be a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCode {
    /// Without separators; in lower case unless codes are case-sensitive.
    pub spelling: String,
    /// The code as an EAN or UPC: without leading zeros.
    pub article: String,
    /// Range in [`Plan::words`] of the counting words that it covers; empty when they are stop words.
    pub words: std::ops::Range<usize>,
    /// Whether it is the whole query.
    pub whole: bool,
    /// Whether one typo is tolerated where the term is long enough, see [`Self::tolerant_forms`].
    pub typo: bool,
    /// Whether codes that contain it match too.
    pub substring: bool,
}

impl PlanCode {
    /// The term of the code in `field`.
    pub fn term(&self, field: FieldId) -> &str {
        if is_article_number(field) {
            &self.article
        } else {
            &self.spelling
        }
    }

    /// The spellings in `field` that tolerate one typo: with and without leading zeros.
    pub fn tolerant_forms(&self, field: FieldId) -> impl Iterator<Item = &str> {
        let bare = Some(self.term(field)).filter(|term| *term != self.spelling);
        let forms = std::iter::once(self.spelling.as_str()).chain(bare);
        forms.filter(|form| self.typo && codes::characters(form) >= CODE_TYPO_CHARACTERS_MIN)
    }

    /// Whether it is long enough for a substring match.
    pub fn may_be_substring(&self) -> bool {
        codes::characters(&self.spelling) >= CODE_SUBSTRING_CHARACTERS_MIN
    }
}

/// Whether the codes of `field` are article numbers, whose leading zeros are ignored.
pub fn is_article_number(field: FieldId) -> bool {
    matches!(field.name(), "ean13" | "upc" | "combinationEans")
}

/// Whether the words in the texts of `field` have positions, so that phrases must be adjacent there: those of names and
/// tags.
pub fn has_positions(field: FieldId) -> bool {
    field == FieldId::NAME || field == FieldId::TAGS
}

impl Plan {
    /// Compiles `query` under `relevance` for documents of `doc_type`.
    pub fn new(query: &UserQuery, relevance: &Relevance, doc_type: DocType) -> Self {
        let settings = &relevance.search_settings;
        let counted: Vec<usize> = (0..query.words.len())
            .filter(|at| query.words[*at].counts)
            .collect();
        let words: Vec<PlanWord> = counted
            .iter()
            .map(|at| plan_word(&query.words[*at], settings))
            .chain(
                query
                    .words
                    .iter()
                    .filter(|word| !word.counts)
                    .map(|word| stop_word(word, settings)),
            )
            .collect();
        let find = match (query.is_empty(), counted.is_empty()) {
            (true, _) => Find::Everything,
            (false, true) => Find::Nothing,
            (false, false) => Find::Words,
        };
        let products = doc_type == DocType::Products;
        let mut plan = Self {
            find,
            codes: plan_codes(query, &counted, settings),
            synonyms: plan_synonyms(query, &counted),
            words,
            min_match: query.min_match,
            across_fields: settings.cross_fields_boost > 0.0,
            boosts: relevance.boosts.clone(),
            typo_prefix: settings.fuzzy_prefix_length as usize,
            phrase_boost: settings.phrase_boost,
            exact_ref_boost: settings.exact_ref_boost,
            cross_fields_boost: settings.cross_fields_boost,
            factors: if products {
                FactorBoosts::of(settings)
            } else {
                FactorBoosts::default()
            },
            hide_out_of_stock: products && settings.hide_out_of_stock,
            // The scores of an empty query say nothing about how well a hit matches.
            cutoff: if find == Find::Words {
                settings.score_cutoff
            } else {
                0
            },
            reference_mode: settings.reference_mode,
            code_shaped: products && query.code_shaped,
            list: None,
            listed: false,
            rules: PlanRules::default(),
        };
        if products && !query.list.is_empty() && find == Find::Words {
            plan.list = Some(Box::new(plan.of_list(query, settings)));
        }
        plan
    }

    /// Adds the effects of rules, to the plan for a list of codes as well.
    #[must_use]
    pub fn with_rules(mut self, rules: PlanRules) -> Self {
        if let Some(list) = &mut self.list {
            list.rules.clone_from(&rules);
        }
        self.rules = rules;
        self
    }

    /// The plan that finds the listed codes, each as a word.
    fn of_list(&self, query: &UserQuery, settings: &SearchSettings) -> Self {
        let words = query.list.iter().enumerate().map(|(at, part)| PlanWord {
            text: part.text.clone(),
            stem: part.compact.clone(),
            form: part.compact.clone(),
            folded: part.compact.clone(),
            position: at as u32,
            typos: 0,
            is_present: false,
            compound: false,
            same_word: None,
            counts: true,
        });
        let codes = query.list.iter().enumerate().map(|(at, part)| PlanCode {
            typo: false,
            substring: false,
            ..plan_code(&part.compact, &part.cased, at..at + 1, settings)
        });
        Self {
            words: words.collect(),
            codes: codes.collect(),
            synonyms: Vec::new(),
            min_match: 1,
            cutoff: 0,
            reference_mode: ReferenceMode::Off,
            code_shaped: false,
            listed: true,
            ..self.clone()
        }
    }

    /// The words that count for minimum match.
    pub fn counted(&self) -> &[PlanWord] {
        &self.words[..self.words.partition_point(|word| word.counts)]
    }

    /// Whether `field` is searched.
    pub fn searches(&self, field: FieldId) -> bool {
        self.boosts.get(field) > 0.0
    }

    /// Whether every text field is searched, so that the field of all stems may be used in their place.
    pub fn searches_all_texts(&self) -> bool {
        FieldId::texts().all(|field| self.searches(field))
    }
}

fn plan_word(word: &crate::user_query::QueryWord, settings: &SearchSettings) -> PlanWord {
    let length = word.token.stem.chars().count();
    let typos = if word.digit {
        0
    } else {
        typos_allowed(settings.fuzziness, length)
    };
    PlanWord {
        text: word.text.clone(),
        stem: word.token.stem.clone(),
        form: word.token.form.clone(),
        folded: word.token.folded.clone(),
        position: word.token.position,
        typos,
        is_present: false,
        compound: word.compound,
        same_word: word.same_word.clone(),
        counts: true,
    }
}

/// A stop word beside other words: it matches as it is, without typos and parts.
fn stop_word(word: &crate::user_query::QueryWord, settings: &SearchSettings) -> PlanWord {
    PlanWord {
        typos: 0,
        compound: false,
        same_word: None,
        counts: false,
        ..plan_word(word, settings)
    }
}

/// Translates a range of the words of the query to a range of `counted`, the words that count.
fn counted_range(counted: &[usize], words: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let covered = |at: &usize| words.contains(at);
    let start = counted.iter().position(covered).unwrap_or(0);
    let end = counted.iter().rposition(covered).map_or(0, |at| at + 1);
    start..end
}

fn plan_codes(query: &UserQuery, counted: &[usize], settings: &SearchSettings) -> Vec<PlanCode> {
    let codes = query.codes.iter().map(|code| {
        let words = counted_range(counted, &code.words);
        PlanCode {
            whole: code.whole,
            ..plan_code(&code.compact, &code.cased, words, settings)
        }
    });
    codes.collect()
}

fn plan_code(
    compact: &str,
    cased: &str,
    words: std::ops::Range<usize>,
    settings: &SearchSettings,
) -> PlanCode {
    let spelled = if settings.reference_case_sensitive {
        cased
    } else {
        compact
    };
    let mut code = PlanCode {
        spelling: spelled.to_owned(),
        article: article_number(spelled).to_owned(),
        words,
        whole: false,
        typo: settings.fuzziness != Fuzziness::None
            && codes::characters(spelled) >= CODE_TYPO_CHARACTERS_MIN,
        substring: false,
    };
    code.substring = !settings.exact_reference_search && code.may_be_substring();
    code
}

#[cfg(test)]
mod tests {
    //! 1. Typo tolerance follows the length of the stem, and words with a digit have none.
    //! 2. Codes cover the words that count, never stop words. 3. Only products have factors.

    use super::*;
    use crate::analysis::Analyser;
    use domain::Language;

    fn plan(text: &str, doc_type: DocType) -> Plan {
        let relevance = Relevance::default();
        let analyser = Analyser::new(&Language::parse("en").expect("a code"));
        Plan::new(
            &UserQuery::new(text, &analyser, &relevance.search_settings),
            &relevance,
            doc_type,
        )
    }

    #[test]
    fn typos_follow_the_length_of_the_word() {
        let typos: Vec<u32> = plan("tv tent backpack kt1200", DocType::Products)
            .words
            .iter()
            .map(|w| w.typos)
            .collect();
        assert_eq!(typos, [0, 1, 2, 0]);
        assert_eq!(typos_allowed(Fuzziness::Two, 2), 1);
        assert_eq!(typos_allowed(Fuzziness::Two, 1), 0);
    }

    #[test]
    fn codes_cover_the_words_that_count() {
        let codes = plan("case for KT-1200", DocType::Products).codes;
        let seen: Vec<(&str, std::ops::Range<usize>, bool, bool)> = codes
            .iter()
            .map(|c| (c.spelling.as_str(), c.words.clone(), c.whole, c.typo))
            .collect();
        assert_eq!(
            seen,
            [
                ("case", 0..1, false, false),
                ("for", 0..0, false, false),
                ("kt1200", 1..2, false, true),
                ("caseforkt1200", 0..2, true, true),
            ]
        );
    }

    #[test]
    fn other_types_have_no_factors() {
        assert_eq!(plan("x", DocType::Brands).factors, FactorBoosts::default());
        assert_ne!(
            plan("x", DocType::Products).factors,
            FactorBoosts::default()
        );
    }

    #[test]
    fn punctuation_without_a_word_finds_nothing() {
        assert_eq!(plan(" ", DocType::Products).find, Find::Everything);
        assert_eq!(plan("?!", DocType::Products).find, Find::Nothing);
    }
}
