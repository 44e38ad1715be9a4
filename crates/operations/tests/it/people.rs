//! 1. Signing in takes exactly one hash whoever the address belongs to, and every failure looks the same.
//! 2. Ten failures of an address or thirty of a client lock it for the rest of 15 minutes, but not a browser in which
//!    the user signed in before.
//! 3. A session ends 12 h after its last use and 7 days after sign-in; requests that do not count do not prolong it.
//! 4. The last owner of an account stays; of two owners who demote each other at once, one wins.
//! 5. A link works once, and not after it was revoked or has ended; looking at it changes nothing.
//! 6. Only whoever owns all accounts of a user makes a link for a new password.
//! 7. Removing a member names the keys that the member created; they go on working.
//! 8. A job removes sessions once they have ended, and no others.
//! 9. The 21st session of a user ends the least recently used one.

use crate::world::{NOW, World};
use domain::{AccountId, Caller, ClientAddress, KeyKind, Role, Timestamp, UserId};
use operations::jobs::ended_sessions;
use operations::keys::{self, NewApiKey};
use operations::people::members::{self, MemberChange};
use operations::people::{self, Invitation, LinkUse, PanelClient, SignIn, SignedIn, commands};
use operations::{OperationError, authenticate};
use std::net::{IpAddr, Ipv4Addr};

const PASSWORD: &str = "tram gravel oboe 41";
const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

fn client(number: u32) -> PanelClient {
    PanelClient {
        from: ClientAddress::from(IpAddr::from(Ipv4Addr::from(number))),
        browser: "a test".to_owned(),
        former: None,
        known: None,
        request_id: None,
    }
}

impl World {
    async fn account_of(&self, key: &str) -> AccountId {
        let caller = self.caller(key).await;
        caller.key().expect("a key").account.clone()
    }

    async fn account(&self) -> AccountId {
        self.account_of(&self.one.writer).await
    }

    /// A user who joined `account` by a link.
    async fn member(&self, account: &AccountId, email: &str, role: Role) -> SignedIn {
        let invitation = Invitation {
            email: email.to_owned(),
            role,
            stores: None,
        };
        let operator = Caller::operator();
        let link = commands::create(&self.service, &operator, Some(account.clone()), invitation);
        let token = link.await.expect("a link").token;
        let joined = people::redeem(&self.service, joining(token), client(9)).await;
        joined.unwrap_or_else(|error| panic!("{email} joins: {error}"))
    }

    async fn sign_in(
        &self,
        email: &str,
        password: &str,
        client: PanelClient,
    ) -> Result<SignedIn, OperationError> {
        let input = SignIn {
            email: email.to_owned(),
            password: password.to_owned(),
        };
        people::sign_in(&self.service, input, client).await
    }

    async fn user(&self, session: &SignedIn) -> Result<Caller, OperationError> {
        let found = people::by_session(&self.service, Some(&session.token), true).await;
        found.map(|signed_in| signed_in.caller)
    }
}

fn joining(token: String) -> LinkUse {
    LinkUse {
        token,
        name: Some("Ana".to_owned()),
        password: Some(PASSWORD.to_owned()),
        ..LinkUse::default()
    }
}

fn code<T>(result: Result<T, OperationError>) -> &'static str {
    result.map_or_else(|error| error.code(), |_| "ok")
}

#[tokio::test]
async fn failures_look_alike_and_cost_one_hash_each() {
    let world = World::new().await;
    world
        .member(&world.account().await, "ana@shop.example", Role::Owner)
        .await;
    for window in 0..2 {
        for attempt in 0..11 {
            let mut texts = Vec::new();
            for email in ["ana@shop.example", "nobody@shop.example"] {
                let before = world.service.password_hashes();
                let error = world.sign_in(email, "wrong", client(1)).await.err();
                let error = error.expect("a wrong password");
                let hashes = world.service.password_hashes() - before;
                assert_eq!(
                    hashes,
                    u64::from(attempt < 10),
                    "{email}, {window}, {attempt}"
                );
                texts.push((error.code(), error.to_string()));
            }
            assert_eq!(texts[0], texts[1]);
            let expected = if attempt < 10 {
                "sign_in_failed"
            } else {
                "rate_limited"
            };
            assert_eq!(texts[0].0, expected, "{window}, {attempt}");
        }
        world.clock.advance_ms(15 * MINUTE_MS);
    }
    let signed_in = world
        .sign_in(" ANA@shop.example ", PASSWORD, client(1))
        .await;
    assert_eq!(signed_in.expect("the right password").user.name, "Ana");
}

