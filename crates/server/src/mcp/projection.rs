//! A projection of the simulator's response for models: fewer products, of each breakdown what is not zero, and short moves.

use crate::http::inputs::input;
use domain::first_characters;
use domain::limits::{MOVES_LIMIT_MAX, SIMULATOR_LIMIT_MAX};
use operations::simulator::{RelevanceTest, SimulationDetail};
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

/// Characters of a name among moves.
const MOVED_NAME_CHARACTERS_MAX: usize = 40;

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
    /// What moves, without breakdowns.
    Moves,
}

/// The arguments that select a projection.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// brief: one sentence a product; normal (default): parts of scores that are not zero; full; moves (always with queries).
    #[serde(default)]
    #[schemars(with = "Detail")]
    pub detail: Option<Detail>,
    /// Position of the first product to return; default 1.
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
            detail: None,
            from: first(),
        }
    }
}

input!(Wanted);

impl Wanted {
    /// Returns the test that ranks what the projection needs.
    pub fn of(self, test: RelevanceTest) -> RelevanceTest {
        let detail = match self.detail {
            None => None,
            Some(Detail::Moves) => Some(SimulationDetail::Moves),
            Some(Detail::Brief | Detail::Normal | Detail::Full) => Some(SimulationDetail::Full),
        };
        let test = RelevanceTest { detail, ..test };
        if test.of_moves() {
            return test;
        }
        let limit = test.limit.unwrap_or(LIMIT_DEFAULT);
        let ranked = limit.saturating_add(self.from - 1).min(SIMULATOR_LIMIT_MAX);
        RelevanceTest {
            limit: Some(ranked),
            ..test
        }
    }
}

/// Replaces the schema of a draft by a sentence: all that it may contain would take more room than all other arguments. It
/// is checked all the same.
pub fn brief_draft(properties: &mut Map<String, Value>) {
    if let Some(draft) = properties.get_mut("draft") {
        *draft = json!({
            "type": "object",
            "description": "relevance, and synonyms and rules with create (a list), update (by id) and delete (ids); see svc://docs/agent.",
        });
    }
}

/// Replaces descriptions of the operation's input by shorter ones for the tool.
pub fn describe(properties: &mut Map<String, Value>) {
    if let Some(limit) = properties.get_mut("limit") {
        limit["description"] = json!(format!(
            "1 to {SIMULATOR_LIMIT_MAX} products, of moves to {MOVES_LIMIT_MAX}; default {LIMIT_DEFAULT}."
        ));
    }
    brief_draft(properties);
    for part in ["compareWith", "queries"] {
        if let Some(part) = properties.get_mut(part) {
            remove_descriptions_below(part);
        }
    }
    let described = [
        ("boosts", "Merged into the saved ones."),
        ("searchSettings", "Merged into the saved ones."),
    ];
    for (name, description) in described {
        if let Some(part) = properties.get_mut(name) {
            part["description"] = json!(description);
            let fields = part["properties"].as_object_mut().into_iter().flatten();
            for (_, field) in fields {
                remove_description(field);
            }
            name_alike(part);
        }
    }
}

/// Names properties of one schema in the description, once for all.
fn name_alike(part: &mut Value) {
    let Some(fields) = part["properties"].as_object().filter(|all| all.len() > 1) else {
        return;
    };
    let first = fields.values().next().cloned().unwrap_or_default();
    if fields.values().all(|field| *field == first) {
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        let description = part["description"].as_str().unwrap_or_default();
        let description = format!("{description} By field: {}.", names.join(", "));
        *part =
            json!({"type": "object", "additionalProperties": first, "description": description});
    }
}

/// Refers for the names of boosts and settings to [`TOOL`], which every key lists. An unknown name is rejected all the same.
pub fn refer(properties: &mut Map<String, Value>) {
    for name in ["boosts", "searchSettings"] {
        if let Some(part) = properties.get_mut(name) {
            let description = format!("Merged; as in {TOOL}.");
            *part = json!({"type": "object", "description": description});
        }
    }
}

