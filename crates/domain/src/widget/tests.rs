//! 1. Only colours are accepted as colours, and no value of a style can end it or load a resource.
//! 2. `features` are merged, other maps replaced, null unsets, and only values that differ from the defaults are saved.
//! 3. Each limit is tested below, at and above it; updating a widget with itself changes nothing.
//! 4. The known features and the keys of `defaultSearch` are checked; other keys are kept.
//! 5. A saved value of a known name that does not fit counts as the default, and stays saved.

use super::*;

fn apply(saved: &SavedWidget, value: Value) -> Result<SavedWidget, Vec<String>> {
    let patch: WidgetPatch = serde_json::from_value(value).expect("the test's patch parses");
    let fields = |errors: Vec<Invalid>| errors.into_iter().map(|one| one.field).collect();
    saved.apply(patch).map_err(fields)
}

fn from_nothing(value: Value) -> Result<SavedWidget, Vec<String>> {
    apply(&SavedWidget::default(), value)
}

#[test]
fn only_css_colours_are_accepted() {
    for good in [
        "#fff",
        "#FFFF",
        "#1a2b3c",
        "#1a2b3c80",
        "red",
        "Transparent",
        "rgb(1, 2, 3)",
        "rgba(1,2,3,0.5)",
        "rgb(1 2 3 / 50%)",
        "hsl(120deg 50% 50%)",
        "oklch(0.7 0.1 none)",
        " teal ",
    ] {
        assert!(
            from_nothing(json!({"colors": {"primary": good}})).is_ok(),
            "{good}"
        );
    }
    let path = vec!["colors.primary".to_owned()];
    for bad in [
        json!(""),
        json!("#ff"),
        json!("#fffff"),
        json!("#ggg"),
        json!("#fff\n"),
        json!("\tteal"),
        json!("reddish"),
        json!("url(x)"),
        json!("rgb(1,2)"),
        json!("rgb(1,2,3,4,5)"),
        json!("rgb(1,2,x)"),
        json!("rgb(1 2 3 / 5 / 6)"),
        json!("var(--x)"),
        json!("red;background:url(//x)"),
        json!("red}"),
        json!("rgb(1,2,3)x"),
        json!("image-set(\"x\" 1x)"),
        json!("rgb(inf, 1, 1)"),
        json!(7),
        json!(null),
        json!(["red"]),
    ] {
        assert_eq!(
            from_nothing(json!({"colors": {"primary": bad}})),
            Err(path.clone()),
            "{bad}"
        );
    }
}

#[test]
fn nothing_is_injected_into_a_style() {
    for good in [
        json!("\"Open Sans\", 'Noto', serif"),
        json!("16px"),
        json!(1.5),
        json!("calc(1rem + 2px)"),
        json!("clamp(1rem, 2vw, var(--big))"),
        json!("700"),
        json!("Ubuntu Møno"),
    ] {
        assert!(
            from_nothing(json!({"typography": {"fontFamily": good}})).is_ok(),
            "{good}"
        );
    }
    let path = vec!["typography.fontFamily".to_owned()];
    for bad in [
        "a;b",
        "a{",
        "a}",
        "a<b",
        "a>b",
        "a\\75rl(x)",
        "url(x)",
        "URL ( x )url(x)",
        "image-set(\"x\" 1x)",
        "src(\"x\")",
        "expression(alert(1))",
        "@import x",
        "a /* b",
        "//evil.example/x",
        "\"open",
        "it's",
        "a\nb",
    ] {
        assert_eq!(
            from_nothing(json!({"typography": {"fontFamily": bad}})),
            Err(path.clone()),
            "{bad}"
        );
    }
    for bad in [json!(true), json!({}), json!(null)] {
        assert_eq!(
            from_nothing(json!({"typography": {"fontFamily": bad}})),
            Err(path.clone())
        );
    }
    for key in ["", "a b", "a;b", "1a", "--x", &"k".repeat(65)] {
        for map in ["colors", "typography", "features"] {
            let errors = from_nothing(json!({ (map): {(key): "red"} }));
            assert_eq!(
                errors.map_err(|errors| errors.len()),
                Err(1),
                "{key} of {map}"
            );
        }
    }
    for (name, bad) in [
        ("theme", "a\" x=\"b"),
        ("theme", " "),
        ("position", "x<y"),
        ("theme", "url(x)"),
    ] {
        assert_eq!(
            from_nothing(json!({ (name): bad })),
            Err(vec![name.to_owned()]),
            "{bad}"
        );
    }
}

