//! Suggestions for a query that is being typed: the ways in which they are found, one after the other, and the names that
//! come first.
//!
//! The last word is unfinished, unless a blank or sign follows it: it stands for every word of a name that it is a prefix
//! of, and tolerates no typo yet.

use crate::analysis::{normalised, unaccented};
use crate::breakdown::WordMatchKind;
use crate::plan::Plan;
use crate::user_query::UserQuery;
use domain::document::DocType;
use domain::relevance::field::FieldId;
use domain::relevance::{Boosts, Relevance};

/// A way to find suggestions. A later one is tried where the earlier ones have found too few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuggestionStep {
    /// Every word is a word of the name or the prefix of one, in any order; or the query is a code.
    Prefixes,
    /// Every word is found, in any field or writing: joined, split, by synonym; or the query is the substring of a code.
    Writings,
    /// Every word is found, in any field or writing, finished ones with typos.
    Typos,
    /// As searched.
    Search,
}

impl SuggestionStep {
    /// The steps for products. A step finds what those before it find.
    pub const PRODUCTS: [Self; 3] = [Self::Prefixes, Self::Writings, Self::Typos];
    /// The steps for other types, which stand above the products: by their names only.
    pub const OTHERS: [Self; 2] = [Self::Prefixes, Self::Writings];

    /// Compiles `query` under `relevance` for documents of `doc_type`.
    pub fn plan(self, query: &UserQuery, relevance: &Relevance, doc_type: DocType) -> Plan {
        let mut plan = Plan::new(query, relevance, doc_type);
        if self == Self::Search {
            return plan;
        }
        // A stop word says nothing about what is being typed.
        plan.words.retain(|word| word.counts);
        let unfinished = Unfinished::of(query);
        if unfinished == Some(Unfinished::Character) && plan.words.len() > 1 {
            without_last_word(&mut plan);
        }
        plan.min_match = plan.words.len();
        if self == Self::Typos {
            if let (Some(Unfinished::Word), Some(last)) = (unfinished, plan.words.last_mut()) {
                last.typos = 0;
            }
            return plan;
        }
        for word in &mut plan.words {
            word.typos = 0;
            word.compound &= self == Self::Writings;
        }
        for code in &mut plan.codes {
            code.typo = false;
            let is_code = code.spelling.chars().any(char::is_numeric);
            code.substring = self == Self::Writings && is_code && code.may_be_substring();
        }
        if self == Self::Prefixes {
            plan.synonyms.clear();
        }
        if self == Self::Prefixes || doc_type != DocType::Products {
            plan.boosts = of_names(&plan.boosts);
            plan.synonyms
                .retain(|synonym| synonym.kind != WordMatchKind::Synonym);
        }
        plan
    }
}

/// What the last word of a query is, if neither blank nor sign follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unfinished {
    /// One character, which says nothing yet.
    Character,
    /// A word.
    Word,
}

impl Unfinished {
    fn of(query: &UserQuery) -> Option<Self> {
        let last = query.words.last()?;
        if last.token.end < query.text.len() || !last.counts {
            return None;
        }
        let mut characters = last.text.chars();
        // Scripts without case write whole words in one character.
        let has_case = |c: char| c.is_lowercase() || c.is_uppercase();
        let is_one = characters.next().is_some_and(has_case) && characters.next().is_none();
        Some(if is_one { Self::Character } else { Self::Word })
    }
}

fn without_last_word(plan: &mut Plan) {
    plan.words.pop();
    let words = plan.words.len();
    plan.codes.retain(|code| code.words.end <= words);
    plan.synonyms.retain(|own| own.replaces.end <= words);
}

/// Returns the boosts of names and codes, and 0 for all other fields.
fn of_names(boosts: &Boosts) -> Boosts {
    let kept = |field: FieldId| {
        [FieldId::NAME, FieldId::AUTOCOMPLETE].contains(&field)
            || FieldId::codes().any(|code| code == field)
    };
    let others = FieldId::all().filter(|field| !kept(*field));
    others.fold(boosts.clone(), |boosts, field| boosts.with(field, 0.0))
}

/// A typed text that names are compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedText(String);

impl TypedText {
    /// Returns the text as it is compared.
    pub fn new(text: &str) -> Self {
        Self(compared(text))
    }

    /// Whether a name starts with the text, whatever case, accents, blanks and signs. None starts with an empty text.
    pub fn starts(&self, name: &str) -> bool {
        !self.0.is_empty() && compared(name).starts_with(&self.0)
    }
}

fn compared(text: &str) -> String {
    let folded = unaccented(&normalised(text));
    folded.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests;
