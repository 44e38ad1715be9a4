//! Pairs of operations on accounts, their stores and their people.

use super::two::{NamedLocks, Step, Two, step};
use super::{both, one_wins, outcome};
use crate::people::{PASSWORD, client, joining};
use crate::world::{NOW, language};
use domain::{Caller, Role, UserId};
use operations::people::members::{self, MemberChange};
use operations::people::{self, Invitation, LinkUse, PasswordChange, SignIn, commands};
use operations::stores::{self, StoreRequest};
use operations::{Service, accounts};

/// What one owner does to another.
#[derive(Clone, Copy)]
enum Against {
    Remove,
    Demote,
}

async fn owners(
    swapped: bool,
    locks: NamedLocks,
    (by_ana, by_ben): (Against, Against),
) -> Result<(), String> {
    let two = Two::new(locks).await;
    let account = two.world.account().await;
    let ana = (two.world)
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    let ben = (two.world)
        .member(&account, "ben@shop.example", Role::Owner)
        .await;
    let (as_ana, as_ben) = (two.world.user(&ana).await, two.world.user(&ben).await);
    let (as_ana, as_ben) = (as_ana.expect("Ana"), as_ben.expect("Ben"));
    let act = |service: &Service, caller: Caller, user: &UserId, what: Against| {
        let (service, account, user) = (service.clone(), account.clone(), user.clone());
        step("memberships", async move {
            match what {
                Against::Remove => {
                    outcome(members::remove(&service, &caller, &account, &user).await)
                }
                Against::Demote => {
                    let change = MemberChange {
                        role: Role::Viewer,
                        stores: None,
                    };
                    outcome(members::set(&service, &caller, &account, &user, change).await)
                }
            }
        })
    };
    let first = act(&two.world.service, as_ana, &ben.user.id, by_ana);
    let second = act(&two.other, as_ben, &ana.user.id, by_ben);
    let done = two.run(swapped, first, second).await?;
    let list = members::list(&two.world.service, &Caller::operator(), &account).await;
    let list = list.expect("lists");
    let left = list.iter().filter(|m| m.role == Role::Owner).count();
    two.close().await;
    one_wins(&done)?;
    (left == 1)
        .then_some(())
        .ok_or(format!("{left} owners are left"))
}

/// Of two owners who remove each other, one stays.
pub async fn removals_of_owners(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    owners(swapped, locks, (Against::Remove, Against::Remove)).await
}

/// Of two owners, one of whom removes the other, who demotes the first one, one stays an owner.
pub async fn removals_and_demotions(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    owners(swapped, locks, (Against::Remove, Against::Demote)).await
}

/// Of two stores for which an account has one place, one is created.
pub async fn stores_at_the_limit(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::new(locks).await;
    let account = two.world.account().await;
    let operator = Caller::operator();
    let limited = accounts::set_max_stores(&two.world.service, &operator, &account, 2);
    limited.await.expect("limited");
    let ana = (two.world)
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    let caller = two.world.user(&ana).await.expect("Ana");
    let create = |service: &Service| {
        let (service, account, caller) = (service.clone(), account.clone(), caller.clone());
        let request = StoreRequest {
            name: "One more".to_owned(),
            languages: vec![language("es")],
        };
        step("stores", async move {
            outcome(stores::create_in_account(&service, &caller, &account, request).await)
        })
    };
    let (first, second) = (create(&two.world.service), create(&two.other));
    let done = two.run(swapped, first, second).await?;
    two.close().await;
    one_wins(&done)
}

/// A closed store is opened again or removed.
pub async fn openings_and_removals(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::new(locks).await;
    let store = two.world.one.store.clone();
    let operator = Caller::operator();
    let closed = stores::close(&two.world.service, &operator, &store, "One".to_owned()).await;
    closed.expect("closes");
    let opening = {
        let (service, store) = (two.other.clone(), store.clone());
        step("stores", async move {
            outcome(stores::reopen(&service, &Caller::operator(), &store).await)
        })
    };
    let storage = two.storage().await;
    let removal = step("stores", async move {
        match storage.begin_removal(&store, NOW).await {
            Ok(Some(_)) => "ok".to_owned(),
            Ok(None) => "not_found".to_owned(),
            Err(error) => error.to_string(),
        }
    });
    let done = two.run(swapped, opening, removal).await?;
    two.close().await;
    one_wins(&done)
}

