//! The analyser, and the synonyms and rules compiled with it, of each language of a store.
//!
//! Compiling may take seconds, so it is done before a state is published, and only for languages whose records changed.

use domain::filter::Filter;
use domain::limits::STORE_REGEX_BYTES_MAX;
use domain::rule::Rule;
use domain::synonym::Synonym;
use domain::widget::SavedWidget;
use domain::widget::custom_code::CodeHashes;
use domain::{Language, SearchSettings, Timestamp};
use query::rules::Effects;
use query::synonyms::SynonymTerms;
use query::{Analyser, MistypedWords, RuleSet, SynonymSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Synonym groups, rules, filters and the widget as they are stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Records {
    /// All synonym groups, the oldest first.
    pub synonyms: Vec<Synonym>,
    /// All rules.
    pub rules: Vec<Rule>,
    /// All filters, in display order.
    pub filters: Vec<Filter>,
    /// The widget.
    pub widget: SavedWidget,
    /// The files of custom code that pages load.
    pub code: CodeHashes,
}

/// Analyser, synonyms and rules of one language of a store.
pub(crate) struct Compiled {
    /// Analyser of the language.
    pub analyser: Arc<Analyser>,
    /// The active synonym groups.
    pub synonyms: SynonymSet,
    rules: RuleSet,
}

/// Compiled records of all languages of a store.
pub(crate) type CompiledByLanguage = BTreeMap<Language, Arc<Compiled>>;

/// Stored records of one language.
#[derive(Default, PartialEq)]
struct LanguageRecords<'a> {
    /// Active groups.
    synonyms: Vec<&'a Synonym>,
    rules: Vec<&'a Rule>,
}

impl Records {
    /// Compiles the records of `languages`. Languages whose records are the same as in `former` keep their compiled
    /// form.
    pub fn compile(
        &self,
        languages: BTreeSet<&Language>,
        former: Option<(&Self, &CompiledByLanguage)>,
    ) -> CompiledByLanguage {
        let nothing = LanguageRecords::default();
        let own = self.by_language();
        let formerly = former.map(|(records, _)| records.by_language());
        let mut all = CompiledByLanguage::new();
        let mut changed = Vec::new();
        for language in languages {
            let records = own.get(language).unwrap_or(&nothing);
            let known = former.and_then(|(_, compiled)| compiled.get(language));
            let before = formerly.as_ref().and_then(|all| all.get(language));
            match known {
                Some(known) if before.unwrap_or(&nothing) == records => {
                    all.insert(language.clone(), Arc::clone(known));
                }
                known => changed.push((language, records, known)),
            }
        }
        let mut room = STORE_REGEX_BYTES_MAX.saturating_sub(pattern_bytes(&all));
        for (language, records, known) in changed {
            let compiled = match known {
                Some(known) => records.compile(Arc::clone(&known.analyser), &known.synonyms, room),
                None => {
                    let analyser = Arc::new(Analyser::new(language));
                    records.compile(analyser, &SynonymSet::default(), room)
                }
            };
            room = room.saturating_sub(compiled.rules.pattern_bytes());
            if compiled.rules.left_out() > 0 {
                let patterns = compiled.rules.left_out();
                tracing::warn!(%language, patterns, "regular expressions of rules do not fit and match nothing");
            }
            all.insert(language.clone(), Arc::new(compiled));
        }
        all
    }

    fn by_language(&self) -> BTreeMap<&Language, LanguageRecords<'_>> {
        let mut languages: BTreeMap<&Language, LanguageRecords<'_>> = BTreeMap::new();
        for synonym in self.synonyms.iter().filter(|one| one.group.active) {
            let of_language = languages.entry(&synonym.group.language).or_default();
            of_language.synonyms.push(synonym);
        }
        for rule in &self.rules {
            let of_language = languages.entry(&rule.content.language).or_default();
            of_language.rules.push(rule);
        }
        languages
    }
}

