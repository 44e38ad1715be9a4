//! The gate of a store (docs/api.md, "The gate").
//!
//! 1. What moves exactly the allowed share of the watched queries is saved, what moves more is refused with numbers and
//!    queries, and nothing of it is stored; so is what empties one query, at any share.
//! 2. Writes of one key within an hour count as one, until another key or a person saves, one was forced, or the hour is
//!    over.
//! 3. Who may insist saves with a note, and the revision and the audit trail say so; a key may only if the owner lets it.
//! 4. Every ranking write passes it: relevance, synonyms, their import, rules, drafts, restores, files; nothing else does,
//!    nor does the command line. Dry runs stay 200 and say what would be refused.
//! 5. While there is a gate, keys do not change what is watched; without watched queries nothing is refused, and the store
//!    says so.
//! 6. A tool advises a narrower change and never to insist.

use crate::harness::{Reply, Shop, TestClock, product};
use crate::mcp::{call, call_ok};
use domain::{KeyKind, Role, Scope, Timestamp};
use operations::stores::{GateChange, StoreSettings};
use serde_json::{Value, json};
use server::admin::AdminRequest;

const START: Timestamp = Timestamp(1_763_650_000_000);
const MINUTE_MS: i64 = 60_000;
/// Each is watched and finds two products.
const WORDS: [&str; 20] = [
    "abeto", "baston", "cacerola", "dedal", "espejo", "farol", "gorra", "hacha", "iman", "jarra",
    "kimono", "lampara", "mesa", "navaja", "olla", "percha", "queso", "rueda", "silla", "tambor",
];

fn stocked() -> Shop {
    let shop = Shop::open_at(TestClock::fixed(START));
    let products = WORDS.iter().flat_map(|word| {
        ["beta", "gama"].map(|kind| product(&format!("{word}-{kind}"), &format!("{word} {kind}")))
    });
    let products: Vec<Value> = products.collect();
    shop.bulk("products", "es", &json!(products)).ok();
    crate::harness::eventually("all are found", || shop.products("es").len() == 40);
    shop
}

/// A shop that watches all words and has a gate.
fn gated(percent: u8) -> Shop {
    let shop = stocked();
    watch(&shop, &WORDS);
    set_gate(&shop, Some(GateChange::Percent(percent)), None);
    shop
}

fn watched(queries: &[&str]) -> Value {
    let queries = queries
        .iter()
        .map(|q| json!({"q": q, "lang": "es", "note": ""}));
    json!({"queries": queries.collect::<Vec<_>>()})
}

fn watch(shop: &Shop, queries: &[&str]) {
    shop.own("PUT", "/watched")
        .json(&watched(queries))
        .send()
        .ok();
}

fn set_gate(shop: &Shop, impact_gate: Option<GateChange>, keys_may_force: Option<bool>) {
    shop.admin(AdminRequest::SetStore {
        store: shop.store.clone(),
        settings: StoreSettings {
            impact_gate,
            keys_may_force,
            ..StoreSettings::default()
        },
    });
}

/// A rule that puts another product first in the results of these words.
fn pin(words: &[&str]) -> Value {
    let last: Vec<String> = words.iter().map(|word| last_of(word)).collect();
    json!({"name": "n", "language": "es", "type": "PIN", "actions": {"pin": last},
        "trigger": {"query": words.join("|"), "match": "regex"}})
}

/// The product that is not the first of a word, whatever the order of equal ones.
fn last_of(word: &str) -> String {
    format!("{word}-gama")
}

/// A rule after which a word finds nothing.
fn hide(word: &str) -> Value {
    let all = ["beta", "gama"].map(|kind| format!("{word}-{kind}"));
    json!({"name": "n", "language": "es", "type": "HIDE", "actions": {"hide": all},
        "trigger": {"query": word, "match": "exact"}})
}

fn create(shop: &Shop, rule: &Value) -> Reply {
    shop.own("POST", "/rules").json(rule).send()
}

fn create_with(shop: &Shop, key: &str, rule: &Value) -> Reply {
    let path = format!("/stores/{}/rules", shop.store);
    shop.api("POST", &path).key(key).json(rule).send()
}

fn revision(shop: &Shop) -> Value {
    shop.own("GET", "/revisions?limit=1").send().ok().data()[0].clone()
}

#[test]
fn the_first_of_a_word_is_another() {
    let shop = stocked();
    let found = shop
        .search(&json!({"q": "abeto", "lang": "es", "types": ["products"]}))
        .ok();
    let hits = &found.data()["products"]["hits"];
    assert_eq!(hits.as_array().map(Vec::len), Some(2));
    assert_ne!(hits[0]["id"], last_of("abeto"));
}

