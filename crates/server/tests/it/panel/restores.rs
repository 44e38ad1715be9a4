//! 1. A save is undone by restoring its parent for its resources, unless one of them changed again.
//! 2. Custom code is a part of its own, which only those who may save it restore, the widget without it by every editor.
//! 3. Open pages hear of saves and of changes of the catalogue, and asking keeps no session alive.

use super::drafts::{call, etag, pin, stocked};
use super::{MINUTE_MS, Person, shop};
use domain::Role;
use serde_json::{Value, json};

#[test]
fn a_save_is_undone() {
    let (shop, eva) = stocked();
    shop.own("POST", "/rules")
        .json(&pin("a", &["t01"]))
        .send()
        .ok();
    let rules = shop.own("GET", "/rules").send().ok().data().clone();
    let one = format!("rules/{}", rules[0]["id"].as_str().expect("an id"));
    let before = shop.own("GET", "/relevance").send().ok().data().clone();
    let tags =
        json!({"relevance": etag(&shop, "/relevance"), &one: etag(&shop, &format!("/{one}"))});
    let draft = json!({"relevance": {"boosts": {"name.partial": 7}}, "rules": {"delete": [rules[0]["id"]]}});
    let body = json!({"draft": draft, "ifMatch": tags});
    let saved = call(&shop, &eva, "/changes", &body).ok().data()["revision"].as_i64();
    let saved = saved.expect("a number");
    // Ben saves something else: the undo still holds.
    shop.own("PUT", "/widget")
        .json(&json!({"theme": "dark"}))
        .send()
        .ok();
    let undo = json!({"resources": ["relevance", one], "ifRevision": saved});
    let path = format!("/revisions/{}/restore", saved - 1);
    let tried = call(
        &shop,
        &eva,
        "/preview",
        &json!({"restore": saved - 1, "q": "a"}),
    )
    .ok();
    assert_eq!(tried.data()["rules"][0]["id"], rules[0]["id"]);
    let reply = call(&shop, &eva, &path, &undo).ok();
    assert_eq!(reply.data()["restores"], saved - 1);
    assert_eq!(shop.own("GET", "/relevance").send().ok().data(), &before);
    assert_eq!(shop.own("GET", "/rules").send().ok().data(), &rules);
    assert_eq!(
        shop.own("GET", "/widget").send().ok().data()["theme"],
        "dark"
    );
    let latest = shop.own("GET", "/revisions").send().ok().data()[0].clone();
    assert_eq!(
        (&latest["operation"], &latest["restores"]),
        (&json!("restore_revision"), &json!(saved - 1))
    );
    // The resources have changed since the save, by the undo itself.
    let reply = call(&shop, &eva, &path, &undo).error(412, "precondition_failed");
    assert_eq!(reply.json["details"]["stale"][0]["by"]["name"], "eva");
    let parts = json!({"parts": ["rules"], "ifRevision": saved});
    call(&shop, &eva, &path, &parts).error(412, "precondition_failed");
}

