//! A projection of the simulator's response for models: fewer products, and of each breakdown what is not zero.

use crate::http::inputs::input;
use domain::limits::SIMULATOR_LIMIT_MAX;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The tool with this projection.
pub const TOOL: &str = "test_relevance";

/// Products returned if `limit` is missing.
pub const LIMIT_DEFAULT: u32 = 10;

/// Fields of a hit with `detail` brief.
const BRIEF: [&str; 6] = [
    "position",
    "savedPosition",
    "id",
    "name",
    "score",
    "breakdown",
];

/// How much detail the response has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// Order, and one sentence for each product.
    Brief,
    /// The parts of each score that are not zero.
    #[default]
    Normal,
    /// Everything that REST returns.
    Full,
}

/// The arguments that select a projection.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// Detail of each breakdown: brief is one sentence, normal (the default) the parts that are not zero, full everything.
    #[serde(default)]
    pub detail: Detail,
    /// Position of the first product to return, 1 to 500; default 1.
    #[serde(default = "first")]
    #[schemars(range(min = 1, max = SIMULATOR_LIMIT_MAX))]
    pub from: u32,
}

fn first() -> u32 {
    1
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            detail: Detail::default(),
            from: first(),
        }
    }
}

input!(Wanted);

impl Wanted {
    /// Returns how many products the simulation must rank to return `limit` of them from `from` on.
    pub fn ranked(self, limit: Option<u32>) -> u32 {
        let limit = limit.unwrap_or(LIMIT_DEFAULT);
        limit.saturating_add(self.from - 1).min(SIMULATOR_LIMIT_MAX)
    }
}

/// Replaces descriptions of the operation's input by shorter ones for the tool.
pub fn describe(properties: &mut Map<String, Value>) {
    if let Some(limit) = properties.get_mut("limit") {
        limit["description"] = json!(format!(
            "Number of products, 1 to {SIMULATOR_LIMIT_MAX}; default {LIMIT_DEFAULT}."
        ));
    }
    let described = [
        (
            "boosts",
            "Provisional boosts, merged into the saved ones; fields as in update_relevance.",
        ),
        (
            "searchSettings",
            "Provisional settings, merged into the saved ones; as in update_relevance.",
        ),
    ];
    for (name, description) in described {
        if let Some(part) = properties.get_mut(name) {
            part["description"] = json!(description);
            let fields = part["properties"].as_object_mut().into_iter().flatten();
            for (_, field) in fields {
                remove_description(field);
            }
        }
    }
}

/// Removes a description that update_relevance has already.
fn remove_description(field: &mut Value) {
    if let Some(keywords) = field.as_object_mut() {
        keywords.shift_remove("description");
    }
}

/// Removes `required` below the first level, because the projection leaves fields out.
pub fn relax(data: &mut Value) {
    for keyword in ["properties", "items"] {
        if let Some(inner) = data.get_mut(keyword) {
            remove_required(inner);
        }
    }
    data["required"] = json!(["query", "total", "hits"]);
}

fn remove_required(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|keyword, value| keyword != "required" || !value.is_array());
            entries.values_mut().for_each(remove_required);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_required),
        _ => {}
    }
}

/// Reduces a simulation to the projection that the arguments select.
pub fn project(mut data: Value, wanted: Wanted) -> Value {
    let Wanted { detail, from } = wanted;
    if let Some(hits) = data["hits"].as_array_mut() {
        hits.drain(..hits.len().min(from as usize - 1));
    }
    if detail == Detail::Full {
        return data;
    }
    if let Some(config) = data.get_mut("config").and_then(Value::as_object_mut) {
        config.retain(|key, _| key == "provisional");
    }
    for hit in data["hits"].as_array_mut().into_iter().flatten() {
        shorten(hit, detail);
    }
    if let Some(entries) = data.as_object_mut() {
        let required = ["query", "total", "hits"];
        entries.retain(|key, value| required.contains(&key.as_str()) || !is_default(value));
    }
    data
}

fn shorten(hit: &mut Value, detail: Detail) {
    let Some(fields) = hit.as_object_mut() else {
        return;
    };
    fields.shift_remove("image");
    if detail == Detail::Brief {
        fields.retain(|key, _| BRIEF.contains(&key.as_str()));
        if let Some(parts) = fields.get_mut("breakdown").and_then(Value::as_object_mut) {
            parts.retain(|key, _| key == "summary");
        }
    }
    for key in ["score", "breakdown"] {
        if let Some(value) = fields.get_mut(key) {
            prune(value);
        }
    }
}

/// Rounds numbers to two decimals and removes zero, false, empty and null values.
fn prune(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.values_mut().for_each(prune);
            entries.retain(|_, value| !is_default(value));
        }
        Value::Array(items) => items.iter_mut().for_each(prune),
        Value::Number(number) => {
            if let Some(exact) = number.as_f64().filter(|_| number.is_f64()) {
                *value = json!((exact * 100.0).round() / 100.0);
            }
        }
        _ => {}
    }
}

fn is_default(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Bool(true) => false,
    }
}

#[cfg(test)]
mod tests {
    //! 1. Normal removes what is zero and keeps the rest; brief keeps a sentence; full is unchanged.

    use super::{Detail, Wanted, project};
    use serde_json::{Value, json};

    fn simulation() -> Value {
        json!({
            "query": {"q": "sofa"}, "config": {"provisional": false, "boosts": {"name": 6.0}}, "rules": [], "total": 0,
            "hits": [{
                "position": 1, "savedPosition": null, "id": "1", "name": "Sofa", "image": "a.png", "score": 2.34567,
                "breakdown": {
                    "text": {"score": 2.34567, "phrase": null, "matches": [{"distance": 0, "boost": 6.0}]},
                    "factors": {"stock": 0.0, "multiplier": 1.0}, "rules": [], "pinned": false, "summary": "Because."
                }
            }]
        })
    }

    #[test]
    fn each_detail_has_its_fields() {
        let projected = |detail| project(simulation(), Wanted { detail, from: 1 });
        assert_eq!(projected(Detail::Full), simulation());
        let normal = projected(Detail::Normal);
        assert_eq!(
            normal,
            json!({
                "query": {"q": "sofa"}, "config": {"provisional": false}, "total": 0,
                "hits": [{
                    "position": 1, "savedPosition": null, "id": "1", "name": "Sofa", "score": 2.35,
                    "breakdown": {
                        "text": {"score": 2.35, "matches": [{"boost": 6.0}]}, "factors": {"multiplier": 1.0},
                        "summary": "Because."
                    }
                }]
            })
        );
        let brief = projected(Detail::Brief);
        assert_eq!(
            brief["hits"][0]["breakdown"],
            json!({"summary": "Because."})
        );
    }
}
