//! Checks a configuration file as the single writes check, without state, and finds records that stand in it twice.

use crate::OperationError;
use crate::configuration::likeness::Likeness;
use crate::message;
use domain::analytics::HiddenQueries;
use domain::configuration_file::{ConfigurationImport, FileGroup, FilePart, FileRecord};
use domain::filter::NewFilter;
use domain::relevance::{BoostMerging, Overrides, RelevanceChange};
use domain::rule::RuleContent;
use domain::store::{StoreChange, StorePatch};
use domain::synonym::SynonymGroup;
use domain::watched::WatchedQueries;
use domain::widget::WidgetPatch;
use domain::{Invalid, Language, Message};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Checks of single records that need more than the record, such as the analysis of its language.
#[derive(Default)]
pub struct FileChecks {
    likeness: BTreeMap<Language, Likeness>,
}

impl FileChecks {
    /// Returns the errors of a synonym group.
    pub fn group(&mut self, group: FileGroup) -> Vec<Invalid> {
        let likeness = self.likeness(&group.language);
        let checked = group.check(&|text| likeness.form(text));
        checked.err().unwrap_or_default()
    }

    fn likeness(&mut self, language: &Language) -> &Likeness {
        let known = self.likeness.entry(language.clone());
        known.or_insert_with(|| Likeness::in_language(language))
    }
}

/// A checked record with its id in the file, its index there, and what tells it apart by content.
#[derive(Clone, Debug)]
pub(super) struct CheckedRecord<C, K> {
    pub at: usize,
    pub id: Option<String>,
    pub content: C,
    pub key: K,
}

/// What tells a rule apart by content: language, type, name, trigger.
pub(super) type RuleKey = (
    Language,
    domain::rule::RuleType,
    String,
    domain::rule::Trigger,
);

/// A file whose selected parts are valid by themselves.
#[derive(Clone, Debug, Default)]
pub(super) struct CheckedFile {
    pub store: Option<StoreChange>,
    pub relevance: Option<RelevanceChange>,
    pub synonyms: Option<Vec<CheckedRecord<SynonymGroup, (Language, String)>>>,
    pub rules: Option<Vec<CheckedRecord<RuleContent, RuleKey>>>,
    pub filters: Option<Vec<CheckedRecord<NewFilter, String>>>,
    pub widget: Option<WidgetPatch>,
    pub watched: Option<WatchedQueries>,
    pub hidden: Option<HiddenQueries>,
}

/// Returns what tells a rule apart by content.
pub(super) fn rule_key(content: &RuleContent) -> RuleKey {
    (
        content.language.clone(),
        content.kind,
        content.name.as_str().to_owned(),
        content.trigger.clone(),
    )
}

