//! 1. A valid key authenticates; missing, mistyped, forged, expired and deactivated ones fail with one message.
//! 2. A deactivated key fails at once.
//! 3. Only the operator creates keys, and an invalid request reports all errors.
//! 4. The text of a key is in no file of the data directory.
//! 5. Two concurrent deactivations return the same, and one is audited.
//! 6. Audit records of a key say which it is, and what it may.

use crate::world::{NOW, World, latest_of, operator_permit};
use domain::{Caller, KeyKind, Scope};
use operations::keys::{self, NewApiKey};
use operations::{OperationError, authenticate, me};

fn new_key(world: &World) -> NewApiKey {
    NewApiKey {
        store: Some(world.one.store.clone()),
        account: None,
        kind: KeyKind::Configuration,
        scope: None,
        name: Some("test".to_owned()),
        expires: None,
    }
}

async fn error_of(world: &World, key: &str) -> (&'static str, String) {
    let error = authenticate::by_key(&world.service, key)
        .await
        .expect_err("no valid key");
    (error.code(), error.to_string())
}

#[tokio::test]
async fn only_a_valid_key_authenticates() {
    let world = World::new().await;
    let caller = world.caller(&world.one.writer).await;
    let key = caller.key().expect("a key");
    assert_eq!(key.scope, Some(Scope::Write));
    assert_eq!(key.store.as_ref(), Some(&world.one.store));
    assert_eq!(error_of(&world, "").await.0, "key_missing");

    let mut expiring = new_key(&world);
    expiring.expires = Some(NOW.plus_hours(1));
    let operator = Caller::operator();
    let expiring = keys::create(&world.service, &operator, expiring)
        .await
        .expect("key");
    world.caller(&expiring.key).await;
    world.clock.advance_ms(3_600_000);
    let expired = error_of(&world, &expiring.key).await;

    let deactivated = keys::create(&world.service, &operator, new_key(&world))
        .await
        .expect("key");
    world.caller(&deactivated.key).await;
    keys::deactivate(&world.service, &operator, &deactivated.summary.id)
        .await
        .expect("stops");
    let deactivated = error_of(&world, &deactivated.key).await;

    let mut mistyped = world.one.writer.clone();
    mistyped.pop();
    let other = keys::create(&world.service, &operator, new_key(&world))
        .await
        .expect("key");
    let world_two = World::new().await;
    let unknown = error_of(&world_two, &other.key).await;
    for refused in [
        expired,
        deactivated,
        unknown,
        error_of(&world, &mistyped).await,
    ] {
        assert_eq!(refused, ("key_invalid", "the key is not valid".to_owned()));
    }
}

#[tokio::test]
async fn a_key_of_the_account_reaches_its_stores_only() {
    let world = World::new().await;
    let caller = world.caller(&world.one.account_key).await;
    let me = me::get(&world.service, &caller).await.expect("identity");
    assert_eq!(me.account.name, "One");
    assert_eq!(me.key.store_id, None);
    assert_eq!(me.stores.len(), 1);
    assert_eq!(me.stores[0].id, world.one.store);
    let text = serde_json::to_value(&me).expect("JSON");
    assert_eq!(text["key"]["scopes"], serde_json::json!(["config:write"]));
    assert!(text["key"]["storeId"].is_null() && text["key"]["expiresAt"].is_null());
    assert_eq!(text["key"]["lastUsedAt"], "2025-11-20T14:46:00Z");
}

#[tokio::test]
async fn a_connector_key_has_no_identity_on_the_configuration_interface() {
    let world = World::new().await;
    let caller = world.caller(&world.one.connector).await;
    let error = me::get(&world.service, &caller).await.expect_err("refused");
    assert!(matches!(
        error,
        OperationError::Unauthenticated {
            code: "key_kind",
            ..
        }
    ));
}

#[tokio::test]
async fn only_the_operator_creates_keys() {
    let world = World::new().await;
    let writer = world.caller(&world.one.writer).await;
    let error = keys::create(&world.service, &writer, new_key(&world))
        .await
        .err();
    assert_eq!(error.map(|e| e.code()), Some("reserved"));
    let wrong = NewApiKey {
        account: Some("a".into()),
        kind: KeyKind::Connector,
        scope: Some(Scope::Read),
        name: Some(" ".to_owned()),
        expires: Some(NOW),
        ..new_key(&world)
    };
    let error = keys::create(&world.service, &Caller::operator(), wrong)
        .await
        .err();
    let Some(OperationError::Invalid(wrong)) = error else {
        panic!("all errors are reported");
    };
    let fields: Vec<&str> = wrong.iter().map(|w| w.field.as_str()).collect();
    assert_eq!(fields, ["name", "scope", "store", "expires"]);
    let nowhere = NewApiKey {
        store: Some("nowhere".into()),
        ..new_key(&world)
    };
    let error = keys::create(&world.service, &Caller::operator(), nowhere)
        .await
        .err();
    assert_eq!(error.map(|e| e.code()), Some("not_found"));
}

#[tokio::test]
async fn no_file_holds_the_text_of_a_key() {
    let world = World::new().await;
    let listed = keys::list(
        &world.service,
        &Caller::operator(),
        Some(world.one.store.clone()),
    )
    .await
    .expect("lists");
    assert_eq!(listed.len(), 4);
    world.service.close().await;
    for file in std::fs::read_dir(world.dir.path()).expect("reads") {
        let path = file.expect("an entry").path();
        if path.is_file() {
            let bytes = std::fs::read(&path).expect("reads");
            let secret = world.one.connector.as_bytes();
            let found = bytes.windows(secret.len()).any(|part| part == secret);
            assert!(!found, "{}", path.display());
        }
    }
}

#[tokio::test]
async fn two_deactivations_at_once_leave_one_record() {
    let world = World::new().await;
    let operator = Caller::operator();
    let key = keys::create(&world.service, &operator, new_key(&world))
        .await
        .expect("key");
    let id = &key.summary.id;
    let (one, other) = tokio::join!(
        keys::deactivate(&world.service, &operator, id),
        keys::deactivate(&world.service, &operator, id),
    );
    let one = one.expect("stops");
    assert_eq!(one.deactivated_at, Some(NOW));
    assert_eq!(one, other.expect("has stopped"));
    let audit = world
        .storage()
        .await
        .audit(&operator_permit(), &latest_of(&world.one.store, 99))
        .await;
    let audit = audit.expect("reads");
    let records = audit.iter().filter(|a| a.operation == "deactivate_key");
    assert_eq!(records.count(), 1);
}

#[tokio::test]
async fn audit_records_say_which_key_is_meant() {
    let world = World::new().await;
    let operator = Caller::operator();
    let made = keys::create(&world.service, &operator, new_key(&world));
    let made = made.await.expect("a key").summary;
    let deactivated = keys::deactivate(&world.service, &operator, &made.id);
    deactivated.await.expect("stops");
    let latest = latest_of(&world.one.store, 2);
    let storage = world.storage().await;
    let audit = storage.audit(&operator_permit(), &latest).await;
    let audit = audit.expect("records");
    let operations: Vec<&str> = audit.iter().map(|own| own.operation.as_str()).collect();
    assert_eq!(operations, ["deactivate_key", "create_key"]);
    for record in audit {
        assert_eq!(record.resource, format!("key/{}", made.id));
        let paths: Vec<&str> = record.changes.iter().map(|own| own.path.as_str()).collect();
        assert_eq!(paths, ["kind", "lastFour", "name", "scope"], "{paths:?}");
    }
}
