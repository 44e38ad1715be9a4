//! Carries what a change wrote in its transaction over to a copy of the configuration in memory, so that both states can be
//! searched when the transaction is over.

use crate::OperationError;
use crate::configuration::editable::EditableConfiguration;
use crate::configuration::likeness::Likeness;
use crate::configuration::provisional::ProvisionalState;
use crate::snapshots::snapshot::{Saved, StoreSnapshot};
use domain::audit::FieldChange;
use domain::synonym::Synonym;
use domain::{RuleId, SynonymId};
use std::collections::HashSet;
use storage::{ConfigurationWrite, FormerResource, FormerState, SynonymRow};

/// Returns the configuration of `base` with these resources as `write` has them. Resources that move no results are left
/// out.
pub(crate) async fn carried_over(
    write: &mut ConfigurationWrite,
    base: &StoreSnapshot,
    resources: &[&str],
) -> Result<Saved, OperationError> {
    let mut state = ProvisionalState::of(base);
    for resource in resources.iter().filter(|name| is_ranking(name)) {
        match resource.split_once('/') {
            None if *resource == "relevance" => {
                let overrides = EditableConfiguration::relevance(write).await?;
                state.save_relevance(&overrides).await?;
            }
            Some(("rules", id)) => {
                let id = RuleId(id.to_owned());
                match EditableConfiguration::rule(write, &id).await? {
                    Some(rule) => state.save_rule(&rule).await?,
                    None => state.remove_rule(&id).await?,
                }
            }
            Some(("synonyms", id)) => carry_synonym(write, &mut state, id).await?,
            _ => {}
        }
    }
    Ok(state.into_saved())
}

/// Returns the configuration of `from` with these resources in former states. Today's checks are not those of what was in
/// effect once.
pub(crate) async fn returned(
    from: &Saved,
    states: Vec<FormerResource>,
) -> Result<Saved, OperationError> {
    let mut state = ProvisionalState::of_saved(from.clone());
    for FormerResource {
        resource,
        state: former,
    } in states
    {
        match (former, resource.split_once('/')) {
            (Some(FormerState::Relevance(overrides)), _) => {
                state.save_relevance(&overrides).await?
            }
            (Some(FormerState::Rule(rule)), _) => state.save_rule(&rule).await?,
            (Some(FormerState::Synonym(_, synonym)), _) => put_synonym(&mut state, synonym).await?,
            (None, Some(("rules", id))) => state.remove_rule(&RuleId(id.to_owned())).await?,
            (None, Some(("synonyms", id))) => {
                state.remove_synonym(&SynonymId(id.to_owned())).await?;
            }
            _ => {}
        }
    }
    Ok(state.into_saved())
}

async fn carry_synonym(
    write: &mut ConfigurationWrite,
    state: &mut ProvisionalState,
    id: &str,
) -> Result<(), OperationError> {
    let id = SynonymId(id.to_owned());
    match EditableConfiguration::synonym(write, &id).await? {
        Some(synonym) => put_synonym(state, synonym).await,
        None => Ok(state.remove_synonym(&id).await?),
    }
}

async fn put_synonym(state: &mut ProvisionalState, synonym: Synonym) -> Result<(), OperationError> {
    let id = synonym.id.clone();
    let is_known = state.synonym(&id).await?.is_some();
    let likeness = Likeness::in_language(&synonym.group.language);
    let row = SynonymRow {
        duplicate_key: likeness.of(&synonym.group),
        synonym,
    };
    match is_known {
        true => state.save_synonym(&row).await?,
        // At its place by the time of its creation.
        false => state.return_synonym(0, &row).await?,
    }
    Ok(())
}

/// Returns whether a resource can move results.
pub(crate) fn is_ranking(resource: &str) -> bool {
    resource == "relevance" || resource.starts_with("synonyms/") || resource.starts_with("rules/")
}

/// Returns the names of the resources of these changes, each once, in order of appearance.
pub(crate) fn resources_of(changes: &[FieldChange]) -> Vec<&str> {
    let mut seen = HashSet::new();
    let names = changes
        .iter()
        .map(|change| change.path.split('.').next().unwrap_or_default());
    names.filter(|name| seen.insert(*name)).collect()
}
