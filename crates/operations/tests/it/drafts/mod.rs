//! 1. A draft leaves behind what the same single writes leave behind, made one by one: content and order.
//! 2. After random writes of all kinds any revision can be restored, whole or in part: reads return what they returned
//!    then, with ids and order, and the rest is untouched. A dry run changes nothing and names the same changes.
//! 3. A restore can be restored.

mod editor;

use crate::world::World;
use editor::{Dice, Editor, KINDS};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Removes what differs between two stores with the same configuration, or is not restored.
fn plain(mut value: Value, without: &[&str]) -> Value {
    fn strip(value: &mut Value, without: &[&str]) {
        match value {
            Value::Object(object) => {
                object.retain(|key, _| !without.contains(&key.as_str()));
                object.values_mut().for_each(|value| strip(value, without));
            }
            Value::Array(items) => items.iter_mut().for_each(|value| strip(value, without)),
            _ => {}
        }
    }
    strip(&mut value, without);
    value
}

/// Changes of the records of one kind: which to delete and update, by index, and what to create.
struct KindChanges {
    kind: &'static str,
    delete: Vec<usize>,
    update: Vec<(usize, Value)>,
    create: Vec<Value>,
}

async fn random_changes(editor: &mut Editor<'_>, dice: &mut Dice) -> Vec<KindChanges> {
    let mut all = Vec::new();
    for kind in KINDS {
        let mut changes = KindChanges {
            kind,
            delete: Vec::new(),
            update: Vec::new(),
            create: Vec::new(),
        };
        for at in 0..editor.ids(kind).await.len() {
            match dice.roll(3) {
                0 => changes.delete.push(at),
                1 => changes.update.push((at, editor.patch(dice, kind))),
                _ => {}
            }
        }
        for _ in 0..dice.roll(4) {
            changes.create.push(editor.new_record(dice, kind));
        }
        all.push(changes);
    }
    all
}

#[tokio::test]
async fn a_draft_equals_its_single_writes() {
    let world = World::new().await;
    let mut one = Editor::of(&world, &world.one).await;
    let two = Editor::of(&world, &world.two).await;
    let mut dice = Dice(41);
    for kind in KINDS {
        for _ in 0..4 {
            let new = one.new_record(&mut dice, kind);
            one.write(kind, None, Some(new.clone())).await;
            two.write(kind, None, Some(new)).await;
        }
    }
    for round in 0..6 {
        let changes = random_changes(&mut one, &mut dice).await;
        let relevance =
            json!({"boosts": {"name": round + 2}, "searchSettings": {"stockBoost": round}});
        let looks =
            json!({"features": {"filters": round % 2 == 0}, "colors": {"primary": "#123456"}});
        let names = json!({"name": format!("Store {round}")});
        let mut draft = json!({"relevance": relevance, "widget": looks, "store": names});
        two.write("store", None, Some(names)).await;
        two.write("relevance", None, Some(relevance)).await;
        for KindChanges {
            kind,
            delete,
            update,
            create,
        } in changes
        {
            let (own, others) = (one.ids(kind).await, two.ids(kind).await);
            let deleted: Vec<&String> = delete.iter().map(|at| &own[*at]).collect();
            let updated: BTreeMap<&String, &Value> = update
                .iter()
                .map(|(at, patch)| (&own[*at], patch))
                .collect();
            draft[kind] = json!({"delete": deleted, "update": updated, "create": create});
            for at in delete {
                two.write(kind, Some(&others[at]), None).await;
            }
            for (at, patch) in update {
                two.write(kind, Some(&others[at]), Some(patch)).await;
            }
            for new in create {
                two.write(kind, None, Some(new)).await;
            }
        }
        two.write("widget", None, Some(looks)).await;
        let before = one.revision().await;
        one.save(draft).await;
        assert_eq!(one.revision().await, before + 1, "one revision");
        let of_two_stores = ["id", "key", "createdAt", "updatedAt"];
        let left = plain(one.read().await, &of_two_stores);
        let expected = plain(two.read().await, &of_two_stores);
        assert_eq!(left, expected, "round {round}");
    }
    world.service.close().await;
}

