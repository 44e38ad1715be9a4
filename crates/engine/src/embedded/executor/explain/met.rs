//! What the hits of one segment hold of a question: which words in which fields, the phrase, the whole code.
//!
//! Hits come in batches, in the order of their documents, so every list is opened once and only goes forward.

use super::super::super::scale::Scale;
use super::super::super::segment::SegmentView;
use super::super::alternatives::{AlternativePostings, Units};
use super::super::cursor::Cursor;
use super::super::phrase::SegmentPhrase;
use super::super::posting_sources::{
    MatchingPostings, ScoringPostings, Weight, WordPostings, units,
};
use super::super::score::SegmentPlan;
use super::super::scoring_cursor::{ScoreSource, ScoringCursor, Weigh};
use super::super::task::Task;
use super::HitParts;
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::Plan;
use query::breakdown::WordMatch;
use query::scoring::TIE;
use std::sync::Arc;
use tantivy::DocId;

/// Hits of one segment in the order of their documents, each with its place among all.
pub type Hits = [(DocId, usize)];

/// A segment with the lists of a question.
pub struct Opened<'a> {
    /// Its number.
    pub at: usize,
    plan: &'a Plan,
    source: ScoreSource<'a>,
    words: Vec<OpenedWord>,
    phrase: SegmentPhrase,
    whole_codes: Vec<(FieldId, Cursor)>,
    /// The document of the last hit so far.
    last: DocId,
}

/// The lists of one word.
struct OpenedWord {
    text: Arc<str>,
    idf: f64,
    /// Those that tell whether a document holds it exactly, or one of its alternatives.
    telling: Vec<(MatchingPostings, Cursor)>,
    fields: Vec<(FieldId, Vec<ScoringCursor>)>,
    near: Vec<AlternativePostings>,
    units: Box<Units>,
    /// Number of its alternatives.
    alternatives: usize,
}

impl<'a> Opened<'a> {
    /// Segment number `at`.
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
            .map(|(field, place)| Ok((*field, place.open()?)))
            .collect::<Result<_, EngineError>>()?;
        Ok(Self {
            at,
            plan,
            source: ScoreSource {
                segment,
                norms: &texts.norms,
            },
            words,
            phrase: SegmentPhrase::new(segment, plan, task.resolved)?,
            whole_codes,
            last: 0,
        })
    }

    /// Adds what `hits` hold to their `parts`. They come after those that were asked for before.
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
        for (document, hit) in hits {
            parts[*hit].phrase = self.phrase.field_in(*document);
        }
        for (field, cursor) in &mut self.whole_codes {
            for (document, hit) in hits {
                if cursor.frequency(*document).is_some() {
                    parts[*hit].code.get_or_insert(*field);
                }
            }
        }
        Ok(())
    }
}

impl OpenedWord {
    fn new<S: Scale>(
        task: Task<'_, S>,
        number: usize,
        lists: WordPostings,
    ) -> Result<Self, EngineError> {
        let resolved = &task.resolved.words[number];
        let mut telling = Vec::with_capacity(lists.matching.len());
        let tells = |list: &MatchingPostings| list.covers || list.alternative.is_some();
        for list in lists.matching.into_iter().filter(tells) {
            let cursor = list.place.open()?;
            telling.push((list, cursor));
        }
        let units = units(&lists.groups);
        let fields = lists.groups.into_iter().map(|group| {
            let lists = group.lists.into_iter().map(ScoringCursor::new);
            (group.field, lists.collect())
        });
        Ok(Self {
            text: task.plan.words[number].text.as_str().into(),
            idf: resolved.idf.unwrap_or(0.0),
            telling,
            fields: fields.collect(),
            near: lists
                .near
                .into_iter()
                .map(AlternativePostings::new)
                .collect(),
            units,
            alternatives: resolved.alternatives(),
        })
    }

    fn add<S: Scale>(
        &mut self,
        plan: &Plan,
        source: ScoreSource<'_>,
        hits: &Hits,
        parts: &mut [HitParts],
    ) -> Result<(), EngineError> {
        let held = WordPresence::of(&mut self.telling, self.alternatives, hits);
        for (_, (_, hit)) in (held.covered.iter().zip(hits)).filter(|(held, _)| **held) {
            parts[*hit].covered += self.idf;
        }
        let mut near = held.near_lists::<S>(&mut self.near, source.segment, &self.units)?;
        let mut met = Vec::new();
        for (field, lists) in &mut self.fields {
            let (own, others) = near.into_iter().partition(|list| list.list.field == *field);
            near = others;
            best_of_field(source, lists.iter_mut().chain(own), &held, hits, &mut met)?;
        }
        add_matches(&self.text, plan, hits, met, parts);
        Ok(())
    }
}

