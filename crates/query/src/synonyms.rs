//! Compiled synonym groups of one language: which of them a query triggers, and the synonyms of its words.
//!
//! Terms are compared word by word, folded and not stemmed; synonyms are then matched by stem like any other word.

use crate::alternative_phrases::AlternativePhrases;
use crate::analysis::{Analyser, Token, WrittenWord, is_whole};
use crate::mistyped_words::MistypedWords;
use crate::phrases::Phrases;
use crate::user_query::QueryWord;
use domain::relevance::SearchSettings;
use domain::{TriggerAlternative, TriggerAlternatives};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// Most synonyms of one phrase of a query, all groups together: those of the groups that come first.
pub const SYNONYMS_MAX: usize = 200;

/// A group as configured.
#[derive(Clone, Copy, Debug)]
pub struct SynonymTerms<'a> {
    /// Id of the group.
    pub id: &'a str,
    /// The typed term of a one-way group.
    pub input: Option<&'a str>,
    /// Terms that are synonyms of each other, or of the input.
    pub terms: &'a [String],
    /// By what else it is triggered.
    pub alternatives: TriggerAlternatives,
}

/// The compiled groups of one language.
#[derive(Clone, Debug, Default)]
pub struct SynonymSet {
    groups: Vec<CompiledGroup>,
    phrases: Phrases<GroupTerm>,
    alternatives: AlternativePhrases<GroupTerm>,
}

#[derive(Clone, Debug)]
struct CompiledGroup {
    id: Arc<str>,
    /// The terms that trigger the group: the input, or every term.
    sources: Vec<Arc<SynonymTerm>>,
    /// The synonyms.
    terms: Vec<Arc<SynonymTerm>>,
    alternatives: TriggerAlternatives,
}

/// A term of a group, by its indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct GroupTerm {
    group: usize,
    source: usize,
}

/// A term of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SynonymTerm {
    /// As configured.
    pub text: String,
    /// The words.
    pub words: Vec<SynonymTermWord>,
    /// Its words as they are compared with those of a query, each unit together and, where that differs, apart.
    writings: Vec<Vec<String>>,
    /// Whether signs make one of its words another word, such as `c++`, which is triggered by that writing alone.
    has_marks: bool,
}

/// One word of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SynonymTermWord {
    /// The stem.
    pub stem: String,
    /// The surface form: as written, in lower case with accents.
    pub form: String,
    /// Without accents, not stemmed.
    pub folded: String,
    /// Position in the term.
    pub position: u32,
    /// Whether a document must contain it: false for stop words, unless the term has no other words.
    pub counts: bool,
}

/// A group that a query triggers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fired {
    /// Id of the group.
    pub group: Arc<str>,
    /// The term that occurs in the query.
    pub from: Arc<SynonymTerm>,
    /// The alternative by which it occurs; none if it occurs as it is.
    pub alternative: Option<TriggerAlternative>,
    /// Range of its words among those of the query.
    pub words: Range<usize>,
    /// The synonyms.
    pub to: Vec<Arc<SynonymTerm>>,
}

impl SynonymTerm {
    fn new(text: &str, analyser: &Analyser) -> Self {
        let tokens = analyser.words(text);
        let writings = writings(analyser, &tokens.iter().collect::<Vec<_>>());
        let keys = |words: Vec<WrittenWord>| words.into_iter().map(|word| word.key).collect();
        let writings = writings.into_iter().map(keys).collect();
        let only_stops = tokens.iter().all(|token| token.stop);
        let has_marks = tokens.iter().any(Token::is_marked);
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
            writings,
            has_marks,
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        self.writings.first() == other.writings.first()
    }
}

/// The words of a term or query, each unit together and, where that differs, apart.
fn writings(analyser: &Analyser, tokens: &[&Token]) -> Vec<Vec<WrittenWord>> {
    let together = std::iter::once(analyser.joined_units(tokens));
    together.chain(analyser.apart(tokens)).collect()
}

