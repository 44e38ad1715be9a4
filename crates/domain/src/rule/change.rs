//! Requests that create, update and list rules.

use super::action::ActionsInput;
use super::time_window::{DateOrTime, End, check_time_window};
use super::trigger::Trigger;
use super::{RuleContent, RuleType, published_schema};
use crate::clearable::Clearable;
use crate::form::{Label, TimeZoneName};
use crate::invalid::{Invalid, taken};
use crate::limits::RULE_PRIORITY_MAX;
use crate::message;
use crate::{Language, Timestamp};
use schemars::JsonSchema;
use serde::Deserialize;

/// Query parameters of `GET …/rules`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RuleQuery {
    /// Only rules of this language; all languages if left out.
    #[serde(default)]
    #[schemars(with = "Language")]
    pub lang: Option<Language>,
}

/// Request of `POST …/rules`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-published" = published_schema::part_of_type()))]
pub struct NewRule {
    /// Name, for people.
    #[schemars(with = "Label")]
    pub name: String,
    /// Language of the queries that it applies to; `es` if left out.
    #[serde(default = "Language::spanish")]
    pub language: Language,
    /// What it does.
    #[serde(rename = "type")]
    pub kind: RuleType,
    /// The queries that it fires for.
    pub trigger: Trigger,
    /// Its actions: exactly the key of its type.
    pub actions: ActionsInput,
    /// Priority among the rules that fire, higher first; 0 if left out.
    #[serde(default)]
    #[schemars(range(max = RULE_PRIORITY_MAX))]
    pub priority: u32,
    /// Whether it is enabled; true if left out.
    #[serde(default = "yes")]
    pub active: bool,
    /// When it starts to fire, ISO 8601.
    #[serde(default)]
    #[schemars(with = "DateOrTime")]
    pub start_date: Option<String>,
    /// When it stops firing, ISO 8601.
    #[serde(default)]
    #[schemars(with = "DateOrTime")]
    pub end_date: Option<String>,
    /// IANA name of the zone of dates without an offset, such as Europe/Madrid; UTC if left out.
    #[serde(default)]
    #[schemars(with = "TimeZoneName")]
    pub time_zone: Option<String>,
}

fn yes() -> bool {
    true
}

impl NewRule {
    /// Checks the rule.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check(self) -> Result<RuleContent, Vec<Invalid>> {
        let mut errors = Vec::new();
        let given = |text: Option<String>| text.map_or(Clearable::Keep, Clearable::Set);
        let zone = time_zone(given(self.time_zone), None, &mut errors);
        let mut date = |sent, end| date(given(sent), None, end, zone.as_ref(), &mut errors);
        let start_date = date(self.start_date, End::Start);
        let end_date = date(self.end_date, End::Finish);
        let name = taken("name", Some(Label::parse(self.name)), &mut errors);
        let actions = self.actions.check(self.kind, &mut errors);
        check_priority(self.priority, &mut errors);
        self.trigger.check(&mut errors);
        check_time_window(start_date, end_date, &mut errors);
        match (name, actions) {
            (Some(name), Some(actions)) if errors.is_empty() => Ok(RuleContent {
                name,
                language: self.language,
                kind: self.kind,
                trigger: self.trigger,
                actions,
                priority: self.priority,
                active: self.active,
                start_date,
                end_date,
                time_zone: zone,
            }),
            _ => Err(sorted(errors)),
        }
    }
}

