//! The workbench: what its cases share.

pub mod explain;
pub mod gate;
pub mod looks;
pub mod password;
pub mod proposals;
pub mod records;
pub mod save;
pub mod touch;
pub mod tune;

use super::{Desk, joined, session_of};
use crate::harness::{Call, eventually};
use crate::stage::Stage;
use crate::tab::{Key, Tab};
use domain::{KeyKind, Role, StoreId};
use serde_json::{Value, json};

/// A store of its own with thirty tents, and what the cases do with it.
struct Bench<'a> {
    desk: Desk<'a>,
    store: StoreId,
    public: String,
}

impl<'a> Bench<'a> {
    /// Somebody with this role at the workbench of a new store.
    fn of(stage: &'a Stage, name: &str, role: Role) -> Self {
        let shop = &stage.shop;
        let store = shop.new_store(&format!("Bench of {name}"));
        let connector = shop.new_key(&store, KeyKind::Connector, None);
        let public = shop.new_key(&store, KeyKind::SearchOnly, None);
        let feed = |path: &str, body: Value| {
            let call = shop.api("POST", path).key(&connector);
            call.json(&body).send().ok()
        };
        let types = json!({"types": ["products"], "languages": [{"code": "es"}]});
        feed("/feed/indices", types);
        let products: Vec<Value> = (1..=30).map(tent).collect();
        feed(
            "/feed/products/bulk",
            json!({"language": "es", "documents": products}),
        );
        let bench = Self {
            desk: Desk::of(stage, name, role),
            store,
            public,
        };
        eventually("the tents are searchable", || {
            bench.search("tent").len() == 20
        });
        bench
    }

    fn tab(&self) -> &Tab {
        self.desk.tab()
    }

    fn path(&self, rest: &str) -> String {
        format!("/stores/{}{rest}", self.store)
    }

    fn call(&self, method: &'static str, rest: &str) -> Call<'_> {
        self.desk.call(method, &self.path(rest))
    }

    /// The ids that a shopper finds first.
    fn search(&self, q: &str) -> Vec<String> {
        let shop = &self.desk.stage.shop;
        let request = json!({"lang": "es", "q": q, "types": ["products"], "limit": 20});
        let found = shop.api("POST", "/search").key(&self.public).json(&request);
        let found = found.send().ok();
        let hits = found.data()["products"]["hits"].as_array().cloned();
        let ids = hits.unwrap_or_default();
        let ids = ids.iter().filter_map(|hit| hit["id"].as_str());
        ids.map(str::to_owned).collect()
    }

    /// Opens the workbench with a query and waits for its products.
    fn open(&self, q: &str) {
        self.desk
            .open(&self.path(&format!("/workbench?lang=es&q={q}")));
        self.settled();
        self.tab().check("all('.hit').length > 0");
    }

    /// Waits until the products are those of the newest draft.
    fn settled(&self) {
        self.tab()
            .until("find('.hits') && !find('.hits[aria-busy]') && (find('.sums').textContent || find('section.results > .wrong:not([hidden])'))");
    }

    /// The ids on the page, in their order.
    fn shown(&self) -> Vec<String> {
        let ids = self
            .tab()
            .js("return all('.hit').map((one) => one.dataset.id)");
        serde_json::from_value(ids).expect("texts")
    }

    /// Unfolds what can be done with the product at this place, counted from 0.
    fn unfold(&self, at: usize) {
        let tab = self.tab();
        let more = format!("all('.hit')[{at}].querySelector('.further > button')");
        tab.js(&format!(
            "if ({more}.getAttribute('aria-expanded') === 'false') {more}.click()"
        ));
        tab.check(&format!("{more}.getAttribute('aria-expanded') === 'true'"));
    }

    /// Moves a lever by a key of its slider.
    fn press(&self, path: &str, key: Key) {
        let tab = self.tab();
        let folder = if path.starts_with("boosts.") {
            "weights"
        } else {
            "behaviour"
        };
        tab.js(&format!("find('[data-tab={folder}]').click()"));
        tab.js(&format!("{}.focus()", lever(path)));
        tab.press(key);
    }

    /// Writes a draft into the tab's memory and opens the page with it.
    fn open_with(&self, q: &str, draft: &Value) {
        self.open(q);
        let user = self.desk.call("GET", "/me").send().ok().data()["user"]["id"].clone();
        let key = format!(
            "findwell-draft:{}:{}",
            user.as_str().expect("an id"),
            self.store
        );
        let kept = json!({"now": draft, "past": []}).to_string();
        self.tab()
            .js(&format!("sessionStorage.setItem({key:?}, {kept:?})"));
        self.desk
            .open(&self.path(&format!("/workbench?lang=es&q={q}")));
        self.settled();
    }

    fn revision(&self) -> i64 {
        let head = self.call("GET", "/head").send().ok();
        head.data()["configRevision"].as_i64().expect("a number")
    }

    /// Presses the button of the review that saves.
    fn save(&self) {
        let tab = self.tab();
        tab.press_with(Key::S, crate::tab::CTRL);
        tab.until("find('dialog:modal .strong')");
        tab.click("find('dialog:modal .strong')");
    }
}

/// The first control of a lever.
fn lever(path: &str) -> String {
    format!("find('.lever[data-path=\"{path}\"] :is(input, select)')")
}

/// The last button with this text.
fn named(text: &str) -> String {
    format!("all('button').filter((one) => one.firstChild?.textContent === '{text}').at(-1)")
}

/// The session of another editor.
fn colleague(stage: &Stage, name: &str) -> String {
    session_of(&joined(stage, name, Role::Editor))
}

/// A write of another editor.
fn theirs(bench: &Bench<'_>, session: &str, method: &'static str, rest: &str, body: &Value) {
    let client = &bench.desk.stage.shop.client;
    let call = client.call(method, format!("/panel/api{}", bench.path(rest)));
    let call = call
        .header("Origin", client.base())
        .header("Cookie", session);
    call.json(body).send().ok();
}

fn tent(at: usize) -> Value {
    let maker = ["Cumbrera", "Norte", "Ostro"][at % 3];
    let about = if at.is_multiple_of(4) {
        "A tent for the tent lover"
    } else {
        "Shelter"
    };
    json!({
        "id": at.to_string(), "name": format!("Tent {at}"), "url": format!("https://shop.example/p/{at}"), "reference": format!("TN-{at}"),
        "manufacturer": maker, "description": about,
        "inStock": !at.is_multiple_of(5), "priceInclTax": 20.0 + at as f64, "currency": "EUR", "rating": 1 + at % 5, "ratingCount": at
    })
}
