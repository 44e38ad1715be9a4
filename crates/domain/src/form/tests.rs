//! 1. A published pattern accepts exactly what the type accepts, for texts built from all pieces that matter to either.
//! 2. A value is read back as it was written, and what is not of the form is not read.

use super::{
    Address, InstanceId, Label, LabelMap, LanguageCode, OptionalUrl, ProductIds, StoreName, Url,
};
use crate::published_schema::PUBLISHED_KEY;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use regex::Regex;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Name for messages, published pattern, and the check of the type.
type Row = (&'static str, Regex, fn(&str) -> bool);

fn row<T: JsonSchema>(check: fn(&str) -> bool) -> Row {
    let name = std::any::type_name::<T>();
    let schema = T::json_schema(&mut SchemaGenerator::default()).to_value();
    (name, regex(&schema[PUBLISHED_KEY]["pattern"]), check)
}

fn regex(pattern: &Value) -> Regex {
    Regex::new(pattern.as_str().expect("a pattern")).expect("a regular expression")
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let labels = LabelMap::published();
    let ids = ProductIds::json_schema(&mut SchemaGenerator::default()).to_value();
    vec![
        row::<Label>(|text| Label::parse(text).is_ok()),
        row::<StoreName>(|text| StoreName::parse(text).is_ok()),
        row::<InstanceId>(|text| InstanceId::parse(text).is_ok()),
        row::<Url>(|text| Url::parse(text).is_ok()),
        row::<OptionalUrl>(|text| OptionalUrl::parse(text).is_ok()),
        row::<Address>(|text| Address::parse(text).is_ok()),
        row::<LanguageCode>(|text| LanguageCode::parse(text).is_ok()),
        (
            "the values of labels",
            regex(&labels["additionalProperties"]["pattern"]),
            |text| {
                let names = BTreeMap::from([("es".to_owned(), text.to_owned())]);
                LabelMap::parse("", names).is_ok()
            },
        ),
        (
            "an id of products",
            regex(&ids[PUBLISHED_KEY]["items"]["pattern"]),
            |text| ProductIds::parse("", vec![text.to_owned()]).is_ok(),
        ),
    ]
});

/// Returns texts of a few pieces, short enough for every form.
fn texts() -> impl Strategy<Value = String> {
    let pieces = [
        "http://", "HTTPS://", "https:", "/", "//", "\\", "?", "#", ":", "@", "a", "é", " ", "\t",
        "-", "_", "\n", "\u{0}", "\u{85}", "\u{a0}", "\u{2028}", "\u{3000}", "\u{7f}", ".",
    ];
    vec(select(pieces.to_vec()), 0..7).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn patterns_accept_what_the_types_accept(text in texts()) {
        for (what, pattern, check) in ROWS.iter() {
            prop_assert_eq!(pattern.is_match(&text), check(&text), "{} {:?}", what, text);
        }
    }
}

#[test]
fn what_is_not_of_the_form_is_not_read() {
    let label: Label = serde_json::from_value(json!("Verano")).expect("a label");
    assert_eq!(json!(label), json!("Verano"));
    assert!(serde_json::from_value::<Label>(json!(" ")).is_err());
    assert!(serde_json::from_value::<Address>(json!("//x.example")).is_err());
    let ids: ProductIds = serde_json::from_value(json!(["2", "1"])).expect("ids");
    assert_eq!(json!(ids), json!(["2", "1"]));
    for bad in [json!([]), json!(["1", "1"]), json!([" "])] {
        assert!(
            serde_json::from_value::<ProductIds>(bad.clone()).is_err(),
            "{bad}"
        );
    }
    let labels = json!({"en-gb": "Summer"});
    let read: LabelMap = serde_json::from_value(labels.clone()).expect("labels");
    assert_eq!(json!(read), labels);
}

#[test]
fn only_absolute_web_addresses_are_urls() {
    for good in [
        "http://a",
        "https://shop.example/x?y#z",
        "HTTPS://shop.example:8080/",
    ] {
        assert!(Url::parse(good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "shop.example",
        "/x",
        "javascript:alert(1)",
        "http://",
        "https:///x",
        "ftp://a",
        "http://a b",
        "http://é\\",
    ] {
        assert!(Url::parse(bad).is_err(), "{bad}");
    }
    assert!(OptionalUrl::parse("").is_ok());
}

#[test]
fn labels_have_1_to_255_characters() {
    assert!(Label::parse("ñ".repeat(255)).is_ok());
    assert!(Label::parse("ñ".repeat(256)).is_err());
    assert!(Label::parse(" ").is_err());
    assert!(InstanceId::parse("ñ".repeat(64)).is_ok());
    assert!(InstanceId::parse("ñ".repeat(65)).is_err());
}
