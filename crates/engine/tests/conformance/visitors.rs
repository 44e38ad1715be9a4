//! What a snapshot says about itself to a visitor: the fields to filter by, and the documents that stay hidden.

use super::fixture::{Engines, apply, delete, folder, keeps_snapshots, load, numbers, open, put};
use domain::search::FilterField;
use domain::visitor::{DocumentAccess, Visitor};
use engine::Snapshot;
use serde_json::{Value, json};

/// A visitor of these groups; without any, one who sees only what is open to all.
fn visitor(groups: &[&str]) -> Visitor {
    let groups = groups.iter().map(|group| (*group).to_owned()).collect();
    Visitor {
        access: DocumentAccess::Groups(groups),
        ..Visitor::default()
    }
}

fn body(id: &str, group: Option<&str>, feature: &str) -> Value {
    json!({
        "id": id, "name": "Tent", "manufacturer": "Acme", "accessGroups": group.map(|group| [group]),
        "features": [{"featureId": feature, "feature": format!("Name of {feature}"), "value": "red"}],
    })
}

/// Field, group and documents of each feature.
fn features(snapshot: &dyn Snapshot, visitor: &Visitor) -> Vec<(String, String, u64)> {
    let fields = snapshot.fields(visitor).expect("fields");
    let groups = fields.all().iter().filter(|of| of.field.is_group());
    groups
        .map(|of| (of.field.to_string(), of.group.clone(), of.documents))
        .collect()
}

fn hidden(snapshot: &dyn Snapshot, visitor: &Visitor) -> Vec<String> {
    let hidden = snapshot.hidden_from(visitor).expect("ids");
    let mut ids = hidden.to_vec();
    ids.sort();
    ids
}

pub fn fields_are_those_of_visible_documents(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let all = [
        body("open", None, "1"),
        body("trade", Some("4"), "2"),
        body("shut", Some("none"), "3"),
        body("other", None, "1"),
    ];
    let changes = (0..).zip(all.clone()).map(|(at, body)| put(at, body));
    apply(index.as_ref(), 4, changes.collect());
    let feature = |id: &str, documents| {
        let (field, group) = (format!("features.{id}"), format!("Name of {id}"));
        (field, group, documents)
    };
    let [nobody, trader] = [visitor(&[]), visitor(&["4", "9"])];
    let before = index.snapshot();
    for snapshot in [&before, &index.snapshot()] {
        // Repeated, because the second result may come from a cache.
        for _ in 0..2 {
            assert_eq!(features(snapshot.as_ref(), &nobody), [feature("1", 2)]);
            let traded = [feature("1", 2), feature("2", 1)];
            assert_eq!(features(snapshot.as_ref(), &trader), traded);
            assert_eq!(features(snapshot.as_ref(), &Visitor::default()), traded);
        }
    }
    let fields = before.fields(&nobody).expect("fields");
    let makers = fields.of(&FilterField::Manufacturer);
    assert_eq!(
        makers.map(|of| (of.group.as_str(), of.documents)),
        Some(("", 2))
    );
    for unused in [FilterField::Features("2".to_owned()), FilterField::Tags] {
        assert_eq!(fields.of(&unused), None, "{unused}");
    }

    apply(
        index.as_ref(),
        6,
        vec![delete(0), put(1, body("trade", None, "2"))],
    );
    let after = index.snapshot();
    let opened = [feature("1", 1), feature("2", 1)];
    assert_eq!(features(after.as_ref(), &nobody), opened);
    if keeps_snapshots(index.as_ref()) {
        assert_eq!(features(before.as_ref(), &nobody), [feature("1", 2)]);
    }
}

pub fn hidden_documents_are_those_of_the_visitor(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    let all = [
        body("open", None, "1"),
        body("trade", Some("4"), "1"),
        body("shut", Some("none"), "1"),
    ];
    let written = all.clone().into_iter();
    apply(
        index.as_ref(),
        3,
        (0..).zip(written).map(|(at, body)| put(at, body)).collect(),
    );
    let [nobody, trader] = [visitor(&[]), visitor(&["4"])];
    let before = index.snapshot();
    for _ in 0..2 {
        assert_eq!(hidden(before.as_ref(), &nobody), ["shut", "trade"]);
        assert_eq!(hidden(before.as_ref(), &trader), ["shut"]);
        assert_eq!(hidden(before.as_ref(), &Visitor::default()), ["shut"]);
    }
    // A number is enough to hide or show a document, where an index is given numbers alone.
    let shown = match index.local() {
        Some(_) => numbers(1, body("trade", None, "1")),
        None => put(1, body("trade", None, "1")),
    };
    apply(index.as_ref(), 4, vec![shown, delete(2)]);
    let after = index.snapshot();
    assert_eq!(hidden(after.as_ref(), &nobody), [""; 0]);
    if keeps_snapshots(index.as_ref()) {
        assert_eq!(hidden(before.as_ref(), &nobody), ["shut", "trade"]);
    }
    drop((before, after, index));

    let index = open(engines, &folder);
    load(
        index.as_ref(),
        vec![
            numbers(0, all[0].clone()),
            numbers(1, body("trade", None, "1")),
        ],
    );
    assert_eq!(hidden(index.snapshot().as_ref(), &nobody), [""; 0]);
}

pub fn caches_stay_within_their_bounds(engines: Engines<'_>) {
    let folder = folder();
    let engine = engines(folder.path());
    let index = engine
        .open(&super::fixture::spec("one", "en"))
        .expect("an index");
    let put_one = put(0, body("trade", Some("4"), "1"));
    apply(index.as_ref(), 1, vec![put_one]);
    let snapshot = index.snapshot();
    for group in 0..100 {
        let visitor = visitor(&[&group.to_string()]);
        assert_eq!(hidden(snapshot.as_ref(), &visitor).is_empty(), group == 4);
    }
    for (name, usage) in engine.caches() {
        assert!(usage.bytes <= usage.bytes_max, "{name}: {usage:?}");
    }
}
