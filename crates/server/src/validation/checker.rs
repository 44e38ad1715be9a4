//! The check of one type of input: its schema, compiled once.

use super::beyond;
use super::walk::{self, Node, Violations};
use super::{number, schema};
use domain::{ErrorList, Invalid};
use jsonschema::Validator;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Checks JSON against the schema of one type.
#[derive(Debug)]
pub struct Checker {
    schema: Value,
    validator: Validator,
    node: Node,
}

impl Checker {
    /// The check of `T`.
    pub fn of<T: JsonSchema>() -> Self {
        Self::compile(schema::of::<T>())
    }

    /// The check of `T` for a face that does not take the key `name`.
    pub fn of_without<T: JsonSchema>(name: &str) -> Self {
        let mut schema = schema::of::<T>();
        if let Some(properties) = schema["properties"].as_object_mut() {
            properties.shift_remove(name);
        }
        Self::compile(schema)
    }

    fn compile(schema: Value) -> Self {
        let validator = jsonschema::draft202012::new(&schema)
            .expect("what schemars makes of a type is a JSON Schema, and a test compiles each");
        let node = Node::of(&schema);
        Self {
            schema,
            validator,
            node,
        }
    }

    /// The schema.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// The keys and their schemas.
    pub fn properties(&self) -> impl Iterator<Item = (&String, &Value)> {
        let properties = self.schema.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten()
    }

    /// The schema of the key `name`.
    pub fn property(&self, name: &str) -> Option<&Value> {
        self.schema.get("properties")?.get(name)
    }

    /// The typed value, when `value` is one.
    ///
    /// Errors: everything that is wrong, sorted by path; `place` names the value as a whole.
    pub fn typed<T: DeserializeOwned>(&self, value: Value, place: &str) -> Result<T, ErrorList> {
        self.typed_and(value, place, |_| Vec::new())
    }

    /// The same, and what `check` finds wrong with the rest of a value that the schema refuses.
    pub fn typed_and<T: DeserializeOwned>(
        &self,
        mut value: Value,
        place: &str,
        check: impl FnOnce(T) -> Vec<Invalid>,
    ) -> Result<T, ErrorList> {
        if self.validator.is_valid(&value) {
            number::make_whole(&mut value, &self.schema);
            return serde_json::from_value(value)
                .map_err(|error| vec![Invalid::new(place, error.to_string())].into());
        }
        let Violations { listed, more } = walk::refusals(&self.node, &value);
        let listed = Vec::from_iter(listed);
        let beyond = if more == 0 {
            number::make_whole(&mut value, &self.schema);
            beyond::mistakes(value, &listed, check)
        } else {
            Vec::new()
        };
        let wrong = listed
            .into_iter()
            .map(|refusal| Invalid::new(refusal.at.text(place), refusal.reason));
        let mut wrong: ErrorList = wrong.collect();
        wrong.count(more);
        let wrong = wrong.and(beyond);
        if wrong.is_empty() {
            // The validator has the last word, whatever the walk looks at.
            return Err(vec![Invalid::new(place, "is not what is asked for here")].into());
        }
        Err(wrong)
    }
}

#[cfg(test)]
mod tests {
    //! 1. Everything that is wrong is told at once, by path, in words of our own.
    //! 2. Unknown keys get the nearest known one; null is refused.
    //! 3. `73.0` is the integer 73.
    //! 4. Of alternatives, the one that was meant explains what is wrong.
    //! 5. Where no known key is near, the answer names those that there are; for very many unknown keys it does not.

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
        let wrong = outcome.err().unwrap_or_default();
        wrong.listed().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn all_mistakes_come_at_once_and_sorted() {
        let wrong = relevance(json!({
            "searchSettings": {
                "stockBost": 1, "fuzziness": 1, "fuzzyPrefixLength": 3, "minMatchLong": "30"
            },
            "boosts": {"name": 350, "tags": "6"}
        }));
        assert_eq!(
            wrong,
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
    fn null_and_wrong_wholes_are_refused() {
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
    fn an_integer_may_have_a_fraction_of_zero_and_no_other() {
        assert!(search(json!({"limit": 24.0, "page": 1})).is_empty());
        assert_eq!(
            search(json!({"limit": 24.5})),
            ["limit: must be a whole number, got 24.5"]
        );
    }

    #[test]
    fn alternatives_are_explained_by_the_one_that_was_meant() {
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
    fn what_is_known_is_told_where_nothing_is_near() {
        let rule = json!({"filter": {}, "trigger": 1});
        let wrong = texts(Checker::of::<ActionsInput>().typed::<ActionsInput>(rule, "body"));
        assert_eq!(
            wrong,
            [
                "filter: must not be empty",
                "trigger: is not a known field; known are boost, pin, hide, redirect, banner, filter",
            ]
        );
        // A body of a hundred thousand keys gets a reason for each, and looks for what was meant by the first few.
        let many: serde_json::Map<String, Value> =
            (0..100).map(|n| (format!("pag{n:02}"), json!(1))).collect();
        let wrong = search(Value::Object(many));
        assert_eq!(wrong.len(), 100);
        assert!(wrong[0].contains("did you mean \"page\"?"));
        assert_eq!(wrong[99], "pag99: is not a known field");
    }

    #[test]
    fn a_face_may_leave_a_key_out() {
        let checker = Checker::of_without::<SearchRequest>("visitor");
        let wrong = texts(checker.typed::<SearchRequest>(json!({"visitor": "x"}), "query"));
        assert_eq!(wrong.len(), 1);
        assert!(wrong[0].starts_with("visitor: is not a known field"));
    }
}
