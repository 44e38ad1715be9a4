//! Finds everything that a schema refuses in a value, and describes the first hundred errors.
//!
//! The schema is taken apart into the checks of single values, so that errors beyond the bound are only counted: no path
//! is built and no text is written for them.

use super::beyond::Violation;
use super::path::{Path, PathStep};
use super::reason::{self, CheckedValue};
use domain::limits::ERRORS_MAX;
use jsonschema::Validator;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};

/// Keywords that say what stands inside of a value. All others are about the value itself.
const INSIDE: [&str; 4] = ["properties", "additionalProperties", "items", "anyOf"];

/// One part of a schema, compiled.
#[derive(Debug)]
pub(super) struct Node {
    schema: Value,
    /// What holds for the value itself; none where nothing does.
    own: Option<Validator>,
    properties: HashMap<String, Node>,
    others: Others,
    items: Option<Box<Node>>,
    branches: Vec<Branch>,
}

/// What may stand under a key that has no schema of its own.
#[derive(Debug)]
enum Others {
    Anything,
    Nothing,
    Like(Box<Node>),
}

/// One of several alternatives.
#[derive(Debug)]
struct Branch {
    node: Node,
    whole: Validator,
}

impl Node {
    /// The part of a schema that `schema` is.
    pub(super) fn of(schema: &Value) -> Self {
        let empty = Map::new();
        let keywords = schema.as_object().unwrap_or(&empty);
        let mut own = keywords.clone();
        own.retain(|keyword, _| !INSIDE.contains(&keyword.as_str()));
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
            others: match inner("additionalProperties") {
                None | Some(Value::Bool(true)) => Others::Anything,
                Some(Value::Bool(false)) => Others::Nothing,
                Some(schema) => Others::Like(Box::new(Self::of(schema))),
            },
            items: inner("items").map(|schema| Box::new(Self::of(schema))),
            branches: branches.into_iter().flatten().map(Branch::of).collect(),
            schema: schema.clone(),
        }
    }

    fn holds_for_itself(&self, value: &Value) -> bool {
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

    /// Whether the value has the type that this alternative is for.
    fn is_meant_for(&self, value: &Value) -> bool {
        let kind = self.node.schema.get("type").and_then(Value::as_str);
        kind.is_none_or(|kind| has_type(value, kind))
    }
}

fn compiled(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema)
        .expect("a part of a schema that schemars made is one, and a test compiles each")
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

/// The refusals that were found in a value: at most [`ERRORS_MAX`], sorted by path, and how many more there are.
#[derive(Debug, Default)]
pub(super) struct Violations {
    pub listed: BTreeSet<Violation>,
    pub more: usize,
}

/// Everything that `node` refuses in `value`.
pub(super) fn refusals(node: &Node, value: &Value) -> Violations {
    let mut walk = Walk::default();
    walk.visit(node, value);
    walk.found
}

#[derive(Debug, Default)]
struct Walk<'v> {
    trail: Vec<PathStep<'v>>,
    found: Violations,
}

impl<'v> Walk<'v> {
    fn visit(&mut self, node: &Node, value: &'v Value) {
        if !node.holds_for_itself(value) {
            self.describe_own(node, value);
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
            let inner = match (node.properties.get(name), &node.others) {
                (Some(known), _) => known,
                (None, Others::Anything) => continue,
                (None, Others::Like(node)) => node,
                (None, Others::Nothing) => {
                    let schema = &node.schema;
                    self.refuse(|at| reason::unknown_key(at.key(name), name, unknown, schema));
                    unknown += 1;
                    continue;
                }
            };
            self.trail.push(PathStep::Key(name));
            self.visit(inner, entry);
            self.trail.pop();
        }
    }

    /// Of alternatives that all fail, the one that was meant has the say.
    fn visit_alternatives(&mut self, node: &Node, value: &'v Value) {
        let fails = |branch: &Branch| !branch.whole.is_valid(value);
        if node.branches.is_empty() || !node.branches.iter().all(fails) {
            return;
        }
        let mut branches = node.branches.iter();
        match branches.find(|branch| branch.is_meant_for(value)) {
            Some(meant) => self.visit(&meant.node, value),
            None => {
                let schemas = node.branches.iter().map(|branch| &branch.node.schema);
                self.refuse(|at| reason::no_alternative(at, schemas, value));
            }
        }
    }

    /// What the keywords about the value itself refuse.
    fn describe_own(&mut self, node: &Node, value: &'v Value) {
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
            self.refuse(|at| reason::refusal(at, &error, place));
        }
    }

    fn is_full(&self) -> bool {
        self.found.listed.len() >= ERRORS_MAX
    }

    fn refuse(&mut self, describe: impl FnOnce(Path) -> Violation) {
        if self.is_full() {
            self.found.more += 1;
        } else {
            let refusal = describe(Path::of(&self.trail));
            self.found.listed.insert(refusal);
        }
    }
}
