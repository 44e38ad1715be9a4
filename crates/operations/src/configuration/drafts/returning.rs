//! Returns resources to former states, under the checks and limits of today.

use super::apply::Applied;
use super::resources::content_of;
use crate::OperationError;
use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::configuration::records::{nothing, over_the_limit};
use crate::configuration::{filters, synonyms};
use crate::message;
use domain::audit::{FieldChange, differences};
use domain::filter::{Filter, FilterPatch};
use domain::limits::{FILTERS_MAX, RULES_MAX, SYNONYMS_MAX};
use domain::rule::{NewRule, Rule};
use domain::synonym::{Synonym, SynonymPatch};
use domain::{FilterId, Invalid, Language, RuleId, SynonymId};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use storage::{FormerResource, FormerState, SynonymRow};

/// Fails unless the state after revision `number` is known.
///
/// Errors: `NotFound` for a revision that does not exist; `Conflict` for one whose state was not kept.
pub(crate) fn require_restorable(
    number: i64,
    first: i64,
    latest: i64,
) -> Result<(), OperationError> {
    if !(0..=latest).contains(&number) {
        return Err(OperationError::NotFound {
            what: message::noun::revision,
        });
    }
    if number < first {
        let message = message::conflict::states_lost(first);
        return Err(OperationError::conflict(message));
    }
    Ok(())
}

/// Returns all resources to these states; returns the changed fields, each path preceded by its resource.
///
/// Errors: `Invalid` with all states that today's checks reject; `Conflict` and `PlanLimit` as for the single writes.
pub(crate) async fn return_all(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    states: Vec<FormerResource>,
) -> Result<Vec<FieldChange>, OperationError> {
    let mut applied = Applied::default();
    let mut changed = Vec::new();
    for former in states {
        let before = content_of(state, &former.resource).await?;
        let after = former.state.as_ref().map(content);
        if before != after {
            let before = before.unwrap_or_else(nothing);
            let after = after.unwrap_or_else(nothing);
            applied.note(&former.resource, differences(&before, &after));
            changed.push(former);
        }
    }
    check_contents(edit, &changed)?;
    // What is in the way of another record goes first.
    for former in &changed {
        remove(state, edit, former).await?;
    }
    let mut languages = BTreeSet::new();
    for former in changed {
        if let Some(wanted) = former.state {
            put(state, edit, wanted, &mut languages).await?;
        }
    }
    check_counts(state, &languages).await?;
    Ok(applied.changes)
}

/// Returns the writable content of a state.
fn content(state: &FormerState) -> Value {
    match state {
        FormerState::Relevance(overrides) => crate::configuration::relevance::content(overrides),
        FormerState::Widget(widget) => crate::configuration::widget::content(widget),
        FormerState::Store { name, dev_url } => json!({"name": name, "devUrl": dev_url}),
        FormerState::Synonym(_, synonym) => json!(synonym.group),
        FormerState::Rule(rule) => json!(rule.content),
        FormerState::Filter(filter) => json!(filter.content),
    }
}

