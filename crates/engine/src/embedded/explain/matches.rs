//! What the hits of one segment match: which words in which fields, the phrase, the whole code.
//!
//! Hits come in batches, in the order of their documents, so every list is opened once and read forward.

use super::hit_parts::HitParts;
use crate::EngineError;
use crate::embedded::postings::cursor::Cursor;
use crate::embedded::scale::Scale;
use crate::embedded::topk::alternatives::AlternativePostings;
use crate::embedded::topk::clauses::{Covers, MatchingPostings};
use crate::embedded::topk::phrase::SegmentPhrase;
use crate::embedded::topk::scoring_cursor::{ScoreSource, ScoringCursor, Weigh};
use crate::embedded::topk::segment_plan::{SegmentPlan, WordPostings};
use crate::embedded::topk::task::Task;
use domain::relevance::field::FieldId;
use query::Plan;
use query::breakdown::WordMatch;
use query::clauses::{Clause, ClauseTerm, WordClauses};
use query::scoring::field_share;
use std::sync::Arc;
use tantivy::DocId;

/// Hits of one segment in the order of their documents, each with its index among all hits.
pub type Hits = [(DocId, usize)];

/// A segment with the posting lists of a query.
pub struct Opened<'a> {
    /// Number of the segment.
    pub at: usize,
    plan: &'a Plan,
    source: ScoreSource<'a>,
    words: Vec<OpenedWord<'a>>,
    phrase: SegmentPhrase,
    whole_codes: Vec<(FieldId, Cursor)>,
    /// The document of the last hit so far.
    last: DocId,
}

/// The posting lists of one word.
struct OpenedWord<'a> {
    text: Arc<str>,
    clauses: &'a WordClauses,
    /// Lists that show whether a document contains the word exactly, or one of its alternatives.
    matching: Vec<(MatchingPostings, Cursor)>,
    fields: Vec<(FieldId, Vec<ScoringCursor>)>,
    non_essential: Vec<AlternativePostings<'a>>,
    /// Number of alternatives.
    alternatives: usize,
}

impl<'a> Opened<'a> {
    /// Opens segment number `at`.
    pub fn new<S: Scale>(task: Task<'a, S>, at: usize) -> Result<Self, EngineError> {
        let (texts, plan) = (&task.snapshot.texts, task.plan);
        let segment = &texts.segments[at];
        let lists = SegmentPlan {
            texts,
            segment,
            at,
            plan,
            resolved: task.resolved,
        };
        let mut words = Vec::with_capacity(plan.words.len());
        for (number, own) in lists.word_lists::<S>()?.into_iter().enumerate() {
            words.push(OpenedWord::new(task, number, own)?);
        }
        let whole_codes = (lists.whole_codes().iter())
            .map(|(field, source)| Ok((*field, source.open()?)))
            .collect::<Result<_, EngineError>>()?;
        let bonuses = &task.resolved.clauses.bonuses;
        Ok(Self {
            at,
            plan,
            source: lists.source(),
            words,
            phrase: SegmentPhrase::new(segment, plan, bonuses.phrase.as_ref())?,
            whole_codes,
            last: 0,
        })
    }

    /// Adds what `hits` match to their `parts`. Hits must come after those of former calls.
    pub fn add<S: Scale>(
        &mut self,
        hits: &Hits,
        parts: &mut [HitParts],
    ) -> Result<(), EngineError> {
        let after = |(document, _): &(DocId, usize)| *document >= self.last;
        debug_assert!(hits.first().is_none_or(after));
        self.last = hits.last().map_or(self.last, |(document, _)| *document);
        for word in &mut self.words {
            word.add::<S>(self.plan, self.source, hits, parts)?;
        }
        // A document that does not contain every word exactly earns no phrase bonus.
        for (document, hit) in hits {
            if !parts[*hit].misses_word {
                parts[*hit].earning.phrase = self.phrase.field_in(*document);
            }
        }
        for (field, cursor) in &mut self.whole_codes {
            for (document, hit) in hits {
                if cursor.frequency(*document).is_some() {
                    parts[*hit].earning.code.get_or_insert(*field);
                }
            }
        }
        Ok(())
    }
}

impl<'a> OpenedWord<'a> {
    fn new<S: Scale>(
        task: Task<'a, S>,
        number: usize,
        lists: WordPostings<'a>,
    ) -> Result<Self, EngineError> {
        let resolved = &task.resolved.words[number];
        let mut matching = Vec::with_capacity(lists.matching.len());
        let shows_any = |list: &MatchingPostings| {
            list.covers != Covers::None || list.is_text || list.alternative.is_some()
        };
        for list in lists.matching.into_iter().filter(shows_any) {
            let cursor = list.source.open()?;
            matching.push((list, cursor));
        }
        let fields = lists.groups.into_iter().map(|group| {
            let lists = group.lists.into_iter().map(ScoringCursor::new);
            (group.field, lists.collect())
        });
        Ok(Self {
            text: task.plan.words[number].text.as_str().into(),
            clauses: &task.resolved.clauses.words[number],
            matching,
            fields: fields.collect(),
            non_essential: lists
                .non_essential
                .into_iter()
                .map(AlternativePostings::new)
                .collect(),
            alternatives: resolved.meaning.alternatives(),
        })
    }

