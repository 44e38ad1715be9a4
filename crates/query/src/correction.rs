//! Another query in place of one that finds nothing: "did you mean".
//!
//! Words that no document contains are replaced by their neighbours written as one, by the nearest word that some document
//! contains, or by two words; what the caller then ranks says which words to keep.

use crate::analysis::Analyser;
use crate::breakdown::WordMatch;
use crate::typo_tolerance::typos_allowed;
use crate::user_query::{QueryWord, UserQuery};
use domain::relevance::SearchSettings;
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

/// Words of a query that are corrected.
const WORDS_MAX: usize = 8;
/// Characters of a word that may be two words.
const CUT_CHARACTERS: Range<usize> = 4..25;
/// Characters of each of them.
const PART_CHARACTERS_MIN: usize = 2;

/// What a query was corrected by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum CorrectionReason {
    /// A word is spelled otherwise.
    Spelling,
    /// It has only some of the words.
    FewerWords,
    /// Words are written as one.
    Joined,
    /// A word is written as two.
    Split,
}

/// A query to propose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CorrectedQuery {
    /// Its text.
    pub text: String,
    /// What it differs by.
    pub reason: CorrectionReason,
}

/// A word whose spelling is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpelledWord {
    /// The stem.
    pub stem: String,
    /// Largest edit distance.
    pub typos: u32,
}

/// A word of an index that a word may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// As documents write it, in lower case.
    pub form: String,
    /// The stem.
    pub stem: String,
    /// Edit distance between the stems.
    pub distance: u32,
    /// Documents that contain it.
    pub documents: u64,
}

/// The words of a query that may be corrected, and what they may be.
pub struct Correction<'a> {
    query: &'a UserQuery,
    /// Indices of words that may be corrected.
    words: Vec<usize>,
    /// Adjacent words as one: the first one, and the stem.
    joined: Vec<(usize, String)>,
    /// A word as two: its index, the forms and the stems.
    cuts: Vec<(usize, [String; 2], [String; 2])>,
}

/// What a word of a query is replaced by.
struct WordCorrection {
    /// Range of bytes in the text of the query.
    range: Range<usize>,
    form: String,
    reason: CorrectionReason,
}

impl<'a> Correction<'a> {
    /// The words of `query` that may be corrected.
    pub fn new(query: &'a UserQuery, analyser: &Analyser) -> Self {
        let words = query.words.iter().enumerate();
        let words = words.filter(|(_, word)| word.counts && may_be_corrected(word));
        let words: Vec<usize> = words.map(|(at, _)| at).take(WORDS_MAX).collect();
        let pairs = query.words.windows(2).enumerate();
        let joined = pairs.filter(|(at, pair)| {
            pair.iter().all(may_be_corrected) && (words.contains(at) || words.contains(&(at + 1)))
        });
        let joined = joined.map(|(at, pair)| (at, analyser.stem(&joined_form(pair))));
        let joined = joined.collect();
        let cuts = words.iter().flat_map(|at| {
            let parts = cuts(&query.words[*at].token.folded);
            parts.map(|parts| {
                let stems = parts.each_ref().map(|part| analyser.stem(part));
                (*at, parts, stems)
            })
        });
        Self {
            query,
            cuts: cuts.collect(),
            words,
            joined,
        }
    }

    /// Whether no word may be corrected.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The stems of which the caller looks up whether a document that the visitor may see contains them.
    pub fn stems(&self) -> Vec<String> {
        let words = (self.words.iter()).map(|at| &self.query.words[*at].token.stem);
        let joined = self.joined.iter().map(|(_, stem)| stem);
        let cuts = self.cuts.iter().flat_map(|(_, _, stems)| stems);
        let stems: BTreeSet<&String> = words.chain(joined).chain(cuts).collect();
        stems.into_iter().cloned().collect()
    }

    /// The words of which the caller looks up spellings: those not in `existing`, as far as `settings` tolerate typos.
    pub fn spelled(
        &self,
        existing: &HashSet<String>,
        settings: &SearchSettings,
    ) -> Vec<SpelledWord> {
        let words = self.unknown(existing).map(|at| {
            let stem = &self.query.words[at].token.stem;
            SpelledWord {
                typos: typos_allowed(settings.fuzziness, stem.chars().count()),
                stem: stem.clone(),
            }
        });
        words.filter(|word| word.typos > 0).collect()
    }

    fn unknown<'s>(&'s self, existing: &'s HashSet<String>) -> impl Iterator<Item = usize> + 's {
        let words = self.words.iter().copied();
        words.filter(|at| !existing.contains(&self.query.words[*at].token.stem))
    }

