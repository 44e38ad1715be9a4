//! 1. The last owner of an account stays; of two owners who demote each other at once, one wins.
//! 2. A link works once, and not after it was revoked or has ended; looking at it changes nothing.
//! 3. Only whoever owns all accounts of a user makes a link for a new password.
//! 4. Removing a member names the keys that the member created; they go on working.

use super::{HOUR_MS, MINUTE_MS, client, code, joining};
use crate::world::World;
use domain::{Caller, KeyKind, Role, UserId};
use operations::authenticate;
use operations::keys::{self, NewApiKey};
use operations::people::members::{self, MemberChange};
use operations::people::{self, Invitation, commands};

#[tokio::test]
async fn the_last_owner_stays() {
    let world = World::new().await;
    let account = world.account().await;
    let ana = world
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    let ben = world
        .member(&account, "ben@shop.example", Role::Owner)
        .await;
    let (as_ana, as_ben) = (world.user(&ana).await, world.user(&ben).await);
    let (as_ana, as_ben) = (as_ana.expect("Ana"), as_ben.expect("Ben"));
    let demote = |caller: &Caller, user: &UserId| {
        let (service, caller, account) = (world.service.clone(), caller.clone(), account.clone());
        let user = user.clone();
        async move {
            let change = MemberChange {
                role: Role::Viewer,
                stores: None,
            };
            code(members::set(&service, &caller, &account, &user, change).await)
        }
    };
    assert_eq!(
        demote(&as_ana, &ana.user.id).await,
        "conflict",
        "one's own role"
    );
    let both = tokio::join!(demote(&as_ana, &ben.user.id), demote(&as_ben, &ana.user.id));
    let mut both = [both.0, both.1];
    both.sort_unstable();
    assert_eq!(both, ["ok", "role_missing"]);

    let operator = Caller::operator();
    let list = members::list(&world.service, &operator, &account)
        .await
        .expect("lists");
    let owners: Vec<_> = list.iter().filter(|m| m.role == Role::Owner).collect();
    let [last] = owners.as_slice() else {
        panic!("one owner: {list:?}");
    };
    let email = last.email.as_ref().expect("an address").as_str();
    assert_eq!(demote(&operator, &last.user_id).await, "conflict");
    let removed = members::remove(&world.service, &operator, &account, &last.user_id).await;
    assert_eq!(code(removed), "conflict");
    let off = commands::set_active(&world.service, &operator, email, false).await;
    assert_eq!(code(off), "conflict");
}

#[tokio::test]
async fn a_link_works_once() {
    let world = World::new().await;
    let account = world.account().await;
    let operator = Caller::operator();
    let invite = |email: &str| {
        let invitation = Invitation {
            email: email.to_owned(),
            role: Role::Editor,
            stores: None,
        };
        people::invite(&world.service, &operator, &account, invitation)
    };
    let look = |token: String| {
        let service = world.service.clone();
        async move { code(people::look(&service, &token, &client(3)).await) }
    };
    let (first, second) = (
        invite("a@shop.example").await,
        invite("b@shop.example").await,
    );
    let (first, second) = (first.expect("a link"), second.expect("a link"));
    assert!(first.token.starts_with("inv_") && first.token.len() == 47);
    for _ in 0..3 {
        assert_eq!(look(first.token.clone()).await, "ok");
    }
    let used = people::redeem(&world.service, joining(first.token.clone()), client(3)).await;
    assert_eq!(code(used), "ok");
    let again = people::redeem(&world.service, joining(first.token.clone()), client(3)).await;
    let gone = again.err().expect("it was used").to_string();
    people::revoke(&world.service, &operator, &account, second.id)
        .await
        .expect("revokes");
    let late = invite("c@shop.example").await.expect("a link");
    world.clock.advance_ms(7 * 24 * HOUR_MS);
    for token in [second.token, late.token, "inv_unknown".to_owned()] {
        let error = people::redeem(&world.service, joining(token), client(3))
            .await
            .err();
        let error = error.expect("no open link");
        assert_eq!(
            (error.code(), error.to_string()),
            ("link_gone", gone.clone())
        );
    }
    world.clock.advance_ms(15 * MINUTE_MS);
    for number in 0..20 {
        assert_eq!(
            look("inv_unknown".to_owned()).await,
            "link_gone",
            "{number}"
        );
    }
    assert_eq!(look(first.token).await, "rate_limited");
}

#[tokio::test]
async fn only_an_owner_of_all_accounts_resets_a_member() {
    let world = World::new().await;
    let account = world.account().await;
    let other = world.account_of(&world.two.writer).await;
    let ana = world
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    let eve = world
        .member(&account, "eve@shop.example", Role::Editor)
        .await;
    let as_ana = world.user(&ana).await.expect("Ana");
    let reset = || people::reset_member(&world.service, &as_ana, &account, &eve.user.id);
    let link = reset().await.expect("a link");
    let used = people::redeem(&world.service, joining(link.token), client(1)).await;
    assert_eq!(code(used), "ok");
    assert_eq!(
        code(world.user(&eve).await),
        "session_missing",
        "all sessions end"
    );

    let invitation = Invitation {
        email: "eve@shop.example".to_owned(),
        role: Role::Viewer,
        stores: None,
    };
    let link = people::invite(&world.service, &Caller::operator(), &other, invitation).await;
    let joined = people::redeem(
        &world.service,
        joining(link.expect("a link").token),
        client(1),
    );
    assert_eq!(code(joined.await), "ok", "with the password that she has");
    let refused = reset().await.err().expect("another account");
    assert_eq!(refused.code(), "conflict");
    assert!(
        refused
            .to_string()
            .contains("findwell user reset eve@shop.example")
    );
}

#[tokio::test]
async fn removing_a_member_names_the_keys() {
    let world = World::new().await;
    let account = world.account().await;
    let ana = world
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    let ben = world
        .member(&account, "ben@shop.example", Role::Owner)
        .await;
    let as_ben = world.user(&ben).await.expect("Ben");
    let mut made = Vec::new();
    for name in ["one", "two"] {
        let new = NewApiKey {
            store: Some(world.one.store.clone()),
            account: None,
            kind: KeyKind::Configuration,
            scope: None,
            name: Some(name.to_owned()),
            expires: None,
        };
        made.push(
            keys::create(&world.service, &as_ben, new)
                .await
                .expect("a key")
                .key,
        );
    }
    let as_ana = world.user(&ana).await.expect("Ana");
    let removed = members::remove(&world.service, &as_ana, &account, &ben.user.id).await;
    let keys = removed.expect("removes").keys.into_iter();
    let mut names: Vec<_> = keys.map(|key| key.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(code(world.user(&ben).await), "session_missing");
    for key in made {
        assert!(authenticate::by_key(&world.service, &key).await.is_ok());
    }
    let listed = keys::list_reached(&world.service, &as_ana, Some(&account), None).await;
    let listed = listed.expect("lists");
    let by_ben = listed
        .iter()
        .find(|key| key.name == "one")
        .expect("the key");
    let maker = by_ben.created_by.as_ref().expect("a maker");
    assert_eq!(maker.user_id.as_deref(), Some(ben.user.id.as_str()));
}
