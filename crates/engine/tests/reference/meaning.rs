//! The statistics of the words of a plan in a catalogue: whether they exist, their alternatives, and their idf.

use super::catalogue::{Catalogue, Page};
use super::compounds::compound_terms;
use super::distance::distance;
use super::interpretation::seen;
use super::synonyms::{holds, occurrences};
use domain::relevance::field::FieldId;
use domain::visitor::Visitor;
use query::analysis::codes::CASE_MARK;
use query::meaning::lookups::FormsBy;
use query::meaning::typos::VisibleWords;
use query::plan::{PlanCode, PlanSynonym, PlanWord};
use query::scoring::{
    FUZZY_TERMS_MAX, PREFIX_CHARACTERS_MAX, PREFIX_CHARACTERS_MIN, SUBSTRING_CHARACTERS_MAX,
    SUBSTRING_CHARACTERS_MIN, idf,
};
use query::{Plan, Token};
use std::convert::Infallible;

/// A word of the plan.
pub struct Meaning {
    /// Documents that contain it, as a word or by a code.
    pub documents: u64,
    /// Its alternatives with their distance: those that share a part with it at 0, then the nearest, then the most
    /// frequent.
    pub typos: Vec<(String, u32)>,
    /// Distance of the alternatives that replace it when it does not exist.
    pub stand_in: Option<u32>,
    /// Its idf; none when nothing matches it.
    pub idf: Option<f64>,
    /// Which forms are the word itself, when documents contain these and other words of its stem.
    pub same_word: Option<FormsBy>,
}

/// The forms of a word that are the word itself, and whether writings of them with accents are it too.
pub fn forms_by(word: &PlanWord, by: FormsBy) -> (&[String], bool) {
    let same = word.same_word.as_ref();
    match by {
        FormsBy::Writing => (same.map_or(&[], |same| &same.written), false),
        FormsBy::Folding => (same.map_or(&[], |same| &same.folded), true),
    }
}

/// Which forms of a word to tell from others of its stem: those written as typed before all writings.
fn same_word(catalogue: &Catalogue<'_>, word: &PlanWord) -> Option<FormsBy> {
    word.same_word.as_ref()?;
    let marked = Some(FormsBy::Writing).filter(|_| word.form != word.folded);
    for by in marked.into_iter().chain([FormsBy::Folding]) {
        let (forms, accented) = forms_by(word, by);
        let is_same = |token: &Token| {
            forms.contains(&token.form)
                || accented && token.form != token.folded && forms.contains(&token.folded)
        };
        let holds = |same: bool| {
            catalogue.count(|page| {
                FieldId::texts().any(|field| {
                    let mut own = page.words(field).filter(|token| token.stem == word.stem);
                    own.any(|token| is_same(token) == same)
                })
            }) > 0
        };
        if holds(true) {
            return holds(false).then_some(by);
        }
    }
    None
}

impl Meaning {
    pub fn exists(&self) -> bool {
        self.documents > 0
    }

    /// Whether a document contains the word with index `at`, in a searched field or not, or an alternative.
    pub fn is_met(&self, catalogue: &Catalogue<'_>, plan: &Plan, at: usize, page: &Page) -> bool {
        let word = &plan.words[at];
        let mut typos = self.typos.iter();
        let mut synonyms = synonyms(plan, at);
        let by_code = |code: &PlanCode| {
            let near = fuzzy_codes(catalogue, plan, code);
            let mut near = near.iter();
            has_anywhere(page, code)
                || near.any(|(field, near, _)| page.has_code(*field, near))
                || code.substring && has_substring(plan, code, page)
        };
        page.holds(&word.stem)
            || typos.any(|(stem, _)| page.holds(stem))
            || synonyms.any(|synonym| holds(page, synonym))
            || has_longer(catalogue, plan, word, page)
            || covering(plan, at).any(by_code)
    }
}

/// The meaning of every word of `plan`.
pub fn meanings(catalogue: &Catalogue<'_>, plan: &Plan) -> Vec<Meaning> {
    let places = 0..plan.words.len();
    places.map(|at| meaning(catalogue, plan, at)).collect()
}

