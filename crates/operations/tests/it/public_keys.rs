//! 1. An installation gets the same key every time; another installation and another store get others.
//! 2. A rotation creates a new key and secret; the former key stays valid for 24 hours.
//! 3. The key may only search; a deactivated one is replaced.
//! 4. Every new key is audited with its id and last characters, a repeated response is not.
//! 5. A second rotation does not shorten the 24 hours of the first key and its secret.
//! 6. A 21st installation removes the least recently used one with all its keys, whether that use is stored or pending;
//!    an existing one removes none, and other stores are not affected.

use crate::world::{NOW, Tenant, World, latest_of, operator_permit};
use domain::feed::{PublicKeyIssued, PublicKeyRequest};
use domain::{Caller, KeyId};
use operations::feed::{FeedCaller, connect, public_key};
use operations::{OperationError, authenticate, jobs, keys, me};
use storage::{AuditRow, FormerKey, InstallationRow};

async fn issue(world: &World, tenant: &Tenant, instance: &str, rotate: bool) -> PublicKeyIssued {
    let caller = world.feeder(tenant).await;
    let request = PublicKeyRequest {
        instance_id: instance.to_owned(),
        origin: Some("https://shop.example".to_owned()),
        rotate,
    };
    public_key::issue(&world.service, &caller, request)
        .await
        .expect("issues")
}

#[tokio::test]
async fn an_installation_gets_the_same_key_every_time() {
    let world = World::new().await;
    let first = issue(&world, &world.one, "i1", false).await;
    let again = issue(&world, &world.one, "i1", false).await;
    assert!(first.created && !again.created);
    assert_eq!(
        (&again.public_key, &again.context_secret),
        (&first.public_key, &first.context_secret)
    );
    assert!(first.public_key.starts_with("pub_") && first.context_secret.starts_with("ctx_"));
    let other = issue(&world, &world.one, "i2", false).await;
    let foreign = issue(&world, &world.two, "i1", false).await;
    assert_ne!(other.public_key, first.public_key);
    assert_ne!(foreign.public_key, first.public_key);
    let audit = world
        .storage()
        .await
        .audit(&operator_permit(), &latest_of(&world.one.store, 99))
        .await
        .expect("reads");
    let issued = audit.iter().filter(|a| a.operation == "issue_public_key");
    let issued: Vec<&AuditRow> = issued.collect();
    assert_eq!(issued.len(), 2);
    for record in issued {
        assert!(record.resource.starts_with("key/"), "{}", record.resource);
        assert!(record.changes.iter().any(|own| own.path == "lastFour"));
    }
}

#[tokio::test]
async fn a_rotated_key_stays_valid_for_a_day() {
    let world = World::new().await;
    let first = issue(&world, &world.one, "i1", false).await;
    let second = issue(&world, &world.one, "i1", true).await;
    assert_ne!(second.public_key, first.public_key);
    assert_ne!(second.context_secret, first.context_secret);
    assert!(
        first
            .public_key
            .ends_with(second.rotated_from.as_deref().expect("the former key"))
    );
    let again = issue(&world, &world.one, "i1", false).await;
    assert_eq!(
        (again.public_key, again.grace_until),
        (second.public_key.clone(), second.grace_until)
    );
    world.clock.advance_ms(24 * 3_600_000 - 1);
    world.caller(&first.public_key).await;
    world.clock.advance_ms(1);
    assert!(
        authenticate::by_key(&world.service, &first.public_key)
            .await
            .is_err()
    );
    world.caller(&second.public_key).await;
    let later = issue(&world, &world.one, "i1", false).await;
    assert_eq!((later.rotated_from, later.grace_until), (None, None));
}

#[tokio::test]
async fn a_public_key_may_only_search() {
    let world = World::new().await;
    let issued = issue(&world, &world.one, "i1", false).await;
    let caller = world.caller(&issued.public_key).await;
    assert!(domain::access::search(&caller).is_ok());
    let error = me::get(&world.service, &caller).await.expect_err("refused");
    assert!(matches!(
        error,
        OperationError::Unauthenticated {
            code: "key_kind",
            ..
        }
    ));
    let id = caller.key().expect("a key").id.clone();
    let feeder = FeedCaller {
        caller,
        client: None,
    };
    let error = connect::connect(&world.service, &feeder)
        .await
        .expect_err("refused");
    assert_eq!(error.code(), "key_kind");
    keys::deactivate(&world.service, &Caller::operator(), &id)
        .await
        .expect("stops");
    assert!(
        authenticate::by_key(&world.service, &issued.public_key)
            .await
            .is_err()
    );
    let next = issue(&world, &world.one, "i1", false).await;
    assert!(next.created);
    world.caller(&next.public_key).await;
}

