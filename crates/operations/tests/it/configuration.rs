//! 1. A change of relevance takes effect, is audited and creates a revision; one without effect is audited only.
//! 2. An invalid change reports all errors and leaves nothing behind.
//! 3. Scope and store of the key are honoured for every operation on a store.
//! 4. What a read returns can be sent back and changes nothing.
//! 5. A store's name and devUrl can be updated; all errors are reported.

use crate::world::{Tenant, World, latest_of, operator_permit};
use domain::StoreId;
use domain::relevance::{BoostMerging, RelevanceChange};
use domain::store::StorePatch;
use operations::{OperationError, Precondition, Revisioned, relevance, stores};
use serde_json::{Value, json};

/// No precondition.
const ANY: Precondition = Precondition::None;

fn change(value: Value) -> RelevanceChange {
    serde_json::from_value(value).expect("a change")
}

async fn save(
    world: &World,
    tenant: &Tenant,
    value: Value,
    mode: BoostMerging,
) -> Result<(Value, Revisioned), OperationError> {
    let caller = world.caller(&tenant.writer).await;
    relevance::update(
        &world.service,
        &caller,
        &tenant.store,
        change(value),
        mode,
        ANY,
    )
    .await
    .map(|(view, revision)| (json!(view), revision))
}

#[tokio::test]
async fn a_change_of_relevance_is_in_effect_and_recorded() {
    let world = World::new().await;
    let value = json!({"boosts": {"name": 9, "tags": 7}});
    let (view, first) = save(&world, &world.one, value, BoostMerging::Replace)
        .await
        .expect("saves");
    assert_eq!(
        (&view["boosts"]["name"], &view["boosts"]["description"]),
        (&json!(9.0), &json!(1.0))
    );
    assert_eq!(
        view["overrides"]["boosts"],
        json!({"name": 9.0, "tags": 7.0})
    );
    assert_eq!(first.config_revision, 1);
    let value = json!({"boosts": {"ean13": 11}, "searchSettings": {"stockBoost": 3}});
    let (view, second) = save(&world, &world.one, value.clone(), BoostMerging::Merge)
        .await
        .expect("saves");
    assert_eq!(
        (&view["boosts"]["name"], &view["boosts"]["ean13"]),
        (&json!(9.0), &json!(11.0))
    );
    assert_eq!(second.config_revision, 2);
    assert_ne!(first.etag, second.etag);
    let (_, third) = save(&world, &world.one, value, BoostMerging::Merge)
        .await
        .expect("saves");
    assert_eq!(third, second);

    let storage = world.storage().await;
    let reading = storage
        .configuration_view(&world.one.read_permit())
        .await
        .expect("reads");
    let mut reading = reading.expect("a store");
    let revisions = reading.revisions((1, 9), None).await.expect("reads");
    let second = reading.one_revision(2).await.expect("reads");
    let first = reading.one_revision(1).await.expect("reads");
    let (second, first) = (second.expect("a revision"), first.expect("a revision"));
    let paths: Vec<&str> = second.changes.iter().map(|c| c.path.as_str()).collect();
    assert_eq!(paths, ["boosts.ean13", "searchSettings.stockBoost"]);
    assert_eq!(first.changes[0].before, Some(json!(6.0)));
    assert_eq!(revisions.len(), 2);
    let audit = storage
        .audit(&operator_permit(), &latest_of(&world.one.store, 3))
        .await
        .expect("reads");
    let recorded: Vec<_> = audit
        .iter()
        .map(|a| (a.operation.as_str(), a.revision))
        .collect();
    let wanted = [
        ("update_relevance", None),
        ("update_relevance", Some(2)),
        ("update_relevance", Some(1)),
    ];
    assert_eq!(recorded, wanted);
    assert!(audit[0].actor.key_id.is_some());
    let caller = world.caller(&world.two.reader).await;
    let (view, _) = relevance::get(&world.service, &caller, &world.two.store)
        .await
        .expect("reads");
    assert_eq!(
        json!(view)["overrides"],
        json!({"boosts": {}, "searchSettings": {}})
    );
}

#[tokio::test]
async fn an_invalid_change_reports_all_errors_and_leaves_nothing() {
    let world = World::new().await;
    let value =
        json!({"boosts": {"name": 350, "nmae": 1, "tags": 7}, "searchSettings": {"fuzziness": 3}});
    let error = save(&world, &world.one, value, BoostMerging::Replace)
        .await
        .expect_err("refused");
    let OperationError::Invalid(wrong) = &error else {
        panic!("all errors are reported");
    };
    assert_eq!(wrong.len(), 3);
    assert!(
        error
            .to_string()
            .starts_with("boosts.name: must be between 0 and 200, got 350")
    );
    assert!(error.to_string().ends_with("(and 2 more)"));
    let caller = world.caller(&world.one.reader).await;
    let (view, revision) = relevance::get(&world.service, &caller, &world.one.store)
        .await
        .expect("reads");
    assert_eq!(json!(view)["overrides"]["boosts"], json!({}));
    assert_eq!(revision.config_revision, 0);
}