impl SynonymSet {
    /// Compiles `groups`, in their order; terms without a word are left out.
    pub fn new<'a>(
        groups: impl IntoIterator<Item = SynonymTerms<'a>>,
        analyser: &Analyser,
    ) -> Self {
        Self::default().with_groups(groups, analyser)
    }

    /// Compiles `groups` as [`SynonymSet::new`] does with the same analyser; terms that this set has are not analysed again.
    pub fn with_groups<'a>(
        &self,
        groups: impl IntoIterator<Item = SynonymTerms<'a>>,
        analyser: &Analyser,
    ) -> Self {
        let former = self.groups.iter().map(|group| (&*group.id, group));
        let former: HashMap<&str, &CompiledGroup> = former.collect();
        let mut set = Self::default();
        for group in groups {
            let known = former.get(group.id).into_iter();
            let known: Vec<_> = known
                .flat_map(|group| group.terms.iter().chain(&group.sources))
                .collect();
            let term = |text: &str| {
                let same = known.iter().find(|term| term.text == text);
                same.map_or_else(
                    || Arc::new(SynonymTerm::new(text, analyser)),
                    |same| Arc::clone(same),
                )
            };
            let has_words = |term: &Arc<SynonymTerm>| !term.words.is_empty();
            let terms = group.terms.iter().map(|text| term(text));
            let terms: Vec<Arc<SynonymTerm>> = terms.filter(has_words).collect();
            let sources = match group.input {
                Some(input) => Some(term(input)).into_iter().filter(has_words).collect(),
                None => terms.clone(),
            };
            set.add(CompiledGroup {
                id: group.id.into(),
                sources,
                terms,
                alternatives: group.alternatives,
            });
        }
        set
    }

    fn add(&mut self, group: CompiledGroup) {
        let number = self.groups.len();
        for (source, term) in group.sources.iter().enumerate() {
            let group_term = GroupTerm {
                group: number,
                source,
            };
            for words in &term.writings {
                let words = words.iter().map(String::as_str);
                self.phrases.insert(words.clone(), group_term);
                if !term.has_marks {
                    (self.alternatives).insert(words, group.alternatives, group_term);
                }
            }
        }
        self.groups.push(group);
    }

    /// Adds to `mistyped` the words of `query` that may be misspelled words of the terms.
    pub fn add_mistyped(
        &self,
        query: &str,
        analyser: &Analyser,
        settings: &SearchSettings,
        mistyped: &mut MistypedWords,
    ) {
        mistyped.add(query, self.alternatives.vocabulary(), analyser, settings);
    }

    /// The groups that `words` trigger, some of which `mistyped` may be. The longest terms are matched first, and matched
    /// terms never overlap; of two writings of the same words the nearest to the term counts.
    ///
    /// A term that covers no word that counts triggers nothing, because there is no word that its synonyms could replace.
    pub fn fired(
        &self,
        words: &[QueryWord],
        analyser: &Analyser,
        mistyped: &MistypedWords,
    ) -> Vec<Fired> {
        if self.groups.is_empty() {
            return Vec::new();
        }
        let mut found = self.occurrences(words, analyser, mistyped);
        found.sort_by_key(|found| {
            let words = &found.words;
            (Reverse(words.len()), words.start, found.alternative)
        });
        let mut taken = vec![false; words.len()];
        let mut fired: Vec<Fired> = Vec::new();
        for same in found.chunk_by(|a, b| a.words == b.words) {
            let range = same[0].words.clone();
            if taken[range.clone()].contains(&true) {
                continue;
            }
            taken[range].fill(true);
            let mut left = SYNONYMS_MAX;
            let mut groups = BTreeSet::new();
            for term in same {
                // A group that the words trigger as they are is not triggered again by an alternative.
                let is_new = groups.insert(term.term.group);
                if is_new || term.alternative.is_none() {
                    fired.extend(self.fire(term, &mut left));
                }
            }
        }
        fired.sort_by_key(|fired| fired.words.start);
        fired
    }

    /// The terms that occur in `words`, overlapping or not, each once for the same words and alternative.
    fn occurrences(
        &self,
        words: &[QueryWord],
        analyser: &Analyser,
        mistyped: &MistypedWords,
    ) -> Vec<FoundTerm> {
        let tokens: Vec<&Token> = words.iter().map(|word| &word.token).collect();
        let mut found = Vec::new();
        // The second writing repeats most of what the first one has.
        let mut seen = HashSet::new();
        for written in writings(analyser, &tokens) {
            let mut add = |range: Range<usize>, term, alternative| {
                let range = typed_range(&written, &range);
                let range =
                    range.filter(|range| words[range.clone()].iter().any(|word| word.counts));
                let term = range.map(|words| FoundTerm {
                    words,
                    term,
                    alternative,
                });
                found.extend(term.filter(|term: &FoundTerm| seen.insert(term.clone())));
            };
            let keys = written.iter().map(|word| word.key.as_str());
            for at in self.phrases.occurrences(keys) {
                for term in at.values {
                    add(at.start..at.start + at.words, *term, None);
                }
            }
            for at in (self.alternatives).occurrences(&written, analyser, mistyped) {
                add(at.words, at.value, Some(at.alternative));
            }
        }
        found
    }

    /// The group of a term, with at most `left` synonyms; none when it has no synonym.
    fn fire(&self, found: &FoundTerm, left: &mut usize) -> Option<Fired> {
        let group = &self.groups[found.term.group];
        let from = &group.sources[found.term.source];
        let others = group.terms.iter().filter(|term| !term.is_like(from));
        let to: Vec<Arc<SynonymTerm>> = others.take(*left).cloned().collect();
        *left -= to.len();
        (!to.is_empty()).then(|| Fired {
            group: Arc::clone(&group.id),
            from: Arc::clone(from),
            alternative: found.alternative,
            words: found.words.clone(),
            to,
        })
    }
}

