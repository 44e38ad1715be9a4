//! 1. A change increments the revision, and commits with its revision and audit rows; its field changes are stored
//!    once.
//! 2. A write that changes nothing is audited and keeps the revision.
//! 3. A change that is dropped leaves nothing behind.
//! 4. Two changes of one store are serialised; the other tenant sees neither.
//! 5. The bytes that count for a change cover what its record and its revision take on disk.

use crate::world::{NOW, World, entry, latest_of, operator, read_permit, write_permit};
use domain::audit::{Actor, AuditEntry, FieldChange};
use domain::relevance::Overrides;
use domain::{AccountId, StoreId};
use storage::RevisionRow;

async fn revisions_of(world: &World, store: &StoreId) -> Vec<RevisionRow> {
    let permit = read_permit(store.as_str());
    let reading = world
        .storage
        .configuration_view(&permit)
        .await
        .expect("reads");
    let mut reading = reading.expect("a store");
    let rows = reading.revisions((1, 10), None).await.expect("reads");
    let count = reading.revision_count(None).await.expect("reads");
    assert_eq!(count, rows.len() as u64);
    rows
}

/// Returns the changes of the audit records, which are stored in the revisions.
async fn audit_changes(world: &World, store: &StoreId) -> Vec<Vec<FieldChange>> {
    let latest = latest_of(store, 10);
    let records = world.storage.audit(&operator(), &latest).await;
    let records = records.expect("reads");
    records.into_iter().map(|record| record.changes).collect()
}

fn boosted(boost: f64) -> Overrides {
    let mut overrides = Overrides::default();
    overrides.boosts.insert("name".to_owned(), boost);
    overrides
}

#[tokio::test]
async fn a_change_commits_with_its_revision_and_its_audit_row() {
    let world = World::new().await;
    for boost in [7.0, 8.0] {
        let mut change = world
            .storage
            .begin(&write_permit("s1"))
            .await
            .expect("opens")
            .expect("a store");
        if boost == 8.0 {
            assert_eq!(change.relevance().await.expect("reads"), boosted(7.0));
            assert_eq!(change.before().config_revision, 1);
        }
        change.save_relevance(&boosted(boost)).await.expect("saves");
        change
            .commit(&entry(&["boosts.name"]), NOW)
            .await
            .expect("commits");
    }
    let one = StoreId::from("s1");
    let saved = world
        .storage
        .relevance(&read_permit("s1"))
        .await
        .expect("reads");
    assert_eq!((saved.overrides, saved.revision), (boosted(8.0), 2));
    let revisions = revisions_of(&world, &one).await;
    let parents: Vec<_> = revisions.iter().map(|r| (r.revision, r.parent)).collect();
    assert_eq!(parents, [(2, Some(1)), (1, None)]);
    let reading = world
        .storage
        .configuration_view(&read_permit("s1"))
        .await
        .expect("reads");
    let latest = reading.expect("a store").one_revision(2).await;
    let latest = latest.expect("reads").expect("a revision");
    assert_eq!(latest.changes, entry(&["boosts.name"]).changes);
    assert_eq!(
        audit_changes(&world, &one).await,
        [latest.changes.clone(), latest.changes]
    );
    let audit = world
        .storage
        .audit(&operator(), &latest_of(&one, 10))
        .await
        .expect("reads");
    assert_eq!(audit.len(), 2);
    assert_eq!(audit[0].revision, Some(2));
    assert_eq!(audit[0].request_id.as_deref(), Some("r1"));

    let two = StoreId::from("s2");
    assert_eq!(
        world
            .storage
            .relevance(&read_permit("s2"))
            .await
            .expect("reads")
            .revision,
        0
    );
    assert!(
        world
            .storage
            .audit(&operator(), &latest_of(&two, 10))
            .await
            .expect("reads")
            .is_empty()
    );
    assert!(revisions_of(&world, &two).await.is_empty());
}

