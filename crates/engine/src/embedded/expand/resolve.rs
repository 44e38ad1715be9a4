//! Looks up a plan in the index: which words exist, what may replace them, how rare they are.
//!
//! Rarity is the inverse document frequency (Spärck Jones, "A statistical interpretation of term specificity and
//! its application in retrieval", 1972). Alternatives of a word share its rarity, as a blended term query of
//! Lucene does, so that a rare typo does not outweigh the word.

use super::codes::ResolvedCode;
use super::compounds::decompounded;
use super::fuzzy_terms::{FuzzyTerm, fuzzy_stems, prefix_postings};
use super::synonyms::ResolvedSynonym;
use crate::EngineError;
use crate::embedded::postings::lookups::{live_documents, terms};
use crate::embedded::postings::posting_sources::open;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::text_index::TextIndex;
use crate::embedded::postings::vocabulary::ComparedWord;
use domain::relevance::field::FieldId;
use query::Plan;
use query::meaning::code_order::CodeOrder;
use query::plan::PlanWord;
use query::scoring::{
    FUZZY_TERMS_MAX, PREFIX_CHARACTERS_MAX, PREFIX_CHARACTERS_MIN, SUBSTRING_CHARACTERS_MAX,
    SUBSTRING_CHARACTERS_MIN, idf,
};
use std::collections::BTreeSet;
use tantivy::postings::TermInfo;

/// A plan with what the index knows about its words and codes.
pub struct Resolved {
    /// Documents of the index.
    pub documents: u64,
    /// The words, in the order of the plan.
    pub words: Vec<ResolvedWord>,
    /// The codes, in the order of the plan.
    pub codes: Vec<ResolvedCode>,
    /// The synonyms, in the order of the plan.
    pub synonyms: Vec<ResolvedSynonym>,
    /// Sum of the rarities of the words that match anything.
    pub rarity: f64,
    /// What comes before the score in the order of hits.
    pub order: CodeOrder,
}

/// One word.
#[derive(Default)]
pub struct ResolvedWord {
    /// Documents that contain the word itself.
    pub documents: u64,
    /// The rarity of the word (IDF); none if nothing in the index matches it.
    pub idf: Option<f64>,
    /// The posting list of its stem, by segment.
    pub stems: Vec<Option<TermInfo>>,
    /// Compounds and parts of compounds, then fuzzy terms, the nearest first.
    pub fuzzy_terms: Vec<FuzzyTerm>,
    /// Indices of the synonyms that may replace it, among those of the plan.
    pub synonyms: Vec<usize>,
    /// Distance of the nearest alternative, in texts or codes, if the word itself does not exist.
    pub substitute_distance: Option<u32>,
    /// The posting lists of longer words that start with the word, by segment, with their lengths in characters.
    pub prefixes: Vec<Vec<(usize, TermInfo)>>,
    /// The posting lists of longer words that contain the word, by segment, with their lengths in characters.
    pub substrings: Vec<Vec<(usize, TermInfo)>>,
}

impl ResolvedWord {
    /// Whether the word itself exists.
    pub fn exists(&self) -> bool {
        self.documents > 0
    }

    /// Returns the number of alternatives: fuzzy terms, then synonyms.
    pub fn alternatives(&self) -> usize {
        self.fuzzy_terms.len() + self.synonyms.len()
    }

    /// Returns the distance of the nearest alternative; farther ones count less.
    pub fn nearest(&self) -> u32 {
        match self.substitute_distance {
            Some(0) => 0,
            _ => self.fuzzy_terms.first().map_or(0, |fuzzy| fuzzy.distance),
        }
    }
}