/// A term that occurs in a query.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct FoundTerm {
    words: Range<usize>,
    term: GroupTerm,
    alternative: Option<TriggerAlternative>,
}

/// The typed words that a `range` of written words covers; none if it covers any only in part.
fn typed_range(written: &[WrittenWord], range: &Range<usize>) -> Option<Range<usize>> {
    let (first, last) = (
        written.get(range.start)?,
        written.get(range.end.checked_sub(1)?)?,
    );
    let covers = first.starts && last.ends && is_whole(written, range);
    covers.then(|| first.token..last.token + 1)
}

#[cfg(test)]
mod tests {
    //! 1. Words are compared folded and not stemmed.
    //! 2. The longest term wins, wherever it occurs, and terms do not overlap.
    //! 3. Direction counts.
    //! 4. A term triggers all of its groups, and no synonym of a synonym.
    //! 5. Stop words are words of a term.
    //! 6. Part of a word of a script without spaces is not a word.
    //! 7. The number of synonyms of a phrase is bounded.
    //! 8. A term equal to the input adds nothing, so a group of such terms is never triggered.
    //! 9. A set that takes terms from a former one is the set that is compiled anew.

    use super::*;
    use crate::UserQuery;
    use domain::{Language, SearchSettings};

    /// What `query` triggers of groups without alternatives, written as `input => a, b` or `a, b`; ids are indices.
    fn fired(language: &str, groups: &[&str], query: &str) -> Vec<String> {
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
            alternatives: TriggerAlternatives::default(),
        });
        let set = SynonymSet::new(groups, &analyser);
        let query = UserQuery::new(query, &analyser, &SearchSettings::default());
        let shown = |fired: Fired| {
            let to: Vec<&str> = fired.to.iter().map(|term| term.text.as_str()).collect();
            format!("{}@{:?}: {}", fired.group, fired.words, to.join("|"))
        };
        set.fired(&query.words, &analyser, &MistypedWords::default())
            .into_iter()
            .map(shown)
            .collect()
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
    fn a_term_triggers_all_its_groups_and_none_of_its_synonyms() {
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
    fn part_of_a_word_is_not_a_word() {
        let groups = ["充電, x", "充電器, y"];
        assert_eq!(fired("zh", &groups, "充電器"), ["1@0..2: y"]);
    }

    #[test]
    fn the_synonyms_of_a_phrase_are_bounded() {
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
    fn terms_of_a_former_set_are_taken_over() {
        let analyser = Analyser::new(&Language::parse("en").expect("a code"));
        let lists = |texts: &[&[&str]]| -> Vec<Vec<String>> {
            let list = |texts: &&[&str]| texts.iter().map(|&text| text.to_owned()).collect();
            texts.iter().map(list).collect()
        };
        fn groups<'a>(
            ids: &'a [&str],
            lists: &'a [Vec<String>],
        ) -> impl Iterator<Item = SynonymTerms<'a>> {
            ids.iter().zip(lists).map(|(id, terms)| SynonymTerms {
                id,
                input: (*id == "way").then_some("red sofa"),
                terms,
                alternatives: TriggerAlternatives::default(),
            })
        }
        let before = lists(&[&["sofa", "couch"], &["?", "tv", "telly"], &["settee"]]);
        let before = SynonymSet::new(groups(&["a", "b", "way"], &before), &analyser);
        // A group is gone, one is changed, one is new and one stays.
        let after = lists(&[&["settee"], &["telly", "?", "box"], &["sofa", "divan"]]);
        let ids = ["way", "b", "c"];
        let next = before.with_groups(groups(&ids, &after), &analyser);
        let anew = SynonymSet::new(groups(&ids, &after), &analyser);
        for query in [
            "red sofa",
            "sofa",
            "telly box",
            "tv",
            "couch",
            "divan settee",
        ] {
            let query = UserQuery::new(query, &analyser, &SearchSettings::default());
            assert_eq!(
                next.fired(&query.words, &analyser, &MistypedWords::default()),
                anew.fired(&query.words, &analyser, &MistypedWords::default())
            );
        }
        assert!(Arc::ptr_eq(
            &next.groups[0].sources[0],
            &before.groups[2].sources[0]
        ));
        assert!(Arc::ptr_eq(
            &next.groups[1].terms[0],
            &before.groups[1].terms[1]
        ));
    }

    #[test]
    fn a_group_without_another_term_is_never_triggered() {
        assert!(fired("zh", &["a =>a ="], "a").is_empty());
        assert!(fired("en", &["Sofa => sófa, SOFA"], "sofa").is_empty());
        assert_eq!(
            fired("en", &["sofa => SOFA, couch"], "sofa"),
            ["0@0..1: couch"]
        );
    }
}