#[test]
fn custom_code_is_restored_by_those_who_may_save_it() {
    let shop = shop();
    let editor = shop.member("editor@shop.example", Role::Editor);
    let ana = shop.member("ana@shop.example", Role::Owner);
    let code = shop.of_store("/widget/custom");
    let saved = |body: Value| shop.by(&ana, "PUT", &code).json(&body).send().ok();
    let read = || shop.by(&editor, "GET", &code).send().ok().data().clone();
    let first = json!({"customCSS": "a{}", "customJS": "one()"});
    saved(first.clone());
    saved(json!({"customCSS": "b{}"}));
    saved(json!({"customCSS": null, "customJS": "two()"}));
    let theme = json!({"theme": "dark"});
    shop.own("PUT", "/widget").json(&theme).send().ok();
    let latest = 4;
    let restore = |person: &Person, number: i64, body: Value| {
        call(
            &shop,
            person,
            &format!("/revisions/{number}/restore"),
            &body,
        )
    };
    let whole = json!({"parts": ["custom"], "ifRevision": latest});
    let single = json!({"resources": ["widget/custom"], "ifRevision": latest});
    let tried = json!({"parts": ["widget", "custom"], "ifRevision": latest, "dryRun": true});
    for body in [&whole, &single, &tried] {
        restore(&editor, 1, body.clone()).error(403, "role_missing");
    }
    shop.clock.advance_ms(11 * MINUTE_MS);
    restore(&ana, 1, whole.clone()).error(403, "password_needed");
    assert_eq!(read(), json!({"customJS": "two()"}));
    let head = shop.by(&editor, "GET", &shop.of_store("/head"));
    assert_eq!(head.send().ok().data()["configRevision"], latest);

    // The widget alone is the editor's, and its code stays.
    let widget = json!({"parts": ["widget"], "ifRevision": latest});
    let restored = restore(&editor, 1, widget).ok();
    assert_eq!(restored.data()["changes"][0]["path"], "widget.theme");
    assert_eq!(read(), json!({"customJS": "two()"}));

    let ana = Person::of(&shop.sign_in(&ana.email, super::PASSWORD).ok());
    let failed = restore(&ana, 1, whole).error(412, "precondition_failed");
    assert_eq!(failed.json["details"]["stale"][0]["resource"], "widget");
    let restored = restore(&ana, 1, single).ok();
    assert_eq!(read(), first);
    let text = restored.data()["changes"].to_string();
    assert!(text.contains("widget/custom.customJS.hash"), "{text}");
    assert!(!text.contains("one()"), "by hashes only: {text}");
    let file = shop.api("GET", "/widget/config").key(&shop.public).send();
    assert!(file.ok().data()["customCss"].is_object(), "pages load it");

    let revision = restored.data()["revision"].as_i64().expect("a number");
    let latest = shop.own("GET", "/revisions").send().ok().data()[0].clone();
    assert_eq!(latest["operation"], "restore_revision");
    assert_eq!(latest["resource"], "widget/custom");
    // A restore can be restored, to a state with one of the two, or with none.
    for (number, state) in [
        (2, json!({"customCSS": "b{}", "customJS": "one()"})),
        (3, json!({"customJS": "two()"})),
        (0, json!({})),
        (revision, first),
    ] {
        let head = shop.by(&editor, "GET", &shop.of_store("/head"));
        let latest = head.send().ok().data()["configRevision"].clone();
        let body = json!({"parts": ["custom"], "ifRevision": latest});
        restore(&ana, number, body).ok();
        assert_eq!(read(), state, "{number}");
    }
}

#[test]
fn an_invalid_restore_is_rejected() {
    let (shop, eva) = stocked();
    let body = json!({"theme": "dark"});
    shop.own("PUT", "/widget").json(&body).send().ok();
    let latest = 1;
    for (number, body, field) in [
        ("1", json!({"ifRevision": latest}), "parts"),
        (
            "1",
            json!({"parts": ["rules"], "resources": ["store"], "ifRevision": latest}),
            "parts",
        ),
        (
            "1",
            json!({"parts": ["plan"], "ifRevision": latest}),
            "parts[0]",
        ),
        (
            "1",
            json!({"resources": ["rules"], "ifRevision": latest}),
            "resources[0]",
        ),
        (
            "1",
            json!({"resources": ["rules/none"], "ifRevision": latest}),
            "resources[0]",
        ),
    ] {
        let reply = call(&shop, &eva, &format!("/revisions/{number}/restore"), &body);
        assert_eq!(
            reply.error(400, "invalid_request").fields(),
            [field],
            "{body}"
        );
    }
    // A page that was open before a backup came back knows a later revision.
    let body = json!({"parts": ["rules"], "ifRevision": latest + 1});
    let reply = call(&shop, &eva, "/revisions/1/restore", &body);
    assert_eq!(reply.status, 412, "{}", reply.text);
    let body = json!({"parts": ["rules"], "ifRevision": latest});
    for number in ["99", "x", "-1"] {
        let reply = call(&shop, &eva, &format!("/revisions/{number}/restore"), &body);
        reply.error(404, "not_found");
    }
}

#[test]
fn open_pages_hear_of_changes() {
    let (shop, eva) = stocked();
    let head = || shop.by(&eva, "GET", &shop.of_store("/head")).send();
    let first = head().ok().data().clone();
    assert_eq!(first["heldPurges"], 0);
    let body = json!({"boosts": {"name": 9}});
    shop.own("PUT", "/relevance").json(&body).send().ok();
    let second = head().ok().data().clone();
    assert_eq!(second["configRevision"], 1);
    assert_eq!(second["catalogueChange"], first["catalogueChange"]);
    let url = "https://shop.example/n";
    let product = json!([{"id": "n", "name": "Nuevo", "url": url, "inStock": true}]);
    shop.bulk("products", "es", &product).ok();
    assert!(head().ok().data()["catalogueChange"].as_i64() > second["catalogueChange"].as_i64());
    for _ in 0..14 {
        shop.clock.advance_ms(55 * MINUTE_MS);
        head();
    }
    head().error(401, "session_missing");
}
