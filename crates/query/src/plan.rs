//! The plan: what every search engine executes, compiled from a question and a relevance configuration.
//!
//! It holds analysed words, never text that an engine would analyse again (`docs/adr/0002-tokens-in-the-plan.md`).

use crate::analysis::codes::{self, article_number};
use crate::rules::PlanRules;
use crate::scoring::{CODE_PART_LETTERS_MIN, CODE_TYPO_LETTERS_MIN, FactorBoosts};
use crate::synonyms::{Fired, SynonymTerm};
use crate::user_query::UserQuery;
use domain::document::DocType;
use domain::relevance::field::FieldId;
use domain::relevance::{Boosts, Fuzziness, ReferenceMode, Relevance, SearchSettings};

/// What a question finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Find {
    /// Everything, with the text score 1: nothing was asked.
    Everything,
    /// Nothing: the question has signs but no word.
    Nothing,
    /// What its words and codes match.
    Words,
}

/// A compiled question.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What is found.
    pub find: Find,
    /// The words that count.
    pub words: Vec<PlanWord>,
    /// Parts of the question that may be codes.
    pub codes: Vec<PlanCode>,
    /// Terms that words may stand for.
    pub synonyms: Vec<PlanSynonym>,
    /// Words that a document must match.
    pub min_match: usize,
    /// Whether they are counted over all fields together, or within one.
    pub across_fields: bool,
    /// Boost of every field; a field at 0 is not searched.
    pub boosts: Boosts,
    /// Leading letters that typos leave alone.
    pub typo_prefix: usize,
    /// Setting of the same name.
    pub phrase_boost: f64,
    /// Setting of the same name.
    pub exact_ref_boost: f64,
    /// Setting of the same name.
    pub cross_fields_boost: f64,
    /// Boosts of the factors; all 0 for types other than products.
    pub factors: FactorBoosts,
    /// Whether what cannot be ordered is left out.
    pub hide_out_of_stock: bool,
    /// Percent of the best score under which nothing is shown; 0 when everything found is.
    pub cutoff: u32,
    /// What happens when the question is a code of the index.
    pub reference_mode: ReferenceMode,
    /// Whether the question has the shape of a code.
    pub code_shaped: bool,
    /// The plan in place of this one when the question is a list of codes of the index.
    pub list: Option<Box<Self>>,
    /// Whether only what has one of the codes is found, in the order of the codes.
    pub listed: bool,
    /// What rules change of all that.
    pub rules: PlanRules,
}

/// A word of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanWord {
    /// As typed, for messages.
    pub text: String,
    /// Its analysed form.
    pub stem: String,
    /// As typed, in lower case with accents.
    pub form: String,
    /// Without accents, not stemmed: what prefixes are compared with.
    pub folded: String,
    /// Its place in the question, stop words counted.
    pub position: u32,
    /// Letters that may be wrong.
    pub typos: u32,
    /// Whether it may be a part of longer words, or be made of others.
    pub compound: bool,
}

/// A part of the question that may be a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCode {
    /// Without separators; without case too, unless case counts.
    pub spelled: String,
    /// The same as an EAN or UPC: without leading zeros.
    pub article: String,
    /// Places in [`Plan::words`] of the words that it covers; none when they are stop words.
    pub words: std::ops::Range<usize>,
    /// Whether it is the whole question.
    pub whole: bool,
    /// Whether one letter may be wrong where the term is long enough, see [`Self::tolerant_forms`].
    pub typo: bool,
    /// Whether a code that holds it as a part matches too.
    pub part: bool,
}

/// A term that some words of the question may stand for. A document with the term matches all of these words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanSynonym {
    /// As it was configured, for messages.
    pub text: String,
    /// Its words that a document must have: side by side where the index knows places, else in one field.
    pub words: Vec<SynonymWord>,
    /// Places in [`Plan::words`] of the words that it stands for.
    pub replaces: std::ops::Range<usize>,
}

/// A word of a synonym.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SynonymWord {
    /// Its analysed form.
    pub stem: String,
    /// As written, in lower case with accents.
    pub form: String,
    /// Its place in the term, stop words counted.
    pub position: u32,
}

impl PlanCode {
    /// The term that stands for the code in `field`.
    pub fn term(&self, field: FieldId) -> &str {
        if is_article_number(field) {
            &self.article
        } else {
            &self.spelled
        }
    }