#[tokio::test]
async fn a_write_that_changes_nothing_is_audited_only() {
    let world = World::new().await;
    let change = world
        .storage
        .begin(&write_permit("s1"))
        .await
        .expect("opens")
        .expect("a store");
    assert_eq!(change.commit(&entry(&[]), NOW).await.expect("commits"), 0);
    let one = StoreId::from("s1");
    let audit = world
        .storage
        .audit(&operator(), &latest_of(&one, 10))
        .await
        .expect("reads");
    assert_eq!((audit.len(), audit[0].revision), (1, None));
    assert!(revisions_of(&world, &one).await.is_empty());
}

#[tokio::test]
async fn a_dropped_change_leaves_nothing() {
    let world = World::new().await;
    let mut change = world
        .storage
        .begin(&write_permit("s1"))
        .await
        .expect("opens")
        .expect("a store");
    change.save_relevance(&boosted(9.0)).await.expect("saves");
    drop(change);
    let one = StoreId::from("s1");
    assert_eq!(
        world
            .storage
            .relevance(&read_permit("s1"))
            .await
            .expect("reads")
            .overrides,
        Overrides::default()
    );
    assert!(
        world
            .storage
            .audit(&operator(), &latest_of(&one, 10))
            .await
            .expect("reads")
            .is_empty()
    );
}

#[tokio::test]
async fn a_missing_store_cannot_be_changed() {
    let world = World::new().await;
    let none = world
        .storage
        .begin(&write_permit("s9"))
        .await
        .expect("succeeds");
    assert!(none.is_none());
    assert!(
        world
            .storage
            .store(&read_permit("s9"))
            .await
            .expect("succeeds")
            .is_none()
    );
    assert_eq!(
        world
            .storage
            .relevance(&read_permit("s9"))
            .await
            .expect("succeeds")
            .revision,
        0
    );
}

#[tokio::test]
async fn accounts_have_their_own_stores() {
    let world = World::new().await;
    let ids = |rows: Vec<storage::AccountRow>| -> Vec<String> {
        rows.into_iter().map(|r| r.id.0).collect()
    };
    assert_eq!(
        ids(world.storage.accounts().await.expect("reads")),
        ["a1", "a2"]
    );
    let one = AccountId::from("a1");
    let account = world.storage.account(&one).await.expect("reads");
    assert_eq!(account.map(|a| a.name).as_deref(), Some("Account 1"));
    assert_eq!(
        world.storage.stores_of(&one).await.expect("reads"),
        ["s1".into()]
    );
    let of = world.storage.account_of(&operator(), &"s2".into()).await;
    let of = of.expect("reads");
    assert_eq!(of, Some(AccountId::from("a2")));
    let store = world.storage.store(&read_permit("s1")).await;
    let store = store.expect("reads");
    assert_eq!(store, Some(crate::world::store("s1")));
}

/// Returns the size of a copy of the database, which has no free pages.
async fn size_on_disk(world: &World) -> u64 {
    let dir = tempfile::tempdir().expect("a directory");
    world.storage.back_up(dir.path()).await.expect("copies");
    let files = std::fs::read_dir(dir.path()).expect("lists");
    let sizes = files.map(|file| file.expect("a file").metadata().expect("a size").len());
    sizes.sum()
}

#[tokio::test]
async fn counted_bytes_cover_what_records_take_on_disk() {
    let world = World::new().await;
    // Identifiers are as long as generated ones, names and the summary as long as many are.
    let mut entry = AuditEntry {
        actor: Actor::named("n".repeat(40)),
        operation: "update_relevance".to_owned(),
        resource: "synonyms/hko1ijah6zh3l6ak0u9g5aku".to_owned(),
        summary: domain::message::number::between(1, 2, 3),
        request_id: Some("req_514922a231c5842d_3".to_owned()),
        ..entry(&["boosts.name"])
    };
    entry.actor.user_id = Some("u".repeat(24));
    let before = size_on_disk(&world).await;
    let mut counted = 0;
    for _ in 0..400 {
        let change = world.storage.begin(&write_permit("s1")).await;
        let mut change = change.expect("opens").expect("a store");
        counted = change.changed_today(&entry, NOW).await.expect("counts");
        change.commit(&entry, NOW).await.expect("commits");
    }
    let grown = size_on_disk(&world).await - before;
    assert!(grown <= counted, "{grown} bytes, {counted} counted");
    assert!(counted <= 2 * grown, "{grown} bytes, {counted} counted");
}