/// Checks records as if they were sent today.
fn check_contents(edit: &mut Edit, states: &[FormerResource]) -> Result<(), OperationError> {
    let mut errors = Vec::new();
    for former in states {
        let checked = match &former.state {
            Some(FormerState::Synonym(_, synonym)) => {
                let likeness = edit.likeness(&synonym.group.language);
                let same = SynonymPatch::default();
                let checked = same.apply(&synonym.group, &|text| likeness.form(text));
                checked.map(|_| ())
            }
            Some(FormerState::Rule(rule)) => {
                match serde_json::from_value::<NewRule>(json!(rule.content)) {
                    Ok(new) => new.check().map(|_| ()),
                    Err(error) => Err(vec![Invalid::new(
                        "content",
                        message::value::of_library(error.to_string()),
                    )]),
                }
            }
            Some(FormerState::Filter(filter)) => {
                let same = FilterPatch::default();
                let checked = same.apply(&filter.content, &mut || edit.new_group());
                checked.map(|_| ())
            }
            _ => Ok(()),
        };
        if let Err(wrong) = checked {
            errors.extend(wrong.into_iter().map(|error| error.under(&former.resource)));
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(OperationError::Invalid(errors))
    }
}

/// Removes the record of `former` if it is there and will not simply be replaced.
async fn remove(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    former: &FormerResource,
) -> Result<(), OperationError> {
    let Some((kind, id)) = former.resource.split_once('/') else {
        return Ok(());
    };
    match (kind, &former.state) {
        // Two groups may have exchanged their terms, so none is replaced while the other is there.
        ("synonyms", _) => state.remove_synonym(&SynonymId(id.to_owned())).await?,
        ("rules", None) => {
            let id = RuleId(id.to_owned());
            if let Some(rule) = state.rule(&id).await? {
                edit.replace_pattern(Some(&rule.content), None)?;
                state.remove_rule(&id).await?;
            }
        }
        ("filters", None) => state.remove_filter(&FilterId(id.to_owned())).await?,
        _ => {}
    }
    Ok(())
}

/// Puts a resource into this state.
async fn put(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    wanted: FormerState,
    languages: &mut BTreeSet<Language>,
) -> Result<(), OperationError> {
    match wanted {
        FormerState::Relevance(overrides) => state.save_relevance(&overrides).await?,
        FormerState::Widget(widget) => state.save_widget(&widget).await?,
        FormerState::Store { name, dev_url } => state.save_store(&name, &dev_url).await?,
        FormerState::Synonym(number, synonym) => {
            languages.insert(synonym.group.language.clone());
            put_synonym(state, edit, number, synonym).await?;
        }
        FormerState::Rule(rule) => {
            languages.insert(rule.content.language.clone());
            put_rule(state, edit, rule).await?;
        }
        FormerState::Filter(filter) => put_filter(state, filter).await?,
    }
    Ok(())
}

async fn put_synonym(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    number: i64,
    synonym: Synonym,
) -> Result<(), OperationError> {
    let likeness = edit.likeness(&synonym.group.language);
    let row = SynonymRow {
        duplicate_key: likeness.of(&synonym.group),
        synonym,
    };
    synonyms::check_duplicate(state, edit, &row).await?;
    Ok(state.return_synonym(number, &row).await?)
}

async fn put_rule(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    rule: Rule,
) -> Result<(), OperationError> {
    let present = state.rule(&rule.id).await?;
    let present = present.as_ref().map(|rule| &rule.content);
    edit.replace_pattern(present, Some(&rule.content))?;
    Ok(state.save_rule(&rule).await?)
}

async fn put_filter(
    state: &mut impl EditableConfiguration,
    filter: Filter,
) -> Result<(), OperationError> {
    let present = state.filters().await?;
    filters::check_field(&present, &filter.content, &filter.id)?;
    Ok(state.save_filter(&filter).await?)
}

/// Fails if there are more records than today's limits allow.
pub(crate) async fn check_counts(
    state: &mut impl EditableConfiguration,
    languages: &BTreeSet<Language>,
) -> Result<(), OperationError> {
    for language in languages {
        if state.rule_count(language).await? > RULES_MAX as u64 {
            let message = message::limit::rules(RULES_MAX, language.as_str());
            return Err(over_the_limit(message, RULES_MAX));
        }
        if state.synonym_count(language).await? > SYNONYMS_MAX as u64 {
            let message = message::limit::synonyms(SYNONYMS_MAX, language.as_str());
            return Err(over_the_limit(message, SYNONYMS_MAX));
        }
    }
    if state.filters().await?.len() > FILTERS_MAX {
        return Err(over_the_limit(
            message::limit::filters(FILTERS_MAX),
            FILTERS_MAX,
        ));
    }
    Ok(())
}
