//! Sources: what users write of them, and what is fetched, from a server of the test on loopback.

mod addressed;
mod fetching;
mod runs;
mod shop_server;
mod writing;

use super::{MINUTE_MS, Person};
use crate::harness::{Reply, Shop, TestClock, eventually};
use domain::{Role, Timestamp};
use serde_json::{Value, json};
use shop_server::ShopServer;

/// A shop with an owner, and a server from which its catalogue is fetched.
pub struct Desk {
    shop: Shop,
    server: ShopServer,
    owner: Person,
}

impl Desk {
    fn new() -> Self {
        Self::allowing(|port| vec![format!("127.0.0.1:{port}")])
    }

    fn allowing(allowed: impl FnOnce(u16) -> Vec<String>) -> Self {
        let server = ShopServer::new();
        let allowed = allowed(server.port);
        let clock = TestClock::fixed(Timestamp(1_763_650_000_000));
        let shop = Shop::open_at_with(clock, |options| {
            let hosts = allowed.iter().map(|host| host.parse().expect("a host"));
            options.sources.rules.allowed = hosts.collect();
        });
        let owner = shop.member("ana@shop.example", Role::Owner);
        Self {
            shop,
            server,
            owner,
        }
    }

    fn call(
        &self,
        person: &Person,
        method: &'static str,
        rest: &str,
        body: Option<&Value>,
    ) -> Reply {
        let path = self.shop.of_store(&format!("/sources{rest}"));
        let call = self.shop.by(person, method, &path);
        match body {
            Some(body) => call.json(body).send(),
            None => call.send(),
        }
    }

    fn by_owner(&self, method: &'static str, rest: &str, body: &Value) -> Reply {
        self.call(&self.owner, method, rest, Some(body))
    }

    /// A new source at `/feed.csv` of the server.
    fn create(&self, more: &Value) -> String {
        let mut body = json!({"url": self.server.address("/feed.csv")});
        for (key, value) in more.as_object().expect("an object") {
            body[key] = value.clone();
        }
        let made = self.by_owner("POST", "", &body).ok();
        assert_eq!(made.status, 201);
        made.data()["id"].as_str().expect("an id").to_owned()
    }

    fn source(&self, id: &str) -> Value {
        let read = self.call(&self.owner, "GET", &format!("/{id}"), None).ok();
        read.data().clone()
    }

    fn fetches(&self, id: &str) -> Vec<Value> {
        let path = format!("/{id}/fetches");
        let read = self.call(&self.owner, "GET", &path, None).ok();
        read.data().as_array().expect("a list").clone()
    }

    /// Waits until the source was fetched `count` times; returns the last fetch.
    fn until_fetched(&self, id: &str, count: usize) -> Value {
        eventually(&format!("{count} fetches"), || {
            self.fetches(id).len() >= count
        });
        self.fetches(id)[0].clone()
    }

    /// Has a source fetched now, a minute and more after the last request for it.
    fn fetch(&self, id: &str) -> Value {
        let before = self.fetches(id).len();
        self.shop.clock.advance_ms(2 * MINUTE_MS);
        let asked = self.call(&self.owner, "POST", &format!("/{id}/fetch"), None);
        assert_eq!(asked.ok().status, 202);
        self.until_fetched(id, before + 1)
    }

    fn until_products(&self, count: usize) {
        eventually(&format!("{count} products are found"), || {
            self.products() == count
        });
    }

    fn products(&self) -> usize {
        let request = json!({"lang": "es", "types": ["products"]});
        let found = self.shop.search(&request).ok();
        let total = found.data()["products"]["total"].as_u64();
        usize::try_from(total.unwrap_or(0)).expect("a number")
    }
}

/// A catalogue of products `first..first + count`.
fn csv(first: usize, count: usize, price: &str) -> String {
    let rows = (first..first + count).map(|id| format!("{id},Bota {id},{price} EUR\n"));
    format!("id,title,price\n{}", rows.collect::<String>())
}