/// Checks these parts of a file. May take seconds; for a thread that may block.
///
/// Errors: `Invalid` with all invalid values, by their paths in the file.
pub(super) fn check(
    file: ConfigurationImport,
    parts: &[FilePart],
) -> Result<CheckedFile, OperationError> {
    let wanted = |part| parts.contains(&part);
    let mut errors = Vec::new();
    let mut checked = CheckedFile::default();
    if let Some(store) = file.store.filter(|_| wanted(FilePart::Store)) {
        let patch = StorePatch {
            name: store.name,
            ..StorePatch::default()
        };
        checked.store = kept("store", patch.check(), &mut errors);
    }
    if let Some(change) = file.relevance.filter(|_| wanted(FilePart::Relevance)) {
        let applied = Overrides::default().apply(&change, BoostMerging::Replace);
        checked.relevance = kept("relevance", applied, &mut errors).map(|_| change);
    }
    if let Some(groups) = file.synonyms.filter(|_| wanted(FilePart::Synonyms)) {
        checked.synonyms = Some(check_groups(groups, &mut errors));
    }
    if let Some(rules) = file.rules.filter(|_| wanted(FilePart::Rules)) {
        checked.rules = Some(each("rules", rules, &mut errors, |new| {
            let content = new.check()?;
            let key = rule_key(&content);
            Ok((content, key))
        }));
    }
    if let Some(filters) = file.filters.filter(|_| wanted(FilePart::Filters)) {
        let filters = each("filters", filters, &mut errors, |new: NewFilter| {
            let key = new.clone().check(0, &mut String::new)?.field.to_string();
            Ok((new, key))
        });
        once(
            "filters",
            &filters,
            ".field",
            |one| Some(&one.key),
            &mut errors,
        );
        checked.filters = Some(filters);
    }
    if let Some(widget) = file.widget.filter(|_| wanted(FilePart::Widget)) {
        let applied = domain::widget::SavedWidget::default().apply(widget.clone());
        checked.widget = kept("widget", applied, &mut errors).map(|_| widget);
    }
    if let Some(watched) = file.watched.filter(|_| wanted(FilePart::Watched)) {
        checked.watched = kept("watched", watched.check(), &mut errors);
    }
    if let Some(hidden) = file
        .hidden_queries
        .filter(|_| wanted(FilePart::HiddenQueries))
    {
        checked.hidden = kept("hiddenQueries", hidden.check(), &mut errors);
    }
    match errors.is_empty() {
        true => Ok(checked),
        false => Err(OperationError::Invalid(errors)),
    }
}

fn check_groups(
    groups: Vec<FileRecord<FileGroup>>,
    errors: &mut Vec<Invalid>,
) -> Vec<CheckedRecord<SynonymGroup, (Language, String)>> {
    let mut checks = FileChecks::default();
    let groups = each("synonyms", groups, errors, |new: FileGroup| {
        let likeness = checks.likeness(&new.language);
        let group = new.check(&|text| likeness.form(text))?;
        let key = (group.language.clone(), likeness.of(&group));
        Ok((group, key))
    });
    once("synonyms", &groups, "", |one| Some(&one.key), errors);
    groups
}

/// Returns a checked value; adds its errors with paths below `path`.
fn kept<T>(path: &str, checked: Result<T, Vec<Invalid>>, errors: &mut Vec<Invalid>) -> Option<T> {
    match checked {
        Ok(value) => Some(value),
        Err(wrong) => {
            errors.extend(wrong.into_iter().map(|error| error.under(path)));
            None
        }
    }
}

/// Checks each record of a list, and that no id occurs twice.
fn each<N, C, K>(
    kind: &str,
    records: Vec<FileRecord<N>>,
    errors: &mut Vec<Invalid>,
    mut check: impl FnMut(N) -> Result<(C, K), Vec<Invalid>>,
) -> Vec<CheckedRecord<C, K>> {
    let mut checked = Vec::with_capacity(records.len());
    for (at, FileRecord { id, content }) in records.into_iter().enumerate() {
        let path = format!("{kind}[{at}]");
        if let Some((content, key)) = kept(&path, check(content), errors) {
            let record = CheckedRecord {
                at,
                id,
                content,
                key,
            };
            checked.push(record);
        }
    }
    once(kind, &checked, ".id", |one| one.id.as_ref(), errors);
    checked
}

/// Adds an error for each record whose key an earlier one has.
fn once<'a, C, K, T: Hash + Eq + 'a>(
    kind: &str,
    records: &'a [CheckedRecord<C, K>],
    field: &str,
    key: impl Fn(&'a CheckedRecord<C, K>) -> Option<&'a T>,
    errors: &mut Vec<Invalid>,
) {
    let mut first: HashMap<&T, usize> = HashMap::new();
    for record in records {
        let Some(key) = key(record) else {
            continue;
        };
        if let Some(other) = first.get(key) {
            let reason: Message = message::file::same_record(format!("{kind}[{other}]"));
            errors.push(Invalid::new(
                format!("{kind}[{}]{field}", record.at),
                reason,
            ));
        } else {
            first.insert(key, record.at);
        }
    }
}
