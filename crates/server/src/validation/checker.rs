//! Validates inputs against the schema of their type, compiled once.

use super::semantic;
use super::walk::{self, Node, Violations};
use super::{number, schema};
use crate::message;
use domain::limits::ERRORS_MAX;
use domain::{ErrorList, Invalid};
use jsonschema::Validator;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Validates JSON against the schema of one type.
#[derive(Debug)]
pub struct Checker {
    schema: Value,
    validator: Validator,
    node: Node,
}

impl Checker {
    /// Creates the checker of `T`.
    pub fn of<T: JsonSchema>() -> Self {
        Self::compile(schema::of::<T>())
    }

    /// Creates the checker of `T` for endpoints that do not accept the key `name`.
    pub fn of_without<T: JsonSchema>(name: &str) -> Self {
        let mut schema = schema::of::<T>();
        if let Some(properties) = schema["properties"].as_object_mut() {
            properties.shift_remove(name);
        }
        Self::compile(schema)
    }

    fn compile(schema: Value) -> Self {
        let validator = jsonschema::draft202012::new(&schema)
            .expect("schemars generates valid JSON Schemas, and a test compiles each");
        let node = Node::of(&schema);
        Self {
            schema,
            validator,
            node,
        }
    }

    /// Returns the schema.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// Returns the keys and their schemas.
    pub fn properties(&self) -> impl Iterator<Item = (&String, &Value)> {
        let properties = self.schema.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten()
    }

    /// Returns the schema of the key `name`.
    pub fn property(&self, name: &str) -> Option<&Value> {
        self.schema.get("properties")?.get(name)
    }

    /// Validates `value` and converts it to `T`.
    ///
    /// Errors: all violations, sorted by path; `place` is the path of the value as a whole.
    pub fn typed<T: DeserializeOwned>(&self, value: Value, place: &str) -> Result<T, ErrorList> {
        self.typed_and(value, place, |_| Vec::new())
    }

    /// Validates `value` and converts it to `T`. If the schema is violated, `check` validates the remaining parts, so
    /// that their errors are reported too.
    pub fn typed_and<T: DeserializeOwned>(
        &self,
        value: Value,
        place: &str,
        check: impl FnOnce(T) -> Vec<Invalid>,
    ) -> Result<T, ErrorList> {
        self.typed_within(value, place, ERRORS_MAX, check)
    }

    /// As [`Checker::typed_and`], for a part of what is checked: at most `room` violations are described, the others only
    /// counted.
    pub fn typed_within<T: DeserializeOwned>(
        &self,
        mut value: Value,
        place: &str,
        room: usize,
        check: impl FnOnce(T) -> Vec<Invalid>,
    ) -> Result<T, ErrorList> {
        if self.validator.is_valid(&value) {
            number::normalise_integers(&mut value, &self.schema);
            return serde_json::from_value(value).map_err(|error| {
                vec![Invalid::new(
                    place,
                    message::value::of_library(error.to_string()),
                )]
                .into()
            });
        }
        let Violations { listed, more } = walk::violations(&self.node, &value, room);
        let listed = Vec::from_iter(listed);
        let further = if more == 0 {
            number::normalise_integers(&mut value, &self.schema);
            semantic::errors(value, &listed, check)
        } else {
            Vec::new()
        };
        let errors = listed
            .into_iter()
            .map(|violation| Invalid::new(violation.at.text(place), violation.reason));
        let mut errors: ErrorList = errors.collect();
        errors.count(more);
        let errors = errors.and(further);
        if errors.is_empty() {
            // The validator decides, even if the walk finds nothing.
            return Err(vec![Invalid::new(place, message::value::not_of_schema())].into());
        }
        Err(errors)
    }
}

#[cfg(test)]
mod tests {
    //! 1. All errors are reported at once, by path, in our own words.
    //! 2. Unknown keys get the nearest known one; null is rejected.
    //! 3. `73.0` is the integer 73.
    //! 4. Of several alternatives, the one that matches the type of the value explains the error.
    //! 5. If no known key is near, the error lists the known ones; for very many unknown keys it does not.

    use super::Checker;
    use domain::relevance::RelevanceChange;
    use domain::rule::ActionsInput;
    use domain::search::{FilterValue, SearchRequest};
    use serde_json::{Value, json};

    fn relevance(value: Value) -> Vec<String> {
        texts(Checker::of::<RelevanceChange>().typed::<RelevanceChange>(value, "body"))
    }

