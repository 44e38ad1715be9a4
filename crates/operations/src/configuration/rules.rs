//! Rules of a store: list, get, create, update, delete.

use crate::configuration::change::ConfigurationChange;
use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::configuration::records::{self, Deleted, Listed, Record, RecordKind, WriteOutcome};
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::FieldChange;
use domain::limits::RULES_MAX;
use domain::rule::{NewRule, Rule, RuleContent, RulePatch, RuleQuery, RuleView};
use domain::{Caller, Language, RuleId, StoreId, access};
use serde_json::json;
use std::cmp::Reverse;
use storage::StorageError;

/// Returns the rules that match `query`, in the order in which they apply.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: RuleQuery,
) -> Result<Listed<RuleView>, OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::reading(service, &permit).await?;
    let mut rules = reading.rules(query.lang.as_ref()).await?;
    rules.sort_by_key(|rule| Reverse(rule.content.priority));
    let now = service.clock.now();
    Ok(Listed {
        records: rules.into_iter().map(|rule| rule.view(now)).collect(),
        meta: None,
        config_revision: reading.revision(),
    })
}

/// Returns one rule.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &RuleId,
) -> Result<(RuleView, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::reading(service, &permit).await?;
    let (rule, revisioned) = records::shown(reading.rule(id).await?, reading.revision())?;
    Ok((rule.view(service.clock.now()), revisioned))
}

/// Creates a rule.
///
/// Errors: `Invalid` with all invalid values; `PlanLimit` for too many rules.
pub async fn create(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    new: NewRule,
) -> Result<WriteOutcome<RuleView>, OperationError> {
    let permit = access::write(caller, store)?;
    // An invalid one does not wait for the single writer of the database.
    new.clone().check().map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        let mut edit = open.edit();
        let rule = Rule::create_in(&mut open.write, &mut edit, Rule::new_id(), new).await?;
        let outcome = records::created(open, "create_rule", rule).await?;
        Ok(outcome.map(|rule| rule.view(edit.now)))
    })
    .await
}

/// Updates a rule; its type cannot change.
///
/// Errors: `Invalid` with all invalid values; `Stale` if the precondition does not hold; `PlanLimit` for too many rules
/// in a new language.
pub async fn update(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &RuleId,
    patch: RulePatch,
    precondition: Precondition,
) -> Result<WriteOutcome<RuleView>, OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    run_to_completion(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        let before: Rule = records::find(&mut open.write, &id).await?;
        let mut edit = open.edit();
        let (rule, changes) =
            Rule::update_in(&mut open.write, &mut edit, before, patch, &precondition).await?;
        let outcome = records::updated(open, "update_rule", rule, changes).await?;
        Ok(outcome.map(|rule| rule.view(edit.now)))
    })
    .await
}

/// Deletes a rule.
///
/// Errors: `Stale` if the precondition does not hold.
pub async fn delete(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &RuleId,
    precondition: Precondition,
) -> Result<(Deleted, i64), OperationError> {
    records::delete::<Rule>(service, (caller, store), "delete_rule", id, precondition).await
}

async fn check_rule_count(
    state: &mut impl EditableConfiguration,
    language: &Language,
) -> Result<(), OperationError> {
    if state.rule_count(language).await? < RULES_MAX as u64 {
        return Ok(());
    }
    let what = format!("rules in {language}");
    Err(records::over_the_limit(&what, RULES_MAX))
}

impl Record for Rule {
    const KIND: RecordKind = RecordKind::Rule;
    const NAME: &'static str = "Rule";
    const RESOURCES: &'static str = "rules";
    type Id = RuleId;
    type Content = RuleContent;
    type New = NewRule;
    type Patch = RulePatch;

    fn id(&self) -> &RuleId {
        &self.id
    }

    fn content(&self) -> &RuleContent {
        &self.content
    }

    fn language(&self) -> Option<&Language> {
        Some(&self.content.language)
    }

    fn new_id() -> RuleId {
        ids::rule()
    }

    async fn find(
        state: &mut impl EditableConfiguration,
        id: &RuleId,
    ) -> Result<Option<Self>, StorageError> {
        state.rule(id).await
    }

    async fn create_in(
        state: &mut impl EditableConfiguration,
        edit: &mut Edit,
        id: RuleId,
        new: NewRule,
    ) -> Result<Self, OperationError> {
        let content = new.check().map_err(OperationError::Invalid)?;
        edit.replace_pattern(None, Some(&content))?;
        check_rule_count(state, &content.language).await?;
        let rule = Self {
            id,
            content,
            created_at: edit.now,
            updated_at: edit.now,
        };
        state.save_rule(&rule).await?;
        Ok(rule)
    }

    async fn update_in(
        state: &mut impl EditableConfiguration,
        edit: &mut Edit,
        before: Self,
        patch: RulePatch,
        precondition: &Precondition,
    ) -> Result<(Self, Vec<FieldChange>), OperationError> {
        let content = patch
            .apply(&before.content)
            .map_err(OperationError::Invalid)?;
        let changes = precondition.changes(&json!(before.content), &json!(content))?;
        if changes.is_empty() {
            return Ok((before, changes));
        }
        edit.replace_pattern(Some(&before.content), Some(&content))?;
        if content.language != before.content.language {
            check_rule_count(state, &content.language).await?;
        }
        let rule = Self {
            content,
            updated_at: edit.now,
            ..before
        };
        state.save_rule(&rule).await?;
        Ok((rule, changes))
    }

    async fn remove_in(
        state: &mut impl EditableConfiguration,
        edit: &mut Edit,
        before: &Self,
    ) -> Result<(), OperationError> {
        edit.replace_pattern(Some(&before.content), None)?;
        Ok(state.remove_rule(&before.id).await?)
    }
}
