//! A password is compared outside of the transaction that begins a session.
//!
//! 1. When the password is replaced or the user is deactivated meanwhile, nobody gets in with the old one: not by
//!    sign-in, not by giving the password again, not by a link. The new password stays.
//! 2. When the session ends meanwhile, giving the password again begins no other one.

use super::{PASSWORD, client, code, joining};
use crate::world::{NOW, World};
use domain::{Caller, Role, UserId};
use operations::people::{self, Invitation, PasswordChange, SignedInCaller, commands};
use storage::PeopleWrite;

const NEW: &str = "copper lantern raft 57";

/// What happens while a password is compared.
#[derive(Clone, Copy, Debug)]
enum Meanwhile {
    Reset,
    Deactivated,
    SignedOut,
}

async fn happens(write: &mut PeopleWrite, user: &UserId, what: Meanwhile, phc: &str) {
    match what {
        Meanwhile::Reset => write.save_password(user, phc).await.expect("replaced"),
        Meanwhile::Deactivated => {
            let done = write.deactivate_user(user, Some(NOW)).await;
            done.expect("deactivated");
        }
        Meanwhile::SignedOut => {}
    }
    write.end_sessions(user).await.expect("ended");
}

/// Runs what compares the password of `user` while something else happens: the database is locked from before the
/// comparison until that is committed.
async fn during<T: Send + 'static>(
    world: &World,
    (user, phc): (&UserId, &str),
    what: Meanwhile,
    compares: impl Future<Output = T> + Send + 'static,
) -> T {
    let other = world.storage().await;
    let mut write = other.change_people().await.expect("locked");
    let before = world.service.password_hashes();
    let compares = tokio::spawn(compares);
    while world.service.password_hashes() == before {
        tokio::task::yield_now().await;
    }
    happens(&mut write, user, what, phc).await;
    write.commit().await.expect("committed");
    compares.await.expect("ends")
}

/// The hash of the new password, as of another user.
async fn hash_of_new(world: &World) -> String {
    let account = world.account().await;
    let ben = world
        .member(&account, "ben@shop.example", Role::Owner)
        .await;
    let caller = signed_in(world, &ben.token).await;
    let change = PasswordChange {
        current: PASSWORD.to_owned(),
        new: NEW.to_owned(),
    };
    let changed = people::change_password(&world.service, &caller, change, client(5)).await;
    assert_eq!(code(changed), "ok");
    let row = world.storage().await.user(&ben.user.id).await;
    row.expect("reads")
        .and_then(|row| row.password)
        .expect("a hash")
}

async fn signed_in(world: &World, token: &str) -> SignedInCaller {
    let found = people::by_session(&world.service, Some(token), true).await;
    found.expect("a session")
}

async fn sessions(world: &World, user: &UserId) -> usize {
    let sessions = world.storage().await.sessions_of(user).await;
    sessions.expect("reads").len()
}

#[tokio::test]
async fn nobody_signs_in_with_a_password_that_is_replaced_meanwhile() {
    let world = World::new().await;
    let phc = hash_of_new(&world).await;
    let account = world.account().await;
    let ana = world
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    let id = &ana.user.id;
    for what in [Meanwhile::Deactivated, Meanwhile::Reset] {
        let service = world.service.clone();
        let input = people::SignIn {
            email: "ana@shop.example".to_owned(),
            password: PASSWORD.to_owned(),
        };
        let sign_in = async move { people::sign_in(&service, input, client(1)).await };
        let outcome = during(&world, (id, &phc), what, sign_in).await;
        assert_eq!(code(outcome), "sign_in_failed", "{what:?}");
        let operator = Caller::operator();
        let email = "ana@shop.example";
        let again = commands::set_active(&world.service, &operator, email, true).await;
        again.expect("active");
        assert_eq!(sessions(&world, id).await, 0, "{what:?}");
    }
    let old = world.sign_in("ana@shop.example", PASSWORD, client(1)).await;
    assert_eq!(code(old), "sign_in_failed");
    let new = world.sign_in("ana@shop.example", NEW, client(1)).await;
    assert_eq!(code(new), "ok");
}

#[tokio::test]
async fn a_session_that_ends_meanwhile_is_not_renewed() {
    let world = World::new().await;
    let phc = hash_of_new(&world).await;
    let account = world.account().await;
    let ana = world
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    let (id, email) = (&ana.user.id, "ana@shop.example");
    let mut token = ana.token.clone();
    for what in [
        Meanwhile::SignedOut,
        Meanwhile::Deactivated,
        Meanwhile::Reset,
    ] {
        for replaces in [false, true] {
            let before = world.storage().await.user(id).await.expect("reads");
            let before = before.and_then(|row| row.password).expect("a hash");
            let (service, caller) = (world.service.clone(), signed_in(&world, &token).await);
            let renews = async move {
                if replaces {
                    let change = PasswordChange {
                        current: PASSWORD.to_owned(),
                        new: "velvet orchard mast 83".to_owned(),
                    };
                    people::change_password(&service, &caller, change, client(1)).await
                } else {
                    people::confirm(&service, &caller, PASSWORD, client(1)).await
                }
            };
            let outcome = during(&world, (id, &phc), what, renews).await;
            assert_eq!(code(outcome), "session_missing", "{what:?}, {replaces}");
            assert_eq!(sessions(&world, id).await, 0, "{what:?}, {replaces}");
            // As before, for the next round.
            let other = world.storage().await;
            let mut write = other.change_people().await.expect("begins");
            if !matches!(what, Meanwhile::Reset) {
                let now = write.user(id).await.expect("reads").expect("Ana");
                assert_eq!(now.password.as_deref(), Some(before.as_str()));
            }
            write.save_password(id, &before).await.expect("saved");
            write.deactivate_user(id, None).await.expect("active");
            write.commit().await.expect("committed");
            let again = world.sign_in(email, PASSWORD, client(2)).await;
            token = again.expect("signs in").token;
        }
    }
}

#[tokio::test]
async fn nobody_joins_with_a_password_that_is_replaced_meanwhile() {
    let world = World::new().await;
    let phc = hash_of_new(&world).await;
    let account = world.account().await;
    let ana = world
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    let invitation = Invitation {
        email: "ana@shop.example".to_owned(),
        role: Role::Viewer,
        stores: None,
    };
    let second = world.account_of(&world.two.writer).await;
    let operator = Caller::operator();
    let link = commands::create(&world.service, &operator, Some(second), invitation).await;
    let (service, input) = (world.service.clone(), joining(link.expect("a link").token));
    let joins = {
        let input = input.clone();
        async move { people::redeem(&service, input, client(1)).await }
    };
    let outcome = during(&world, (&ana.user.id, &phc), Meanwhile::Reset, joins).await;
    assert_eq!(code(outcome), "invalid_request");
    assert_eq!(sessions(&world, &ana.user.id).await, 0);
    let with_new = people::LinkUse {
        password: Some(NEW.to_owned()),
        ..input
    };
    let joined = people::redeem(&world.service, with_new, client(1)).await;
    assert_eq!(code(joined), "ok", "the link is still open");
}
