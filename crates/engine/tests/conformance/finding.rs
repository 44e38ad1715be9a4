//! Which documents are found, in which order, and which never are.

use super::fixture::{Engines, apply, folder, ids, numbers, open, plan, put, rest, search, spec};
use domain::Relevance;
use domain::relevance::Boosts;
use domain::relevance::field::FieldId;
use domain::search::{FilterChoice, FilterField, RangeValue, Sort};
use engine::{Index, Request};
use serde_json::{Value, json};

pub fn hidden_documents_are_never_found(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let body = |id: &str, groups: Value| {
        json!({
            "id": id, "name": "Red tent", "reference": "KT-1200", "tags": ["camping"], "manufacturer": "Acme",
            "categories": [{"id": "c1", "name": "Tents"}], "categoryIds": ["c1"], "priceInclTax": 5,
            "inStock": true, "accessGroups": groups,
        })
    };
    let changes = vec![
        put(0, body("open", Value::Null)),
        put(1, body("shut", json!(["none"]))),
    ];
    apply(index.as_ref(), 1, changes);
    let snapshot = index.snapshot();
    let any = |field, value: &str| FilterChoice::Any(field, vec![value.to_owned()]);
    let choices = [
        vec![],
        vec![any(FilterField::Manufacturer, "Acme")],
        vec![any(FilterField::Categories, "c1")],
        vec![any(FilterField::InStock, "true")],
        vec![any(FilterField::InStock, "false")],
        vec![FilterChoice::Range(
            FilterField::Price,
            RangeValue {
                min: Some(1.0),
                max: None,
            },
        )],
    ];
    for text in [
        "",
        "tent",
        "red tents",
        "tetn",
        "te",
        "KT-1200",
        "KT-1201",
        "camping acme",
    ] {
        for (choices, sort) in choices
            .iter()
            .zip([Sort::Relevance, Sort::Name].iter().cycle())
        {
            let request = Request {
                limit: 10,
                sort: *sort,
                choices: choices.clone(),
                facets: true,
                ..Request::default()
            };
            let found = search(snapshot.as_ref(), text, &request);
            assert!(found.hits.iter().all(|hit| hit.id == "open"), "{text}");
            assert!(found.total <= 1 && found.hits.len() as u64 == found.total);
            let values = found.facets.iter().flat_map(|facet| &facet.values);
            assert!(values.clone().all(|value| value.count <= 1), "{text}");
        }
        assert_eq!(ids(snapshot.as_ref(), text), ["open"], "{text}");
    }
    assert_eq!(
        search(snapshot.as_ref(), "tent", &Request::default()).words[0].documents,
        2
    );
    apply(
        index.as_ref(),
        2,
        vec![numbers(1, body("shut", json!(["none", "vip"])))],
    );
    assert_eq!(ids(index.snapshot().as_ref(), "tent"), ["open", "shut"]);
}

pub fn equal_scores_keep_their_order(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let sales = |ordinal: u32| [0, 5, 5, 9][ordinal as usize % 4];
    let id = |ordinal: u32| format!("p{:02}", ordinal * 37 % 60);
    let mut expected: Vec<(i32, String)> = Vec::new();
    for batch in 0..6u32 {
        let ordinals = batch * 10..batch * 10 + 10;
        let body = |at: u32| json!({"id": id(at), "name": "tent", "sales_count": sales(at)});
        expected.extend(ordinals.clone().map(|at| (-sales(at), id(at))));
        let changes = ordinals.map(|at| put(at, body(at)));
        apply(index.as_ref(), i64::from(batch) + 1, changes.collect());
    }
    expected.sort();
    let expected: Vec<&String> = expected.iter().map(|(_, id)| id).collect();
    let mut relevance = Relevance::default();
    relevance.search_settings.sales_boost = 0.0;
    for rested in [false, true] {
        if rested {
            rest(index.as_ref());
        }
        for (text, size) in [("tent", 7), ("tent", 1), ("", 7), ("tetn", 60)] {
            let plan = plan(text, &relevance);
            let mut seen = Vec::new();
            for offset in (0..70).step_by(size) {
                let request = Request {
                    offset,
                    limit: size,
                    ..Request::default()
                };
                let found = index.snapshot().search(&plan, &request).expect("an answer");
                assert_eq!(found.total, 60);
                seen.extend(found.hits.into_iter().map(|hit| hit.id));
            }
            assert_eq!(
                seen.iter().collect::<Vec<_>>(),
                expected,
                "{text:?} by {size}"
            );
        }
    }
}

