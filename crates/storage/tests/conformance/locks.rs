//! Pairs of transactions on one thing, of two servers on one database, the first of which pauses before it commits.
//!
//! 1. A document that a block revives is not deleted as an old deletion mark.
//! 2. A link is used once.
//! 3. A transaction that locks an account reads its members as the one before it left them.
//! 4. A store whose removal has begun is not opened again.
//! 5. Feed transactions of one store, and transactions that decide on the first owner, go one after the other.
//! 6. Counters are repaired to what the block before left.
//! 7. A document that a block writes while its index is swept is kept.

use crate::world::{NOW, World, entry, feed_permit, operator, products, put, row, system_permit};
use domain::{AccountId, Caller, LinkId, RequiredRole, StoreId, Timestamp, access};
use std::future::Future;
use std::pin::pin;
use std::time::Duration;
use storage::{AuditSubject, DocumentRow, LinkRow, LinkTarget};

/// Runs `second` until it waits for `first`, then `first`; returns the results of both.
async fn paused<A, B>(first: impl Future<Output = A>, second: impl Future<Output = B>) -> (A, B) {
    let mut second = pin!(second);
    let early = tokio::time::timeout(Duration::from_millis(150), &mut second).await;
    assert!(early.is_err(), "the second one does not wait");
    let first = first.await;
    (first, second.await)
}

#[tokio::test]
async fn a_revived_document_is_no_old_mark() {
    let world = World::new().await;
    let [one, _] = world.indices().await;
    let mark = DocumentRow {
        deleted_at: Some(NOW),
        ..row(0, 1)
    };
    let mut feed = world.feed("s1").await;
    let written = feed.put_documents(one.id, &[("a", &mark)]).await;
    written.expect("writes");
    feed.commit().await.expect("commits");
    let mut feed = world.feed("s1").await;
    feed.index(&products()).await.expect("locks");
    let live = DocumentRow {
        deleted_at: None,
        ..row(0, 2)
    };
    let written = feed.put_documents(one.id, &[("a", &live)]).await;
    written.expect("writes");
    let permit = system_permit("s1");
    let other = world.other().await;
    let marks = other.delete_marks((&permit, one.id), Some(NOW), 9, 10);
    let (committed, deleted) = paused(feed.commit(), marks).await;
    committed.expect("commits");
    assert_eq!(deleted.expect("succeeds"), 0);
}

#[tokio::test]
async fn a_document_written_during_a_sweep_is_kept() {
    let world = World::new().await;
    let [one, _] = world.indices().await;
    let mut state = put(&world, "s1", one, &["a", "b"]).await;
    let mut feed = world.feed("s1").await;
    feed.clear(&mut state).await.expect("clears");
    feed.save_index(&state, NOW).await.expect("saves");
    feed.commit().await.expect("commits");
    let mut feed = world.feed("s1").await;
    let state = feed.index(&products()).await.expect("locks");
    let mut state = state.expect("an index");
    state.writes += 1;
    state.sequence += 1;
    let again = DocumentRow {
        written: state.writes,
        ..row(0, state.sequence)
    };
    let written = feed.put_documents(state.id, &[("a", &again)]).await;
    written.expect("writes");
    feed.save_index(&state, NOW).await.expect("saves");
    let other = world.other().await;
    let mut sweeps = other.unswept().await.expect("reads");
    let sweep = other.sweep(&mut sweeps[0], 500, NOW);
    let (committed, swept) = paused(feed.commit(), sweep).await;
    committed.expect("commits");
    swept.expect("sweeps");
    let mut feed = world.feed("s1").await;
    let found = feed.documents(&state, &["a"]).await.expect("reads");
    assert_eq!(found["a"].deleted_at, None);
}

