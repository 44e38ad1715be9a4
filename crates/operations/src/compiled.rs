//! A store's synonyms and rules as searches use them: compiled by language, once for every state of the configuration.

use domain::filter::Filter;
use domain::rule::Rule;
use domain::synonym::Synonym;
use domain::{Language, Timestamp};
use query::rules::Effects;
use query::synonyms::SynonymTerms;
use query::{Analyser, RuleSet, SynonymSet};
use std::collections::BTreeMap;

/// What storage holds of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Records {
    /// All synonym groups, in the order in which they were made.
    pub synonyms: Vec<Synonym>,
    /// All rules.
    pub rules: Vec<Rule>,
    /// All filters, in the order in which they are shown.
    pub filters: Vec<Filter>,
}

/// The synonyms and rules of one language.
pub(crate) struct Compiled {
    /// The groups that are in effect.
    pub synonyms: SynonymSet,
    rules: RuleSet,
}

/// The same by language.
pub(crate) type CompiledByLanguage = BTreeMap<Language, Compiled>;

impl Records {
    /// The records of every language of `analysers`; those of other languages have nothing to be compared with.
    pub fn compile(&self, analysers: &BTreeMap<Language, Analyser>) -> CompiledByLanguage {
        let compiled = analysers
            .iter()
            .map(|(language, analyser)| (language.clone(), self.of_language(language, analyser)));
        compiled.collect()
    }

    fn of_language(&self, language: &Language, analyser: &Analyser) -> Compiled {
        let groups = self.synonyms.iter().filter(|synonym| {
            let group = &synonym.group;
            group.active && group.language == *language
        });
        let groups = groups.map(|synonym| SynonymTerms {
            id: synonym.id.as_str(),
            input: synonym.group.input.as_deref(),
            terms: &synonym.group.terms,
        });
        let rules = self.rules.iter();
        let rules = rules.filter(|rule| rule.content.language == *language);
        Compiled {
            synonyms: SynonymSet::new(groups, analyser),
            rules: RuleSet::new(rules.cloned(), analyser),
        }
    }
}

impl Compiled {
    /// What rules do to `question` at `now`.
    pub fn effects(&self, question: &str, analyser: &Analyser, now: Timestamp) -> Effects {
        self.rules.effects(question, analyser, now)
    }

    /// Number of the stretch of time in which `now` lies; what rules do changes only from one to the next.
    pub fn stretch(&self, now: Timestamp) -> usize {
        self.rules.stretch(now)
    }
}
