//! Finds all schema violations of a value, and describes the first hundred.
//!
//! The schema is split into checks of single values, so that violations beyond the limit are only counted: no path and
//! no message is built for them.

use super::path::{Path, PathStep};
use super::reason::{self, CheckedValue};
use super::semantic::Violation;
use jsonschema::Validator;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};

/// Keywords about the contents of a value. All others are about the value itself.
const CONTENT_KEYWORDS: [&str; 4] = ["properties", "additionalProperties", "items", "anyOf"];

/// A compiled part of a schema.
#[derive(Debug)]
pub(super) struct Node {
    schema: Value,
    /// Validates the value itself; `None` if the schema says nothing about it.
    own: Option<Validator>,
    properties: HashMap<String, Node>,
    additional: AdditionalProperties,
    items: Option<Box<Node>>,
    branches: Vec<Branch>,
}

/// The schema of keys that `properties` does not list.
#[derive(Debug)]
enum AdditionalProperties {
    Allowed,
    Forbidden,
    Matching(Box<Node>),
}

/// One alternative of `anyOf`.
#[derive(Debug)]
struct Branch {
    node: Node,
    whole: Validator,
}

impl Node {
    /// Compiles a part of a schema.
    pub(super) fn of(schema: &Value) -> Self {
        let empty = Map::new();
        let keywords = schema.as_object().unwrap_or(&empty);
        let mut own = keywords.clone();
        own.retain(|keyword, _| !CONTENT_KEYWORDS.contains(&keyword.as_str()));
        let inner = |keyword: &str| keywords.get(keyword);
        let properties = inner("properties").and_then(Value::as_object);
        let branches = inner("anyOf").and_then(Value::as_array);
        Self {
            own: (!own.is_empty()).then(|| compiled(&Value::Object(own))),
            properties: properties
                .into_iter()
                .flatten()
                .map(|(name, schema)| (name.clone(), Self::of(schema)))
                .collect(),
            additional: match inner("additionalProperties") {
                None | Some(Value::Bool(true)) => AdditionalProperties::Allowed,
                Some(Value::Bool(false)) => AdditionalProperties::Forbidden,
                Some(schema) => AdditionalProperties::Matching(Box::new(Self::of(schema))),
            },
            items: inner("items").map(|schema| Box::new(Self::of(schema))),
            branches: branches.into_iter().flatten().map(Branch::of).collect(),
            schema: schema.clone(),
        }
    }

    fn is_value_valid(&self, value: &Value) -> bool {
        self.own.as_ref().is_none_or(|own| own.is_valid(value))
    }
}

impl Branch {
    fn of(schema: &Value) -> Self {
        Self {
            node: Node::of(schema),
            whole: compiled(schema),
        }
    }

    /// Returns whether the value has the type of this alternative.
    fn matches_type(&self, value: &Value) -> bool {
        let kind = self.node.schema.get("type").and_then(Value::as_str);
        kind.is_none_or(|kind| has_type(value, kind))
    }
}

fn compiled(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema)
        .expect("parts of valid schemas are valid, and a test compiles each")
}

fn has_type(value: &Value, kind: &str) -> bool {
    match kind {
        "array" => value.is_array(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "object" => value.is_object(),
        "string" => value.is_string(),
        _ => true,
    }
}

/// The violations in a value: as many as there is room for, sorted by path, and the number of further ones.
#[derive(Debug, Default)]
pub(super) struct Violations {
    pub listed: BTreeSet<Violation>,
    pub more: usize,
}

/// Returns all violations of `node` in `value`, at most `room` of them described.
pub(super) fn violations(node: &Node, value: &Value, room: usize) -> Violations {
    let mut walk = Walk {
        room,
        ..Walk::default()
    };
    walk.visit(node, value);
    walk.found
}

#[derive(Debug, Default)]
struct Walk<'v> {
    trail: Vec<PathStep<'v>>,
    room: usize,
    found: Violations,
}

impl<'v> Walk<'v> {
    fn visit(&mut self, node: &Node, value: &'v Value) {
        if !node.is_value_valid(value) {
            self.describe_value(node, value);
        }
        match value {
            Value::Object(entries) => self.visit_entries(node, entries),
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    let Some(inner) = &node.items else { break };
                    self.trail.push(PathStep::Index(at));
                    self.visit(inner, item);
                    self.trail.pop();
                }
            }
            _ => {}
        }
        self.visit_alternatives(node, value);
    }

    fn visit_entries(&mut self, node: &Node, entries: &'v Map<String, Value>) {
        let mut unknown = 0;
        for (name, entry) in entries {
            let inner = match (node.properties.get(name), &node.additional) {
                (Some(known), _) => known,
                (None, AdditionalProperties::Allowed) => continue,
                (None, AdditionalProperties::Matching(node)) => node,
                (None, AdditionalProperties::Forbidden) => {
                    let schema = &node.schema;
                    self.add(|at| reason::unknown_key(at.key(name), name, unknown, schema));
                    unknown += 1;
                    continue;
                }
            };
            self.trail.push(PathStep::Key(name));
            self.visit(inner, entry);
            self.trail.pop();
        }
    }

    /// If all alternatives fail, reports the violations of the one that matches the type of the value.
    fn visit_alternatives(&mut self, node: &Node, value: &'v Value) {
        let fails = |branch: &Branch| !branch.whole.is_valid(value);
        if node.branches.is_empty() || !node.branches.iter().all(fails) {
            return;
        }
        let mut branches = node.branches.iter();
        match branches.find(|branch| branch.matches_type(value)) {
            Some(matching) => self.visit(&matching.node, value),
            None => {
                let schemas = node.branches.iter().map(|branch| &branch.node.schema);
                self.add(|at| reason::no_alternative(at, schemas, value));
            }
        }
    }

    /// Adds the violations of the keywords about the value itself.
    fn describe_value(&mut self, node: &Node, value: &'v Value) {
        let own = node.own.as_ref();
        if self.is_full() {
            self.found.more += 1;
            return;
        }
        for error in own.into_iter().flat_map(|own| own.iter_errors(value)) {
            let place = CheckedValue {
                schema: &node.schema,
                value,
            };
            self.add(|at| reason::described(at, &error, place));
        }
    }

    fn is_full(&self) -> bool {
        self.found.listed.len() >= self.room
    }

    fn add(&mut self, describe: impl FnOnce(Path) -> Violation) {
        if self.is_full() {
            self.found.more += 1;
        } else {
            let violation = describe(Path::of(&self.trail));
            self.found.listed.insert(violation);
        }
    }
}