/// Removes the descriptions of branches and items, whose names say enough.
fn remove_descriptions_below(part: &mut Value) {
    for keyword in ["anyOf", "items", "properties"] {
        match part.get_mut(keyword) {
            Some(Value::Array(branches)) => branches.iter_mut().for_each(remove_description),
            Some(Value::Object(_)) if keyword == "items" => {
                remove_description(&mut part[keyword]);
                remove_descriptions_below(&mut part[keyword]);
            }
            Some(Value::Object(fields)) => {
                fields
                    .iter_mut()
                    .for_each(|(_, field)| remove_description(field));
            }
            _ => {}
        }
    }
}

/// Removes a description: docs/agent.md, a resource of the tool server, has them.
fn remove_description(field: &mut Value) {
    if let Some(keywords) = field.as_object_mut() {
        keywords.shift_remove("description");
    }
}

/// Removes `required` below the first level, because the projection leaves fields out.
pub fn relax(data: &mut Value) {
    join_branches(data);
    for keyword in ["properties", "items"] {
        if let Some(inner) = data.get_mut(keyword) {
            remove_required(inner);
        }
    }
    // Its names stand in the arguments.
    let settings = data.pointer_mut("/properties/config/properties/searchSettings");
    if let Some(settings) = settings {
        *settings = json!({"type": "object"});
    }
    data["required"] = json!(["config"]);
}

/// Makes one object of the branches of a schema: each result has the keys of one of them.
pub fn join_branches(data: &mut Value) {
    let Some(Value::Array(branches)) = data.as_object_mut().and_then(|data| data.remove("anyOf"))
    else {
        return;
    };
    let mut joined = Map::new();
    for branch in branches {
        if let Value::Object(properties) = &branch["properties"] {
            for (name, schema) in properties {
                let both = joined.entry(name.clone()).or_insert_with(|| schema.clone());
                if both != schema {
                    merge_properties(both, schema);
                }
            }
        }
    }
    data["type"] = json!("object");
    data["properties"] = Value::Object(joined);
}

/// Adds the properties of another schema of the same key.
fn merge_properties(both: &mut Value, other: &Value) {
    let own = both.get_mut("properties").and_then(Value::as_object_mut);
    if let (Some(own), Some(Value::Object(theirs))) = (own, other.get("properties")) {
        for (name, schema) in theirs {
            own.entry(name.clone()).or_insert_with(|| schema.clone());
        }
    } else if let Some(items) = other.get("items")
        && let Some(own) = both.get_mut("items")
    {
        merge_properties(own, items);
    }
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
    if data.get("hits").is_none() {
        shorten_moves(&mut data);
        return data;
    }
    let detail = detail.unwrap_or_default();
    if let Some(hits) = data["hits"].as_array_mut() {
        hits.drain(..hits.len().min(from as usize - 1));
    }
    if detail == Detail::Full {
        return data;
    }
    if let Some(config) = data.get_mut("config").and_then(Value::as_object_mut) {
        config.retain(|key, _| !["boosts", "searchSettings"].contains(&key.as_str()));
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

/// Keeps of moves what 25 queries have room for: short names, and no relevance.
fn shorten_moves(data: &mut Value) {
    if let Some(config) = data.get_mut("config").and_then(Value::as_object_mut) {
        config.shift_remove("relevance");
    }
    for query in data["queries"].as_array_mut().into_iter().flatten() {
        for list in ["hits", "left"] {
            let hits = query.get_mut(list).and_then(Value::as_array_mut);
            for hit in hits.into_iter().flatten() {
                let name = hit["name"].as_str().unwrap_or_default();
                hit["name"] = json!(first_characters(name, MOVED_NAME_CHARACTERS_MAX));
            }
        }
    }
}

fn shorten(hit: &mut Value, detail: Detail) {
    let Some(fields) = hit.as_object_mut() else {
        return;
    };
    for key in ["image", "manufacturer", "categories"] {
        fields.shift_remove(key);
    }
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
        let projected = |detail| {
            project(
                simulation(),
                Wanted {
                    detail: Some(detail),
                    from: 1,
                },
            )
        };
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