#[test]
fn more_than_the_share_is_refused() {
    let shop = gated(10);
    let before = revision(&shop);
    let refused = create(&shop, &pin(&WORDS[..3])).error(409, "impact_exceeded");
    let expected = json!({"maxChangedTop3Percent": 10, "watched": 20, "changedTop3": 3, "lostAllResults": 0,
        "forceAllowed": false, "queries": [
            {"q": "abeto", "lang": "es", "changedTop3": true, "lostAllResults": false},
            {"q": "baston", "lang": "es", "changedTop3": true, "lostAllResults": false},
            {"q": "cacerola", "lang": "es", "changedTop3": true, "lostAllResults": false}]});
    assert_eq!(refused.json["details"], expected);
    assert_eq!(
        refused.json["message"],
        "3 of 20 watched queries change their first three (15 %, allowed 10 %)"
    );
    assert_eq!(revision(&shop), before);
    assert_eq!(shop.own("GET", "/rules").send().ok().data(), &json!([]));

    let saved = create(&shop, &pin(&WORDS[..2])).ok();
    assert_eq!(saved.status, 201);
    let expected = json!({"exceeded": false, "maxChangedTop3Percent": 10, "watched": 20, "changedTop3": 2,
        "lostAllResults": 0});
    assert_eq!(saved.json["gate"], expected);
    assert!(saved.header("etag").len() > 2);
    assert!(revision(&shop).get("forced").is_none());

    set_gate(&shop, Some(GateChange::Percent(100)), None);
    let refused = create(&shop, &hide("silla")).error(409, "impact_exceeded");
    assert_eq!(refused.json["details"]["queries"][0]["q"], "silla");
    assert_eq!(refused.json["details"]["lostAllResults"], 1);
    assert_eq!(
        refused.json["message"],
        "3 of 20 watched queries change their first three (15 %, allowed 100 %), 1 loses all results"
    );
    set_gate(&shop, Some(GateChange::Off), None);
    assert!(
        create(&shop, &hide("silla"))
            .ok()
            .json
            .get("gate")
            .is_none()
    );
}

#[test]
fn writes_of_one_key_count_as_one() {
    let shop = gated(10);
    create(&shop, &pin(&WORDS[..2])).ok();
    let refused = create(&shop, &pin(&WORDS[2..4])).error(409, "impact_exceeded");
    assert_eq!(refused.json["details"]["changedTop3"], 4);

    // What the key itself takes back counts no more.
    let second = shop.new_key(&shop.store, KeyKind::Configuration, Some(Scope::Write));
    create_with(&shop, &second, &pin(&WORDS[2..4])).ok();
    create(&shop, &pin(&WORDS[4..6])).ok();
    create(&shop, &pin(&WORDS[6..8])).error(409, "impact_exceeded");
    // A save that moves no results does not begin anew.
    let renamed = json!({"name": "Other"});
    let own = format!("/stores/{}", shop.store);
    shop.api("PUT", &own)
        .key(&second)
        .json(&renamed)
        .send()
        .ok();
    create(&shop, &pin(&WORDS[6..8])).error(409, "impact_exceeded");

    let editor = shop.member("editor@shop.example", Role::Editor);
    let of_person = |rule: &Value| {
        let path = shop.of_store("/rules");
        shop.by(&editor, "POST", &path).json(rule).send()
    };
    of_person(&pin(&WORDS[6..8])).ok();
    create(&shop, &pin(&WORDS[8..10])).ok();
    // Two saves of a person are two.
    of_person(&pin(&WORDS[10..12])).ok();
    of_person(&pin(&WORDS[12..14])).ok();
    let refused = of_person(&pin(&WORDS[14..17])).error(409, "impact_exceeded");
    assert_eq!(refused.json["details"]["forceAllowed"], true);

    create(&shop, &pin(&WORDS[14..16])).ok();
    shop.clock.advance_ms(60 * MINUTE_MS);
    create(&shop, &pin(&WORDS[16..18])).error(409, "impact_exceeded");
    shop.clock.advance_ms(1);
    create(&shop, &pin(&WORDS[16..18])).ok();
}

#[test]
fn what_a_key_takes_back_counts_no_more() {
    let shop = gated(10);
    let first = create(&shop, &pin(&WORDS[..2])).ok().data()["id"].clone();
    let path = format!("/rules/{}", first.as_str().expect("an id"));
    let back = shop.own("DELETE", &path).send().ok();
    assert_eq!(back.json["gate"]["changedTop3"], 0);
    let saved = create(&shop, &pin(&WORDS[2..4])).ok();
    assert_eq!(saved.json["gate"]["changedTop3"], 2);
}

