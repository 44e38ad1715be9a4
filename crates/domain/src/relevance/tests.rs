//! 1. The tables contain every field and setting once, and the defaults are valid.
//! 2. A PUT replaces boosts and merges settings; the response to a GET is a valid PUT.
//! 3. All errors are reported at once.
//! 4. Advice is given on doubtful values only.

use super::*;

fn change(value: Value) -> RelevanceChange {
    serde_json::from_value(value).expect("the test's change parses")
}

#[test]
fn the_table_has_every_setting_once_and_the_defaults_are_valid() {
    let defaults = default_settings();
    let named: Vec<&str> = SETTINGS.iter().map(|s| s.name).collect();
    // The fields of the struct are those of the table, in its order, and read its defaults.
    let held = json!(SearchSettings::default());
    let held = held.as_object().expect("an object");
    assert_eq!(
        named,
        held.keys().map(String::as_str).collect::<Vec<&str>>()
    );
    assert_eq!(*held, defaults);
    for setting in &SETTINGS {
        assert!(
            setting.check(&defaults[setting.name]).is_ok(),
            "{}",
            setting.name
        );
    }
}

#[test]
fn a_put_replaces_boosts_and_merges_settings() {
    let saved = Overrides::default()
        .apply(
            &change(json!({"boosts": {"name": 9}, "searchSettings": {"stockBoost": 3}})),
            BoostMerging::Replace,
        )
        .expect("valid");
    let next = saved
        .apply(
            &change(json!({"boosts": {"tags": 7}, "searchSettings": {"salesBoost": 2}})),
            BoostMerging::Replace,
        )
        .expect("valid");
    assert_eq!(next.effective().boosts.get(FieldId::NAME), 6.0);
    assert_eq!(next.effective().boosts.get(FieldId::TAGS), 7.0);
    assert_eq!(next.effective().search_settings.stock_boost, 3.0);
    assert_eq!(next.effective().search_settings.sales_boost, 2.0);
    let merged = saved
        .apply(&change(json!({"boosts": {"tags": 7}})), BoostMerging::Merge)
        .expect("valid");
    assert_eq!(merged.effective().boosts.get(FieldId::NAME), 9.0);
}

#[test]
fn putting_the_defaults_saves_nothing() {
    let effective = json!(Relevance::default());
    let next = Overrides::default()
        .apply(&change(effective), BoostMerging::Replace)
        .expect("valid");
    assert_eq!(next, Overrides::default());
}

#[test]
fn all_errors_are_reported_at_once_with_their_paths() {
    let errors = Overrides::default()
        .apply(
            &change(json!({"boosts": {"name": 350, "nmae": 1}, "searchSettings": {"stockBost": 1, "minMatchLong": "30"}})),
            BoostMerging::Replace,
        )
        .expect_err("four errors");
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts[0], "boosts.name: must be between 0 and 200, got 350");
    assert_eq!(
        texts[1],
        "boosts.nmae: is not a known field; did you mean \"name\"?"
    );
    assert_eq!(
        texts[2],
        "searchSettings.stockBost: is not a known field; did you mean \"stockBoost\"?"
    );
    assert!(texts[3].starts_with("searchSettings.minMatchLong: must be a percentage text"));
}

#[test]
fn boosted_fields_without_content_get_advice() {
    let overrides = Overrides::default()
        .apply(
            &change(json!({"boosts": {"supplier": 0}})),
            BoostMerging::Replace,
        )
        .expect("valid");
    let named = |filled: fn(FieldId) -> bool| -> Vec<String> {
        advice(&overrides, filled, SubstringIndexing::Held)
            .into_iter()
            .map(|a| a.field)
            .collect()
    };
    let all_but_tags = |field: FieldId| !["tags", "supplier"].contains(&field.name());
    assert_eq!(named(all_but_tags), ["boosts.tags"]);
    assert!(named(|_| false).is_empty());
}

#[test]
fn a_boost_of_substrings_gets_advice_on_re_indexing() {
    let of = |boost: f64, parts| {
        let overrides = Overrides::default()
            .apply(
                &change(json!({"boosts": {"name.partial": boost}})),
                BoostMerging::Replace,
            )
            .expect("valid");
        let advice = advice(&overrides, |field| field != FieldId::PARTIAL, parts);
        advice.into_iter().map(|a| (a.level, a.text)).next()
    };
    for parts in [
        SubstringIndexing::Held,
        SubstringIndexing::Building(42),
        SubstringIndexing::Missing,
    ] {
        assert_eq!(of(0.0, parts), None);
    }
    assert_eq!(of(2.0, SubstringIndexing::Held), None);
    let (level, text) = of(2.0, SubstringIndexing::Building(42)).expect("advice");
    assert!(level == "info" && text.contains("42 %"), "{text}");
    let (level, text) = of(2.0, SubstringIndexing::Missing).expect("advice");
    assert!(level == "warning" && text.contains("re-indexing"), "{text}");
}

#[test]
fn an_integer_may_be_written_with_a_fraction_of_zero() {
    let next = Overrides::default()
        .apply(
            &change(json!({"searchSettings": {"scoreCutoff": 73.0}})),
            BoostMerging::Replace,
        )
        .expect("valid");
    assert_eq!(next.search_settings["scoreCutoff"], json!(73));
}
