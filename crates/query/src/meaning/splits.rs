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
const CHARACTERS: Range<usize> = 3..25;
/// Characters of a word of letters that may be split.
const LETTERS_MIN: usize = 4;
/// Characters of a part of two, and of three.
const PART_OF_TWO_MIN: usize = 2;
const PART_OF_THREE_MIN: usize = 3;
/// Parts of a word of letters, and of one with digits.
const PARTS_MAX: usize = 3;
const MIXED_PARTS_MAX: usize = 5;
/// Runs of letters and of digits from which on other parts than these are looked for in any word: `m8x40` is also M8 x 40.
const RUNS_MIN: usize = 3;
/// Documents from which on a word counts as one that the catalogue writes as typed.
const DOCUMENTS_ENOUGH: u64 = 4;
/// Splits of a word that are searched.
const SPLITS_MAX: usize = 3;
/// Splits of a word that are compared.
const COMPARED_MAX: usize = 256;

/// Returns `plan` with the splits of its words that hardly any document contains, and of those with digits whose parts may
/// be told apart in several ways. `count` returns, for each stem, the number
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
    let words = candidates.into_iter().zip(documents);
    let words = words.map(|(at, documents)| {
        CutWord::new(at, &plan.words[at], documents < DOCUMENTS_ENOUGH, analyser)
    });
    let words: Vec<CutWord> = words.filter(|word| !word.parts.is_empty()).collect();
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
        let found = word.splits().into_iter();
        splits.extend(found.filter(|split| !plan.synonyms.contains(split)));
    }
    if splits.is_empty() {
        return Ok(plan);
    }
    let mut plan = plan.into_owned();
    plan.synonyms.extend(splits);
    Ok(Cow::Owned(plan))
}

/// Whether word number `at` may be split: one of letters alone that has no parts of its own, or one with digits.
fn may_be_split(plan: &Plan, at: usize) -> bool {
    let folded = &plan.words[at].folded;
    let has_parts = |synonym: &PlanSynonym| {
        synonym.kind == WordMatchKind::Split && synonym.replaces == (at..at + 1)
    };
    let characters = folded.chars().count();
    let is_word = folded.chars().all(char::is_alphabetic)
        && characters >= LETTERS_MIN
        && !plan.synonyms.iter().any(has_parts);
    let is_mixed = folded.chars().all(char::is_alphanumeric)
        && folded.chars().any(char::is_numeric)
        && folded.chars().any(char::is_alphabetic);
    !plan.listed && CHARACTERS.contains(&characters) && (is_word || is_mixed)
}

/// A word with all of its parts.
struct CutWord {
    /// Number in the plan.
    at: usize,
    /// The characters of its folded form.
    folded: Vec<char>,
    /// Whether it has digits.
    is_mixed: bool,
    /// The parts, as ranges of these.
    parts: Vec<Range<usize>>,
    /// Their stems.
    stems: Vec<String>,
    /// The documents that contain each.
    documents: Vec<u64>,
}

impl CutWord {
    /// Returns a word with its parts; those of a word that is not rare end at borders of letters and digits.
    fn new(at: usize, word: &PlanWord, is_rare: bool, analyser: &Analyser) -> Self {
        let folded: Vec<char> = word.folded.chars().collect();
        let borders = Borders::of(&folded);
        let length = folded.len();
        let starts = 0..length;
        let parts = starts.flat_map(|start| (start + 1..=length).map(move |end| start..end));
        let parts: Vec<Range<usize>> = match is_rare || borders.runs >= RUNS_MIN {
            true => parts
                .filter(|part| borders.admit(part, &folded, is_rare))
                .collect(),
            false => Vec::new(),
        };
        let text = |part: &Range<usize>| folded[part.clone()].iter().collect::<String>();
        Self {
            at,
            stems: parts
                .iter()
                .map(|part| analyser.stem(&text(part)))
                .collect(),
            is_mixed: borders.runs > 1,
            folded,
            parts,
            documents: Vec::new(),
        }
    }

    /// The best splits: those of few parts first, then those whose rarest part is commonest.
    fn splits(&self) -> Vec<PlanSynonym> {
        let mut found = Vec::new();
        self.split_from(0, &mut Vec::new(), u64::MAX, &mut found);
        found.sort_by_key(|(parts, documents)| (parts.len(), Reverse(*documents)));
        found.truncate(SPLITS_MAX);
        found.iter().map(|(parts, _)| self.split(parts)).collect()
    }