pub fn other_orders_have_no_scores(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let body = |at: u32| json!({"id": format!("p{at}"), "name": "tent", "sales_count": at});
    apply(
        index.as_ref(),
        1,
        (0..9).map(|at| put(at, body(at))).collect(),
    );
    for (sort, is_scored) in [(Sort::Relevance, true), (Sort::Sales, false)] {
        let request = Request {
            limit: 9,
            sort,
            ..Request::default()
        };
        // Scores of the first search are no scores of the second one.
        let _ = search(index.snapshot().as_ref(), "tent", &Request::default());
        let found = search(index.snapshot().as_ref(), "tent", &request);
        let scored = found.hits.iter().filter(|hit| hit.score > 0.0).count();
        assert_eq!(scored, if is_scored { 9 } else { 0 }, "{sort:?}");
    }
}

pub fn fields_have_values_when_documents_do(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let filled = |index: &dyn Index| -> Vec<&'static str> {
        let facts = index.snapshot().facts();
        let all = FieldId::all().filter(|field| facts.has_values(*field));
        all.map(FieldId::name).collect()
    };
    assert_eq!(filled(index.as_ref()), [""; 0]);
    let body = json!({"id": "a", "name": "tent", "tags": ["<br>", ""], "combinationUpcs": ["123"], "supplier": "!"});
    apply(index.as_ref(), 1, vec![put(0, body)]);
    let name = ["name", "name.autocomplete"];
    assert_eq!(
        filled(index.as_ref()),
        [&name[..], &["combinationEans"]].concat()
    );
    let body = json!({"id": "b", "name": "tent", "description": "red", "isbn": "1"});
    apply(index.as_ref(), 2, vec![put(1, body)]);
    let all = [&name[..], &["ean13", "combinationEans", "description"]].concat();
    assert_eq!(filled(index.as_ref()), all);
}

pub fn substrings_are_found_if_indexed(engines: Engines<'_>) {
    let found = |index: &dyn Index, text: &str, boost: f64| {
        let boosts = Boosts::default().with(FieldId::PARTIAL, boost);
        let relevance = Relevance {
            boosts,
            ..Relevance::default()
        };
        let plan = plan(text, &relevance);
        let request = Request {
            limit: 10,
            ..Request::default()
        };
        let found = index.snapshot().search(&plan, &request).expect("an answer");
        found.hits.into_iter().map(|hit| hit.id).collect::<Vec<_>>()
    };
    for partial in [false, true] {
        let folder = folder();
        let wanted = engine::IndexSpec {
            partial,
            ..spec("one", "en")
        };
        let index = engines(folder.path()).open(&wanted).expect("an index");
        let named = |at, name| put(at, json!({"id": name, "name": name}));
        let names = ["Wanderrucksack", "Rucksack", "Zelt"];
        let changes = (0..).zip(names).map(|(at, name)| named(at, name));
        apply(index.as_ref(), 1, changes.collect());
        let snapshot = index.snapshot();
        assert_eq!(snapshot.facts().has_substrings, partial);
        assert_eq!(snapshot.facts().has_values(FieldId::PARTIAL), partial);
        // Two characters are too short for a substring, and a field with boost 0 is not searched.
        for (text, boost, of_parts) in [
            ("derruck", 5.0, &["Wanderrucksack"][..]),
            ("ucksac", 5.0, &["Rucksack", "Wanderrucksack"]),
            ("ucksac", 0.0, &[]),
            ("uc", 5.0, &[]),
        ] {
            let expected = if partial { of_parts } else { &[] };
            assert_eq!(found(index.as_ref(), text, boost), expected, "{text}");
        }
        drop((snapshot, index));
        // An existing index keeps its content, whatever the specification says.
        let other = engine::IndexSpec {
            partial: !partial,
            ..wanted
        };
        let again = engines(folder.path()).open(&other).expect("an index");
        assert_eq!(again.snapshot().facts().has_substrings, partial);
    }
}
