//! Synonym groups of one language, compiled: which of them a question fires, and what its words then also mean.
//!
//! Terms are compared by their words, folded and not stemmed; what they add is found by stem like any other word.

use crate::analysis::{Analyser, Token};
use crate::phrases::Phrases;
use crate::user_query::QueryWord;
use std::ops::Range;
use std::sync::Arc;

/// Terms that one phrase of a question stands for at most, all groups together: those of the groups that come first.
pub const SYNONYMS_MAX: usize = 200;

/// One group, as it is configured.
#[derive(Clone, Copy, Debug)]
pub struct SynonymTerms<'a> {
    /// Its id.
    pub id: &'a str,
    /// What is typed, of a group that works in one direction.
    pub input: Option<&'a str>,
    /// Terms that stand for each other, or that the input expands to.
    pub terms: &'a [String],
}

/// The groups of one language.
#[derive(Clone, Debug, Default)]
pub struct SynonymSet {
    groups: Vec<CompiledGroup>,
    phrases: Phrases<GroupTerm>,
}

#[derive(Clone, Debug)]
struct CompiledGroup {
    id: Arc<str>,
    /// What fires it: the input, or every term.
    sources: Vec<Arc<SynonymTerm>>,
    /// What it means then.
    terms: Vec<Arc<SynonymTerm>>,
}

/// Which term of which group a phrase is.
#[derive(Clone, Copy, Debug)]
struct GroupTerm {
    group: usize,
    source: usize,
}

/// A term of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SynonymTerm {
    /// As it was configured.
    pub text: String,
    /// Its words.
    pub words: Vec<SynonymTermWord>,
}

/// One word of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SynonymTermWord {
    /// Its analysed form.
    pub stem: String,
    /// As written, in lower case with accents.
    pub form: String,
    /// Without accents, not stemmed.
    pub folded: String,
    /// Its place in the term.
    pub position: u32,
    /// Whether a document must have it: false for stop words, unless the term has no other words.
    pub counts: bool,
}

/// A group that a question fires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fired {
    /// The group.
    pub group: Arc<str>,
    /// The term that stands in the question.
    pub from: Arc<SynonymTerm>,
    /// Places of its words among those of the question.
    pub words: Range<usize>,
    /// What they also mean.
    pub to: Vec<Arc<SynonymTerm>>,
}

impl SynonymTerm {
    fn new(text: &str, analyser: &Analyser) -> Self {
        let tokens = analyser.words(text);
        let only_stops = tokens.iter().all(|token| token.stop);
        let word = |token: Token| SynonymTermWord {
            counts: only_stops || !token.stop,
            stem: token.stem,
            form: token.form,
            folded: token.folded,
            position: token.position,
        };
        Self {
            text: text.to_owned(),
            words: tokens.into_iter().map(word).collect(),
        }
    }

    fn folded(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.folded.as_str())
    }

    fn is_like(&self, other: &Self) -> bool {
        self.folded().eq(other.folded())
    }
}

impl SynonymSet {
    /// The set of `groups`, in their order; a term without a word is left out.
    pub fn new<'a>(
        groups: impl IntoIterator<Item = SynonymTerms<'a>>,
        analyser: &Analyser,
    ) -> Self {
        let mut set = Self::default();
        for group in groups {
            let term = |text: &str| Some(Arc::new(SynonymTerm::new(text, analyser)));
            let worded = |term: &Arc<SynonymTerm>| !term.words.is_empty();
            let terms = group.terms.iter().filter_map(|text| term(text));
            let terms: Vec<Arc<SynonymTerm>> = terms.filter(worded).collect();
            let sources = match group.input {
                Some(input) => term(input).into_iter().filter(worded).collect(),
                None => terms.clone(),
            };
            set.add(CompiledGroup {
                id: group.id.into(),
                sources,
                terms,
            });
        }
        set
    }

    fn add(&mut self, group: CompiledGroup) {
        let number = self.groups.len();
        for (source, term) in group.sources.iter().enumerate() {
            let place = GroupTerm {
                group: number,
                source,
            };
            self.phrases.insert(term.folded(), place);
        }
        self.groups.push(group);
    }

    /// The groups that `words` fire: the longest terms first, and no word in two terms that overlap.
    ///
    /// A term that covers no word that counts fires nothing, for there is nothing that it could mean.
    pub fn fired(&self, words: &[QueryWord]) -> Vec<Fired> {
        if self.groups.is_empty() {
            return Vec::new();
        }
        let row = words.iter().map(|word| word.token.folded.as_str());
        let mut found = self.phrases.occurrences(row);
        found.retain(|at| {
            let place = at.start..at.start + at.words;
            is_whole(words, &place) && words[place].iter().any(|word| word.counts)
        });
        found.sort_by_key(|at| (std::cmp::Reverse(at.words), at.start));
        let mut taken = vec![false; words.len()];
        let mut fired: Vec<Fired> = Vec::new();
        for at in found {
            let place = at.start..at.start + at.words;
            if taken[place.clone()].contains(&true) {
                continue;
            }
            taken[place.clone()].fill(true);
            let mut left = SYNONYMS_MAX;
            for meaning in at.meanings {
                fired.extend(self.meaning(*meaning, place.clone(), &mut left));
            }
        }
        fired.sort_by_key(|fired| fired.words.start);
        fired
    }

    fn meaning(&self, place: GroupTerm, words: Range<usize>, left: &mut usize) -> Option<Fired> {
        let group = &self.groups[place.group];
        let from = &group.sources[place.source];
        let others = group.terms.iter().filter(|term| !term.is_like(from));
        let to: Vec<Arc<SynonymTerm>> = others.take(*left).cloned().collect();
        *left -= to.len();
        (!to.is_empty()).then(|| Fired {
            group: Arc::clone(&group.id),
            from: Arc::clone(from),
            words,
            to,
        })
    }
}

