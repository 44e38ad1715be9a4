//! Users of the control panel: signing in, members, links.

mod members;
mod races;
mod signing_in;

use crate::world::World;
use domain::{AccountId, Caller, ClientAddress, Role};
use operations::OperationError;
use operations::people::{self, Invitation, LinkUse, PanelClient, SignIn, SignedIn, commands};
use std::net::{IpAddr, Ipv4Addr};

pub const PASSWORD: &str = "tram gravel oboe 41";
pub const MINUTE_MS: i64 = 60_000;
pub const HOUR_MS: i64 = 60 * MINUTE_MS;

pub fn client(number: u32) -> PanelClient {
    PanelClient {
        from: ClientAddress::from(IpAddr::from(Ipv4Addr::from(number))),
        browser: "a test".to_owned(),
        former: None,
        known: None,
        request_id: None,
    }
}

impl World {
    pub async fn account_of(&self, key: &str) -> AccountId {
        let caller = self.caller(key).await;
        caller.key().expect("a key").account.clone()
    }

    pub async fn account(&self) -> AccountId {
        self.account_of(&self.one.writer).await
    }

    /// A user who joined `account` by a link.
    pub async fn member(&self, account: &AccountId, email: &str, role: Role) -> SignedIn {
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

    pub async fn sign_in(
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

    pub async fn user(&self, session: &SignedIn) -> Result<Caller, OperationError> {
        let found = people::by_session(&self.service, Some(&session.token), true).await;
        found.map(|signed_in| signed_in.caller)
    }
}

pub fn joining(token: String) -> LinkUse {
    LinkUse {
        token,
        name: Some("Ana".to_owned()),
        password: Some(PASSWORD.to_owned()),
        ..LinkUse::default()
    }
}

pub fn code<T>(result: Result<T, OperationError>) -> &'static str {
    result.map_or_else(|error| error.code(), |_| "ok")
}