fn meaning(catalogue: &Catalogue<'_>, plan: &Plan, at: usize) -> Meaning {
    let word = &plan.words[at];
    let covering: Vec<&PlanCode> = covering(plan, at).collect();
    let documents = catalogue.count(|page| {
        page.holds(&word.stem) || covering.iter().any(|code| has_anywhere(page, code))
    });
    let parts = compound_terms(catalogue, word, documents > 0).into_iter();
    let parts = parts.map(|(stem, documents)| (stem, 0, documents));
    let near: Vec<(String, u32, u64)> = parts.chain(fuzzy_stems(catalogue, plan, word)).collect();
    let fuzzy_codes: Vec<u64> = covering
        .iter()
        .flat_map(|code| fuzzy_codes(catalogue, plan, code))
        .map(|(_, _, documents)| documents)
        .collect();
    let means = synonyms(plan, at).map(|synonym| catalogue.count(|page| holds(page, synonym)));
    let means: Vec<u64> = means.filter(|documents| *documents > 0).collect();
    let replaces = |distance: &u32| *distance == 0 || !word.is_present;
    let distances = near
        .iter()
        .map(|(_, distance, _)| *distance)
        .filter(replaces);
    let distances = distances.chain(means.iter().map(|_| 0));
    let stand_in = distances.chain(fuzzy_codes.iter().map(|_| 1)).min();
    let stand_in = stand_in.filter(|_| documents == 0);
    let n = catalogue.pages.len() as u64;
    let commonest = if documents > 0 {
        Some(documents)
    } else if let Some(distance) = stand_in {
        let texts = near
            .iter()
            .filter(|(_, d, _)| *d == distance && replaces(d));
        let codes = fuzzy_codes.iter().filter(|_| distance == 1);
        let means = means.iter().filter(|_| distance == 0);
        let counts = texts.map(|(_, _, count)| count).chain(codes).chain(means);
        counts.max().copied()
    } else {
        let names = names_with_longer(catalogue, plan, word);
        let parts = covering
            .iter()
            .map(|code| documents_with_substring(catalogue, plan, code));
        [names, parts.max().unwrap_or(0)]
            .into_iter()
            .find(|count| *count > 0)
    };
    Meaning {
        documents,
        typos: near.into_iter().map(|(stem, d, _)| (stem, d)).collect(),
        stand_in,
        idf: commonest.map(|df| idf(n, df)),
        same_word: same_word(catalogue, word),
    }
}

/// The words of a catalogue, as a visitor sees its documents.
pub struct ScannedWords<'a> {
    pub catalogue: &'a Catalogue<'a>,
    pub visitor: &'a Visitor,
}

impl VisibleWords for ScannedWords<'_> {
    type Error = Infallible;

    fn count_with_word(
        &mut self,
        plan: &Plan,
        at: usize,
        enough: usize,
    ) -> Result<usize, Infallible> {
        let searched = |field: &FieldId| plan.boosts.get(*field) > 0.0;
        let word = &plan.words[at];
        let is_own = |code: &&PlanCode| code.words == (at..at + 1);
        let holds = |page: &&Page| {
            let mut texts = FieldId::texts().filter(searched);
            let mut codes = FieldId::codes().filter(searched);
            let mut names = page.words(FieldId::NAME);
            texts.any(|field| {
                page.stem_count(field, &word.stem) > 0
                    || synonyms(plan, at).any(|own| !occurrences(page, field, own).is_empty())
            }) || codes.any(|field| {
                let mut own = plan.codes.iter().filter(is_own);
                own.any(|code| page.has_code(field, code.term(field)))
            }) || completes(plan, word) && names.any(|token| token.folded.starts_with(&word.folded))
        };
        Ok(seen(self.catalogue, self.visitor)
            .filter(holds)
            .take(enough)
            .count())
    }
}

/// The synonyms of a word.
pub fn synonyms(plan: &Plan, at: usize) -> impl Iterator<Item = &PlanSynonym> {
    let synonyms = plan.synonyms.iter();
    synonyms.filter(move |synonym| synonym.replaces.contains(&at))
}

/// The codes of the query that cover a word.
pub fn covering(plan: &Plan, at: usize) -> impl Iterator<Item = &PlanCode> {
    plan.codes
        .iter()
        .filter(move |code| code.words.contains(&at))
}

/// Whether any code field of a document, searched or not, contains `code`.
pub fn has_anywhere(page: &Page, code: &PlanCode) -> bool {
    FieldId::codes().any(|field| page.has_code(field, code.term(field)))
}

/// The fuzzy terms of a word, with distance and documents.
fn fuzzy_stems(catalogue: &Catalogue<'_>, plan: &Plan, word: &PlanWord) -> Vec<(String, u32, u64)> {
    let stems = catalogue.stems();
    let near = stems
        .into_iter()
        .filter(|stem| share_prefix(stem, &word.stem, plan.typo_prefix))
        .map(|stem| (stem, distance(stem, &word.stem)))
        .filter(|(_, letters)| (1..=word.typos).contains(letters));
    let counted = near.map(|(stem, letters)| {
        (
            stem.to_owned(),
            letters,
            catalogue.count(|page| page.holds(stem)),
        )
    });
    let mut found: Vec<(String, u32, u64)> = counted.collect();
    found.sort_by(|a, b| (a.1, b.2, &a.0).cmp(&(b.1, a.2, &b.0)));
    found.truncate(FUZZY_TERMS_MAX);
    found
}

