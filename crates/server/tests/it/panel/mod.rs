//! The control panel over HTTP: how people come in, what they may do, and what keeps others out.

mod arriving_files;
mod audit;
mod drafts;
mod entry;
mod imports;
mod keys;
mod lists;
mod members;
mod names;
mod origins;
mod pages;
mod previews;
mod proposals;
mod releases;
mod removal;
mod restores;
mod roles;
mod sessions;
mod sources;
mod stores;

use crate::harness::{Call, Reply, Shop, TestClock};
use domain::{AccountId, Role, Timestamp};
use serde_json::{Value, json};
use server::admin::{AdminRequest, UserRequest};

/// The password of everybody in these tests.
const PASSWORD: &str = "tram gravel oboe 41";
const MINUTE_MS: i64 = 60_000;

/// A shop with a clock of the test.
fn shop() -> Shop {
    Shop::open_at(TestClock::fixed(Timestamp(1_763_650_000_000)))
}

/// Somebody who signed in: the cookies that the browser keeps.
pub struct Person {
    id: String,
    email: String,
    session: String,
    known: String,
}

impl Person {
    /// The person whom a response let in.
    fn of(reply: &Reply) -> Self {
        let user = &reply.data()["user"];
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let cookies: Vec<String> = reply
            .headers
            .get_all("set-cookie")
            .iter()
            .map(|cookie| cookie.to_str().expect("ASCII").to_owned())
            .collect();
        let pair = |prefix: &str| {
            let cookie = cookies.iter().find(|cookie| cookie.starts_with(prefix));
            let cookie = cookie.unwrap_or_else(|| panic!("no {prefix} in {cookies:?}"));
            cookie.split(';').next().expect("a pair").to_owned()
        };
        Self {
            id: text(&user["id"]),
            email: text(&user["email"]),
            session: pair("findwell_"),
            known: pair("findwell-known_"),
        }
    }
}

impl Shop {
    /// A call as a page of the panel sends it, of nobody.
    fn visit(&self, method: &'static str, path: &str) -> Call<'_> {
        let call = self.client.call(method, format!("/panel/api{path}"));
        call.header("Origin", self.client.base())
    }

    /// A call of a person.
    pub fn by(&self, person: &Person, method: &'static str, path: &str) -> Call<'_> {
        let cookies = format!("{}; {}", person.known, person.session);
        self.visit(method, path).header("Cookie", &cookies)
    }

    /// The token of a link with which `email` joins `account`.
    fn invitation(&self, account: &AccountId, email: &str, role: Role) -> String {
        let made = self.admin(AdminRequest::Users(UserRequest::Create {
            account: Some(account.clone()),
            email: email.to_owned(),
            role,
            stores: Vec::new(),
        }));
        made["token"].as_str().expect("a token").to_owned()
    }

    /// A new member of the account.
    pub fn member(&self, email: &str, role: Role) -> Person {
        let token = self.invitation(&self.account, email, role);
        let name = email.split('@').next().expect("a name");
        let body = json!({"token": token, "name": name, "password": PASSWORD});
        Person::of(&self.visit("POST", "/links/use").json(&body).send().ok())
    }

    fn sign_in(&self, email: &str, password: &str) -> Reply {
        let body = json!({"email": email, "password": password});
        self.visit("POST", "/sign-in").json(&body).send()
    }

    /// A path of the account.
    fn of_account(&self, rest: &str) -> String {
        format!("/accounts/{}{rest}", self.account)
    }

    /// A path of the store.
    pub fn of_store(&self, rest: &str) -> String {
        format!("/stores/{}{rest}", self.store)
    }
}
