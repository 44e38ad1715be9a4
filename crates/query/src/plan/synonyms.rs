//! Synonyms of a plan: the other writings of the typed words, and the terms that synonym groups add to them.

use super::counted_range;
use crate::breakdown::WordMatchKind;
use crate::synonyms::{Fired, SynonymTerm};
use crate::user_query::UserQuery;

/// A synonym of some words of the query. A document with the synonym matches all of these words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanSynonym {
    /// As configured, for messages.
    pub text: String,
    /// How it comes to stand for them: a synonym of the store, or another writing of the words, joined or split, which
    /// weighs as much as they do.
    pub kind: WordMatchKind,
    /// The words that a document must have: adjacent in fields that [have positions](super::has_positions), else in one
    /// field.
    pub words: Vec<SynonymWord>,
    /// Range in [`super::Plan::words`] of the words that it replaces.
    pub replaces: std::ops::Range<usize>,
}

/// A word of a synonym.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SynonymWord {
    /// The stem.
    pub stem: String,
    /// The surface form: as written, in lower case with accents.
    pub form: String,
    /// Position in the synonym, counting stop words.
    pub position: u32,
}

impl PlanSynonym {
    /// Whether its words must stand side by side, so that only fields that [have positions](super::has_positions) can
    /// have it: the parts of one typed word.
    pub fn is_side_by_side(&self) -> bool {
        self.kind == WordMatchKind::Split && self.words.len() > 1
    }
}

/// The other writings of the typed words, and the synonyms that the groups add to them, each once.
pub(super) fn plan_synonyms(query: &UserQuery, counted: &[usize]) -> Vec<PlanSynonym> {
    let mut synonyms = writings(query, counted);
    for fired in &query.synonyms {
        let replaces = counted_range(counted, &fired.words);
        let typed = counted[replaces.clone()].iter();
        let typed: Vec<&str> = typed
            .map(|at| query.words[*at].token.stem.as_str())
            .collect();
        for synonym in terms_of(fired, &replaces) {
            let stems = synonym.words.iter().map(|word| word.stem.as_str());
            let is_typed = stems.eq(typed.iter().copied());
            let is_duplicate = |other: &PlanSynonym| {
                other.words == synonym.words && other.replaces == synonym.replaces
            };
            if !is_typed && !synonyms.iter().any(is_duplicate) {
                synonyms.push(synonym);
            }
        }
    }
    synonyms
}

/// The writings of the typed words that are split where they are one, and joined where they are several.
fn writings(query: &UserQuery, counted: &[usize]) -> Vec<PlanSynonym> {
    let split = counted.iter().enumerate().filter_map(|(at, word)| {
        let parts = &query.words[*word].token.parts;
        let texts: Vec<&str> = parts.iter().map(|part| part.form.as_str()).collect();
        let words = (0..).zip(parts).map(|(position, part)| SynonymWord {
            stem: part.stem.clone(),
            form: part.form.clone(),
            position,
        });
        (!parts.is_empty()).then(|| PlanSynonym {
            text: texts.join(" "),
            kind: WordMatchKind::Split,
            words: words.collect(),
            replaces: at..at + 1,
        })
    });
    let joined = query.joined.iter().map(|joined| PlanSynonym {
        text: joined.form.clone(),
        kind: WordMatchKind::Joined,
        words: vec![SynonymWord {
            stem: joined.stem.clone(),
            form: joined.form.clone(),
            position: 0,
        }],
        replaces: counted_range(counted, &joined.words),
    });
    split.chain(joined).collect()
}

fn terms_of<'a>(
    fired: &'a Fired,
    replaces: &'a std::ops::Range<usize>,
) -> impl Iterator<Item = PlanSynonym> + 'a {
    let words = |term: &SynonymTerm| {
        let counting = term.words.iter().filter(|word| word.counts);
        counting
            .map(|word| SynonymWord {
                stem: word.stem.clone(),
                form: word.form.clone(),
                position: word.position,
            })
            .collect()
    };
    fired.to.iter().map(move |term| PlanSynonym {
        text: term.text.clone(),
        kind: WordMatchKind::Synonym,
        words: words(term),
        replaces: replaces.clone(),
    })
}

#[cfg(test)]
mod tests {
    //! 1. A synonym that is the typed words is left out, and the same term of two groups is planned once.

    use super::*;
    use crate::analysis::Analyser;
    use crate::{MistypedWords, Plan, SynonymSet};
    use domain::document::DocType;
    use domain::relevance::Relevance;
    use domain::{Language, TriggerAlternatives};

    #[test]
    fn synonyms_equal_to_the_typed_words_are_left_out() {
        let relevance = Relevance::default();
        let analyser = Analyser::new(&Language::parse("en").expect("a code"));
        let terms = |all: &[&str]| -> Vec<String> { all.iter().map(|t| (*t).to_owned()).collect() };
        let (one, two) = (
            terms(&["laptops", "laptop", "Notebook"]),
            terms(&["notebook", "computer to go"]),
        );
        let group = |id, input, terms| crate::synonyms::SynonymTerms {
            id,
            input,
            terms,
            alternatives: TriggerAlternatives::default(),
        };
        let groups = [
            group("1", None, one.as_slice()),
            group("2", Some("Laptops"), two.as_slice()),
        ];
        let query = UserQuery::new("the laptops", &analyser, &relevance.search_settings)
            .with_synonyms(
                &SynonymSet::new(groups, &analyser),
                &analyser,
                &MistypedWords::default(),
            );
        let plan = Plan::new(&query, &relevance, DocType::Products);
        let seen: Vec<(&str, usize, std::ops::Range<usize>)> = plan
            .synonyms
            .iter()
            .map(|s| (s.text.as_str(), s.words.len(), s.replaces.clone()))
            .collect();
        // A plural is found by its stem anyway, and the same term of two groups counts once.
        assert_eq!(seen, [("Notebook", 1, 0..1), ("computer to go", 2, 0..1)]);
    }
}