/// Codes at edit distance 1, with field and documents.
pub fn fuzzy_codes(
    catalogue: &Catalogue<'_>,
    plan: &Plan,
    code: &PlanCode,
) -> Vec<(FieldId, String, u64)> {
    let mut all = Vec::new();
    let searched = |field: &FieldId| plan.boosts.get(*field) > 0.0;
    for field in FieldId::codes().filter(searched) {
        let forms: Vec<&str> = code.tolerant_forms(field).collect();
        let codes = catalogue.codes(field).into_iter();
        let near = codes.filter(|near| forms.iter().any(|form| is_near(near, form, plan)));
        let counted = near.map(|near| {
            (
                field,
                near.to_owned(),
                catalogue.count(|page| page.has_code(field, near)),
            )
        });
        let mut found: Vec<(FieldId, String, u64)> = counted.collect();
        found.sort_by(|a, b| (b.2, &a.1).cmp(&(a.2, &b.1)));
        found.truncate(FUZZY_TERMS_MAX);
        all.extend(found);
    }
    all
}

/// Whether two spellings of a kind are at edit distance 1.
pub fn is_near(near: &str, form: &str, plan: &Plan) -> bool {
    let (near, form) = (Spelling::of(near), Spelling::of(form));
    near.cased == form.cased
        && share_prefix(near.letters, form.letters, plan.typo_prefix)
        && distance(near.letters, form.letters) == 1
}

/// A spelling of a code, split into mark and characters.
#[derive(Clone, Copy)]
pub struct Spelling<'a> {
    pub letters: &'a str,
    pub cased: bool,
}

impl<'a> Spelling<'a> {
    pub fn of(code: &'a str) -> Self {
        let letters = code.trim_start_matches(CASE_MARK);
        let cased = letters.len() < code.len();
        Self { letters, cased }
    }

    /// Whether `code` contains this one.
    pub fn is_part_of(self, code: &str) -> bool {
        let code = Spelling::of(code);
        self.cased == code.cased && code.letters.contains(self.letters)
    }

    /// Whether `code` starts with this one.
    pub fn starts(self, code: &str) -> bool {
        let code = Spelling::of(code);
        self.cased == code.cased && code.letters.starts_with(self.letters)
    }
}

/// Documents with a searched code that contains `code`, if substrings match.
fn documents_with_substring(catalogue: &Catalogue, plan: &Plan, code: &PlanCode) -> u64 {
    match code.substring {
        true => catalogue.count(|page| has_substring(plan, code, page)),
        false => 0,
    }
}

/// Whether a searched code of a document contains `code`.
fn has_substring(plan: &Plan, code: &PlanCode, page: &Page) -> bool {
    let part = Spelling::of(&code.spelling);
    let mut codes = FieldId::codes().filter(|field| plan.boosts.get(*field) > 0.0);
    codes.any(|field| page.codes(field).any(|whole| part.is_part_of(whole)))
}

fn share_prefix(near: &str, word: &str, letters: usize) -> bool {
    word.chars()
        .take(letters)
        .eq(near.chars().take(letters.min(word.chars().count())))
}

/// Documents whose name has a word that starts with the word or contains it.
fn names_with_longer(catalogue: &Catalogue<'_>, plan: &Plan, word: &PlanWord) -> u64 {
    catalogue.count(|page| has_longer(catalogue, plan, word, page))
}

fn has_longer(catalogue: &Catalogue<'_>, plan: &Plan, word: &PlanWord, page: &Page) -> bool {
    let (begins, holds) = (completes(plan, word), is_part(catalogue, plan, word));
    let mut words = page.words(FieldId::NAME);
    words.any(|token| {
        begins && token.folded.starts_with(&word.folded)
            || holds && token.folded.contains(&word.folded)
    })
}

/// Whether the word matches as a substring.
pub fn is_part(catalogue: &Catalogue<'_>, plan: &Plan, word: &PlanWord) -> bool {
    let letters = word.folded.chars().count();
    catalogue.parts
        && word.counts
        && plan.boosts.get(FieldId::PARTIAL) > 0.0
        && (SUBSTRING_CHARACTERS_MIN..=SUBSTRING_CHARACTERS_MAX).contains(&letters)
}

/// Whether the word matches as a prefix.
pub fn completes(plan: &Plan, word: &PlanWord) -> bool {
    let letters = word.folded.chars().count();
    word.counts
        && plan.boosts.get(FieldId::AUTOCOMPLETE) > 0.0
        && (PREFIX_CHARACTERS_MIN..=PREFIX_CHARACTERS_MAX).contains(&letters)
}
