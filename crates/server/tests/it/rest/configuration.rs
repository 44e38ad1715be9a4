//! 1. An export is the same bytes for the same state; importing it again changes nothing. It fills an empty store, which
//!    then ranks as the first, in an export that is equal but for ids, store, revision and dates.
//! 2. All invalid values of a file are reported at once, with their paths; nothing of it is stored. Replacing deletes what
//!    the file lacks, merging does not, and the revision before restores all of it.
//! 3. A store is copied with a key of the account, not with one that is bound to a store; another version is rejected.
//! 4. Records are matched by id, then by content, each once: groups exchange their terms, ids of another store are kept
//!    apart, keys of groups of values stay.
//! 5. Watched and hidden queries are imported when named, in no revision and in one audit record; `If-Match` is the tag of
//!    the export; parts that the file lacks, custom code, two records of one id and both of file and copy are rejected.
//! 6. A dry run says what would happen, with its impact, and saves nothing. A compressed file is accepted.
//! 7. What the store does not have is imported with advice, by its place in the file.

use crate::harness::{Reply, Shop, product};
use domain::Scope;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::Write;

/// A store with records of each kind.
fn configured() -> Shop {
    let products = (0..30).map(|n| product(&format!("p{n:02}"), &format!("tienda modelo {n}")));
    let shop = Shop::with_products("es", &json!(products.collect::<Vec<_>>()));
    let post = |path: &str, body: Value| {
        shop.own("POST", path).json(&body).send().ok();
    };
    post("/synonyms", json!({"terms": ["carpa", "tienda"]}));
    post(
        "/synonyms",
        json!({"terms": ["modelo", "tipo"], "alternatives": ["plurals"]}),
    );
    post(
        "/synonyms",
        json!({"type": "UNIDIRECTIONAL", "input": "iglú", "terms": ["tienda"], "language": "en"}),
    );
    for (priority, pin) in ["p07", "p21"].into_iter().enumerate() {
        post("/rules", rule("tienda", pin, priority));
    }
    post("/rules", rule("carpa", "p11", 3));
    post(
        "/filters",
        json!({"field": "manufacturer", "label": {"es": "Marca"},
            "config": {"valueGroups": [{"label": "Uno", "values": ["a", "b"]}]}}),
    );
    let put = |path: &str, body: Value| {
        shop.own("PUT", path).json(&body).send().ok();
    };
    put(
        "/relevance",
        json!({"boosts": {"name": 9}, "searchSettings": {"stockBoost": 3}}),
    );
    put(
        "/widget",
        json!({"layout": "list", "colors": {"primary": "#123456"}}),
    );
    put(
        "/watched",
        json!({"queries": [{"q": "tienda", "lang": "es"}]}),
    );
    shop
}

fn rule(query: &str, pin: &str, priority: usize) -> Value {
    json!({"name": query, "language": "es", "type": "PIN", "priority": priority,
        "trigger": {"query": query, "match": "exact"}, "actions": {"pin": [pin]}})
}

fn export(shop: &Shop) -> Value {
    let reply = shop.own("GET", "/configuration").send().ok();
    reply.data().clone()
}

fn import(shop: &Shop, query: &str, file: &Value) -> Reply {
    let path = format!("/configuration{query}");
    shop.own("PUT", &path).json(file).send()
}

/// Removes what may differ between two stores.
fn alike(mut file: Value) -> Value {
    for key in ["revision", "store"] {
        file[key].take();
    }
    for kind in ["synonyms", "rules", "filters"] {
        for record in file[kind].as_array_mut().into_iter().flatten() {
            for key in ["id", "createdAt", "updatedAt"] {
                record[key].take();
            }
        }
    }
    file
}

