//! `/stores/{id}/rules`: actions for queries that match a trigger.

use super::records;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input, query_input};
use axum::routing::on;
use domain::Invalid;
use domain::rule::{NewRule, Rule, RulePatch, RuleQuery, RuleView};
use operations::records::{Advised, Deleted};

/// Rows of `/stores/{id}/rules`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_rules", "/stores/{id}/rules")
        .handler(|method| on(method, records::list::<Rule>))
        .query::<RuleQuery>(r#"{"lang": "en"}"#)
        .returns::<Vec<RuleView>>(example!("configuration/rules.response")),
    Route::get("get_rule", "/stores/{id}/rules/{ruleId}")
        .handler(|method| on(method, records::get::<Rule>))
        .returns::<Advised<RuleView>>(example!("configuration/rule.response")),
    Route::post("create_rule", "/stores/{id}/rules")
        .handler(|method| on(method, records::create::<Rule>))
        .body::<NewRule>(example!("configuration/rule.request"))
        .returns::<Advised<RuleView>>(example!("configuration/rule.response"))
        .statuses(&[201]),
    Route::put("update_rule", "/stores/{id}/rules/{ruleId}")
        .handler(|method| on(method, records::update::<Rule>))
        .body::<RulePatch>(example!("configuration/rule-change.request"))
        .returns::<Advised<RuleView>>(example!("configuration/rule.response")),
    Route::delete("delete_rule", "/stores/{id}/rules/{ruleId}")
        .handler(|method| on(method, records::delete::<Rule>))
        .returns::<Deleted>(example!("configuration/deleted.response")),
];

query_input!(RuleQuery);
input! {
    NewRule,
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.check())
    }
}
input!(RulePatch);