impl Resolved {
    /// Looks up `plan` in `texts`, for hits in the given `order`.
    pub fn new(texts: &TextIndex, plan: &Plan, order: CodeOrder) -> Result<Self, EngineError> {
        let segments = &texts.segments;
        let codes = plan
            .codes
            .iter()
            .map(|code| ResolvedCode::new(segments, plan, code))
            .collect::<Result<Vec<_>, _>>()?;
        let documents = segments
            .iter()
            .map(|s| u64::from(s.reader.num_docs()))
            .sum();
        let synonyms = plan.synonyms.iter();
        let synonyms = synonyms
            .map(|synonym| ResolvedSynonym::new(texts, plan, synonym))
            .collect::<Result<Vec<_>, _>>()?;
        let mut words = Vec::with_capacity(plan.words.len());
        for (at, word) in plan.words.iter().enumerate() {
            let word_codes: Vec<&ResolvedCode> = (plan.codes.iter().zip(&codes))
                .filter(|(code, _)| code.words.contains(&at))
                .map(|(_, resolved)| resolved)
                .collect();
            let synonym_indices = (plan.synonyms.iter().enumerate())
                .filter(|(_, synonym)| synonym.replaces.contains(&at))
                .map(|(index, _)| index);
            let synonym_indices: Vec<usize> = synonym_indices.collect();
            let synonym_documents = synonym_indices
                .iter()
                .map(|index| synonyms[*index].documents)
                .max();
            let word = resolved_word(
                texts,
                plan,
                word,
                &word_codes,
                (documents, synonym_documents.unwrap_or(0)),
            )?;
            words.push(ResolvedWord {
                synonyms: synonym_indices,
                ..word
            });
        }
        let rarity = words.iter().filter_map(|word| word.idf).sum();
        Ok(Self {
            documents,
            words,
            codes,
            synonyms,
            rarity,
            order,
        })
    }
}

/// Looks up a word in an index of so many `documents`. `synonym_documents` contain the commonest synonym of the word.
fn resolved_word(
    texts: &TextIndex,
    plan: &Plan,
    word: &PlanWord,
    codes: &[&ResolvedCode],
    (documents, synonym_documents): (u64, u64),
) -> Result<ResolvedWord, EngineError> {
    let segments = &texts.segments;
    let stems = terms(segments, &word.stem)?;
    let mut resolved = ResolvedWord {
        documents: texts.documents_with(&word.stem, &stems)?
            + documents_by_codes_only(segments, &stems, codes)?,
        stems,
        prefixes: prefixes(segments, plan, word)?,
        substrings: substrings(segments, plan, word)?,
        ..ResolvedWord::default()
    };
    let fuzzy_terms = decompounded(texts, word, resolved.exists())?
        .into_iter()
        .chain(self::fuzzy_terms(texts, plan, word)?)
        .collect::<Vec<_>>();
    let fuzzy_code_documents = codes
        .iter()
        .map(|code| code.fuzzy_documents)
        .max()
        .unwrap_or(0);
    if resolved.exists() {
        resolved.idf = Some(idf(documents, resolved.documents));
    } else {
        let nearest = match synonym_documents {
            0 => fuzzy_terms
                .first()
                .map(|(fuzzy_term, _)| fuzzy_term.distance),
            _ => Some(0),
        };
        resolved.substitute_distance = match (nearest, fuzzy_code_documents) {
            (Some(0), _) => Some(0),
            (Some(distance), 0) => Some(distance),
            (None, 0) => None,
            _ => Some(1),
        };
        let fuzzy = fuzzy_terms
            .iter()
            .filter(|(fuzzy_term, _)| Some(fuzzy_term.distance) == resolved.substitute_distance);
        let mut commonest = fuzzy.map(|(_, documents)| *documents).max().unwrap_or(0);
        match resolved.substitute_distance {
            Some(0) => commonest = commonest.max(synonym_documents),
            Some(1) => commonest = commonest.max(fuzzy_code_documents),
            _ => {}
        }
        if commonest == 0 {
            commonest = prefix_documents(segments, &resolved)?;
        }
        if commonest == 0 {
            let substrings = codes.iter().map(|code| code.substring_documents);
            commonest = substrings.max().unwrap_or(0);
        }
        resolved.idf = (commonest > 0).then(|| idf(documents, commonest));
    }
    resolved.fuzzy_terms = fuzzy_terms
        .into_iter()
        .map(|(fuzzy_term, _)| fuzzy_term)
        .collect();
    Ok(resolved)
}