#[test]
fn who_insists_says_why() {
    let shop = gated(10);
    let insist = |note: &str| {
        let call = shop
            .own("POST", "/rules?force=true")
            .json(&pin(&WORDS[..5]));
        match note {
            "" => call.send(),
            note => call.header("X-Change-Note", note).send(),
        }
    };
    insist("why").error(403, "reserved");
    set_gate(&shop, None, Some(true));
    assert_eq!(
        insist("").error(400, "invalid_request").fields(),
        ["query.force"]
    );
    let saved = insist("why").ok();
    assert_eq!(saved.json["gate"]["exceeded"], true);
    let made = revision(&shop);
    assert_eq!(
        (&made["forced"], &made["note"]),
        (&json!(true), &json!("why"))
    );
    assert_eq!(made["gate"], saved.json["gate"]);
    assert_eq!(shop.audit(1)[0]["forced"], true);
    // What was forced is the base of what follows.
    let next = create(&shop, &pin(&WORDS[5..7])).ok();
    assert_eq!(next.json["gate"]["changedTop3"], 2);

    // Without need it has no effect.
    set_gate(&shop, Some(GateChange::Percent(100)), None);
    insist("why").ok();
    assert!(revision(&shop).get("forced").is_none());
    for path in ["/widget?force=true", "/watched?force=true"] {
        let refused = shop.own("PUT", path).json(&json!({})).send();
        let refused = refused.error(400, "invalid_request");
        assert!(refused.fields().contains(&"query.force"), "{refused:?}");
    }

    // A key that may not, and a person who may, with the note of the body.
    set_gate(&shop, Some(GateChange::Percent(0)), Some(false));
    let owner = shop.member("owner@shop.example", Role::Owner);
    let draft = json!({"draft": {"rules": {"create": [pin(&WORDS[10..11])]}}, "ifMatch": {}});
    let path = shop.of_store("/changes");
    let forced = format!("{path}?force=true");
    let save = |path: &str, body: &Value| shop.by(&owner, "POST", path).json(body).send();
    save(&path, &draft).error(409, "impact_exceeded");
    let wrong = save(&forced, &draft).error(400, "invalid_request");
    assert_eq!(wrong.fields(), ["query.force"]);
    let mut noted = draft;
    noted["note"] = json!("Season");
    let saved = save(&forced, &noted).ok();
    assert_eq!(saved.json["gate"]["changedTop3"], 1);
    assert_eq!(revision(&shop)["forced"], true);
}

/// Writes that each change the first three of one watched query more than is allowed.
fn ranking_writes(first: &str) -> [(&'static str, String, Value); 6] {
    let group =
        json!({"language": "es", "type": "UNIDIRECTIONAL", "input": "mesa", "terms": ["farol"]});
    [
        ("POST", "/rules".to_owned(), pin(&["dedal"])),
        ("DELETE", format!("/rules/{first}"), Value::Null),
        ("PUT", format!("/rules/{first}"), json!({"active": false})),
        ("POST", "/synonyms".to_owned(), group),
        (
            "POST",
            "/changes".to_owned(),
            json!({"draft": {"rules": {"create": [pin(&["dedal"])]}}, "ifMatch": {}}),
        ),
        (
            "PUT",
            "/configuration?mode=merge&parts=rules".to_owned(),
            json!({"format": "findwell-configuration", "version": 1, "rules": [pin(&["dedal"])]}),
        ),
    ]
}

#[test]
fn every_ranking_write_passes_the_gate() {
    let shop = stocked();
    let first = create(&shop, &pin(&["abeto"])).ok().data()["id"].clone();
    let first = first.as_str().expect("an id");
    let number = revision(&shop)["revision"].as_i64().expect("a number");
    shop.own("DELETE", &format!("/rules/{first}")).send().ok();
    let first = create(&shop, &pin(&["baston"])).ok().data()["id"].clone();
    let first = first.as_str().expect("an id");
    watch(&shop, &WORDS);
    set_gate(&shop, Some(GateChange::Percent(0)), None);
    // The rules above are those of the same key.
    shop.clock.advance_ms(61 * MINUTE_MS);
    let latest = revision(&shop);
    let send = |method: &'static str, path: &str, body: &Value| {
        let call = shop.own(method, path);
        match body {
            Value::Null => call.send(),
            body => call.json(body).send(),
        }
    };
    for (method, path, body) in ranking_writes(first) {
        let refused = send(method, &path, &body).error(409, "impact_exceeded");
        assert_eq!(refused.json["details"]["changedTop3"], 1, "{method} {path}");
        let sign = if path.contains('?') { '&' } else { '?' };
        let dry = send(
            method,
            &format!("{path}{sign}dryRun=true&impact=false"),
            &body,
        )
        .ok();
        assert_eq!(dry.json["gate"]["exceeded"], true, "{method} {path}");
        assert_eq!(dry.json["dryRun"], true);
    }
    let imported = json!({"language": "es", "csv": "mesa => farol"});
    let restored = json!({"parts": ["rules"], "ifRevision": latest["revision"]});
    for (path, body) in [
        ("/synonyms/import".to_owned(), imported),
        (format!("/revisions/{number}/restore"), restored),
    ] {
        send("POST", &path, &body).error(409, "impact_exceeded");
    }
    let dry = send(
        "PUT",
        "/relevance?dryRun=true&impact=false",
        &json!({"boosts": {"name": 3}}),
    );
    assert_eq!(dry.ok().json["gate"]["watched"], 20);
    assert_eq!(revision(&shop), latest);

    // Nothing else is measured, nor is the command line.
    let named = send("PUT", "", &json!({"name": "Other"})).ok();
    assert!(named.json.get("gate").is_none());
    let (service, operator) = (shop.running().service(), domain::Caller::operator());
    let rule = serde_json::from_value(hide("rueda")).expect("a rule");
    let created =
        operations::records::create::<domain::rule::Rule>(service, &operator, &shop.store, rule);
    shop.block_on(created).expect("saved");
}

