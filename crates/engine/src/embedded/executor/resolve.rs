//! What a plan means in this index: which words exist, what they may stand for, how rare they are.

use super::super::segment::SegmentView;
use super::super::snapshot::TextIndex;
use super::super::vocabulary::ComparedWord;
use super::codes::ResolvedCode;
use super::compounds::splits;
use super::expansion::{FuzzyTerm, longer_words, near_stems};
use super::interpretation::CodeOrder;
use super::posting_sources::open;
use super::synonyms::ResolvedSynonym;
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::Plan;
use query::plan::PlanWord;
use query::scoring::{
    PART_LETTERS_MAX, PART_LETTERS_MIN, PREFIX_LETTERS_MAX, PREFIX_LETTERS_MIN,
    TYPO_ALTERNATIVES_MAX, idf,
};
use std::collections::BTreeSet;
use tantivy::DocId;
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
    /// What comes before the score.
    pub order: CodeOrder,
}

/// One word.
#[derive(Default)]
pub struct ResolvedWord {
    /// Documents that hold it as such.
    pub documents: u64,
    /// Its rarity; none when nothing of the index matches it.
    pub idf: Option<f64>,
    /// Its own term by segment.
    pub stems: Vec<Option<TermInfo>>,
    /// Terms that share a part with it, then terms near it, the nearest first.
    pub typos: Vec<FuzzyTerm>,
    /// Places of the synonyms that stand for it, among those of the plan.
    pub synonyms: Vec<usize>,
    /// Distance of the nearest alternative, in texts or codes, when the word itself does not exist.
    pub stand_in: Option<u32>,
    /// Longer words that start with it, by segment: number of letters and list.
    pub longer: Vec<Vec<(usize, TermInfo)>>,
    /// The same of words that hold it anywhere.
    pub holding: Vec<Vec<(usize, TermInfo)>>,
}

impl ResolvedWord {
    /// Whether the word itself exists.
    pub fn exists(&self) -> bool {
        self.documents > 0
    }

    /// Number of its alternatives: terms near it, then synonyms.
    pub fn alternatives(&self) -> usize {
        self.typos.len() + self.synonyms.len()
    }

    /// Distance of the nearest alternative; what is farther counts less.
    pub fn nearest(&self) -> u32 {
        match self.stand_in {
            Some(0) => 0,
            _ => self.typos.first().map_or(0, |near| near.distance),
        }
    }
}