    /// The ways to write it in `field` in which one letter may be wrong: with and without leading zeros.
    pub fn tolerant_forms(&self, field: FieldId) -> impl Iterator<Item = &str> {
        let bare = Some(self.term(field)).filter(|term| *term != self.spelled);
        let forms = std::iter::once(self.spelled.as_str()).chain(bare);
        forms.filter(|form| self.typo && codes::letters(form) >= CODE_TYPO_LETTERS_MIN)
    }

    /// Whether it is long enough to be looked for inside codes.
    pub fn may_be_part(&self) -> bool {
        codes::letters(&self.spelled) >= CODE_PART_LETTERS_MIN
    }
}

/// Whether the codes of `field` are article numbers, whose leading zeros do not count.
pub fn is_article_number(field: FieldId) -> bool {
    matches!(field.name(), "ean13" | "upc" | "combinationEans")
}

impl Plan {
    /// The plan of `query` under `relevance` for documents of `doc_type`.
    pub fn new(query: &UserQuery, relevance: &Relevance, doc_type: DocType) -> Self {
        let settings = &relevance.search_settings;
        let counted: Vec<usize> = (0..query.words.len())
            .filter(|at| query.words[*at].counts)
            .collect();
        let words: Vec<PlanWord> = counted
            .iter()
            .map(|at| plan_word(&query.words[*at], settings))
            .collect();
        let find = match (query.is_empty(), words.is_empty()) {
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
                factor_boosts(settings)
            } else {
                FactorBoosts::default()
            },
            hide_out_of_stock: products && settings.hide_out_of_stock,
            // Where nothing was asked, no score tells how well an answer fits.
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

    /// The same plan under rules, however the question is read.
    #[must_use]
    pub fn with_rules(mut self, rules: PlanRules) -> Self {
        if let Some(list) = &mut self.list {
            list.rules.clone_from(&rules);
        }
        self.rules = rules;
        self
    }

    /// The plan that finds the listed codes, each a word of its own.
    fn of_list(&self, query: &UserQuery, settings: &SearchSettings) -> Self {
        let words = query.list.iter().enumerate().map(|(at, part)| PlanWord {
            text: part.text.clone(),
            stem: part.compact.clone(),
            form: part.compact.clone(),
            folded: part.compact.clone(),
            position: at as u32,
            typos: 0,
            compound: false,
        });
        let codes = query.list.iter().enumerate().map(|(at, part)| PlanCode {
            typo: false,
            part: false,
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

    /// Whether `field` is searched.
    pub fn searches(&self, field: FieldId) -> bool {
        self.boosts.get(field) > 0.0
    }

    /// Whether every field of analysed words is searched, so that their union may stand for them.
    pub fn searches_all_texts(&self) -> bool {
        FieldId::texts().all(|field| self.searches(field))
    }
}

fn plan_word(word: &crate::user_query::QueryWord, settings: &SearchSettings) -> PlanWord {
    let letters = word.token.stem.chars().count();
    let typos = if word.digit {
        0
    } else {
        typos_allowed(settings.fuzziness, letters)
    };
    PlanWord {
        text: word.text.clone(),
        stem: word.token.stem.clone(),
        form: word.token.form.clone(),
        folded: word.token.folded.clone(),
        position: word.token.position,
        typos,
        compound: word.compound,
    }
}

/// Letters that may be wrong in a word of `letters` letters; never all of them.
pub fn typos_allowed(fuzziness: Fuzziness, letters: usize) -> u32 {
    let allowed = match (fuzziness, letters) {
        (Fuzziness::None, _) | (Fuzziness::Auto, 0..=2) => 0,
        (Fuzziness::One, _) | (Fuzziness::Auto, 3..=5) => 1,
        (Fuzziness::Two | Fuzziness::Auto, _) => 2,
    };
    allowed.min(letters.saturating_sub(1) as u32)
}

/// Places among the words that count of those at `places` of the question.
fn counted_places(counted: &[usize], places: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let covered = |at: &usize| places.contains(at);
    let start = counted.iter().position(covered).unwrap_or(0);
    let end = counted.iter().rposition(covered).map_or(0, |at| at + 1);
    start..end
}

/// What the groups add that the words do not say already, each once.
fn plan_synonyms(query: &UserQuery, counted: &[usize]) -> Vec<PlanSynonym> {
    let mut synonyms: Vec<PlanSynonym> = Vec::new();
    for fired in &query.synonyms {
        let replaces = counted_places(counted, &fired.words);
        let typed = counted[replaces.clone()].iter();
        let typed: Vec<&str> = typed
            .map(|at| query.words[*at].token.stem.as_str())
            .collect();
        for synonym in terms_of(fired, &replaces) {
            let stems = synonym.words.iter().map(|word| word.stem.as_str());
            let said = stems.eq(typed.iter().copied());
            let known = |other: &PlanSynonym| {
                other.words == synonym.words && other.replaces == synonym.replaces
            };
            if !said && !synonyms.iter().any(known) {
                synonyms.push(synonym);
            }
        }
    }
    synonyms
}

fn terms_of<'a>(
    fired: &'a Fired,
    replaces: &'a std::ops::Range<usize>,
) -> impl Iterator<Item = PlanSynonym> + 'a {
    let words = |term: &SynonymTerm| {
        let counting = term.words.iter().filter(|word| word.counts);
        counting
            .map(|word| SynonymWord {
                stem: word.stem.clone(),
                form: word.form.clone(),
                position: word.position,
            })
            .collect()
    };
    fired.to.iter().map(move |term| PlanSynonym {
        text: term.text.clone(),
        words: words(term),
        replaces: replaces.clone(),
    })
}

fn plan_codes(query: &UserQuery, counted: &[usize], settings: &SearchSettings) -> Vec<PlanCode> {
    let codes = query.codes.iter().map(|code| {
        let words = counted_places(counted, &code.words);
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
        spelled: spelled.to_owned(),
        article: article_number(spelled).to_owned(),
        words,
        whole: false,
        typo: settings.fuzziness != Fuzziness::None
            && codes::letters(spelled) >= CODE_TYPO_LETTERS_MIN,
        part: false,
    };
    code.part = !settings.exact_reference_search && code.may_be_part();
    code
}

/// The boosts of the factors of products.
pub fn factor_boosts(settings: &SearchSettings) -> FactorBoosts {
    FactorBoosts {
        stock: settings.stock_boost,
        sales: settings.sales_boost,
        rating: settings.rating_boost,
        discount: settings.discount_boost,
    }
}

#[cfg(test)]
mod tests {
    //! 1. Typo tolerance follows the length of the analysed word, and words with a digit have none.
    //! 2. Codes cover the words that count, a stop word none. 3. Only products have factors.

    use super::*;
    use crate::SynonymSet;
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
            .map(|c| (c.spelled.as_str(), c.words.clone(), c.whole, c.typo))
            .collect();
        assert_eq!(
            seen,
            [
                ("case", 0..1, false, false),
                ("for", 0..0, false, false),
                ("kt1200", 1..3, false, true),
                ("caseforkt1200", 0..3, true, true),
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
    fn synonyms_add_what_the_words_do_not_say() {
        let relevance = Relevance::default();
        let analyser = Analyser::new(&Language::parse("en").expect("a code"));
        let terms = |all: &[&str]| -> Vec<String> { all.iter().map(|t| (*t).to_owned()).collect() };
        let (one, two) = (
            terms(&["laptops", "laptop", "Notebook"]),
            terms(&["notebook", "computer to go"]),
        );
        let group = |id, input, terms| crate::synonyms::SynonymTerms { id, input, terms };
        let groups = [
            group("1", None, one.as_slice()),
            group("2", Some("Laptops"), two.as_slice()),
        ];
        let query = UserQuery::new("the laptops", &analyser, &relevance.search_settings)
            .with_synonyms(&SynonymSet::new(groups, &analyser));
        let plan = Plan::new(&query, &relevance, DocType::Products);
        let seen: Vec<(&str, usize, std::ops::Range<usize>)> = plan
            .synonyms
            .iter()
            .map(|s| (s.text.as_str(), s.words.len(), s.replaces.clone()))
            .collect();
        // A plural is found by its stem anyway, and the same term of two groups counts once.
        assert_eq!(seen, [("Notebook", 1, 0..1), ("computer to go", 2, 0..1)]);
    }

    #[test]
    fn signs_without_a_word_find_nothing() {
        assert_eq!(plan(" ", DocType::Products).find, Find::Everything);
        assert_eq!(plan("?!", DocType::Products).find, Find::Nothing);
    }
}