    /// Adds the splits that begin with `parts`, which end at `start` and of which the rarest is in so many `documents`.
    fn split_from(
        &self,
        start: usize,
        parts: &mut Vec<usize>,
        documents: u64,
        found: &mut Vec<(Vec<usize>, u64)>,
    ) {
        let parts_max = if self.is_mixed {
            MIXED_PARTS_MAX
        } else {
            PARTS_MAX
        };
        for (part, others) in self.parts_from(start) {
            if found.len() == COMPARED_MAX {
                return;
            }
            let (end, rarest) = (self.parts[part].end, documents.min(others));
            parts.push(part);
            if end < self.folded.len() && parts.len() < parts_max {
                self.split_from(end, parts, rarest, found);
            } else if end == self.folded.len() && self.admits(parts) {
                found.push((parts.clone(), rarest));
            }
            parts.pop();
        }
    }

    /// Whether parts of letters are long enough for their number.
    fn admits(&self, parts: &[usize]) -> bool {
        let is_long = |at: &usize| self.parts[*at].len() >= PART_OF_THREE_MIN;
        self.is_mixed || parts.len() == 2 || parts.iter().all(is_long)
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

/// Where the runs of letters and of digits of a word end.
struct Borders {
    /// Whether a run ends before each character, and behind the last one.
    at: Vec<bool>,
    /// Number of runs.
    runs: usize,
}

impl Borders {
    fn of(word: &[char]) -> Self {
        let inner = word.windows(2);
        let inner = inner.map(|two| two[0].is_numeric() != two[1].is_numeric());
        let at: Vec<bool> = [true].into_iter().chain(inner).chain([true]).collect();
        let runs = at.iter().filter(|border| **border).count() - 1;
        Self { at, runs }
    }

    /// Whether a part of `word` may be a word of its own. A run of digits is never cut; of letters only where `is_rare`.
    fn admit(&self, part: &Range<usize>, word: &[char], is_rare: bool) -> bool {
        let (length, is_at_border) = (word.len(), [part.start, part.end].map(|end| self.at[end]));
        if part.len() == length {
            return false;
        }
        if self.runs == 1 {
            // A part of two touches an end of the word; one in the middle is one of three.
            let touches = part.start == 0 || part.end == length;
            return part.len() >= PART_OF_TWO_MIN && (touches || part.len() >= PART_OF_THREE_MIN);
        }
        let cuts_digits = |end: usize| !self.at[end] && word[end].is_numeric();
        let has_digit = word[part.clone()].iter().any(|c| c.is_numeric());
        let is_long = has_digit || part.len() >= PART_OF_THREE_MIN;
        is_at_border == [true, true]
            || (is_rare && is_long && ![part.start, part.end].into_iter().any(cuts_digits))
    }
}

#[cfg(test)]
mod tests {
    //! 1. A word that no document contains is split where all parts are words of the index; one that exists is not.
    //! 2. One with digits is split wherever it may be written apart, within letters only if hardly any document has it.

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
        let written = plan.synonyms.len();
        let Ok(plan) = with_splits(Cow::Borrowed(&plan), &analyser, count);
        plan.synonyms[written..]
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
        assert_eq!(splits(&index, "redbulls2"), [""; 0]);
        assert_eq!(
            splits(&[("red", 1), ("tent", 1), ("redtent", 4)], "redtent"),
            [""; 0]
        );
        assert_eq!(
            splits(&[("red", 1), ("tent", 1), ("redtent", 3)], "redtent"),
            ["red tent"]
        );
    }

    #[test]
    fn words_with_digits_are_split_in_every_way_that_the_index_has() {
        let bolts = [("m8", 9), ("x", 20), ("40", 3), ("8", 2), ("m", 1)];
        assert_eq!(splits(&bolts, "m8x40"), ["m8 x 40"]);
        let common = [&bolts[..], &[("m8x40", 50)]].concat();
        assert_eq!(splits(&common, "m8x40"), ["m8 x 40"]);
        let cards = [
            ("5800", 4),
            ("x3d", 3),
            ("air", 7),
            ("max", 9),
            ("90", 5),
            ("eo", 4),
            ("r6", 2),
        ];
        assert_eq!(splits(&cards, "5800x3d"), ["5800 x3d"]);
        assert_eq!(splits(&cards, "airmax90"), ["air max 90"]);
        assert_eq!(splits(&cards, "eosr6"), ["eos r6"]);
        let written = [&cards[..], &[("airmax90", 4)]].concat();
        assert_eq!(splits(&written, "airmax90"), [""; 0]);
        let phones = [
            ("iphon", 9),
            ("15", 5),
            ("pro", 4),
            ("max", 3),
            ("promax", 0),
        ];
        assert_eq!(splits(&phones, "iphone15promax"), ["iphone 15 pro max"]);
        assert_eq!(
            splits(&[("12", 5), ("34", 5), ("ab", 5)], "1234ab"),
            [""; 0]
        );
    }
}
