//! 1. A sample is the same for the same seed, and another one for another seed; its queries are
//!    distinct and have words of a name in its order.
//! 2. Products with the same name, but for case and accents, are one item.
//! 3. Reciprocal ranks count the first page; shares are those of the queries that have the noise.

use evaluation::known_items::{DEPTH, KnownItem, measure, sample};
use evaluation::noise::Noise;
use evaluation::product_names::{ProductNames, words};

fn names() -> ProductNames {
    let mut names = ProductNames::new("es");
    let kinds = ["Camiseta", "Bota", "Lámpara", "Mochila"];
    let others = [
        "roja de algodón",
        "azul 40 l",
        "negra para niños",
        "plegable",
    ];
    for (at, kind) in kinds.iter().enumerate() {
        for (which, other) in others.iter().enumerate() {
            names.add(&format!("{at}{which}"), &format!("{kind} {other}"));
        }
    }
    names.add("same", " CAMISETA  plégable ");
    names
}

#[test]
fn a_sample_depends_on_its_seed_alone() {
    let names = names();
    let items = sample(&names, 1, 12);
    assert_eq!(items, sample(&names, 1, 12));
    assert_ne!(items, sample(&names, 2, 12));
    assert_eq!(items.len(), 12);
    let queries: Vec<&String> = items.iter().map(|item| &item.query).collect();
    for (at, item) in items.iter().enumerate() {
        assert!(!queries[..at].contains(&&item.query), "{}", item.query);
        let is_inside = |name: &str| {
            let mut words = words(name).into_iter();
            item.query
                .split(' ')
                .all(|typed| words.any(|word| word == typed))
        };
        assert!(names.names().any(is_inside), "{}", item.query);
        assert!((2..=4).contains(&item.query.split(' ').count()));
        let first = item.query.split(' ').next().unwrap_or_default();
        assert!(!["de", "l"].contains(&first), "{}", item.query);
        for (noise, query) in &item.noisy {
            assert_ne!(*query, item.query, "{noise:?}");
        }
    }
    assert!(sample(&names, 1, 1_000).len() < 100, "distinct queries end");
    assert!(sample(&ProductNames::new("es"), 1, 10).is_empty());
}

#[test]
fn products_with_one_name_are_one_item() {
    let names = names();
    assert_eq!(names.ids("Camiseta plegable"), ["03", "same"]);
    let items = sample(&names, 1, 1_000);
    let folding = items.iter().find(|item| item.query == "camiseta plegable");
    assert_eq!(folding.expect("the query").ids, ["03", "same"]);
}

#[test]
fn shares_are_those_of_the_queries_with_the_noise() {
    let item = |id: &str, query: &str, noisy: &[(Noise, &str)]| KnownItem {
        ids: vec![id.to_owned()],
        query: query.to_owned(),
        noisy: noisy.iter().map(|(n, q)| (*n, (*q).to_owned())).collect(),
    };
    let items = [
        item("a", "found", &[(Noise::Typo, "second")]),
        item("a", "late", &[]),
        item(
            "a",
            "second",
            &[(Noise::Typo, "found"), (Noise::Order, "late")],
        ),
    ];
    let search = |q: &str| {
        let before = match q {
            "found" => 0,
            "second" => 1,
            _ => DEPTH,
        };
        let mut hits = vec!["x".to_owned(); before];
        hits.push("a".to_owned());
        Ok::<_, ()>(hits)
    };
    let mut moved = Vec::new();
    let measures = measure(&items, search, |item, noise, ranks| {
        moved.push((item.query.clone(), noise, ranks));
    });
    let measures = measures.expect("searched");
    assert_eq!((measures.queries, measures.mrr), (3, 0.5));
    let of = |noise| measures.noises.iter().find(|row| row.noise == noise);
    let typo = of(Noise::Typo).expect("a row");
    assert_eq!((typo.queries, typo.clean, typo.noisy), (2, 0.75, 0.75));
    assert_eq!(typo.share(), Some(1.0));
    assert_eq!(of(Noise::Order).and_then(|row| row.share()), Some(0.0));
    assert_eq!(of(Noise::Split).and_then(|row| row.share()), None);
    assert_eq!(moved[0], ("found".to_owned(), Noise::Typo, [1.0, 0.5]));
    assert!(measure(&items, |_| Err::<Vec<String>, _>("down"), |_, _, _| {}).is_err());
}
