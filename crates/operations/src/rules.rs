//! Rules of a store: listed, read, made, changed, deleted.

use crate::change::{Change, Changed};
use crate::records::{self, Deleted, Listed, Outcome, RecordKind};
use crate::service::to_the_end;
use crate::{OperationError, Precondition, Revisioned, Service, ids};
use domain::audit::differences;
use domain::limits::RULES_MAX;
use domain::rule::{NewRule, Rule, RulePatch, RuleQuery, RuleView};
use domain::{Caller, Language, RuleId, StoreId, access};
use serde_json::json;
use std::cmp::Reverse;

/// The rules that `query` asks for, in the order in which they apply.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: RuleQuery,
) -> Result<Listed<RuleView>, OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::reading(service, permit.store()).await?;
    let mut rules = reading.rules(query.lang.as_ref()).await?;
    rules.sort_by_key(|rule| Reverse(rule.content.priority));
    let now = service.clock.now();
    Ok(Listed {
        records: rules.into_iter().map(|rule| rule.view(now)).collect(),
        meta: None,
        config_revision: reading.revision(),
    })
}

/// One rule.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &RuleId,
) -> Result<(RuleView, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::reading(service, permit.store()).await?;
    let found = reading.rule(id).await?;
    let rule = found.ok_or_else(|| records::not_found(RecordKind::Rule))?;
    let revisioned = Revisioned::of(&rule.content, reading.revision());
    Ok((rule.view(service.clock.now()), revisioned))
}

/// Makes a rule.
///
/// Errors: everything that is wrong with it; too many rules.
pub async fn create(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    new: NewRule,
) -> Result<Outcome<RuleView>, OperationError> {
    let permit = access::write(caller, store)?;
    let content = new.check().map_err(OperationError::Invalid)?;
    let service = service.clone();
    to_the_end(async move {
        let mut open = Change::begin(&service, &permit).await?;
        refuse_too_many(&mut open, &content.language).await?;
        let now = service.clock.now();
        let rule = Rule {
            id: ids::rule(),
            content,
            created_at: now,
            updated_at: now,
        };
        let changes = differences(&records::nothing(), &json!(rule.content));
        save(
            &service,
            open,
            rule,
            Changed {
                changes,
                ..changed("create_rule", "made")
            },
        )
        .await
    })
    .await
}

/// Changes a rule; its type stays.
///
/// Errors: everything that is wrong with the change; `Stale` when the precondition does not hold; too many rules in
/// the language that it moves to.
pub async fn update(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &RuleId,
    patch: RulePatch,
    precondition: Precondition,
) -> Result<Outcome<RuleView>, OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    to_the_end(async move {
        let mut open = Change::begin(&service, &permit).await?;
        let found = open.write.rule(&id).await?;
        let before = found.ok_or_else(|| records::not_found(RecordKind::Rule))?;
        let content = patch
            .apply(&before.content)
            .map_err(OperationError::Invalid)?;
        let changes = precondition.changes(&json!(before.content), &json!(content))?;
        if changes.is_empty() {
            let changed = changed("update_rule", "saved without a change");
            return save(&service, open, before, changed).await;
        }
        if content.language != before.content.language {
            refuse_too_many(&mut open, &content.language).await?;
        }
        let rule = Rule {
            content,
            updated_at: service.clock.now(),
            ..before
        };
        save(
            &service,
            open,
            rule,
            Changed {
                changes,
                ..changed("update_rule", "changed")
            },
        )
        .await
    })
    .await
}

/// Deletes a rule.
///
/// Errors: `Stale` when the precondition does not hold.
pub async fn delete(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &RuleId,
    precondition: Precondition,
) -> Result<(Deleted, i64), OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    to_the_end(async move {
        let mut open = Change::begin(&service, &permit).await?;
        let found = open.write.rule(&id).await?;
        let before = found.ok_or_else(|| records::not_found(RecordKind::Rule))?;
        let changes = precondition.changes(&json!(before.content), &records::nothing())?;
        open.write.remove_rule(&id).await?;
        let resource = resource(&id);
        let changed = changed("delete_rule", "deleted");
        let revision = open
            .commit(Changed {
                changes,
                resource,
                ..changed
            })
            .await?;
        Ok((Deleted { id: id.0 }, revision))
    })
    .await
}

/// Saves `rule`, unless nothing of it changed, and commits.
async fn save(
    service: &Service,
    mut open: Change<'_>,
    rule: Rule,
    changed: Changed,
) -> Result<Outcome<RuleView>, OperationError> {
    if !changed.changes.is_empty() {
        open.write.save_rule(&rule).await?;
    }
    let remark = records::remark(open.write.before(), &rule.content.language);
    let resource = resource(&rule.id);
    let revision = open
        .commit(Changed {
            resource,
            ..changed
        })
        .await?;
    Ok(Outcome {
        revisioned: Revisioned::of(&rule.content, revision),
        data: rule.view(service.clock.now()),
        remark,
    })
}

async fn refuse_too_many(open: &mut Change<'_>, language: &Language) -> Result<(), OperationError> {
    if open.write.rule_count(language).await? < RULES_MAX as u64 {
        return Ok(());
    }
    let what = format!("rules in {language}");
    Err(records::over_the_limit(&what, RULES_MAX))
}

fn resource(id: &RuleId) -> String {
    format!("rules/{id}")
}

/// A change of one rule, which has changed nothing yet.
fn changed(operation: &'static str, what: &str) -> Changed {
    Changed {
        operation,
        resource: String::new(),
        summary: format!("Rule {what}."),
        changes: Vec::new(),
    }
}