/// Request of `PUT …/rules/{ruleId}`; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RulePatch {
    /// Name, for people.
    #[serde(default)]
    #[schemars(with = "Label")]
    pub name: Option<String>,
    /// Language of the queries that it applies to.
    #[serde(default)]
    #[schemars(with = "Language")]
    pub language: Option<Language>,
    /// Its type, which cannot change.
    #[serde(default, rename = "type")]
    #[schemars(with = "RuleType")]
    pub kind: Option<RuleType>,
    /// The queries that it fires for.
    #[serde(default)]
    #[schemars(with = "Trigger")]
    pub trigger: Option<Trigger>,
    /// Its actions, replaced as a whole.
    #[serde(default)]
    #[schemars(with = "ActionsInput", extend("x-published" = {"minProperties": 1, "maxProperties": 1}))]
    pub actions: Option<ActionsInput>,
    /// Priority among the rules that fire.
    #[serde(default)]
    #[schemars(with = "u32", range(max = RULE_PRIORITY_MAX))]
    pub priority: Option<u32>,
    /// Whether it is enabled.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub active: Option<bool>,
    /// When it starts to fire, ISO 8601; null unsets it.
    #[serde(default)]
    pub start_date: Clearable<String>,
    /// When it stops firing, ISO 8601; null unsets it.
    #[serde(default)]
    pub end_date: Clearable<String>,
    /// IANA name of the zone of dates without an offset; null unsets it.
    #[serde(default)]
    pub time_zone: Clearable<String>,
}

impl RulePatch {
    /// Returns `before` with the change applied.
    ///
    /// Errors: every invalid value, by its path.
    pub fn apply(self, before: &RuleContent) -> Result<RuleContent, Vec<Invalid>> {
        let mut errors = Vec::new();
        if let Some(kind) = self.kind
            && kind != before.kind
        {
            let reason = message::rule::type_fixed(before.kind.as_str());
            errors.push(Invalid::new("type", reason));
        }
        let zone = time_zone(self.time_zone, before.time_zone.as_ref(), &mut errors);
        let mut date = |sent, before, end| date(sent, before, end, zone.as_ref(), &mut errors);
        let start_date = date(self.start_date, before.start_date, End::Start);
        let end_date = date(self.end_date, before.end_date, End::Finish);
        check_time_window(start_date, end_date, &mut errors);
        let name = taken("name", self.name.map(Label::parse), &mut errors);
        let actions = match self.actions {
            Some(actions) => actions.check(before.kind, &mut errors),
            None => None,
        };
        if let Some(priority) = self.priority {
            check_priority(priority, &mut errors);
        }
        if let Some(trigger) = &self.trigger {
            trigger.check(&mut errors);
        }
        if !errors.is_empty() {
            return Err(sorted(errors));
        }
        Ok(RuleContent {
            name: name.unwrap_or_else(|| before.name.clone()),
            language: self.language.unwrap_or_else(|| before.language.clone()),
            kind: before.kind,
            trigger: self.trigger.unwrap_or_else(|| before.trigger.clone()),
            actions: actions.unwrap_or_else(|| before.actions.clone()),
            priority: self.priority.unwrap_or(before.priority),
            active: self.active.unwrap_or(before.active),
            start_date,
            end_date,
            time_zone: zone,
        })
    }
}

/// Returns the date after a change; an invalid one is added to `errors` and leaves the date unchanged.
fn date(
    change: Clearable<String>,
    before: Option<Timestamp>,
    end: End,
    zone: Option<&TimeZoneName>,
    errors: &mut Vec<Invalid>,
) -> Option<Timestamp> {
    match change.try_map(|text| DateOrTime::parse(&text).map(|date| date.at(end, zone))) {
        Ok(change) => change.over(before),
        Err(reason) => {
            let name = match end {
                End::Start => "startDate",
                End::Finish => "endDate",
            };
            errors.push(Invalid::new(name, reason));
            before
        }
    }
}

/// Returns the zone after a change; an invalid one is added to `errors` and leaves the zone unchanged.
fn time_zone(
    change: Clearable<String>,
    before: Option<&TimeZoneName>,
    errors: &mut Vec<Invalid>,
) -> Option<TimeZoneName> {
    match change.try_map(TimeZoneName::parse) {
        Ok(change) => change.over(before.cloned()),
        Err(reason) => {
            errors.push(Invalid::new("timeZone", reason));
            before.cloned()
        }
    }
}

fn check_priority(priority: u32, errors: &mut Vec<Invalid>) {
    if priority > RULE_PRIORITY_MAX {
        let reason = message::number::between(0, RULE_PRIORITY_MAX, priority);
        errors.push(Invalid::new("priority", reason));
    }
}

fn sorted(mut errors: Vec<Invalid>) -> Vec<Invalid> {
    errors.sort_by(|a, b| a.field.cmp(&b.field));
    errors
}