#[tokio::test]
async fn counters_are_repaired_to_what_a_block_left() {
    let world = World::new().await;
    let [one, _] = world.indices().await;
    let mut feed = world.feed("s1").await;
    feed.index(&products()).await.expect("locks");
    let written = feed.put_documents(one.id, &[("a", &row(0, 1))]).await;
    written.expect("writes");
    let other = world.other().await;
    let repair = other.repair_counters(one.id);
    let (committed, repaired) = paused(feed.commit(), repair).await;
    committed.expect("commits");
    repaired.expect("repairs");
    let index = world.storage.index(one.id).await.expect("reads");
    assert_eq!(index.expect("an index").documents, 1);
}

fn link() -> LinkRow {
    LinkRow {
        id: LinkId::from("l1"),
        digest: "d1".to_owned(),
        kind: "fwi".to_owned(),
        target: LinkTarget::default(),
        made_by: "operator".to_owned(),
        created_at: NOW,
        expires_at: NOW.plus_hours(1),
        used_at: None,
        revoked_at: None,
    }
}

#[tokio::test]
async fn a_link_is_used_once() {
    let world = World::new().await;
    let mut people = world.storage.change_people().await.expect("opens");
    people.create_link(&link()).await.expect("a link");
    let late = people.use_link(&link().id, NOW.plus_hours(1)).await;
    assert!(!late.expect("succeeds"));
    people.commit().await.expect("commits");
    let mut first = world.storage.change_people().await.expect("opens");
    assert!(first.use_link(&link().id, NOW).await.expect("succeeds"));
    let other = world.other().await;
    let second = async {
        let mut second = other.change_people().await?;
        second.use_link(&link().id, Timestamp(NOW.0 + 1)).await
    };
    let (committed, used) = paused(first.commit(), second).await;
    committed.expect("commits");
    assert!(!used.expect("succeeds"));
}

#[tokio::test]
async fn accounts_and_people_are_locked() {
    let world = World::new().await;
    let account = AccountId::from("a1");
    let mut first = world.storage.change_people().await.expect("opens");
    first.lock_people().await.expect("locks");
    first.lock_account(&account).await.expect("locks");
    let other = world.other().await;
    let of_account = async {
        let mut second = other.change_people().await?;
        second.lock_account(&account).await
    };
    let (committed, locked) = paused(first.commit(), of_account).await;
    committed.expect("commits");
    locked.expect("locks");
    let mut first = world.storage.change_people().await.expect("opens");
    first.lock_people().await.expect("locks");
    let of_people = async {
        let mut second = other.change_people().await?;
        second.lock_people().await
    };
    let (committed, locked) = paused(first.commit(), of_people).await;
    committed.expect("commits");
    locked.expect("locks");
}

#[tokio::test]
async fn a_store_has_one_feed_transaction() {
    let world = World::new().await;
    let first = world.feed("s1").await;
    let other = world.other().await;
    let permit = feed_permit("s1");
    let (committed, second) = paused(first.commit(), other.begin_feed(&permit)).await;
    committed.expect("commits");
    drop(second);
}

#[tokio::test]
async fn a_store_that_is_being_removed_stays_closed() {
    let world = World::new().await;
    let store = StoreId::from("s1");
    let account = AccountId::from("a1");
    let permit = access::account(&Caller::operator(), &account, RequiredRole::Owner);
    let permit = permit.expect("the operator may");
    let mut change = world.storage.administer(&operator()).await.expect("opens");
    let closed = change.close_store(&permit, &store, "Store s1", NOW).await;
    assert!(closed.expect("succeeds"));
    let subject = AuditSubject::default();
    let done = change.commit(&entry(&[]), &subject, NOW).await;
    done.expect("commits");
    let mut first = world.storage.administer(&operator()).await.expect("opens");
    let begun = first.begin_removal(&store, "Store s1").await;
    assert!(begun.expect("succeeds"));
    let before = Timestamp(NOW.0 - 1);
    let other = world.other().await;
    let second = async {
        let mut second = other.administer(&operator()).await?;
        second.reopen_store(&store, before).await
    };
    let entry = entry(&[]);
    let (committed, opened) = paused(first.commit(&entry, &subject, NOW), second).await;
    committed.expect("commits");
    assert_eq!(opened.expect("succeeds"), None);
}
