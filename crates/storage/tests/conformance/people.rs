//! Statements on users and the stores that they reach.
//!
//! 1. A session is found with its user and all memberships, the oldest first; without a membership it is not found.
//! 2. The listed stores are those of the accounts of the user, and only the store whose feed stopped
//!    is said to be silent.

use crate::world::{NOW, World, entry, operator, store};
use domain::feed::{RunMode, RunOrigin};
use domain::{AccountId, Email, PanelLanguage, Role, RunId, StoreReach, Timestamp, UserId};
use storage::{AuditSubject, MembershipRow, NewRunRow, NewStoreRow, SessionRow, UserRow};

const DAY_MS: i64 = 86_400_000;

fn ana() -> UserId {
    UserId::from("ana")
}

async fn sign_in(world: &World) {
    let mut people = world.storage.change_people().await.expect("opens");
    let user = UserRow {
        id: ana(),
        email: Email::of_storage("ana@shop.example".to_owned()),
        name: "Ana".to_owned(),
        language: PanelLanguage::En,
        password: None,
        created_at: NOW,
        last_sign_in_at: None,
        deactivated_at: None,
    };
    assert!(people.create_user(&user).await.expect("a user"));
    let session = SessionRow {
        digest: "d".to_owned(),
        id: "public".to_owned(),
        user: ana(),
        signed_in_at: Timestamp(NOW.0 + 1),
        used_at: Timestamp(NOW.0 + 2),
        confirmed_at: Some(Timestamp(NOW.0 + 3)),
        address: "127.0.0.1".to_owned(),
        browser: "a browser".to_owned(),
    };
    people.create_session(&session, 5).await.expect("a session");
    people.commit().await.expect("commits");
}

async fn join(world: &World, account: &str, role: Role, at: i64) {
    let mut people = world.storage.change_people().await.expect("opens");
    let row = MembershipRow {
        user: ana(),
        account: AccountId::from(account),
        role,
        stores: StoreReach::All,
        created_at: Timestamp(NOW.0 + at),
    };
    people.save_membership(&row).await.expect("a membership");
    people.commit().await.expect("commits");
}

async fn memberships(world: &World) -> Option<Vec<(String, Role)>> {
    let found = world.storage.signed_in("d").await.expect("reads")?;
    assert_eq!(found.session.user, ana());
    assert_eq!(found.session.confirmed_at, Some(Timestamp(NOW.0 + 3)));
    assert_eq!((found.user.id, found.user.created_at), (ana(), NOW));
    let rows = found.memberships.into_iter();
    Some(rows.map(|row| (row.account.0, row.role)).collect())
}

#[tokio::test]
async fn a_session_comes_with_the_memberships_of_its_user() {
    let world = World::new().await;
    sign_in(&world).await;
    assert_eq!(memberships(&world).await, None);
    join(&world, "a2", Role::Viewer, 1).await;
    let viewer = ("a2".to_owned(), Role::Viewer);
    assert_eq!(memberships(&world).await, Some(vec![viewer.clone()]));
    join(&world, "a1", Role::Owner, 0).await;
    let owner = ("a1".to_owned(), Role::Owner);
    assert_eq!(memberships(&world).await, Some(vec![owner, viewer]));
    assert!(
        world
            .storage
            .signed_in("other")
            .await
            .expect("reads")
            .is_none()
    );
}

#[tokio::test]
async fn listed_stores_are_those_of_the_accounts_of_the_user() {
    let world = World::new().await;
    let [index, _] = world.indices().await;
    sign_in(&world).await;
    join(&world, "a1", Role::Viewer, 0).await;
    let mut change = world.storage.administer(&operator()).await.expect("opens");
    let account = AccountId::from("a1");
    let other = NewStoreRow {
        store: store("s3"),
        account,
    };
    change.create_store(&other).await.expect("a store");
    change
        .commit(&entry(&[]), &AuditSubject::default(), NOW)
        .await
        .expect("commits");
    for day in 1..=5 {
        let mut feed = world.feed("s1").await;
        let run = NewRunRow {
            id: RunId(format!("r{day}")),
            client_run_id: format!("c{day}"),
            mode: RunMode::Incremental,
            at: Timestamp(NOW.0 + day * DAY_MS),
            origin: RunOrigin::Connector,
            by: None,
            process: None,
        };
        feed.open_run(&run, &[index]).await.expect("a run");
        feed.commit().await.expect("commits");
    }
    let last = Timestamp(NOW.0 + 5 * DAY_MS);
    let listed = async |days: i64| {
        let now = Timestamp(last.0 + days * DAY_MS);
        let rows = world.storage.listed_stores_of_user(&ana(), now).await;
        let rows = rows.expect("reads").into_iter();
        rows.map(|row| (row.account.0, row.store.id.0, row.silent_since))
            .collect::<Vec<_>>()
    };
    let row = |store: &str, silent| ("a1".to_owned(), store.to_owned(), silent);
    assert_eq!(listed(1).await, [row("s1", None), row("s3", None)]);
    assert_eq!(listed(3).await, [row("s1", Some(last)), row("s3", None)]);
}