/// Which hits hold a word at all.
struct WordPresence {
    /// Whether a hit holds it exactly.
    covered: Vec<bool>,
    /// Places of the hits that hold an alternative; most hold none, so that most lists of fields need no look.
    alternatives: Vec<Vec<usize>>,
    /// Places of the hits that hold the word itself, in a text or as a code, or a code that stands for it.
    itself: Vec<usize>,
    /// Places of all hits.
    all: Vec<usize>,
}

impl WordPresence {
    fn of(telling: &mut [(MatchingPostings, Cursor)], alternatives: usize, hits: &Hits) -> Self {
        let mut held = Self {
            covered: vec![false; hits.len()],
            alternatives: vec![Vec::new(); alternatives],
            itself: Vec::new(),
            all: (0..hits.len()).collect(),
        };
        for (list, cursor) in telling {
            for (place, (document, _)) in hits.iter().enumerate() {
                if cursor.frequency(*document).is_some() {
                    held.covered[place] |= list.covers;
                    match list.alternative {
                        Some(at) => held.alternatives[at].push(place),
                        None => held.itself.push(place),
                    }
                }
            }
        }
        for places in held.alternatives.iter_mut().chain([&mut held.itself]) {
            places.sort_unstable();
            places.dedup();
        }
        held
    }

    /// The lists of those alternatives of the word, among `near`, that any hit holds.
    fn near_lists<'a, S: Scale>(
        &self,
        near: &'a mut [AlternativePostings],
        segment: &SegmentView,
        units: &Units,
    ) -> Result<Vec<&'a mut ScoringCursor>, EngineError> {
        let mut lists = Vec::new();
        for near in near {
            if !self.alternatives[near.number()].is_empty() {
                near.make::<S>(segment, units)?;
                lists.extend(near.all());
            }
        }
        Ok(lists)
    }

    /// The places of the hits that may be in `list`, in order.
    fn places(&self, list: &ScoringPostings) -> &[usize] {
        match (list.alternative, list.weight) {
            (Some(at), _) => &self.alternatives[at],
            // A text holds the word itself, so each of its documents is in a list that tells so.
            (None, Weight::ByFrequency { .. }) => &self.itself,
            // Beginnings, for example, do not tell that the word itself is held.
            (None, Weight::Fixed(_)) => &self.all,
        }
    }
}

/// The best list of one field that holds a hit.
#[derive(Clone, Copy)]
struct BestPosting<'a> {
    place: usize,
    list: &'a ScoringPostings,
    score: f64,
}

/// Adds the best of the `lists` of one field for every hit that one of them holds.
fn best_of_field<'a>(
    source: ScoreSource<'_>,
    lists: impl Iterator<Item = &'a mut ScoringCursor>,
    held: &WordPresence,
    hits: &Hits,
    met: &mut Vec<BestPosting<'a>>,
) -> Result<(), EngineError> {
    let mut best: Vec<Option<BestPosting<'a>>> = vec![None; hits.len()];
    for scored in lists {
        let places = held.places(&scored.list);
        if places.is_empty() {
            continue;
        }
        let (list, cursor) = scored.open()?;
        let weigh = Weigh::new(list, source);
        for place in places {
            let document = hits[*place].0;
            if list.is_within && best[*place].is_none() {
                continue;
            }
            let Some(tf) = cursor.frequency(document) else {
                continue;
            };
            let score = weigh.value(document, tf);
            if best[*place].is_none_or(|other| score > other.score) {
                let place = *place;
                best[place] = Some(BestPosting { place, list, score });
            }
        }
    }
    met.extend(best.into_iter().flatten());
    Ok(())
}

/// Adds what a word met to the hits: of each the best field first and whole, the others with their share.
fn add_matches(
    word: &Arc<str>,
    plan: &Plan,
    hits: &Hits,
    mut met: Vec<BestPosting<'_>>,
    parts: &mut [HitParts],
) {
    // Equal scores stay in the order of the fields.
    met.sort_by(|a, b| (a.place.cmp(&b.place)).then(b.score.total_cmp(&a.score)));
    for own in met.chunk_by(|a, b| a.place == b.place) {
        let shares = std::iter::once(1.0).chain(std::iter::repeat(TIE));
        let matches = own.iter().zip(shares).map(|(met, share)| WordMatch {
            word: Arc::clone(word),
            field: met.list.field,
            matched: Arc::clone(&met.list.matched),
            kind: met.list.kind,
            distance: met.list.distance,
            boost: plan.boosts.get(met.list.field),
            score: met.score * share,
        });
        let (_, hit) = hits[own[0].place];
        parts[hit].matches.extend(matches);
    }
}
