//! `test_relevance` for a reader who pays for every word: fewer products, and of each breakdown what is not zero.

use serde_json::{Map, Value, json};

/// The tool that this is about.
pub const TOOL: &str = "test_relevance";

/// Products that it answers unless asked for more.
pub const LIMIT_DEFAULT: u32 = 10;

const DETAIL: &str = "detail";

/// What a hit keeps when it is told in brief.
const BRIEF: [&str; 6] = [
    "position",
    "savedPosition",
    "id",
    "name",
    "score",
    "breakdown",
];

/// How much an answer tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Order and one sentence for each product.
    Brief,
    /// The parts of each score that are not zero.
    Normal,
    /// Everything that the interface answers.
    Full,
}

impl Detail {
    /// All of them, with their words.
    const ALL: [(Self, &str); 3] = [
        (Self::Brief, "brief"),
        (Self::Normal, "normal"),
        (Self::Full, "full"),
    ];

    /// Takes the argument out of `arguments`; normal when it is left out.
    ///
    /// Errors: the reason why it is none of the words.
    pub fn take(arguments: &mut Map<String, Value>) -> Result<Self, domain::Invalid> {
        let Some(given) = arguments.shift_remove(DETAIL) else {
            return Ok(Self::Normal);
        };
        let known = Self::ALL.iter().find(|(_, word)| given == *word);
        known.map(|(detail, _)| *detail).ok_or_else(|| {
            let reason = format!("must be one of \"brief\", \"normal\", \"full\", got {given}");
            domain::Invalid::new(DETAIL, reason)
        })
    }
}

/// Adds the argument to those of the operation, and tells the limit of this door.
pub fn describe(properties: &mut Map<String, Value>) {
    let words = Detail::ALL.map(|(_, word)| word);
    let detail = json!({
        "type": "string",
        "enum": words,
        "description": "How much of each breakdown: brief is one sentence, normal (the default) the parts that are not zero, full everything.",
    });
    properties.insert(DETAIL.to_owned(), detail);
    if let Some(limit) = properties.get_mut("limit") {
        limit["description"] = json!("Products wanted, 1 to 500; 10 when left out.");
    }
    let alike = [
        (
            "boosts",
            "Provisional boosts, merged over the saved ones; fields as in update_relevance.",
        ),
        (
            "searchSettings",
            "Provisional settings, merged over the saved ones; as in update_relevance.",
        ),
    ];
    for (name, description) in alike {
        if let Some(part) = properties.get_mut(name) {
            part["description"] = json!(description);
            let fields = part["properties"].as_object_mut().into_iter().flatten();
            for (_, field) in fields {
                forget_words(field);
            }
        }
    }
}

/// What is told of a field elsewhere need not be told again.
fn forget_words(field: &mut Value) {
    if let Some(keywords) = field.as_object_mut() {
        keywords.shift_remove("description");
    }
}

/// What is left out may be missing: only the first level of the answer is promised.
pub fn relax(data: &mut Value) {
    for keyword in ["properties", "items"] {
        if let Some(inner) = data.get_mut(keyword) {
            forget_required(inner);
        }
    }
    data["required"] = json!(["query", "total", "hits"]);
}

fn forget_required(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|keyword, value| keyword != "required" || !value.is_array());
            entries.values_mut().for_each(forget_required);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_required),
        _ => {}
    }
}

/// A simulation, as much of it as is wanted.
pub fn told(mut data: Value, detail: Detail) -> Value {
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
        let promised = ["query", "total", "hits"];
        entries.retain(|key, value| promised.contains(&key.as_str()) || !is_nothing(value));
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

/// Rounds numbers to two decimals and leaves out what is zero, false, empty or null.
fn prune(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.values_mut().for_each(prune);
            entries.retain(|_, value| !is_nothing(value));
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

fn is_nothing(value: &Value) -> bool {
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
    //! 1. Normal leaves out what is zero and keeps what is not; brief keeps a sentence; full is untouched.

    use super::{Detail, told};
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
    fn each_detail_tells_its_part() {
        assert_eq!(told(simulation(), Detail::Full), simulation());
        let normal = told(simulation(), Detail::Normal);
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
        let brief = told(simulation(), Detail::Brief);
        assert_eq!(
            brief["hits"][0]["breakdown"],
            json!({"summary": "Because."})
        );
    }
}