#[test]
fn an_export_is_stable_and_fills_an_empty_store() {
    let shop = configured();
    let bytes = || {
        let reply = shop.own("GET", "/configuration?file=true").send();
        assert_eq!(reply.status, 200);
        assert!(reply.header("content-disposition").contains("attachment"));
        (reply.header("etag").to_owned(), reply.text)
    };
    assert_eq!(bytes(), bytes());
    let file: Value = serde_json::from_str(&bytes().1).expect("JSON");
    assert_eq!(file, export(&shop));
    let again = import(&shop, "", &file).ok();
    assert_eq!(again.data()["revision"], file["revision"]);
    assert_eq!(again.data()["changes"], json!([]));
    assert_eq!(export(&shop), file);

    let other = configured_empty();
    let all = "?parts=relevance,synonyms,rules,filters,widget,watched,hiddenQueries";
    let imported = import(&other, all, &file).ok();
    assert_eq!(imported.data()["parts"]["rules"]["created"], 3);
    assert_eq!(imported.data()["revision"], 1);
    assert_eq!(alike(export(&other)), alike(file));
    for query in ["tienda", "carpa", "tipo 3", "modelos", "tienda 4", "iglú"] {
        let ids = |shop: &Shop| {
            let reply = shop.search(&json!({"q": query, "limit": 20})).ok();
            let hits = reply.data()["results"]["products"]["hits"].clone();
            let ids = hits.as_array().into_iter().flatten();
            ids.map(|hit| hit["id"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(ids(&other), ids(&shop), "{query}");
    }
    let again = import(&other, all, &export(&shop)).ok();
    assert_eq!(
        again.data()["changes"],
        json!([]),
        "equal rules are matched in order"
    );
}

/// A store with the same products and no configuration.
fn configured_empty() -> Shop {
    let products = (0..30).map(|n| product(&format!("p{n:02}"), &format!("tienda modelo {n}")));
    Shop::with_products("es", &json!(products.collect::<Vec<_>>()))
}

#[test]
fn all_or_nothing_is_stored() {
    let shop = configured();
    let before = export(&shop);
    let mut faulty = before.clone();
    let mut wrong = rule("x", "p01", 1);
    wrong["actions"] = json!({"pin": []});
    faulty["rules"].as_array_mut().expect("rules").push(wrong);
    faulty["synonyms"][0]["terms"] = json!(["!", "tienda"]);
    faulty["filters"][0]["colour"] = json!(1);
    faulty["relevance"]["boosts"]["nmae"] = json!(1);
    let rejected = import(&shop, "", &faulty).error(400, "invalid_request");
    let fields = rejected.fields();
    for field in [
        "rules[3].actions.pin",
        "synonyms[0].terms[0]",
        "filters[0].colour",
        "relevance.boosts.nmae",
    ] {
        assert!(fields.contains(&field), "{field} in {fields:?}");
    }
    assert_eq!(export(&shop), before);

    let mut less = before.clone();
    less["rules"] = json!([before["rules"][0]]);
    let merged = import(&shop, "?mode=merge", &less).ok();
    assert_eq!(merged.data()["changes"], json!([]));
    let replaced = import(&shop, "", &less).ok();
    assert_eq!(replaced.data()["parts"]["rules"]["deleted"], 2);
    assert_eq!(export(&shop)["rules"], less["rules"]);
    let restore = json!({"parts": ["rules", "synonyms", "filters", "widget", "relevance"],
        "ifRevision": replaced.data()["revision"]});
    let path = format!("/revisions/{}/restore", before["revision"]);
    shop.own("POST", &path).json(&restore).send().ok();
    assert_eq!(export(&shop)["rules"], before["rules"]);
}

#[test]
fn a_store_is_copied() {
    let shop = configured();
    let other = shop.new_store("second");
    let account = shop.account_key(&shop.account, Scope::Write);
    let copy = json!({"copyFrom": {"storeId": shop.store}});
    let path = format!("/stores/{other}/configuration");
    let put = |key: &str, body: &Value| shop.api("PUT", &path).key(key).json(body).send();
    put(&account, &copy).ok();
    let copied = shop.api("GET", &path).key(&account).send().ok();
    let (mut from, mut to) = (alike(export(&shop)), alike(copied.data().clone()));
    from["watched"].take();
    to["watched"].take();
    assert_eq!(from, to);
    let bound = shop.new_key(&other, domain::KeyKind::Configuration, Some(Scope::Write));
    put(&bound, &copy).error(403, "store_mismatch");
    let unknown = json!({"copyFrom": {"storeId": "unknown"}});
    put(&account, &unknown).error(404, "not_found");
    let former = json!({"copyFrom": {"storeId": shop.store, "revision": 0}});
    let emptied = put(&account, &former).ok();
    assert_eq!(emptied.data()["parts"]["synonyms"]["deleted"], 3);
    let file = json!({"format": "findwell-configuration", "version": 2});
    let rejected = put(&account, &file).error(400, "invalid_request");
    assert_eq!(rejected.fields(), ["version"]);
}

#[test]
fn records_are_matched_by_id_then_by_content() {
    let shop = configured();
    let before = export(&shop);
    let mut swapped = before.clone();
    let terms = |at: usize| before["synonyms"][at]["terms"].clone();
    let es: Vec<usize> = (0..3)
        .filter(|at| before["synonyms"][*at]["language"] == "es")
        .collect();
    swapped["synonyms"][es[0]]["terms"] = terms(es[1]);
    swapped["synonyms"][es[1]]["terms"] = terms(es[0]);
    let exchanged = import(&shop, "?parts=synonyms", &swapped).ok();
    assert_eq!(exchanged.data()["parts"]["synonyms"]["updated"], 2);
    assert_eq!(
        alike(export(&shop))["synonyms"],
        alike(swapped.clone())["synonyms"]
    );

    let mut foreign = swapped.clone();
    for (at, record) in foreign["rules"]
        .as_array_mut()
        .into_iter()
        .flatten()
        .enumerate()
    {
        record["id"] = json!(format!("foreign{at}"));
    }
    foreign["rules"][0]["active"] = json!(false);
    let matched = import(&shop, "?parts=rules", &foreign).ok();
    let counts = json!({"created": 0, "updated": 1, "deleted": 0, "unchanged": 2});
    assert_eq!(matched.data()["parts"]["rules"], counts);
    assert_eq!(
        matched.data()["ids"]["rules/foreign0"],
        swapped["rules"][0]["id"]
    );
    assert_eq!(
        export(&shop)["filters"],
        before["filters"],
        "keys of groups stay"
    );

    let duplicate = json!({"format": "findwell-configuration", "version": 1,
        "synonyms": [{"id": "new", "terms": ["nuevo", "otro"]}, {"terms": ["Otro", "nuevo"]}]});
    let rejected = import(&shop, "?mode=merge", &duplicate).error(400, "invalid_request");
    assert_eq!(rejected.fields(), ["synonyms[1]"]);
}

#[test]
fn parts_and_preconditions_are_checked() {
    let shop = configured();
    let exported = shop.own("GET", "/configuration").send().ok();
    let (tag, mut file) = (exported.header("etag").to_owned(), exported.data().clone());
    file["hiddenQueries"] = json!({"queries": ["rude"]});
    file["watched"] = json!({"queries": []});
    let unnamed = import(&shop, "", &file).ok();
    assert_eq!(unnamed.data()["changes"], json!([]));
    let guarded = |file: &Value| {
        let call = shop.own("PUT", "/configuration?parts=watched,hiddenQueries");
        call.header("If-Match", &tag).json(file).send()
    };
    let records = shop.audit(100).as_array().map_or(0, Vec::len);
    let saved = guarded(&file).ok();
    assert_eq!(saved.data()["revision"], file["revision"]);
    assert_eq!(shop.audit(100).as_array().map_or(0, Vec::len), records + 1);
    let newest = &shop.audit(1)[0];
    assert_eq!(newest["operation"], "import_configuration");
    assert_eq!(
        newest["changes"].as_array().map(Vec::len),
        Some(2),
        "{newest}"
    );
    guarded(&file).error(412, "precondition_failed");

    let mut none = file.clone();
    none.as_object_mut().expect("an object").remove("rules");
    let lacking = import(&shop, "?parts=rules", &none).error(400, "invalid_request");
    assert_eq!(lacking.fields(), ["query.parts"]);
    import(&shop, "?parts=", &file).error(400, "invalid_request");
    let mut code = file.clone();
    code["widget"]["customJS"] = json!("alert(1)");
    import(&shop, "", &code).error(403, "reserved");
    let mut twice = file.clone();
    twice["rules"][1]["id"] = twice["rules"][0]["id"].clone();
    let rejected = import(&shop, "", &twice).error(400, "invalid_request");
    assert_eq!(rejected.fields(), ["rules[1].id"]);
    let mut both = file;
    both["copyFrom"] = json!({"storeId": shop.store});
    import(&shop, "", &both).error(400, "invalid_request");
}

#[test]
fn a_dry_run_saves_nothing() {
    let shop = configured();
    let before = export(&shop);
    let mut file = before.clone();
    file["rules"] = json!([rule("tienda", "p29", 9)]);
    let tried = import(&shop, "?dryRun=true&parts=rules", &file).ok();
    assert_eq!(tried.json["dryRun"], true);
    let counts = json!({"created": 0, "updated": 1, "deleted": 2, "unchanged": 0});
    assert_eq!(tried.data()["parts"]["rules"], counts, "matched by content");
    assert_eq!(tried.json["impact"]["watched"]["changedTop3"], 1);
    assert_eq!(export(&shop), before);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder
        .write_all(file.to_string().as_bytes())
        .expect("memory takes it");
    let body = encoder.finish().expect("memory takes it");
    let call = shop
        .own("PUT", "/configuration")
        .header("Content-Encoding", "gzip");
    let saved = call.raw_json(body).send().ok();
    assert_eq!(saved.data()["parts"]["rules"]["deleted"], 2);
}

#[test]
fn what_the_store_does_not_have_gets_advice() {
    let shop = configured();
    let mut french = rule("carpa", "p11", 0);
    french["language"] = json!("fr");
    let file = json!({"format": "findwell-configuration", "version": 1,
        "rules": [rule("tienda", "p07", 0), rule("botas", "p99", 0), french]});
    let tried = shop.own("PUT", "/configuration?mode=merge&dryRun=true&impact=false");
    let saved = shop.own("PUT", "/configuration?mode=merge");
    for reply in [tried.json(&file).send().ok(), saved.json(&file).send().ok()] {
        let advice = reply.data()["advice"].as_array().expect("a list");
        let of = |one: &Value| format!("{} {}", one["field"], one["code"]);
        let expected = [
            r#""rules[1].actions.pin" "product_not_indexed""#,
            r#""rules[2].language" "language_missing""#,
        ];
        assert_eq!(advice.iter().map(of).collect::<Vec<_>>(), expected);
    }
}
