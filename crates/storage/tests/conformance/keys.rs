//! 1. A key is found by its id, with all its columns.
//! 2. A deactivated key keeps its first date of deactivation; the last use never moves back.
//! 3. A transaction on an installation reads and writes keys of its own store only.

use crate::world::{NOW, World, entry, feed_permit, latest_of, operator};
use domain::{KeyId, KeyKind, Scope, StoreId, Timestamp};
use storage::{AuditSubject, FormerKey, InstallationRow, KeyRow};

fn key(id: &str, store: &str) -> KeyRow {
    KeyRow {
        id: KeyId::from(id),
        account: store.replace('s', "a").into(),
        store: Some(StoreId::from(store)),
        kind: KeyKind::Configuration,
        scope: Some(Scope::Write),
        name: "test".to_owned(),
        digest: "00ff".to_owned(),
        last_four: "abcd".to_owned(),
        readable: None,
        made_by: None,
        created_at: NOW,
        expires_at: Some(NOW.plus_hours(1)),
        deactivated_at: None,
        last_used_at: None,
        store_closed: false,
    }
}

async fn with_keys() -> World {
    let world = World::new().await;
    let mut change = world.storage.administer(&operator()).await.expect("opens");
    for (id, store) in [("k1", "s1"), ("k2", "s2")] {
        change.create_key(&key(id, store)).await.expect("key");
    }
    let place = AuditSubject {
        account: Some("a1".into()),
        store: Some("s1".into()),
    };
    change
        .commit(&entry(&[]), &place, NOW)
        .await
        .expect("commits");
    world
}

#[tokio::test]
async fn a_key_is_found_by_its_id() {
    let world = with_keys().await;
    let found = world.storage.key(&"k1".into()).await.expect("reads");
    assert_eq!(found, Some(key("k1", "s1")));
    assert!(
        world
            .storage
            .key(&"k9".into())
            .await
            .expect("reads")
            .is_none()
    );
    assert_eq!(
        world
            .storage
            .keys(&operator(), None)
            .await
            .expect("reads")
            .len(),
        2
    );
    let of_two = world.storage.keys(&operator(), Some(&"s2".into())).await;
    let of_two = of_two.expect("reads");
    assert_eq!(of_two, [key("k2", "s2")]);
    let audit = world
        .storage
        .audit(&operator(), &latest_of(&"s1".into(), 5))
        .await
        .expect("reads");
    assert_eq!(audit.len(), 1);
}

#[tokio::test]
async fn a_key_is_deactivated_once() {
    let world = with_keys().await;
    let mut change = world.storage.administer(&operator()).await.expect("opens");
    let id = KeyId::from("k1");
    assert!(change.deactivate_key(&id, NOW).await.expect("stops"));
    assert!(
        !change
            .deactivate_key(&id, NOW.plus_hours(1))
            .await
            .expect("again")
    );
    assert!(
        !change
            .deactivate_key(&"k9".into(), NOW)
            .await
            .expect("unknown")
    );
    change
        .commit(&entry(&[]), &AuditSubject::default(), NOW)
        .await
        .expect("commits");
    let key = world
        .storage
        .key(&id)
        .await
        .expect("reads")
        .expect("is kept");
    assert_eq!(key.deactivated_at, Some(NOW));
    let other = world.storage.key(&"k2".into()).await.expect("reads");
    assert_eq!(other.and_then(|k| k.deactivated_at), None);
}

#[tokio::test]
async fn the_last_use_never_moves_back() {
    let world = with_keys().await;
    let id = KeyId::from("k1");
    for at in [NOW, Timestamp(NOW.0 - 1)] {
        let uses = [(id.clone(), at)];
        world.storage.store_key_uses(&uses).await.expect("notes");
    }
    let key = world.storage.key(&id).await.expect("reads").expect("a key");
    assert_eq!(key.last_used_at, Some(NOW));
}

#[tokio::test]
async fn an_installation_accesses_its_own_store_only() {
    let world = with_keys().await;
    let permit = feed_permit("s1");
    let mut change = world
        .storage
        .begin_installation(&permit)
        .await
        .expect("opens");
    assert_eq!(change.account().await.expect("reads"), Some("a1".into()));
    assert!(change.installation("i1").await.expect("reads").is_none());
    assert!(change.key(&"k2".into()).await.expect("reads").is_none());
    change
        .expire_key(&"k2".into(), NOW)
        .await
        .expect("succeeds");
    change.expire_key(&"k1".into(), NOW).await.expect("expires");
    change.create_key(&key("k3", "s1")).await.expect("key");
    let mut row = InstallationRow {
        instance_id: "i1".to_owned(),
        origin: String::new(),
        key: "k1".into(),
        context_secret: "sealed".to_owned(),
        former_key: None,
        former_context_secret: None,
        grace_until: None,
        created_at: NOW,
    };
    change.save_installation(&row).await.expect("saves");
    row.former_key = Some("k1".into());
    row.key = "k3".into();
    row.former_context_secret = Some("sealed before".to_owned());
    row.grace_until = Some(NOW.plus_hours(24));
    change.save_installation(&row).await.expect("saves again");
    let former = |key: &str, hours| FormerKey {
        key: key.into(),
        context_secret: "sealed before".to_owned(),
        grace_until: NOW.plus_hours(hours),
    };
    for former in [former("k3", 2), former("k1", 1)] {
        let kept = change.add_former_key("i1", &former).await;
        kept.expect("keeps");
    }
    let held = change.former_keys("i1").await.expect("reads");
    assert_eq!(held, [former("k1", 1), former("k3", 2)]);
    let end = NOW.plus_hours(1);
    change.delete_former_keys("i1", end).await.expect("deletes");
    change.commit(&entry(&[]), NOW).await.expect("commits");

    let mut again = world
        .storage
        .begin_installation(&permit)
        .await
        .expect("opens");
    assert_eq!(again.installation("i1").await.expect("reads"), Some(row));
    let held = again.former_keys("i1").await.expect("reads");
    assert_eq!(held, [former("k3", 2)]);
    let first = again.key(&"k1".into()).await.expect("reads");
    assert_eq!(first.and_then(|k| k.expires_at), Some(NOW));
    drop(again);
    let other = world.storage.key(&"k2".into()).await.expect("reads");
    assert_eq!(other, Some(key("k2", "s2")));
    let mut other = world
        .storage
        .begin_installation(&feed_permit("s2"))
        .await
        .expect("opens");
    assert!(other.installation("i1").await.expect("reads").is_none());
    assert!(other.former_keys("i1").await.expect("reads").is_empty());
}