async fn random_write(editor: &mut Editor<'_>, dice: &mut Dice) {
    let kind = *dice.pick(&KINDS);
    let ids = editor.ids(kind).await;
    match dice.roll(10) {
        0..=2 => {
            let new = editor.new_record(dice, kind);
            editor.write(kind, None, Some(new)).await;
        }
        3 | 4 if !ids.is_empty() => {
            let patch = editor.patch(dice, kind);
            editor
                .write(kind, Some(dice.pick(&ids).as_str()), Some(patch))
                .await;
        }
        5 if !ids.is_empty() => {
            editor
                .write(kind, Some(dice.pick(&ids).as_str()), None)
                .await
        }
        6 => {
            let boost = dice.roll(20);
            let change = json!({"boosts": {"name.partial": boost, "tags": 3}});
            editor.write("relevance", None, Some(change)).await;
        }
        7 => {
            let texts = json!({"es": {"facet.price": format!("P{}", dice.roll(9))}});
            let patch = json!({"translations": texts, "theme": *dice.pick(&["light", "dark"])});
            editor.write("widget", None, Some(patch)).await;
            let names = json!({"name": format!("N{}", dice.roll(9)), "devUrl": ""});
            editor.write("store", None, Some(names)).await;
        }
        8 => {
            let number = dice.roll(1_000);
            let csv = format!("x{number}, y{number}\nz{number} => w{number}");
            editor
                .write("import", None, Some(json!({"csv": csv})))
                .await;
        }
        _ => {
            let mut draft = json!({});
            for KindChanges {
                kind,
                delete,
                create,
                ..
            } in random_changes(editor, dice).await
            {
                let ids = editor.ids(kind).await;
                let deleted: Vec<&String> = delete.iter().map(|at| &ids[*at]).collect();
                draft[kind] = json!({"delete": deleted, "create": create});
            }
            editor.save(draft).await;
        }
    }
}

#[tokio::test]
async fn any_revision_can_be_restored() {
    let world = World::new().await;
    let mut editor = Editor::of(&world, &world.one).await;
    let untouched = Editor::of(&world, &world.two).await.read().await;
    let mut dice = Dice(7);
    let mut states = BTreeMap::from([(0, plain(editor.read().await, &["updatedAt"]))]);
    for _ in 0..40 {
        random_write(&mut editor, &mut dice).await;
        let state = plain(editor.read().await, &["updatedAt"]);
        states.insert(editor.revision().await, state);
    }
    let parts = [
        "relevance",
        "synonyms",
        "rules",
        "filters",
        "widget",
        "store",
    ];
    for round in 0..24 {
        let known: Vec<i64> = states.keys().copied().collect();
        let number = *dice.pick(&known);
        let chosen: Vec<&str> = if round % 2 == 0 {
            parts.to_vec()
        } else {
            vec![*dice.pick(&parts)]
        };
        let (latest, before) = (editor.revision().await, editor.read().await);
        let mut request = json!({"parts": chosen, "ifRevision": latest, "dryRun": true});
        let dry = editor.restore(number, request.clone()).await.expect("dry");
        assert_eq!(editor.read().await, before, "a dry run changes nothing");
        request["dryRun"] = json!(false);
        let restored = editor.restore(number, request).await.expect("restored");
        assert_eq!(restored.changes, dry.changes);
        let expected_revision = latest + i64::from(!restored.changes.is_empty());
        assert_eq!(restored.revision, expected_revision, "one revision at most");
        let after = plain(editor.read().await, &["updatedAt"]);
        let before = plain(before, &["updatedAt"]);
        for part in parts {
            let expected = if chosen.contains(&part) {
                &states[&number][part]
            } else {
                &before[part]
            };
            assert_eq!(after[part], *expected, "{part} of revision {number}");
        }
        states.insert(editor.revision().await, after);
    }
    let other = Editor::of(&world, &world.two).await;
    assert_eq!(other.read().await, untouched);
    world.service.close().await;
}