/// Returns the bytes of the compiled regular expressions of all languages.
pub(crate) fn pattern_bytes(compiled: &CompiledByLanguage) -> usize {
    let languages = compiled.values();
    languages.map(|own| own.rules.pattern_bytes()).sum()
}

impl LanguageRecords<'_> {
    /// Compiles the records, with terms that `former` has already, and at most `bytes_max` bytes of regular expressions.
    fn compile(&self, analyser: Arc<Analyser>, former: &SynonymSet, bytes_max: usize) -> Compiled {
        let groups = self.synonyms.iter().map(|synonym| SynonymTerms {
            id: synonym.id.as_str(),
            input: synonym.group.input.as_deref(),
            terms: &synonym.group.terms,
            alternatives: synonym.group.alternatives,
        });
        let rules = self.rules.iter().copied().cloned();
        Compiled {
            synonyms: former.with_groups(groups, &analyser),
            rules: RuleSet::within(bytes_max, rules, &analyser),
            analyser,
        }
    }
}

impl Compiled {
    /// Returns the effects at `now` of the rules on `query`, some of whose words `mistyped` may be.
    pub fn effects(&self, query: &str, mistyped: &MistypedWords, now: Timestamp) -> Effects {
        self.rules.effects(query, &self.analyser, mistyped, now)
    }

    /// Returns the words of `query` that may be misspelled words of synonyms or rules, whether or not they exist.
    pub fn mistyped(&self, query: &str, settings: &SearchSettings) -> MistypedWords {
        let mut mistyped = MistypedWords::default();
        (self.rules).add_mistyped(query, &self.analyser, settings, &mut mistyped);
        (self.synonyms).add_mistyped(query, &self.analyser, settings, &mut mistyped);
        mistyped
    }

    /// Returns the number of the period in which `now` lies. Within a period the same rules are in effect.
    pub fn period(&self, now: Timestamp) -> usize {
        self.rules.period(now)
    }
}

#[cfg(test)]
mod tests {
    //! 1. Only languages whose records changed are recompiled, with the analyser that they had.

    use super::*;
    use domain::TriggerAlternatives;
    use domain::form::{Label, ProductIds};
    use domain::rule::{Actions, MatchKind, RuleContent, RuleType, Trigger};

    fn language(code: &str) -> Language {
        Language::parse(code).expect("a code")
    }

    fn rule(code: &str, query: &str) -> Rule {
        let ids = ProductIds::parse("ids", vec!["1".to_owned()]).expect("ids");
        Rule {
            id: query.into(),
            content: RuleContent {
                name: Label::parse("A rule").expect("a label"),
                language: language(code),
                kind: RuleType::Hide,
                trigger: Trigger {
                    query: query.to_owned(),
                    kind: MatchKind::Regex,
                    alternatives: TriggerAlternatives::default(),
                },
                actions: Actions::Hide(ids),
                priority: 0,
                active: true,
                start_date: None,
                end_date: None,
                time_zone: None,
            },
            created_at: Timestamp(0),
            updated_at: Timestamp(0),
        }
    }

    #[test]
    fn only_what_changed_is_compiled() {
        let (es, fr, it) = (language("es"), language("fr"), language("it"));
        let before = Records {
            rules: vec![rule("es", "a+"), rule("fr", "b+")],
            ..Records::default()
        };
        let first = before.compile([&es, &fr].into(), None);
        let after = Records {
            rules: vec![rule("es", "a+"), rule("fr", "c+"), rule("de", "d+")],
            ..Records::default()
        };
        let next = after.compile([&es, &fr, &it].into(), Some((&before, &first)));
        assert!(next.keys().eq([&es, &fr, &it]));
        assert!(Arc::ptr_eq(&first[&es], &next[&es]));
        assert!(!Arc::ptr_eq(&first[&fr], &next[&fr]));
        assert!(Arc::ptr_eq(&first[&fr].analyser, &next[&fr].analyser));
        let hit = |query| {
            next[&fr]
                .effects(query, &MistypedWords::default(), Timestamp(0))
                .outcomes
                .len()
        };
        assert_eq!((hit("cc"), hit("bb")), (1, 0));
    }
}