/// Whether a place begins and ends where words do, and not inside a word that is matched by pairs of letters.
fn is_whole(words: &[QueryWord], place: &Range<usize>) -> bool {
    let goes_on = |at: usize| words.get(at).is_some_and(|word| word.token.continues);
    !goes_on(place.start) && !goes_on(place.end)
}

#[cfg(test)]
mod tests {
    //! 1. Words are compared folded and not stemmed.
    //! 2. The longest term wins, wherever it stands, and terms do not overlap.
    //! 3. Direction counts.
    //! 4. All groups of a term fire, and no synonym of a synonym.
    //! 5. Stop words are words of a term.
    //! 6. A part of a word of a script without blanks is no word.
    //! 7. What one phrase means is bounded.
    //! 8. A term that is the input again adds nothing, so a group of such terms never fires.

    use super::*;
    use crate::UserQuery;
    use domain::{Language, SearchSettings};

    /// A group as `input => a, b` or `a, b`, its id being its place.
    fn fired(language: &str, groups: &[&str], question: &str) -> Vec<String> {
        let analyser = Analyser::new(&Language::parse(language).expect("a code"));
        let list = |text: &str| -> Vec<String> {
            text.split(',').map(|term| term.trim().to_owned()).collect()
        };
        let owned: Vec<(String, Option<&str>, Vec<String>)> = groups
            .iter()
            .enumerate()
            .map(|(at, group)| match group.split_once("=>") {
                Some((input, terms)) => (at.to_string(), Some(input), list(terms)),
                None => (at.to_string(), None, list(group)),
            })
            .collect();
        let groups = owned.iter().map(|(id, input, terms)| SynonymTerms {
            id,
            input: *input,
            terms,
        });
        let set = SynonymSet::new(groups, &analyser);
        let query = UserQuery::new(question, &analyser, &SearchSettings::default());
        let shown = |fired: Fired| {
            let to: Vec<&str> = fired.to.iter().map(|term| term.text.as_str()).collect();
            format!("{}@{:?}: {}", fired.group, fired.words, to.join("|"))
        };
        set.fired(&query.words).into_iter().map(shown).collect()
    }

    #[test]
    fn words_are_folded_and_not_stemmed() {
        let groups = ["Sofá, couch"];
        assert_eq!(fired("en", &groups, "red SOFA"), ["0@1..2: couch"]);
        assert_eq!(fired("en", &groups, "sofas"), [""; 0]);
        assert_eq!(fired("en", &groups, "sofq"), [""; 0]);
        assert_eq!(fired("en", &["t-shirt, tee"], "T Shirt"), ["0@0..2: tee"]);
        assert_eq!(
            fired("fr", &["ordinateur, pc"], "l'ordinateur"),
            ["0@0..1: pc"]
        );
    }

    #[test]
    fn the_longest_term_wins() {
        let groups = ["a1 b1, x", "b1 c1 d1, y", "b1, z", "d1, w"];
        assert_eq!(fired("en", &groups, "a1 b1 c1 d1"), ["1@1..4: y"]);
        assert_eq!(
            fired("en", &groups, "a1 b1 d1 b1"),
            ["0@0..2: x", "3@2..3: w", "2@3..4: z"]
        );
    }

    #[test]
    fn direction_counts() {
        let groups = ["laptop => notebook, portable computer"];
        assert_eq!(
            fired("en", &groups, "laptop"),
            ["0@0..1: notebook|portable computer"]
        );
        assert_eq!(fired("en", &groups, "notebook"), [""; 0]);
    }

    #[test]
    fn all_groups_of_a_term_fire_and_none_of_its_synonyms() {
        let groups = ["tv, television", "TV, telly", "telly, box"];
        assert_eq!(
            fired("en", &groups, "tv"),
            ["0@0..1: television", "1@0..1: telly"]
        );
        assert_eq!(fired("en", &["a1, A1"], "a1"), [""; 0]);
        assert_eq!(fired("en", &["!!, a1", "?"], "!! a1"), [""; 0]);
    }

    #[test]
    fn stop_words_are_words_of_a_term() {
        let groups = ["bag for life, tote", "for, to"];
        assert_eq!(fired("en", &groups, "bag for life"), ["0@0..3: tote"]);
        assert_eq!(fired("en", &groups, "bag life"), [""; 0]);
        assert_eq!(fired("en", &groups, "for bag"), [""; 0]);
        assert_eq!(fired("en", &groups, "for"), ["1@0..1: to"]);
    }

    #[test]
    fn a_part_of_a_word_is_no_word() {
        let groups = ["充電, x", "充電器, y"];
        assert_eq!(fired("zh", &groups, "充電器"), ["1@0..2: y"]);
    }

    #[test]
    fn what_a_phrase_means_is_bounded() {
        let terms: Vec<String> = (0..150).map(|at| format!("t{at}")).collect();
        let group = format!("a1, {}", terms.join(", "));
        let groups = [group.as_str(), group.as_str()];
        let added: usize = fired("en", &groups, "a1")
            .iter()
            .map(|fired| fired.matches('|').count() + 1)
            .sum();
        assert_eq!(added, SYNONYMS_MAX);
    }

    #[test]
    fn what_means_only_itself_never_fires() {
        assert!(fired("zh", &["a =>a ="], "a").is_empty());
        assert!(fired("en", &["Sofa => sófa, SOFA"], "sofa").is_empty());
        assert_eq!(
            fired("en", &["sofa => SOFA, couch"], "sofa"),
            ["0@0..1: couch"]
        );
    }
}