#[tokio::test]
async fn nobody_locks_another_out_of_a_known_browser() {
    let world = World::new().await;
    let ana = world
        .member(&world.account().await, "ana@shop.example", Role::Owner)
        .await;
    for _ in 0..10 {
        let stranger = world.sign_in("ana@shop.example", "wrong", client(1)).await;
        assert_eq!(code(stranger), "sign_in_failed");
    }
    let stranger = world.sign_in("ana@shop.example", PASSWORD, client(2)).await;
    assert!(matches!(
        stranger,
        Err(OperationError::TooMany {
            retry_after_s: 900,
            ..
        })
    ));
    let known = PanelClient {
        known: Some(ana.known.clone()),
        ..client(2)
    };
    let signed_in = world
        .sign_in("ana@shop.example", PASSWORD, known.clone())
        .await;
    assert_eq!(code(signed_in), "ok");
    for _ in 0..10 {
        let failed = world
            .sign_in("ana@shop.example", "wrong", known.clone())
            .await;
        assert_eq!(code(failed), "sign_in_failed");
    }
    let limited = world.sign_in("ana@shop.example", PASSWORD, known).await;
    assert_eq!(code(limited), "rate_limited");
}

#[tokio::test]
async fn thirty_failures_lock_a_client_and_no_other() {
    let world = World::new().await;
    world
        .member(&world.account().await, "ana@shop.example", Role::Owner)
        .await;
    for number in 0..30 {
        let email = format!("user{number}@shop.example");
        let failed = world.sign_in(&email, "wrong", client(1)).await;
        assert_eq!(code(failed), "sign_in_failed", "{number}");
    }
    let right = world.sign_in("ana@shop.example", PASSWORD, client(1)).await;
    assert_eq!(code(right), "rate_limited");
    let elsewhere = world.sign_in("ana@shop.example", PASSWORD, client(2)).await;
    assert_eq!(code(elsewhere), "ok");
}

#[tokio::test]
async fn sessions_end_with_their_times() {
    let world = World::new().await;
    let account = world.account().await;
    let ana = world
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    let polled = |counts| people::by_session(&world.service, Some(&ana.token), counts);
    for _ in 0..11 {
        world.clock.advance_ms(HOUR_MS);
        assert_eq!(code(polled(false).await), "ok");
    }
    world.clock.advance_ms(HOUR_MS - 1);
    assert_eq!(code(polled(true).await), "ok", "a use prolongs it");
    world.clock.advance_ms(12 * HOUR_MS - 1);
    assert_eq!(code(polled(false).await), "ok");
    assert_eq!(
        ended_sessions::run(&world.service)
            .await
            .expect("runs")
            .rows,
        0
    );
    world.clock.advance_ms(1);
    assert_eq!(code(polled(true).await), "session_missing");
    world.clock.advance_ms(1);
    assert_eq!(
        ended_sessions::run(&world.service)
            .await
            .expect("runs")
            .rows,
        1
    );

    let again = world.sign_in("ana@shop.example", PASSWORD, client(1)).await;
    let again = again.expect("signs in");
    for _ in 0..(7 * 24 - 1) / 11 {
        world.clock.advance_ms(11 * HOUR_MS);
        assert_eq!(code(world.user(&again).await), "ok");
    }
    world.clock.advance_ms(3 * HOUR_MS);
    assert_eq!(code(world.user(&again).await), "session_missing", "7 days");
}

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

#[tokio::test]
async fn a_user_has_twenty_sessions() {
    let world = World::new().await;
    let first = world
        .member(&world.account().await, "ana@shop.example", Role::Owner)
        .await;
    for number in 0..19 {
        world.clock.advance_ms(1_000);
        let more = world.sign_in("ana@shop.example", PASSWORD, client(1)).await;
        assert_eq!(code(more), "ok", "{number}");
    }
    assert_eq!(code(world.user(&first).await), "ok");
    world.clock.advance_ms(1_000);
    let last = world
        .sign_in("ana@shop.example", PASSWORD, client(1))
        .await
        .expect("signs in");
    assert_eq!(code(world.user(&first).await), "session_missing");
    let caller = people::by_session(&world.service, Some(&last.token), true).await;
    let sessions = people::list_sessions(&world.service, &caller.expect("Ana")).await;
    let sessions = sessions.expect("lists");
    assert_eq!((sessions.len(), sessions[0].current), (20, true));
    assert!(sessions[0].signed_in_at > Timestamp(NOW.0));
}