/// Returns the fuzzy terms of a word with their documents: the nearest first, then the commonest, then in lexicographic
/// order.
fn fuzzy_terms(
    texts: &TextIndex,
    plan: &Plan,
    word: &PlanWord,
) -> Result<Vec<(FuzzyTerm, u64)>, EngineError> {
    if word.typos == 0 {
        return Ok(Vec::new());
    }
    let compared = ComparedWord::new(&word.stem, word.typos, plan.typo_prefix);
    let fuzzy = fuzzy_stems(&compared, &texts.segments)?;
    let mut counted = Vec::with_capacity(fuzzy.len());
    for fuzzy_term in fuzzy {
        let documents = texts.documents_with(&fuzzy_term.term, &fuzzy_term.postings)?;
        if documents > 0 {
            counted.push((fuzzy_term, documents));
        }
    }
    counted.sort_by(|(a, a_documents), (b, b_documents)| {
        (a.distance, b_documents, &a.term).cmp(&(b.distance, a_documents, &b.term))
    });
    counted.truncate(FUZZY_TERMS_MAX);
    Ok(counted)
}

fn prefixes(
    segments: &[SegmentView],
    plan: &Plan,
    word: &PlanWord,
) -> Result<Vec<Vec<(usize, TermInfo)>>, EngineError> {
    let characters = word.folded.chars().count();
    let wanted = plan.searches(FieldId::AUTOCOMPLETE)
        && (PREFIX_CHARACTERS_MIN..=PREFIX_CHARACTERS_MAX).contains(&characters);
    if !wanted {
        return Ok(vec![Vec::new(); segments.len()]);
    }
    segments
        .iter()
        .map(|segment| prefix_postings(segment.prefixes(), &word.folded))
        .collect()
}

fn substrings(
    segments: &[SegmentView],
    plan: &Plan,
    word: &PlanWord,
) -> Result<Vec<Vec<(usize, TermInfo)>>, EngineError> {
    let characters = word.folded.chars().count();
    let wanted = plan.searches(FieldId::PARTIAL)
        && (SUBSTRING_CHARACTERS_MIN..=SUBSTRING_CHARACTERS_MAX).contains(&characters);
    if !wanted {
        return Ok(vec![Vec::new(); segments.len()]);
    }
    segments
        .iter()
        .map(|segment| prefix_postings(segment.substrings(), &word.folded))
        .collect()
}

/// Counts the live documents that have a code and do not contain the stem.
fn documents_by_codes_only(
    segments: &[SegmentView],
    stems: &[Option<TermInfo>],
    codes: &[&ResolvedCode],
) -> Result<u64, EngineError> {
    let mut more = 0;
    for (at, segment) in segments.iter().enumerate() {
        let mut documents = BTreeSet::new();
        for code in codes {
            documents.extend(live_documents(segment, &code.exact[at])?);
        }
        let mut with_stem = stems[at]
            .as_ref()
            .map(|info| open(segment.stems(), info))
            .transpose()?;
        for document in documents {
            let held = with_stem
                .as_mut()
                .is_some_and(|cursor| cursor.frequency(document).is_some());
            more += u64::from(!held);
        }
    }
    Ok(more)
}

/// Counts the live documents whose name contains a longer word that starts with or contains the word.
fn prefix_documents(segments: &[SegmentView], word: &ResolvedWord) -> Result<u64, EngineError> {
    let mut count = 0;
    for (at, segment) in segments.iter().enumerate() {
        let mut documents = BTreeSet::new();
        let prefixes = word.prefixes[at]
            .iter()
            .map(|(_, info)| (segment.prefixes(), info));
        let substrings = word.substrings[at]
            .iter()
            .map(|(_, info)| (segment.substrings(), info));
        for (reader, info) in prefixes.chain(substrings) {
            open(reader, info)?.visit_before(segment.reader.max_doc(), |document, _| {
                if segment.is_alive(document) {
                    documents.insert(document);
                }
            });
        }
        count += documents.len() as u64;
    }
    Ok(count)
}