#[test]
fn features_merge_and_the_other_maps_replace() {
    let first = from_nothing(json!({
        "layout": "list", "theme": "dark", "colors": {"a": "red", "b": "blue"}, "typography": {"size": 12},
        "features": {"minChars": 3, "mine": "yes"}, "defaultSearch": {"sort": "sales"},
        "translations": {"es": {"placeholder": "Buscar…"}, "en_GB": {"placeholder": "Search…"}}
    }))
    .expect("a widget");
    let next = apply(
        &first,
        json!({
            "colors": {"a": "green"}, "features": {"showBrand": false}, "typography": null, "translations": {}
        }),
    );
    let shown = json!(next.clone().expect("a widget").effective());
    let expected = json!({
        "theme": "dark", "layout": "list", "position": "top", "colors": {"a": "green"},
        "features": {"displayMode": "overlay", "filters": true, "showBrand": false, "minChars": 3, "livePricing": false,
                     "themeCards": false, "recentSearches": true, "popularQueries": true, "analytics": true,
                     "layoutSwitch": false, "sorts": "relevance,price_asc,price_desc,name,newest,sales,rating",
                     "mine": "yes"},
        "defaultSearch": {"sort": "sales"}, "translations": {}
    });
    assert_eq!(shown, expected);
    let usual = json!({
        "layout": "grid", "theme": "light", "position": "top", "colors": null, "defaultSearch": null,
        "translations": null, "features": {"minChars": 2.0, "showBrand": true}
    });
    let usual = apply(&next.expect("a widget"), usual).expect("a widget");
    assert_eq!(json!(usual), json!({"features": {"mine": "yes"}}));
}

#[test]
fn updating_a_widget_with_itself_changes_nothing() {
    let saved = from_nothing(json!({
        "layout": "list", "colors": {"a": "red"}, "features": {"minChars": 10, "displayMode": "page", "x": 1.5},
        "defaultSearch": {"deep": {"list": [1, null, "x"]}}, "translations": {"es": {"a.b-c": "<b>"}}
    }))
    .expect("a widget");
    assert_eq!(apply(&saved, json!(saved.effective())), Ok(saved.clone()));
    let nothing = SavedWidget::default();
    assert_eq!(apply(&nothing, json!(nothing.effective())), Ok(nothing));
}

#[test]
fn limits_of_maps_are_exact() {
    let keys = |count: usize, value: Value| -> Value {
        let entries = (0..count).map(|at| (format!("k{at}"), value.clone()));
        Value::Object(entries.collect())
    };
    check_limits(&[
        (
            json!({"features": {"minChars": 1}}),
            json!({"features": {"minChars": 0}}),
            "features.minChars",
        ),
        (
            json!({"features": {"minChars": 10}}),
            json!({"features": {"minChars": 11}}),
            "features.minChars",
        ),
        (
            json!({"features": {"minChars": 3.0}}),
            json!({"features": {"minChars": 3.5}}),
            "features.minChars",
        ),
        (
            json!({"features": {"displayMode": "page"}}),
            json!({"features": {"displayMode": "x"}}),
            "features.displayMode",
        ),
        (
            json!({"features": {"filters": false}}),
            json!({"features": {"filters": "no"}}),
            "features.filters",
        ),
        (
            json!({"features": {"mine": 1}}),
            json!({"features": {"mine": null}}),
            "features.mine",
        ),
        (
            json!({"features": keys(100, json!(1))}),
            json!({"features": keys(101, json!(1))}),
            "features",
        ),
        (
            json!({"colors": keys(100, json!("red"))}),
            json!({"colors": keys(101, json!("red"))}),
            "colors",
        ),
    ]);
}

#[test]
fn limits_of_texts_are_exact() {
    check_limits(&[
        (
            json!({"theme": "t".repeat(64)}),
            json!({"theme": "t".repeat(65)}),
            "theme",
        ),
        (
            json!({"typography": {"a": "t".repeat(255)}}),
            json!({"typography": {"a": "t".repeat(256)}}),
            "typography.a",
        ),
        (
            json!({"typography": texts(90, 255)}),
            json!({"typography": texts(99, 255)}),
            "typography",
        ),
        (
            json!({"translations": {"es": {"a": "ñ".repeat(1000)}}}),
            json!({"translations": {"es": {"a": "ñ".repeat(1001)}}}),
            "translations.es.a",
        ),
        (
            json!({"translations": {"es": {}}}),
            json!({"translations": {"spanish": {}}}),
            "translations.spanish",
        ),
        (
            json!({"translations": {"es": texts(300, 10)}}),
            json!({"translations": {"es": texts(301, 10)}}),
            "translations.es",
        ),
        (
            json!({"translations": {"es": texts(128, 1_000)}}),
            json!({"translations": {"es": texts(132, 1_000)}}),
            "translations.es",
        ),
        (
            json!({"translations": {"es": {}, "pt-br": {}}}),
            json!({"translations": {"es": {}, "ES": {}}}),
            "translations.es",
        ),
        (
            json!({"defaultSearch": {"a": "x".repeat(10_000 - 8)}}),
            json!({"defaultSearch": {"a": "x".repeat(10_000 - 7)}}),
            "defaultSearch",
        ),
    ]);
}

