//! Rules of a store: list, get, create, update, delete.

use crate::change::ConfigurationChange;
use crate::records::{self, Deleted, Listed, Record, RecordKind, WriteOutcome};
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service, ids};
use domain::limits::{RULES_MAX, STORE_REGEX_BYTES_MAX};
use domain::rule::{MatchKind, NewRule, Rule, RuleContent, RulePatch, RuleQuery, RuleView};
use domain::{Caller, Language, RuleId, StoreId, access};
use query::rules::pattern_bytes;
use serde_json::json;
use std::cmp::Reverse;
use storage::{ConfigurationWrite, StorageError};

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
    let content = new.check().map_err(OperationError::Invalid)?;
    check_pattern_size(service, permit.store(), &content, None)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        check_rule_count(&mut open, &content.language).await?;
        let now = service.clock.now();
        let rule = Rule {
            id: ids::rule(),
            content,
            created_at: now,
            updated_at: now,
        };
        open.write.save_rule(&rule).await?;
        let outcome = records::created(open, "create_rule", rule).await?;
        Ok(outcome.map(|rule| rule.view(now)))
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
        let before: Rule = records::find(&mut open, &id).await?;
        let content = patch
            .apply(&before.content)
            .map_err(OperationError::Invalid)?;
        let changes = precondition.changes(&json!(before.content), &json!(content))?;
        let now = service.clock.now();
        let mut rule = before;
        if !changes.is_empty() {
            check_pattern_size(&service, permit.store(), &content, Some(&rule.content))?;
            if content.language != rule.content.language {
                check_rule_count(&mut open, &content.language).await?;
            }
            rule = Rule {
                content,
                updated_at: now,
                ..rule
            };
            open.write.save_rule(&rule).await?;
        }
        let outcome = records::updated(open, "update_rule", rule, changes).await?;
        Ok(outcome.map(|rule| rule.view(now)))
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
    open: &mut ConfigurationChange<'_>,
    language: &Language,
) -> Result<(), OperationError> {
    if open.write.rule_count(language).await? < RULES_MAX as u64 {
        return Ok(());
    }
    let what = format!("rules in {language}");
    Err(records::over_the_limit(&what, RULES_MAX))
}

/// Fails if the regular expressions of the store would exceed their limit. Their size is known only while the store is
/// open; an expression that is stored nevertheless matches nothing.
fn check_pattern_size(
    service: &Service,
    store: &StoreId,
    content: &RuleContent,
    former: Option<&RuleContent>,
) -> Result<(), OperationError> {
    let own = |content: &RuleContent| match content.trigger.kind {
        MatchKind::Regex => pattern_bytes(&content.trigger.query),
        MatchKind::Exact | MatchKind::Contains | MatchKind::StartsWith => 0,
    };
    let (bytes, before) = (own(content), former.map_or(0, own));
    let others = service.indexing.pattern_bytes(store).saturating_sub(before);
    if bytes <= before || others + bytes <= STORE_REGEX_BYTES_MAX {
        return Ok(());
    }
    Err(OperationError::PlanLimit {
        message: format!(
            "the regular expressions of a store's rules may take {STORE_REGEX_BYTES_MAX} bytes in compiled form"
        ),
        details: json!({ "max": STORE_REGEX_BYTES_MAX, "bytes": others + bytes }),
    })
}

impl Record for Rule {
    const KIND: RecordKind = RecordKind::Rule;
    const NAME: &'static str = "Rule";
    const RESOURCES: &'static str = "rules";
    type Id = RuleId;
    type Content = RuleContent;

    fn id(&self) -> &RuleId {
        &self.id
    }

    fn content(&self) -> &RuleContent {
        &self.content
    }

    fn language(&self) -> Option<&Language> {
        Some(&self.content.language)
    }

    async fn find(
        write: &mut ConfigurationWrite,
        id: &RuleId,
    ) -> Result<Option<Self>, StorageError> {
        write.rule(id).await
    }

    async fn remove(write: &mut ConfigurationWrite, id: &RuleId) -> Result<(), StorageError> {
        write.remove_rule(id).await
    }
}