#[tokio::test]
async fn what_a_read_returns_can_be_sent_back() {
    let world = World::new().await;
    save(
        &world,
        &world.one,
        json!({"boosts": {"name": 9}}),
        BoostMerging::Replace,
    )
    .await
    .expect("saves");
    let caller = world.caller(&world.one.reader).await;
    let (view, before) = relevance::get(&world.service, &caller, &world.one.store)
        .await
        .expect("reads");
    let mut back = json!(view);
    let back = back.as_object_mut().expect("an object");
    back.remove("overrides");
    back.remove("advice");
    back.remove("unfilledFields");
    let (after, revision) = save(&world, &world.one, json!(back), BoostMerging::Replace)
        .await
        .expect("saves");
    assert_eq!(
        (revision, after["overrides"].clone()),
        (before, json!(view)["overrides"].clone())
    );
}

#[tokio::test]
async fn scope_and_store_of_the_key_are_honoured() {
    let world = World::new().await;
    let one = &world.one;
    let missing = StoreId::from("nowhere");
    let cases = [
        (&one.reader, &one.store, None, Some("scope_missing")),
        (&one.writer, &one.store, None, None),
        (
            &one.writer,
            &world.two.store,
            Some("store_mismatch"),
            Some("store_mismatch"),
        ),
        (
            &one.writer,
            &missing,
            Some("store_mismatch"),
            Some("store_mismatch"),
        ),
        (&one.account_key, &one.store, None, None),
        (
            &one.account_key,
            &world.two.store,
            Some("not_found"),
            Some("not_found"),
        ),
        (
            &one.account_key,
            &missing,
            Some("not_found"),
            Some("not_found"),
        ),
        (
            &one.connector,
            &one.store,
            Some("key_kind"),
            Some("key_kind"),
        ),
    ];
    for (key, store, reading, writing) in cases {
        let caller = world.caller(key).await;
        let service = &world.service;
        let code = |error: OperationError| error.code();
        let got = relevance::get(service, &caller, store)
            .await
            .err()
            .map(code);
        assert_eq!(got, reading);
        let got = stores::get(service, &caller, store).await.err().map(code);
        assert_eq!(got, reading);
        let nothing = change(json!({}));
        let got =
            relevance::update(service, &caller, store, nothing, BoostMerging::Merge, ANY).await;
        assert_eq!(got.err().map(code), writing);
        let got = stores::update(service, &caller, store, StorePatch::default(), ANY).await;
        assert_eq!(got.err().map(code), writing);
    }
}

#[tokio::test]
async fn name_and_development_url_are_updated() {
    let world = World::new().await;
    let caller = world.caller(&world.one.writer).await;
    let patch = |value: Value| serde_json::from_value::<StorePatch>(value).expect("a patch");
    let new = patch(json!({"name": "New", "devUrl": "https://dev.example"}));
    let (detail, first) =
        stores::update(&world.service, &caller, &world.one.store, new.clone(), ANY)
            .await
            .expect("saves");
    assert_eq!(
        (detail.summary.name.as_str(), detail.dev_url.as_str()),
        ("New", "https://dev.example")
    );
    let (_, again) = stores::update(&world.service, &caller, &world.one.store, new, ANY)
        .await
        .expect("saves");
    assert_eq!((first.config_revision, &again), (1, &first));
    let clear = patch(json!({"devUrl": ""}));
    let (detail, _) = stores::update(&world.service, &caller, &world.one.store, clear, ANY)
        .await
        .expect("saves");
    assert_eq!(
        (detail.summary.name.as_str(), detail.dev_url.as_str()),
        ("New", "")
    );
    let wrong = patch(json!({"name": "", "devUrl": "dev.example"}));
    let error = stores::update(&world.service, &caller, &world.one.store, wrong, ANY)
        .await
        .err();
    let Some(OperationError::Invalid(wrong)) = error else {
        panic!("both are reported");
    };
    assert_eq!(wrong.len(), 2);
    let list = stores::list(&world.service, &caller).await.expect("lists");
    assert_eq!((list.len(), list[0].name.as_str()), (1, "New"));
}

#[tokio::test]
async fn the_detail_of_a_store_shows_its_indices_and_its_connector() {
    let world = World::new().await;
    world.indices(&["es", "en"]).await;
    let mut feeder = world.feeder(&world.one).await;
    feeder.client = Some("prestashop/1.4.0; platform=9.1.4; php=8.2.35".to_owned());
    operations::feed::connect::connect(&world.service, &feeder)
        .await
        .expect("connects");
    world
        .send(&world.one, None, crate::world::products(&["1", "2"]))
        .await
        .expect("sends");
    let caller = world.caller(&world.one.reader).await;
    let (detail, _) = stores::get(&world.service, &caller, &world.one.store)
        .await
        .expect("reads");
    let detail = json!(detail);
    assert_eq!(detail["counters"]["products"], 2);
    assert_eq!(detail["indices"][0]["documents"], 2);
    assert_eq!(detail["indices"][1]["language"], "en");
    assert_eq!(detail["languages"], json!(["es", "en"]));
    assert_eq!(detail["connector"]["moduleVersion"], "1.4.0");
    assert_eq!(detail["connector"]["phpVersion"], "8.2.35");
    let caller = world.caller(&world.two.reader).await;
    let (detail, _) = stores::get(&world.service, &caller, &world.two.store)
        .await
        .expect("reads");
    assert!(json!(detail)["connector"].is_null());
}