    fn search(value: Value) -> Vec<String> {
        texts(Checker::of::<SearchRequest>().typed::<SearchRequest>(value, "body"))
    }

    fn texts<T>(outcome: Result<T, domain::ErrorList>) -> Vec<String> {
        let errors = outcome.err().unwrap_or_default();
        errors.listed().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn all_errors_are_reported_at_once_and_sorted() {
        let errors = relevance(json!({
            "searchSettings": {
                "stockBost": 1, "fuzziness": 1, "fuzzyPrefixLength": 3, "minMatchLong": "30"
            },
            "boosts": {"name": 350, "tags": "6"}
        }));
        assert_eq!(
            errors,
            [
                "boosts.name: must be between 0 and 200, got 350",
                "boosts.tags: must be a number, got \"6\"",
                "searchSettings.fuzziness: must be one of \"AUTO\", \"0\", \"1\", \"2\", got 1",
                "searchSettings.fuzzyPrefixLength: must be between 0 and 2, got 3",
                "searchSettings.minMatchLong: must be a percentage text from \"0%\" to \"100%\" such as \"75%\", got \"30\"",
                "searchSettings.stockBost: is not a known field; did you mean \"stockBoost\"?",
            ]
        );
    }

    #[test]
    fn null_and_wrong_types_are_rejected() {
        assert_eq!(
            relevance(json!({"boosts": {"name": null}, "searchSettings": null})),
            [
                "boosts.name: must not be null",
                "searchSettings: must not be null"
            ]
        );
        assert_eq!(
            relevance(json!([1])),
            ["body: must be an object, got a list"]
        );
        assert_eq!(search(json!({"lang": null})), ["lang: must not be null"]);
    }

    #[test]
    fn an_integer_may_have_a_zero_fraction_only() {
        assert!(search(json!({"limit": 24.0, "page": 1})).is_empty());
        assert_eq!(
            search(json!({"limit": 24.5})),
            ["limit: must be a whole number, got 24.5"]
        );
    }

    #[test]
    fn the_alternative_of_the_same_type_explains_the_error() {
        assert_eq!(
            search(json!({"filters": {"price": {"mni": 1}, "categories": [4]}})),
            [
                "filters.categories[0]: must be text, got 4",
                "filters.price.mni: is not a known field; did you mean \"min\"?",
            ]
        );
        assert_eq!(
            search(json!({"filters": {"price": 3, "features.1": 3, "discount": ["yes"]}})),
            [
                "filters.discount[0]: must be one of \"true\", \"false\", got \"yes\"",
                "filters.features.1: must be a list or an object, got 3",
                "filters.price: must be an object, got 3"
            ]
        );
        let value =
            |value: Value| texts(Checker::of::<FilterValue>().typed::<FilterValue>(value, "body"));
        assert_eq!(
            value(json!(3)),
            ["body: must be a list or an object, got 3"]
        );
        assert_eq!(value(json!(["a", 4])), ["[1]: must be text, got 4"]);
        assert_eq!(
            search(json!({"types": ["produkts"], "sort": "best"})),
            [
                "sort: must be one of \"relevance\", \"price_asc\", \"price_desc\", \"name\", \"newest\", \"sales\", \"rating\", got \"best\"",
                "types[0]: must be one of \"products\", \"categories\", \"brands\", \"pages\", got \"produkts\"",
            ]
        );
    }

    #[test]
    fn known_keys_are_listed_if_none_is_near() {
        let rule = json!({"filter": {}, "trigger": 1});
        let errors = texts(Checker::of::<ActionsInput>().typed::<ActionsInput>(rule, "body"));
        assert_eq!(
            errors,
            [
                "filter: must not be empty",
                "trigger: is not a known field; known are boost, pin, hide, redirect, banner, filter",
            ]
        );
        // Every unknown key gets a reason, and the first few a suggestion.
        let many: serde_json::Map<String, Value> =
            (0..100).map(|n| (format!("pag{n:02}"), json!(1))).collect();
        let errors = search(Value::Object(many));
        assert_eq!(errors.len(), 100);
        assert!(errors[0].contains("did you mean \"page\"?"));
        assert_eq!(errors[99], "pag99: is not a known field");
    }

    #[test]
    fn an_endpoint_may_exclude_a_key() {
        let checker = Checker::of_without::<SearchRequest>("visitor");
        let errors = texts(checker.typed::<SearchRequest>(json!({"visitor": "x"}), "query"));
        assert_eq!(errors.len(), 1);
        assert!(errors[0].starts_with("visitor: is not a known field"));
    }
}
