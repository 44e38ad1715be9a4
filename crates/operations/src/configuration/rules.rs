//! Rules as records: what they check, and how they count.

use crate::configuration::advised::AdvisedContent;
use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::configuration::records::{self, Record, RecordKind, RecordSummaries};
use crate::message;
use crate::runtime::ids;
use crate::{OperationError, Precondition};
use domain::audit::FieldChange;
use domain::limits::RULES_MAX;
use domain::page::Meta;
use domain::rule::{NewRule, Rule, RuleContent, RulePatch, RuleQuery, RuleView};
use domain::{Language, RuleId, Timestamp};
use serde_json::json;
use std::cmp::Reverse;
use storage::{ConfigurationView, StorageError};

async fn check_rule_count(
    state: &mut impl EditableConfiguration,
    language: &Language,
) -> Result<(), OperationError> {
    if state.rule_count(language).await? < RULES_MAX as u64 {
        return Ok(());
    }
    let message = message::limit::rules(RULES_MAX, language.as_str());
    Err(records::over_the_limit(message, RULES_MAX))
}

impl Record for Rule {
    const KIND: RecordKind = RecordKind::Rule;
    const NAME: &'static str = "Rule";
    const SUMMARIES: RecordSummaries = RecordSummaries {
        created: message::saved::rule_created,
        updated: message::saved::rule_updated,
        unchanged: message::saved::rule_unchanged,
        deleted: message::saved::rule_deleted,
    };
    const RESOURCES: &'static str = "rules";
    const CREATE: &'static str = "create_rule";
    const UPDATE: &'static str = "update_rule";
    const DELETE: &'static str = "delete_rule";
    type Id = RuleId;
    type Query = RuleQuery;
    type New = NewRule;
    type Patch = RulePatch;
    type Content = RuleContent;
    type View = RuleView;

    fn id(&self) -> &RuleId {
        &self.id
    }

    fn content(&self) -> &RuleContent {
        &self.content
    }

    fn language(&self) -> Option<&Language> {
        Some(&self.content.language)
    }

    fn to_advise(&self) -> Option<AdvisedContent> {
        Some(AdvisedContent::Rule(self.content.clone()))
    }

    fn view(self, now: Timestamp) -> RuleView {
        Self::view(self, now)
    }

    fn new_id() -> RuleId {
        ids::rule()
    }

    fn check(new: &NewRule) -> Result<(), OperationError> {
        let checked = new.clone().check();
        checked.map(drop).map_err(OperationError::Invalid)
    }

    async fn list_in(
        reading: &mut ConfigurationView,
        query: &RuleQuery,
    ) -> Result<(Vec<Self>, Option<Meta>), StorageError> {
        let mut rules = reading.rules(query.lang.as_ref()).await?;
        rules.sort_by_key(|rule| Reverse(rule.content.priority));
        Ok((rules, None))
    }

    async fn get_in(
        reading: &mut ConfigurationView,
        id: &RuleId,
    ) -> Result<Option<Self>, StorageError> {
        reading.rule(id).await
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
