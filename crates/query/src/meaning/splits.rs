//! Words that the catalogue writes apart: `redbull` for Red Bull. The parts are words of the index, side by side.
//!
//! Splits are validated by the words of the corpus, after Koehn & Knight, "Empirical methods for compound
//! splitting", 2003.

use crate::analysis::Analyser;
use crate::breakdown::WordMatchKind;
use crate::plan::{Plan, PlanSynonym, PlanWord, SynonymWord};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

/// Characters of a word that may be split.
const CHARACTERS: Range<usize> = 4..25;
/// Characters of a part of two, and of three.
const PART_OF_TWO_MIN: usize = 2;
const PART_OF_THREE_MIN: usize = 3;
/// Documents from which on a word counts as one that the catalogue writes as typed.
const DOCUMENTS_ENOUGH: u64 = 4;
/// Splits of a word that are searched.
const SPLITS_MAX: usize = 3;

/// Returns `plan` with the splits of its words that hardly any document contains. `count` returns, for each stem, the number
/// of documents that contain it in any text; it is called at most twice.
///
/// Errors: those of `count`.
pub fn with_splits<'a, E>(
    plan: Cow<'a, Plan>,
    analyser: &Analyser,
    mut count: impl FnMut(&[String]) -> Result<Vec<u64>, E>,
) -> Result<Cow<'a, Plan>, E> {
    let candidates: Vec<usize> = (0..plan.counted().len())
        .filter(|at| may_be_split(&plan, *at))
        .collect();
    if candidates.is_empty() {
        return Ok(plan);
    }
    let stems: Vec<String> = candidates
        .iter()
        .map(|at| plan.words[*at].stem.clone())
        .collect();
    let documents = count(&stems)?;
    let rare = candidates.into_iter().zip(documents);
    let rare = rare.filter(|(_, documents)| *documents < DOCUMENTS_ENOUGH);
    let words: Vec<CutWord> = rare
        .map(|(at, _)| CutWord::new(at, &plan.words[at], analyser))
        .collect();
    let stems: Vec<String> = words
        .iter()
        .flat_map(|word| word.stems.iter().cloned())
        .collect();
    if stems.is_empty() {
        return Ok(plan);
    }
    let mut documents = count(&stems)?.into_iter();
    let mut splits = Vec::new();
    for mut word in words {
        word.documents = documents.by_ref().take(word.parts.len()).collect();
        splits.extend(word.splits());
    }
    if splits.is_empty() {
        return Ok(plan);
    }
    let mut plan = plan.into_owned();
    plan.synonyms.extend(splits);
    Ok(Cow::Owned(plan))
}

/// Whether word number `at` is one of letters alone that has no parts of its own.
fn may_be_split(plan: &Plan, at: usize) -> bool {
    let folded = &plan.words[at].folded;
    let has_parts = |synonym: &PlanSynonym| {
        synonym.kind == WordMatchKind::Split && synonym.replaces == (at..at + 1)
    };
    !plan.listed
        && CHARACTERS.contains(&folded.chars().count())
        && folded.chars().all(char::is_alphabetic)
        && !plan.synonyms.iter().any(has_parts)
}

/// A word with all of its parts.
struct CutWord {
    /// Number in the plan.
    at: usize,
    /// The characters of its folded form.
    folded: Vec<char>,
    /// The parts, as ranges of these.
    parts: Vec<Range<usize>>,
    /// Their stems.
    stems: Vec<String>,
    /// The documents that contain each.
    documents: Vec<u64>,
}

impl CutWord {
    fn new(at: usize, word: &PlanWord, analyser: &Analyser) -> Self {
        let folded: Vec<char> = word.folded.chars().collect();
        let length = folded.len();
        let starts = 0..length;
        let parts =
            starts.flat_map(|start| (start + PART_OF_TWO_MIN..=length).map(move |end| start..end));
        // A part of two touches an end of the word; one in the middle is one of three.
        let parts = parts.filter(|part| {
            let touches = part.start == 0 || part.end == length;
            part.len() < length && (touches || part.len() >= PART_OF_THREE_MIN)
        });
        let parts: Vec<Range<usize>> = parts.collect();
        let text = |part: &Range<usize>| folded[part.clone()].iter().collect::<String>();
        Self {
            at,
            stems: parts
                .iter()
                .map(|part| analyser.stem(&text(part)))
                .collect(),
            folded,
            parts,
            documents: Vec::new(),
        }
    }

