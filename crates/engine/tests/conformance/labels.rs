//! How the values of facets are called.

use super::fixture::{Engines, apply, folder, open, put, search};
use domain::search::FilterField;
use engine::Request;
use serde_json::{Value, json};

pub fn a_name_counts_before_an_id(engines: Engines<'_>) {
    let path = ["Women", "Women > Tops", "Women > Tops > Shirts"];
    let deepest = |names: Value| json!([{"id": path[2], "name": "Shirts", "path": names}]);
    let body = |id: &str, categories: Value| {
        let ids = json!(path);
        put(
            id.len() as u32,
            json!({"id": id, "name": format!("shirt {id}"), "categories": categories, "categoryIds": ids}),
        )
    };
    // How the categories are called, from one that names nothing but itself to one that states all.
    let alone = deepest(json!([]));
    let named = deepest(json!(["Women", "Tops", "Shirts"]));
    let stated = json!([
        {"id": path[0], "name": "Ladies"}, {"id": path[1], "name": "Blouses"}, {"id": path[2], "name": "Shirts"},
    ]);
    for (categories, expected) in [
        ([&alone, &alone], path[1]),
        ([&named, &alone], "Tops"),
        ([&alone, &named], "Tops"),
        ([&named, &stated], "Blouses"),
        ([&stated, &named], "Blouses"),
        ([&stated, &alone], "Blouses"),
    ] {
        let folder = folder();
        let index = open(engines, &folder);
        for (watermark, (id, categories)) in
            (1..).zip(["alfa", "bravo"].into_iter().zip(categories))
        {
            apply(
                index.as_ref(),
                watermark,
                vec![body(id, categories.clone())],
            );
        }
        let request = Request {
            limit: 10,
            facets: true,
            ..Request::default()
        };
        // A document without a name of its own shows that of others.
        let queries = [("shirt", 2), ("alfa", 1), ("bravo", 1)];
        let queries = queries
            .into_iter()
            .take(if expected == "Tops" { 3 } else { 1 });
        for (query, count) in queries {
            let found = search(index.snapshot().as_ref(), query, &request);
            let mut facets = found.facets.iter();
            let facet = facets.find(|facet| facet.field == FilterField::Categories);
            let values = facet.map_or(&[][..], |facet| &facet.values);
            let value = values.iter().find(|value| &*value.id == path[1]);
            let shown = value.map(|value| (value.count, &*value.label));
            assert_eq!(shown, Some((count, expected)), "{query}: {categories:?}");
        }
    }
}
