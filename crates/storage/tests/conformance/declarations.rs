//! 1. A declaration replaces the previous one of its kind and store; those of other stores cannot be read.
//! 2. The settings replace the currencies of an import and their own, never those of a connector.
//! 3. The valid secrets of a key are those of its installation, each until the end of its grace period.

use crate::world::{NOW, World, entry, feed_permit, read_permit, search_permit, write_permit};
use domain::declarations::{
    Currencies, DeclarationKind, DeclarationOrigin, Declarations, PriceTiers,
};
use domain::{KeyId, KeyKind};
use serde_json::json;
use storage::{FormerKey, InstallationRow, KeyRow};

fn currencies(base: &str) -> Currencies {
    serde_json::from_value(json!({"base": base, "currencies": []})).expect("a declaration")
}

#[tokio::test]
async fn declarations_are_replaced_by_kind_and_store() {
    let world = World::new().await;
    let (one, two) = (read_permit("s1"), read_permit("s2"));
    let tiers: PriceTiers =
        serde_json::from_value(json!({"tiers": [{"groupId": "4"}]})).expect("a declaration");
    let mut feed = world.feed("s1").await;
    let none = feed.declarations().await.expect("reads");
    assert_eq!(none, (Declarations::default(), 0));
    for (revision, base) in [(1, "EUR"), (2, "USD")] {
        feed.save_declaration(
            &currencies(base),
            DeclarationOrigin::Connector,
            revision,
            NOW,
        )
        .await
        .expect("saves");
    }
    feed.save_declaration(&tiers, DeclarationOrigin::Connector, 3, NOW)
        .await
        .expect("saves");
    feed.commit().await.expect("commits");
    let wanted = Declarations {
        currencies: Some(currencies("USD")),
        price_tiers: Some(tiers),
        ..Declarations::default()
    };
    let mut feed = world.feed("s1").await;
    assert_eq!(
        feed.declarations().await.expect("reads"),
        (wanted.clone(), 3)
    );
    drop(feed);
    let read = |permit| world.storage.declarations(permit);
    assert_eq!(read(&one).await.expect("reads"), wanted);
    assert_eq!(read(&two).await.expect("reads"), Declarations::default());
}

#[tokio::test]
async fn settings_give_way_to_a_connector() {
    let world = World::new().await;
    let save = async |code: &str| {
        let begun = world.storage.begin(&write_permit("s1")).await;
        let mut write = begun.expect("opens").expect("the store");
        let saved = write.save_currencies(&currencies(code), NOW).await;
        let saved = saved.expect("saves");
        write.commit(&entry(&[]), NOW).await.expect("commits");
        saved
    };
    let declare = async |origin, code: &str| {
        let mut feed = world.feed("s1").await;
        let (_, revision) = feed.declarations().await.expect("reads");
        let declared = currencies(code);
        let save = feed.save_declaration(&declared, origin, revision + 1, NOW);
        save.await.expect("saves");
        feed.commit().await.expect("commits");
    };
    let base = async || {
        let read = world.storage.declarations(&read_permit("s1")).await;
        read.expect("reads").base_currency().map(str::to_owned)
    };
    assert!(save("EUR").await);
    declare(DeclarationOrigin::Import, "USD").await;
    assert!(save("GBP").await);
    assert_eq!(base().await.as_deref(), Some("GBP"));
    let mut feed = world.feed("s1").await;
    let kind = DeclarationKind::Currencies;
    assert_eq!(feed.declarations().await.expect("reads").1, 3);
    assert!(feed.claim_declaration(kind).await.expect("claims"));
    assert!(!feed.claim_declaration(kind).await.expect("claims"));
    feed.commit().await.expect("commits");
    assert!(!save("CHF").await);
    assert_eq!(base().await.as_deref(), Some("GBP"));
}

fn key(id: &str) -> KeyRow {
    KeyRow {
        id: KeyId::from(id),
        account: "a1".into(),
        store: Some("s1".into()),
        kind: KeyKind::SearchOnly,
        scope: None,
        name: id.to_owned(),
        digest: "0".repeat(64),
        last_four: "abcd".to_owned(),
        readable: None,
        made_by: None,
        created_at: NOW,
        expires_at: None,
        deactivated_at: None,
        last_used_at: None,
        store_closed: false,
    }
}

#[tokio::test]
async fn secrets_are_valid_until_their_grace_period_ends() {
    let world = World::new().await;
    let mut write = world
        .storage
        .begin_installation(&feed_permit("s1"))
        .await
        .expect("opens");
    for id in ["first", "second", "third"] {
        write.create_key(&key(id)).await.expect("adds");
    }
    let row = InstallationRow {
        instance_id: "i".to_owned(),
        origin: String::new(),
        key: "third".into(),
        context_secret: "c".to_owned(),
        former_key: Some("second".into()),
        former_context_secret: Some("b".to_owned()),
        grace_until: Some(NOW.plus_hours(24)),
        created_at: NOW,
    };
    write.save_installation(&row).await.expect("saves");
    let former = FormerKey {
        key: "first".into(),
        context_secret: "a".to_owned(),
        grace_until: NOW.plus_hours(12),
    };
    write.add_former_key("i", &former).await.expect("keeps");
    write.commit(&entry(&[]), NOW).await.expect("commits");
    for (id, hours, wanted) in [
        ("third", 0, Some(vec!["a", "b", "c"])),
        ("second", 0, Some(vec!["a", "b", "c"])),
        ("first", 0, Some(vec!["a", "b", "c"])),
        ("first", 12, None),
        ("second", 12, Some(vec!["b", "c"])),
        ("second", 24, None),
        ("third", 24, Some(vec!["c"])),
        ("unknown", 0, None),
    ] {
        let held = world
            .storage
            .context_secrets(&search_permit("s1"), &id.into(), NOW.plus_hours(hours))
            .await
            .expect("reads");
        let sealed = held.map(|mut held| {
            held.sealed.sort();
            held.sealed
        });
        let wanted = wanted.map(|w| w.into_iter().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(sealed, wanted, "{id} after {hours} h");
    }
    let foreign = world
        .storage
        .context_secrets(&search_permit("s2"), &"third".into(), NOW)
        .await
        .expect("reads");
    assert_eq!(foreign, None);
}