    /// The best splits: those of two parts first, then those whose rarest part is commonest.
    fn splits(&self) -> Vec<PlanSynonym> {
        let length = self.folded.len();
        let mut found: Vec<(Vec<usize>, u64)> = Vec::new();
        for (first, documents) in self.parts_from(0) {
            let middle = self.parts[first].end;
            for (second, others) in self.parts_from(middle) {
                let both = documents.min(others);
                let end = self.parts[second].end;
                if end == length {
                    found.push((vec![first, second], both));
                    continue;
                }
                let third = self
                    .parts_from(end)
                    .find(|(third, _)| self.parts[*third].end == length);
                let is_long = |at: &usize| self.parts[*at].len() >= PART_OF_THREE_MIN;
                found.extend(
                    third
                        .filter(|(third, _)| [first, second, *third].iter().all(is_long))
                        .map(|(third, last)| (vec![first, second, third], both.min(last))),
                );
            }
        }
        found.sort_by_key(|(parts, documents)| (parts.len(), Reverse(*documents)));
        found.truncate(SPLITS_MAX);
        found.iter().map(|(parts, _)| self.split(parts)).collect()
    }

    /// The parts from `start` on that are words of the index, with their documents.
    fn parts_from(&self, start: usize) -> impl Iterator<Item = (usize, u64)> {
        let parts = self.parts.iter().zip(&self.documents).enumerate();
        let parts =
            parts.filter(move |(_, (part, documents))| part.start == start && **documents > 0);
        parts.map(|(at, (_, documents))| (at, *documents))
    }

    fn split(&self, parts: &[usize]) -> PlanSynonym {
        let text = |at: &usize| {
            self.folded[self.parts[*at].clone()]
                .iter()
                .collect::<String>()
        };
        let texts: Vec<String> = parts.iter().map(text).collect();
        let words = (0..)
            .zip(parts)
            .zip(&texts)
            .map(|((position, at), form)| SynonymWord {
                stem: self.stems[*at].clone(),
                form: form.clone(),
                position,
            });
        PlanSynonym {
            words: words.collect(),
            text: texts.join(" "),
            kind: WordMatchKind::Split,
            replaces: self.at..self.at + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. A word that no document contains is split where all parts are words of the index; one that exists is not.

    use super::*;
    use crate::UserQuery;
    use domain::Language;
    use domain::document::DocType;
    use domain::relevance::Relevance;
    use std::convert::Infallible;

    fn splits(index: &[(&str, u64)], query: &str) -> Vec<String> {
        let relevance = Relevance::default();
        let analyser = Analyser::new(&Language::parse("en").expect("a language"));
        let query = UserQuery::new(query, &analyser, &relevance.search_settings);
        let plan = Plan::new(&query, &relevance, DocType::Products);
        let count = |stems: &[String]| -> Result<Vec<u64>, Infallible> {
            let known = |stem: &String| index.iter().find(|(known, _)| known == stem);
            Ok(stems
                .iter()
                .map(|stem| known(stem).map_or(0, |(_, documents)| *documents))
                .collect())
        };
        let Ok(plan) = with_splits(Cow::Borrowed(&plan), &analyser, count);
        plan.synonyms
            .iter()
            .map(|split| split.text.clone())
            .collect()
    }

    #[test]
    fn words_are_split_where_the_index_has_the_parts() {
        let index = [
            ("red", 9),
            ("bull", 5),
            ("intra", 1),
            ("oral", 2),
            ("camera", 7),
            ("tent", 50),
        ];
        assert_eq!(splits(&index, "redbull"), ["red bull"]);
        assert_eq!(splits(&index, "intraoralcamera"), ["intra oral camera"]);
        assert_eq!(splits(&index, "tent"), [""; 0]);
        assert_eq!(splits(&index, "redbulls2"), ["redbulls 2"]);
        assert_eq!(
            splits(&[("red", 1), ("tent", 1), ("redtent", 4)], "redtent"),
            [""; 0]
        );
        assert_eq!(
            splits(&[("red", 1), ("tent", 1), ("redtent", 3)], "redtent"),
            ["red tent"]
        );
    }
}