/// So many texts of so many characters.
fn texts(count: usize, characters: usize) -> Value {
    let texts = (0..count).map(|at| (format!("k{at}"), json!("x".repeat(characters))));
    Value::Object(texts.collect())
}

#[test]
fn known_features_are_checked() {
    for name in [
        "filters",
        "showBrand",
        "livePricing",
        "themeCards",
        "recentSearches",
        "popularQueries",
        "analytics",
        "layoutSwitch",
    ] {
        let path = format!("features.{name}");
        check_limits(&[(
            json!({"features": {(name): true}}),
            json!({"features": {(name): "true"}}),
            &path,
        )]);
    }
    let sorts = |names: &str| json!({"features": {"sorts": names}});
    for bad in ["price", "sales,sales", "sales,,name", "sales;name", ","] {
        check_limits(&[(sorts("sales, name"), sorts(bad), "features.sorts")]);
    }
    let padded = |spaces: usize| sorts(&format!("name{}", " ".repeat(spaces)));
    check_limits(&[(padded(60), padded(61), "features.sorts")]);
    check_limits(&[(
        sorts(""),
        json!({"features": {"sorts": ["name"]}}),
        "features.sorts",
    )]);
    let widget = from_nothing(sorts(" sales , name ")).expect("a widget");
    assert_eq!(widget.features["sorts"], "sales,name");
    assert_eq!(widget.effective().sorts(), [Sort::Sales, Sort::Name]);
    assert_eq!(SavedWidget::default().effective().sorts(), Sort::ALL);
}

#[test]
fn the_search_before_typing_is_checked() {
    let search = |name: &str, value: Value| json!({"defaultSearch": {(name): value}});
    check_limits(&[
        (
            search("q", json!("ñ".repeat(500))),
            search("q", json!("ñ".repeat(501))),
            "defaultSearch.q",
        ),
        (
            search("q", json!("")),
            search("q", json!(null)),
            "defaultSearch.q",
        ),
        (
            search("sort", json!("sales")),
            search("sort", json!("best")),
            "defaultSearch.sort",
        ),
        (
            search("limit", json!(1)),
            search("limit", json!(0)),
            "defaultSearch.limit",
        ),
        (
            search("limit", json!(48.0)),
            search("limit", json!(49)),
            "defaultSearch.limit",
        ),
        (
            search("limit", json!(12)),
            search("limit", json!("12")),
            "defaultSearch.limit",
        ),
        (
            search("filters", json!({})),
            search("filters", json!([])),
            "defaultSearch.filters",
        ),
    ]);
    for (field, good, bad) in [
        ("price", json!({"min": 1}), json!({"min": 2, "max": 1})),
        ("price", json!({"max": 1}), json!({"min": 1, "most": 2})),
        ("rating", json!({"min": 1}), json!({"min": 1, "max": null})),
        ("tags", json!(["new"]), json!([])),
        ("tags", json!(["x".repeat(255)]), json!(["x".repeat(256)])),
        ("inStock", json!(["true"]), json!(["yes"])),
        ("attributes.1", json!(["9"]), json!([9])),
    ] {
        let filter = |value: Value| json!({"defaultSearch": {"filters": {(field): value}}});
        let path = format!("defaultSearch.filters.{field}");
        check_limits(&[(filter(good), filter(bad), &path)]);
    }
    let unknown = from_nothing(json!({"defaultSearch": {"filters": {"colour": ["red"]}}}));
    assert_eq!(
        unknown,
        Err(vec!["defaultSearch.filters.colour".to_owned()])
    );
}

#[test]
fn what_was_saved_and_does_not_fit_counts_as_the_default() {
    let saved: SavedWidget = serde_json::from_value(json!({
        "features": {"analytics": "no", "sorts": "mine", "minChars": 40, "other": "kept"},
        "defaultSearch": {"limit": 1000}
    }))
    .expect("a saved widget");
    let shown = saved.effective();
    assert_eq!(shown.design.features["analytics"], true);
    assert_eq!(
        (shown.sorts().len(), &shown.design.features["minChars"]),
        (7, &json!(2))
    );
    assert_eq!(shown.design.features["other"], "kept");
    assert_eq!(shown.design.default_search, None);
    let next = apply(&saved, json!({"layout": "list"})).expect("a widget");
    assert_eq!(next.features, saved.features);
    assert_eq!(next.default_search, saved.default_search);
    let own = apply(&saved, json!({"features": {"analytics": false}})).expect("a widget");
    assert_eq!(own.effective().design.features["analytics"], false);
}

/// Each row: a valid change, an invalid one, and the path of its error.
fn check_limits(rows: &[(Value, Value, &str)]) {
    for (good, bad, path) in rows {
        assert!(from_nothing(good.clone()).is_ok(), "{good}");
        let errors = from_nothing(bad.clone());
        assert_eq!(errors, Err(vec![(*path).to_owned()]), "{bad}");
    }
}