#[tokio::test]
async fn an_invalid_request_reports_all_errors() {
    let world = World::new().await;
    let caller = world.feeder(&world.one).await;
    let request = PublicKeyRequest {
        instance_id: String::new(),
        origin: Some("shop.example".to_owned()),
        rotate: false,
    };
    let error = public_key::issue(&world.service, &caller, request)
        .await
        .err();
    let Some(OperationError::Invalid(wrong)) = error else {
        panic!("both are reported");
    };
    assert_eq!(wrong.len(), 2);
}

/// The installation's row and the keys that were rotated out before its former one.
async fn stored(world: &World) -> (InstallationRow, Vec<FormerKey>) {
    let caller = world.feeder(&world.one).await;
    let permit = domain::access::feed(&caller.caller).expect("a connector");
    let storage = world.storage().await;
    let mut look = storage.begin_installation(&permit).await.expect("opens");
    let row = look.installation("i1").await.expect("reads");
    let former = look.former_keys("i1").await.expect("reads");
    (row.expect("an installation"), former)
}

#[tokio::test]
async fn a_second_rotation_keeps_the_grace_period_of_the_first_key() {
    let world = World::new().await;
    let hour = 3_600_000;
    let first = issue(&world, &world.one, "i1", false).await;
    let (first_row, _) = stored(&world).await;
    issue(&world, &world.one, "i1", true).await;
    world.clock.advance_ms(hour);
    issue(&world, &world.one, "i1", true).await;
    let (_, former) = stored(&world).await;
    let kept = FormerKey {
        key: first_row.key,
        context_secret: first_row.context_secret,
        grace_until: NOW.plus_hours(24),
    };
    assert_eq!(former, [kept]);
    world.caller(&first.public_key).await;

    world.clock.advance_ms(23 * hour);
    let (third_row, _) = stored(&world).await;
    issue(&world, &world.one, "i1", true).await;
    let (_, former) = stored(&world).await;
    let ids: Vec<_> = former.iter().map(|former| &former.key).collect();
    assert_eq!(ids, [third_row.former_key.as_ref().expect("the second")]);
}

/// Issues a key to another installation, uses it, and returns which of `keys` no longer work.
async fn one_more(world: &World, name: &str, keys: &[String]) -> Vec<usize> {
    world.clock.advance_ms(60_000);
    let issued = issue(world, &world.one, name, false).await;
    world.caller(&issued.public_key).await;
    let storage = world.storage().await;
    let mut stopped = Vec::new();
    for (at, key) in keys.iter().enumerate() {
        // Reads storage, because authentication with a key would count as a use.
        let id = key.split('_').nth(1).expect("the id of a key");
        let row = storage.key(&KeyId::from(id)).await.expect("reads");
        if row.expect("a key").deactivated_at.is_some() {
            let refused = authenticate::by_key(&world.service, key).await;
            assert!(refused.is_err());
            stopped.push(at);
        }
    }
    stopped
}

#[tokio::test]
async fn one_installation_too_many_removes_the_least_recently_used() {
    let world = World::new().await;
    let foreign = issue(&world, &world.two, "i0", false).await.public_key;
    let mut keys = Vec::new();
    for number in 0..20 {
        let issued = issue(&world, &world.one, &format!("i{number}"), false).await;
        keys.push(issued.public_key);
    }
    let mut rotated = Vec::new();
    for name in ["i2", "i4"] {
        let issued = issue(&world, &world.one, name, true).await;
        rotated.push(issued.public_key);
    }
    for (at, key) in keys.iter().enumerate() {
        world.clock.advance_ms(60_000);
        if at != 5 {
            world.caller(key).await;
        }
    }
    jobs::last_uses::run(&world.service).await.expect("runs");
    // Pages from before a rotation still use the former key; these uses are not stored yet.
    world.clock.advance_ms(60_000);
    world.caller(&keys[0]).await;
    world.caller(&keys[2]).await;

    issue(&world, &world.one, "i19", false).await;
    assert_eq!(one_more(&world, "more 1", &keys).await, [5]);
    assert_eq!(one_more(&world, "more 2", &keys).await, [1, 5]);
    assert_eq!(one_more(&world, "more 3", &keys).await, [1, 3, 5]);
    assert_eq!(one_more(&world, "more 4", &keys).await, [1, 3, 4, 5]);
    world.caller(&rotated[0]).await;
    let ended = authenticate::by_key(&world.service, &rotated[1]).await;
    assert!(ended.is_err());
    world.caller(&foreign).await;
    // A removed installation may come back as a new one.
    let back = issue(&world, &world.one, "i5", false).await;
    assert!(back.created && back.public_key != keys[5]);
}