#[test]
fn keys_do_not_change_what_is_watched() {
    let shop = gated(10);
    let set = |queries: &[&str], dry: &str| {
        let path = format!("/watched{dry}");
        shop.own("PUT", &path).json(&watched(queries)).send()
    };
    for dry in ["", "?dryRun=true"] {
        set(&WORDS[1..], dry).error(403, "reserved");
        set(&[&WORDS[..], &["otra"]].concat(), dry).error(403, "reserved");
        set(&WORDS, dry).ok();
    }
    let file = |queries: &[&str]| {
        let file = json!({"format": "findwell-configuration", "version": 1, "rules": [], "watched": watched(queries)});
        let path = "/configuration?parts=rules,watched";
        shop.own("PUT", path).json(&file).send()
    };
    file(&WORDS[1..]).error(403, "reserved");
    file(&WORDS).ok();
    let editor = shop.member("editor@shop.example", Role::Editor);
    let path = shop.of_store("/watched");
    let of_person = shop.by(&editor, "PUT", &path).json(&watched(&[])).send();
    of_person.ok();

    let store = shop.own("GET", "").send().ok();
    let expected = json!({"maxChangedTop3Percent": 10, "keysMayForce": false, "watched": 0});
    assert_eq!(store.data()["config"]["impactGate"], expected);
    assert_eq!(store.data()["advice"][0]["code"], "gate_without_watched");
    let saved = create(&shop, &hide("silla")).ok();
    assert_eq!(saved.json["gate"]["exceeded"], false);
    set_gate(&shop, Some(GateChange::Off), None);
    set(&WORDS[1..], "").ok();
    let store = shop.own("GET", "").send().ok();
    assert!(store.data()["config"].get("impactGate").is_none());
    assert!(store.data().get("advice").is_none());
}

#[test]
fn a_tool_advises_a_narrower_change() {
    let shop = gated(10);
    let arguments = pin(&WORDS[..3]);
    let dry = call_ok(&shop, "create_rule", with(&arguments, "dryRun"));
    assert_eq!(dry["gate"]["exceeded"], true);
    let of_tool =
        |arguments: &Value| call(&shop, &shop.write_key, "create_rule", arguments.clone());
    let refused = of_tool(&arguments);
    assert_eq!(refused["isError"], true, "{refused}");
    let text = refused["content"][0]["text"].as_str().expect("a text");
    let body: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(body["code"], "impact_exceeded");
    assert_eq!(body["details"]["changedTop3"], 3);
    let step = body["nextStep"].as_str().expect("a step");
    assert!(
        step.contains("create_proposal") && !step.contains("force"),
        "{step}"
    );
    let forced = of_tool(&with(&arguments, "force"));
    assert!(forced.to_string().contains("reserved"), "{forced}");
    set_gate(&shop, None, Some(true));
    let forced = of_tool(&with(&arguments, "force"));
    assert!(
        forced.to_string().contains("\\\"field\\\":\\\"force\\\""),
        "{forced}"
    );
    let mut noted = with(&arguments, "force");
    noted["note"] = json!("why");
    assert_eq!(
        call_ok(&shop, "create_rule", noted)["gate"]["exceeded"],
        true
    );
}

fn with(arguments: &Value, flag: &str) -> Value {
    let mut arguments = arguments.clone();
    arguments[flag] = json!(true);
    arguments
}