    fn add<S: Scale>(
        &mut self,
        plan: &Plan,
        source: ScoreSource<'_>,
        hits: &Hits,
        parts: &mut [HitParts],
    ) -> Result<(), EngineError> {
        let held = WordPresence::of(&mut self.matching, self.alternatives, hits);
        for (_, (_, hit)) in (held.covered.iter().zip(hits)).filter(|(held, _)| **held) {
            parts[*hit].earning.covered += self.clauses.rarity;
        }
        if self.clauses.counts {
            let missing = held
                .covered
                .iter()
                .zip(hits)
                .filter(|(covered, _)| !**covered);
            missing.for_each(|(_, (_, hit))| parts[*hit].misses_word = true);
        }
        let mut non_essential = held.non_essential_cursors::<S>(&mut self.non_essential, source)?;
        let mut found = Vec::new();
        for (field, lists) in &mut self.fields {
            let (own, others) = non_essential
                .into_iter()
                .partition(|list| list.list.field == *field);
            non_essential = others;
            let lists = lists.iter_mut().chain(own);
            let best = best_of_field(source, lists, (&held, self.clauses), hits)?;
            found.extend(best);
        }
        add_matches(&self.text, plan, hits, found, parts);
        Ok(())
    }
}

/// Which hits match a word at all.
struct WordPresence {
    /// Whether a hit contains the word exactly.
    covered: Vec<bool>,
    /// Indices of the hits that match each alternative. Most match none, so most lists of fields are not read.
    alternatives: Vec<Vec<usize>>,
    /// Indices of the hits that contain the word itself, in a text or as a code, or a code that replaces it.
    itself: Vec<usize>,
    /// Indices of all hits.
    all: Vec<usize>,
}

impl WordPresence {
    fn of(matching: &mut [(MatchingPostings, Cursor)], alternatives: usize, hits: &Hits) -> Self {
        let mut held = Self {
            covered: vec![false; hits.len()],
            alternatives: vec![Vec::new(); alternatives],
            itself: Vec::new(),
            all: (0..hits.len()).collect(),
        };
        for (list, cursor) in matching {
            for (index, (document, _)) in hits.iter().enumerate() {
                if let Some(tf) = cursor.frequency(*document) {
                    held.covered[index] |= match list.covers {
                        Covers::All => true,
                        Covers::Alone => tf.is_alone(),
                        Covers::None => false,
                    };
                    match list.alternative {
                        Some(at) => held.alternatives[at].push(index),
                        None => held.itself.push(index),
                    }
                }
            }
        }
        for indices in held.alternatives.iter_mut().chain([&mut held.itself]) {
            indices.sort_unstable();
            indices.dedup();
        }
        held
    }

    /// Returns the lists of those `non_essential` alternatives that any hit matches.
    fn non_essential_cursors<'a, S: Scale>(
        &self,
        non_essential: &'a mut [AlternativePostings<'_>],
        source: ScoreSource<'_>,
    ) -> Result<Vec<&'a mut ScoringCursor>, EngineError> {
        let mut lists = Vec::new();
        for non_essential in non_essential {
            if !self.alternatives[non_essential.number()].is_empty() {
                non_essential.open::<S>(source)?;
                lists.extend(non_essential.all());
            }
        }
        Ok(lists)
    }

    /// Returns the indices of the hits that may match `clause`, in order.
    fn indices(&self, clause: &Clause) -> &[usize] {
        match (clause.alternative, &clause.term) {
            (Some(at), _) => &self.alternatives[at],
            // Texts contain the word itself, so each of their documents is in a list that shows it.
            (None, ClauseTerm::Text(_)) => &self.itself,
            // Prefixes, for example, do not show that the document contains the word itself.
            (None, ClauseTerm::Longer(_) | ClauseTerm::Code(_)) => &self.all,
        }
    }
}

/// The best list of one field that contains a hit.
#[derive(Clone, Copy)]
struct BestPosting<'a> {
    index: usize,
    clause: &'a Clause,
    field: FieldId,
    score: f64,
}

/// Returns the best of the `lists` of one field for every hit that one of them contains.
fn best_of_field<'a, 'b>(
    source: ScoreSource<'_>,
    lists: impl Iterator<Item = &'b mut ScoringCursor>,
    (held, clauses): (&WordPresence, &'a WordClauses),
    hits: &Hits,
) -> Result<impl Iterator<Item = BestPosting<'a>>, EngineError> {
    let mut best: Vec<Option<BestPosting<'a>>> = vec![None; hits.len()];
    for scored in lists {
        let clause = &clauses.clauses[scored.list.clause];
        let indices = held.indices(clause);
        if indices.is_empty() {
            continue;
        }
        let (list, cursor) = scored.open()?;
        let weigh = Weigh::new(list, source);
        for index in indices {
            let document = hits[*index].0;
            if list.is_within && best[*index].is_none() {
                continue;
            }
            let Some(tf) = cursor.frequency(document) else {
                continue;
            };
            let score = weigh.value(document, tf);
            if best[*index].is_none_or(|other| score > other.score) {
                best[*index] = Some(BestPosting {
                    index: *index,
                    clause,
                    field: list.field,
                    score,
                });
            }
        }
    }
    Ok(best.into_iter().flatten())
}

/// Adds the matches of a word to the hits: the best field with its whole score, the others with a share of it.
fn add_matches(
    word: &Arc<str>,
    plan: &Plan,
    hits: &Hits,
    mut found: Vec<BestPosting<'_>>,
    parts: &mut [HitParts],
) {
    // Equal scores keep the order of the fields.
    found.sort_by(|a, b| (a.index.cmp(&b.index)).then(b.score.total_cmp(&a.score)));
    for own in found.chunk_by(|a, b| a.index == b.index) {
        let matches = own.iter().enumerate().map(|(better, found)| WordMatch {
            word: Arc::clone(word),
            field: found.field,
            matched: Arc::clone(&found.clause.matched),
            kind: found.clause.kind,
            distance: found.clause.distance,
            boost: plan.boosts.get(found.field),
            score: found.score * field_share(better),
        });
        let (_, hit) = hits[own[0].index];
        parts[hit].matches.extend(matches);
    }
}