    /// The query with its unknown words corrected, by stems that exist and spellings by stem; none if nothing is corrected.
    pub fn corrected(
        &self,
        existing: &HashSet<String>,
        spellings: &BTreeMap<String, Vec<Spelling>>,
    ) -> Option<CorrectedQuery> {
        let mut replacements: Vec<WordCorrection> = Vec::new();
        let mut end = 0;
        for at in self.unknown(existing) {
            let found = self
                .joined(at, existing)
                .or_else(|| self.spelling(at, spellings, 1))
                .or_else(|| self.split(at, existing))
                .or_else(|| self.spelling(at, spellings, u32::MAX));
            let found = found.filter(|found| found.range.start >= end);
            end = found.as_ref().map_or(end, |found| found.range.end);
            replacements.extend(found);
        }
        let spelled = replacements
            .iter()
            .find(|one| one.reason == CorrectionReason::Spelling);
        let reason = spelled.or(replacements.first())?.reason;
        let mut text = self.query.text.clone();
        for one in replacements.iter().rev() {
            text.replace_range(one.range.clone(), &one.form);
        }
        Some(CorrectedQuery { text, reason })
    }

    /// The word with the one after or before it as one.
    fn joined(&self, at: usize, existing: &HashSet<String>) -> Option<WordCorrection> {
        let pairs = self
            .joined
            .iter()
            .filter(|(first, _)| *first == at || *first + 1 == at);
        let (first, _) = pairs
            .into_iter()
            .find(|(_, stem)| existing.contains(stem))?;
        let pair = &self.query.words[*first..first + 2];
        Some(WordCorrection {
            range: pair[0].token.start..pair[1].token.end,
            form: joined_form(pair),
            reason: CorrectionReason::Joined,
        })
    }

    fn split(&self, at: usize, existing: &HashSet<String>) -> Option<WordCorrection> {
        let cuts = self.cuts.iter().filter(|(word, _, stems)| {
            *word == at && stems.iter().all(|stem| existing.contains(stem))
        });
        // Of several the one with the longest shorter part: short words are often parts of others by chance.
        let best =
            cuts.max_by_key(|(_, parts, _)| parts.iter().map(|part| part.chars().count()).min());
        best.map(|(_, parts, _)| self.replacement(at, parts.join(" "), CorrectionReason::Split))
    }

    /// The nearest spelling of the word: a swap of neighbours first, then the same first character, then the commonest.
    fn spelling(
        &self,
        at: usize,
        spellings: &BTreeMap<String, Vec<Spelling>>,
        distance_max: u32,
    ) -> Option<WordCorrection> {
        let stem = &self.query.words[at].token.stem;
        let near = spellings.get(stem)?.iter();
        let near = near.filter(|spelling| spelling.distance <= distance_max);
        let best = near.min_by_key(|spelling| {
            let is_swap = spelling.distance == 1 && has_same_characters(stem, &spelling.stem);
            let starts_alike = spelling.stem.chars().next() == stem.chars().next();
            (
                spelling.distance,
                !is_swap,
                !starts_alike,
                Reverse(spelling.documents),
                &spelling.stem,
            )
        })?;
        Some(self.replacement(at, best.form.clone(), CorrectionReason::Spelling))
    }

    fn replacement(&self, at: usize, form: String, reason: CorrectionReason) -> WordCorrection {
        let token = &self.query.words[at].token;
        WordCorrection {
            range: token.start..token.end,
            form,
            reason,
        }
    }
}

/// The query to propose, after `query` was ranked with a minimum match of one word: with as many of its words as `matches`,
/// those of the best hit, have, if `needed` of them are not reached.
pub fn kept_words(
    query: &UserQuery,
    matches: &[WordMatch],
    (across_fields, needed): (bool, usize),
) -> Option<CorrectedQuery> {
    let mut fields: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for found in matches {
        let field = if across_fields {
            ""
        } else {
            found.field.name()
        };
        fields.entry(field).or_default().insert(&found.word);
    }
    let best = fields.into_values().max_by_key(BTreeSet::len)?;
    let kept = query
        .words
        .iter()
        .filter(|word| word.counts && best.contains(&*word.text));
    let kept: Vec<&str> = kept.map(|word| word.text.as_str()).collect();
    (kept.len() < needed && !kept.is_empty()).then(|| CorrectedQuery {
        text: kept.join(" "),
        reason: CorrectionReason::FewerWords,
    })
}

/// Whether a word is of letters alone, and no bigram.
fn may_be_corrected(word: &QueryWord) -> bool {
    word.token.folded.chars().all(char::is_alphabetic) && !word.token.is_bigram()
}

fn joined_form(pair: &[QueryWord]) -> String {
    pair.iter().map(|word| word.token.folded.as_str()).collect()
}

/// A word as two, in every way.
fn cuts(word: &str) -> impl Iterator<Item = [String; 2]> {
    let characters: Vec<char> = word.chars().collect();
    let length = characters.len();
    let cuts = if CUT_CHARACTERS.contains(&length) {
        PART_CHARACTERS_MIN..length - PART_CHARACTERS_MIN + 1
    } else {
        0..0
    };
    cuts.map(move |cut| [&characters[..cut], &characters[cut..]].map(|part| part.iter().collect()))
}

fn has_same_characters(one: &str, other: &str) -> bool {
    let sorted = |text: &str| {
        let mut characters: Vec<char> = text.chars().collect();
        characters.sort_unstable();
        characters
    };
    sorted(one) == sorted(other)
}