impl Two {
    async fn invited(&self, key: &str, email: &str) -> String {
        let account = self.world.account_of(key).await;
        let invitation = Invitation {
            email: email.to_owned(),
            role: Role::Viewer,
            stores: None,
        };
        let operator = Caller::operator();
        let link = commands::create(&self.world.service, &operator, Some(account), invitation);
        link.await.expect("a link").token
    }

    /// Uses a link twice, of which one use succeeds.
    async fn used_once(self, swapped: bool, uses: [LinkUse; 2]) -> Result<(), String> {
        let [first, second] = uses;
        let first = redeeming(&self.world.service, first, 1);
        let second = redeeming(&self.other, second, 2);
        let done = self.run(swapped, first, second).await?;
        self.close().await;
        one_wins(&done)
    }
}

fn redeeming(service: &Service, input: LinkUse, number: u32) -> Step {
    let service = service.clone();
    step("links", async move {
        outcome(people::redeem(&service, input, client(number)).await)
    })
}

/// A link lets one person in.
pub async fn uses_of_a_link(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::new(locks).await;
    let token = two.invited(&two.world.one.writer, "eve@shop.example").await;
    two.used_once(swapped, [joining(token.clone()), joining(token)])
        .await
}

/// A link to a new password is used once.
pub async fn uses_of_a_reset(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::new(locks).await;
    let (account, ana) = (two.world.account().await, "ana@shop.example");
    two.world.member(&account, ana, Role::Owner).await;
    let operator = Caller::operator();
    let link = commands::reset(&two.world.service, &operator, ana).await;
    let token = link.expect("a link").token;
    let reset = |password: &str| LinkUse {
        token: token.clone(),
        password: Some(password.to_owned()),
        ..LinkUse::default()
    };
    let uses = ["copper lantern raft 57", "amber kettle drift 23"].map(reset);
    two.used_once(swapped, uses).await
}

/// Links of two accounts for one new address make one user; the second one says what to do, and is not used up.
pub async fn joins_of_one_person(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::new(locks).await;
    let one = two.invited(&two.world.one.writer, "eve@shop.example").await;
    let other = two.invited(&two.world.two.writer, "eve@shop.example").await;
    let mut first = redeeming(&two.world.service, joining(one.clone()), 1);
    let mut second = redeeming(&two.other, joining(other.clone()), 2);
    (first.table, second.table) = ("users", "users");
    let done = two.run(swapped, first, second).await?;
    one_wins(&done)?;
    let late = if done.0 == "ok" { &other } else { &one };
    let again = people::redeem(&two.world.service, joining(late.clone()), client(3)).await;
    let again = outcome(again);
    two.close().await;
    both(&(again, String::new()), "ok", "")
}

/// Whoever signs in while the password is replaced is out afterwards, or never in.
pub async fn sign_ins_and_new_passwords(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::new(locks).await;
    let account = two.world.account().await;
    let ana = (two.world)
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    let caller = people::by_session(&two.world.service, Some(&ana.token), true).await;
    let caller = caller.expect("a session");
    let service = two.world.service.clone();
    let change = PasswordChange {
        current: PASSWORD.to_owned(),
        new: "copper lantern raft 57".to_owned(),
    };
    let changing = step("users", async move {
        outcome(people::change_password(&service, &caller, change, client(1)).await)
    });
    let service = two.other.clone();
    let input = SignIn {
        email: "ana@shop.example".to_owned(),
        password: PASSWORD.to_owned(),
    };
    let signing_in = step("sessions", async move {
        outcome(people::sign_in(&service, input, client(2)).await)
    });
    let (changed, _) = two.run(swapped, changing, signing_in).await?;
    let sessions = two.storage().await.sessions_of(&ana.user.id).await;
    let sessions = sessions.expect("reads").len();
    two.close().await;
    match (changed.as_str(), sessions) {
        ("ok", 1) => Ok(()),
        other => Err(format!("{other:?}")),
    }
}
