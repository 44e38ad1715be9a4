//! Events: what a shopper did with a response (docs/api.md, "Events"), and their checks.

use crate::invalid::Invalid;
use crate::limits::{
    DOCUMENT_ID_CHARACTERS_MAX, EVENT_POSITION_MAX, EVENTS_MAX, QUERY_ID_CHARACTERS_MAX,
    VALUE_CHARACTERS_MAX,
};
use crate::message;
use crate::published_schema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a shopper did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventType {
    /// Opened a hit.
    Click,
    /// Put a hit into the cart.
    Cart,
    /// Bought a hit.
    Purchase,
}

/// What an event is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventObject {
    /// A product.
    #[default]
    Products,
    /// A category.
    Categories,
    /// A brand.
    Brands,
    /// A page.
    Pages,
    /// The banner of a rule.
    Banners,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Event {
    /// `queryId` of the response that the event follows.
    #[schemars(length(min = 1, max = QUERY_ID_CHARACTERS_MAX))]
    pub query_id: String,
    /// What the shopper did.
    #[serde(rename = "type")]
    pub kind: EventType,
    /// Id of the document; of a banner, that of its rule.
    #[schemars(length(min = 1, max = DOCUMENT_ID_CHARACTERS_MAX))]
    pub id: String,
    /// Position in the whole list, over all pages, from 1.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = EVENT_POSITION_MAX))]
    pub position: Option<u32>,
    /// What `id` identifies.
    #[serde(default)]
    pub object_type: EventObject,
}

/// Request of `POST /events`: one event, or a list of them.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-published" = published()))]
pub struct EventsRequest {
    /// `queryId` of the response that the event follows.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = QUERY_ID_CHARACTERS_MAX))]
    pub query_id: Option<String>,
    /// What the shopper did.
    #[serde(default, rename = "type")]
    #[schemars(with = "EventType")]
    pub kind: Option<EventType>,
    /// Id of the document; of a banner, that of its rule.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = DOCUMENT_ID_CHARACTERS_MAX))]
    pub id: Option<String>,
    /// Position in the whole list, over all pages, from 1.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = EVENT_POSITION_MAX))]
    pub position: Option<u32>,
    /// What `id` identifies; a product if left out.
    #[serde(default)]
    #[schemars(with = "EventObject")]
    pub object_type: Option<EventObject>,
    /// Several events, in place of the fields of one.
    #[serde(default)]
    #[schemars(with = "Vec<Event>", length(min = 1, max = EVENTS_MAX))]
    pub events: Option<Vec<Event>>,
    /// The search-only key, for senders that cannot set headers.
    #[serde(default)]
    #[schemars(with = "String", length(max = VALUE_CHARACTERS_MAX))]
    pub key: Option<String>,
}

/// Returns the rule that a request holds either one event or a list.
fn published() -> Value {
    json!({
        "if": published_schema::object_schema(json!({}), &["events"]),
        "then": {"propertyNames": {"enum": ["events", "key"]}},
        "else": published_schema::object_schema(json!({}), &["queryId", "type", "id"]),
    })
}

impl EventsRequest {
    /// Checks the request and returns its events.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check(self) -> Result<Vec<Event>, Vec<Invalid>> {
        let mut errors = Vec::new();
        let single = [
            ("queryId", self.query_id.is_some()),
            ("type", self.kind.is_some()),
            ("id", self.id.is_some()),
            ("position", self.position.is_some()),
            ("objectType", self.object_type.is_some()),
        ];
        if let Some(events) = self.events {
            let extra = single.iter().filter(|(_, given)| *given);
            errors
                .extend(extra.map(|(name, _)| Invalid::new(*name, message::event::with_events())));
            check_count(events.len(), &mut errors);
            for (at, event) in events.iter().enumerate() {
                event.check(&format!("events[{at}]."), &mut errors);
            }
            return if errors.is_empty() {
                Ok(events)
            } else {
                Err(errors)
            };
        }
        let (Some(query_id), Some(kind), Some(id)) = (self.query_id, self.kind, self.id) else {
            let missing = single[..3].iter().filter(|(_, given)| !given);
            return Err(missing
                .map(|(name, _)| Invalid::new(*name, message::value::required()))
                .collect());
        };
        let event = Event {
            query_id,
            kind,
            id,
            position: self.position,
            object_type: self.object_type.unwrap_or_default(),
        };
        event.check("", &mut errors);
        if errors.is_empty() {
            Ok(vec![event])
        } else {
            Err(errors)
        }
    }
}

fn check_count(count: usize, errors: &mut Vec<Invalid>) {
    if !(1..=EVENTS_MAX).contains(&count) {
        let reason = message::list::events_between(1, EVENTS_MAX, count);
        errors.push(Invalid::new("events", reason));
    }
}

impl Event {
    fn check(&self, prefix: &str, errors: &mut Vec<Invalid>) {
        let texts = [
            ("queryId", &self.query_id, QUERY_ID_CHARACTERS_MAX),
            ("id", &self.id, DOCUMENT_ID_CHARACTERS_MAX),
        ];
        for (name, text, max) in texts {
            let count = text.chars().count();
            if !(1..=max).contains(&count) {
                let reason = message::text::between(1, max, count);
                errors.push(Invalid::new(format!("{prefix}{name}"), reason));
            }
        }
        if let Some(position) = self.position
            && !(1..=EVENT_POSITION_MAX).contains(&position)
        {
            let reason = message::number::between(1, EVENT_POSITION_MAX, position);
            errors.push(Invalid::new(format!("{prefix}position"), reason));
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. A request is one event or a list; what lacks, exceeds or contradicts is named by its path.

    use super::*;

    fn check(value: Value) -> Result<usize, Vec<String>> {
        let request: EventsRequest =
            serde_json::from_value(value).expect("the test's request parses");
        let checked = request.check();
        checked
            .map(|events| events.len())
            .map_err(|errors| errors.into_iter().map(|error| error.field).collect())
    }

    #[test]
    fn a_request_is_one_event_or_a_list() {
        let one = json!({"queryId": "q", "type": "click", "id": "1"});
        assert_eq!(check(one.clone()), Ok(1));
        assert_eq!(check(json!({"events": [one, one], "key": "k"})), Ok(2));
        let fields = |value| check(value).expect_err("is invalid");
        assert_eq!(fields(json!({})), ["queryId", "type", "id"]);
        assert_eq!(fields(json!({"queryId": "q", "type": "cart"})), ["id"]);
        assert_eq!(fields(json!({"events": []})), ["events"]);
        assert_eq!(fields(json!({"events": vec![one.clone(); 51]})), ["events"]);
        assert_eq!(
            fields(json!({"events": [one], "id": "1", "objectType": "pages"})),
            ["id", "objectType"]
        );
        let bad = json!({"queryId": "", "type": "click", "id": "x".repeat(256), "position": 0});
        assert_eq!(fields(bad.clone()), ["queryId", "id", "position"]);
        assert_eq!(
            fields(json!({"events": [one, bad]})),
            ["events[1].queryId", "events[1].id", "events[1].position"]
        );
    }
}
