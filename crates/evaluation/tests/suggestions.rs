//! 1. Prefixes are those of all names, once each; halves are distinct names, the same for the same seed.
//! 2. The first suggestion counts if one of its words begins with the prefix, whatever case, accents and signs.
//! 3. What can be attained is eight of the names that begin alike.

use evaluation::product_names::ProductNames;
use evaluation::suggestions::{SuggestedNames, halves, measure, prefixes};

fn names(list: &[&str]) -> ProductNames {
    let mut names = ProductNames::new("en");
    for (at, name) in list.iter().enumerate() {
        names.add(&at.to_string(), name);
    }
    names
}

#[test]
fn prefixes_and_halves_are_of_names() {
    let names = names(&["Élan lamp", "Elan tent", "LG TV", "Mug", "Mugs for tea"]);
    assert_eq!(prefixes(&names), ["ela", "mug"]);
    let two = halves(&names, 1, 2);
    assert_eq!(two, halves(&names, 1, 2));
    let mut all = halves(&names, 1, 100);
    all.sort_unstable();
    let all: Vec<(&str, &str)> = all.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(
        all,
        [
            ("elan", "Elan tent"),
            ("mugs f", "Mugs for tea"),
            ("élan", "Élan lamp")
        ]
    );
}

#[test]
fn suggestions_are_compared_with_what_can_be_attained() {
    let list: Vec<String> = (0..10).map(|at| format!("Lamp number {at}")).collect();
    let list: Vec<&str> = list
        .iter()
        .map(String::as_str)
        .chain(["Blue mug"])
        .collect();
    let names = names(&list);
    let suggest = |typed: &str| {
        let products = match typed {
            "lamp n" => (0..8).map(|at| at.to_string()).collect(),
            _ => Vec::new(),
        };
        let first = match typed {
            "lam" => "A \"Lámp\"",
            _ => "T-Blue",
        };
        let first = Some(first.to_owned());
        Ok::<_, ()>(SuggestedNames { first, products })
    };
    let asked = (prefixes(&names), halves(&names, 1, 100));
    let mut failed = Vec::new();
    let measures = measure(&names, (&asked.0, &asked.1), suggest, |typed, _| {
        failed.push(typed.to_owned());
    });
    let measures = measures.expect("suggested");
    assert_eq!((measures.prefixes, measures.begins), (2, 1.0));
    assert_eq!((measures.names, measures.found), (11, 8.0 / 11.0));
    assert!((measures.attainable - 9.0 / 11.0).abs() < 1e-9);
    assert!((measures.share().expect("names") - 8.0 / 9.0).abs() < 1e-9);
    assert_eq!(failed, ["blue"]);
}