impl Resolved {
    /// What `plan` means in `texts`, in the given `order`.
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
            let covering: Vec<&ResolvedCode> = (plan.codes.iter().zip(&codes))
                .filter(|(code, _)| code.words.contains(&at))
                .map(|(_, resolved)| resolved)
                .collect();
            let own = (plan.synonyms.iter().enumerate())
                .filter(|(_, synonym)| synonym.replaces.contains(&at))
                .map(|(place, _)| place);
            let own: Vec<usize> = own.collect();
            let means = own.iter().map(|place| synonyms[*place].documents).max();
            let word = resolved_word(
                texts,
                plan,
                word,
                &covering,
                (documents, means.unwrap_or(0)),
            )?;
            words.push(ResolvedWord {
                synonyms: own,
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

/// A word in an index of so many `documents`, of which so many hold the commonest of its synonyms.
fn resolved_word(
    texts: &TextIndex,
    plan: &Plan,
    word: &PlanWord,
    codes: &[&ResolvedCode],
    (documents, means): (u64, u64),
) -> Result<ResolvedWord, EngineError> {
    let segments = &texts.segments;
    let stems = terms(segments, &word.stem)?;
    let mut resolved = ResolvedWord {
        documents: documents_with(texts, &word.stem, &stems)?
            + more_by_codes(segments, &stems, codes)?,
        stems,
        longer: longer(segments, plan, word)?,
        holding: holding(segments, plan, word)?,
        ..ResolvedWord::default()
    };
    let typos = splits(texts, word, resolved.exists())?
        .into_iter()
        .chain(self::typos(texts, plan, word)?)
        .collect::<Vec<_>>();
    let code_near = codes
        .iter()
        .map(|code| code.typo_documents)
        .max()
        .unwrap_or(0);
    if resolved.exists() {
        resolved.idf = Some(idf(documents, resolved.documents));
    } else {
        let nearest = match means {
            0 => typos.first().map(|(typo, _)| typo.distance),
            _ => Some(0),
        };
        resolved.stand_in = match (nearest, code_near) {
            (Some(0), _) => Some(0),
            (Some(distance), 0) => Some(distance),
            (None, 0) => None,
            _ => Some(1),
        };
        let near = typos
            .iter()
            .filter(|(typo, _)| Some(typo.distance) == resolved.stand_in);
        let mut commonest = near.map(|(_, documents)| *documents).max().unwrap_or(0);
        match resolved.stand_in {
            Some(0) => commonest = commonest.max(means),
            Some(1) => commonest = commonest.max(code_near),
            _ => {}
        }
        if commonest == 0 {
            commonest = longer_documents(segments, &resolved)?;
        }
        if commonest == 0 {
            let parts = codes.iter().map(|code| code.part_documents);
            commonest = parts.max().unwrap_or(0);
        }
        resolved.idf = (commonest > 0).then(|| idf(documents, commonest));
    }
    resolved.typos = typos.into_iter().map(|(typo, _)| typo).collect();
    Ok(resolved)
}

/// The terms near a word with their documents: the nearest first, then the commonest, then by letters.
fn typos(
    texts: &TextIndex,
    plan: &Plan,
    word: &PlanWord,
) -> Result<Vec<(FuzzyTerm, u64)>, EngineError> {
    if word.typos == 0 {
        return Ok(Vec::new());
    }
    let compared = ComparedWord::new(&word.stem, word.typos, plan.typo_prefix);
    let near = near_stems(&compared, &texts.segments)?;
    let mut counted = Vec::with_capacity(near.len());
    for typo in near {
        let documents = documents_with(texts, &typo.term, &typo.places)?;
        if documents > 0 {
            counted.push((typo, documents));
        }
    }
    counted.sort_by(|(a, a_documents), (b, b_documents)| {
        (a.distance, b_documents, &a.term).cmp(&(b.distance, a_documents, &b.term))
    });
    counted.truncate(TYPO_ALTERNATIVES_MAX);
    Ok(counted)
}

fn longer(
    segments: &[SegmentView],
    plan: &Plan,
    word: &PlanWord,
) -> Result<Vec<Vec<(usize, TermInfo)>>, EngineError> {
    let letters = word.folded.chars().count();
    let wanted = plan.searches(FieldId::AUTOCOMPLETE)
        && (PREFIX_LETTERS_MIN..=PREFIX_LETTERS_MAX).contains(&letters);
    if !wanted {
        return Ok(vec![Vec::new(); segments.len()]);
    }
    segments
        .iter()
        .map(|segment| longer_words(segment.prefixes(), &word.folded))
        .collect()
}

fn holding(
    segments: &[SegmentView],
    plan: &Plan,
    word: &PlanWord,
) -> Result<Vec<Vec<(usize, TermInfo)>>, EngineError> {
    let letters = word.folded.chars().count();
    let wanted =
        plan.searches(FieldId::PARTIAL) && (PART_LETTERS_MIN..=PART_LETTERS_MAX).contains(&letters);
    if !wanted {
        return Ok(vec![Vec::new(); segments.len()]);
    }
    segments
        .iter()
        .map(|segment| longer_words(segment.parts(), &word.folded))
        .collect()
}

/// The places of a stem, by segment.
pub fn terms(segments: &[SegmentView], stem: &str) -> Result<Vec<Option<TermInfo>>, EngineError> {
    segments
        .iter()
        .map(|segment| {
            segment
                .stems()
                .terms()
                .get(stem)
                .map_err(EngineError::during("look up a word"))
        })
        .collect()
}

/// The list of `term` in a field of a segment.
pub fn term(
    segment: &SegmentView,
    field: FieldId,
    term: &str,
) -> Result<Option<TermInfo>, EngineError> {
    match segment.terms(field) {
        Some(reader) => reader
            .terms()
            .get(term)
            .map_err(EngineError::during("look up a term")),
        None => Ok(None),
    }
}

/// Live documents that hold a stem.
pub fn documents_with(
    texts: &TextIndex,
    stem: &str,
    places: &[Option<TermInfo>],
) -> Result<u64, EngineError> {
    let touched = texts
        .segments
        .iter()
        .zip(places)
        .any(|(segment, place)| place.is_some() && segment.reader.has_deletes());
    if !touched {
        return Ok(places
            .iter()
            .flatten()
            .map(|info| u64::from(info.doc_freq))
            .sum());
    }
    texts.frequency(stem, || {
        let mut count = 0;
        for (segment, place) in texts.segments.iter().zip(places) {
            let Some(info) = place else { continue };
            open(segment.stems(), info)?.visit_before(segment.reader.max_doc(), |d, _| {
                count += u64::from(segment.is_alive(d));
            });
        }
        Ok(count)
    })
}

/// Live documents that have a code and do not hold the stem.
fn more_by_codes(
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
        let mut holding = stems[at]
            .as_ref()
            .map(|info| open(segment.stems(), info))
            .transpose()?;
        for document in documents {
            let held = holding
                .as_mut()
                .is_some_and(|cursor| cursor.frequency(document).is_some());
            more += u64::from(!held);
        }
    }
    Ok(more)
}

/// Live documents that are in any of `lists`.
pub fn live_documents(
    segment: &SegmentView,
    lists: &[(FieldId, TermInfo)],
) -> Result<BTreeSet<DocId>, EngineError> {
    let mut documents = BTreeSet::new();
    for (field, info) in lists {
        let Some(reader) = segment.terms(*field) else {
            continue;
        };
        open(reader, info)?.visit_before(segment.reader.max_doc(), |document, _| {
            if segment.is_alive(document) {
                documents.insert(document);
            }
        });
    }
    Ok(documents)
}

/// Live documents whose name holds the word at the beginning of a longer one, or in it.
fn longer_documents(segments: &[SegmentView], word: &ResolvedWord) -> Result<u64, EngineError> {
    let mut count = 0;
    for (at, segment) in segments.iter().enumerate() {
        let mut documents = BTreeSet::new();
        let beginnings = word.longer[at]
            .iter()
            .map(|(_, info)| (segment.prefixes(), info));
        let parts = word.holding[at]
            .iter()
            .map(|(_, info)| (segment.parts(), info));
        for (reader, info) in beginnings.chain(parts) {
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
