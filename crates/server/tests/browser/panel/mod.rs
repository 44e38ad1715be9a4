//! The control panel in a browser: who is signed in, and what every page must hold to.

mod access;
mod designer;
mod empty;
mod hostile;
mod lists;
mod looks;
mod menu;
mod searches;
mod work;
mod workbench;

use crate::Case;
use crate::harness::{Call, Reply};
use crate::stage::Stage;
use crate::tab::Tab;
use domain::{Role, StoreId};
use serde_json::{Value, json};
use server::admin::{AdminRequest, UserRequest};

/// All cases of the panel.
pub const CASES: &[&[Case]] = &[
    access::CASES,
    looks::CASES,
    hostile::CASES,
    work::CASES,
    lists::CASES,
    designer::CASES,
    empty::CASES,
    workbench::tune::CASES,
    workbench::save::CASES,
    workbench::gate::CASES,
    workbench::proposals::CASES,
    workbench::explain::CASES,
    workbench::records::CASES,
    workbench::looks::CASES,
    workbench::password::CASES,
    workbench::touch::CASES,
];

/// The part of the widget's page with the line for the pages of a shop.
const PAGE_LINE: &str =
    "all('main > details').find((one) => one.textContent.includes('The line for your pages'))";

/// The password of everybody in these tests.
const PASSWORD: &str = "tram gravel oboe 41";

/// Collects what a page complains about, before its own scripts run.
const WATCH: &str = "window.complaints = []; \
    addEventListener('error', (event) => complaints.push('error: ' + event.message)); \
    addEventListener('unhandledrejection', (event) => complaints.push('rejection: ' + event.reason)); \
    addEventListener('securitypolicyviolation', (event) => complaints.push('policy: ' + event.violatedDirective + ' ' + event.sample)); \
    for (const level of ['error', 'warn']) { const own = console[level]; console[level] = (...all) => { complaints.push(level + ': ' + all.join(' ')); own(...all); }; } \
    window.alert = () => complaints.push('alert');";

/// Somebody at the panel of a stage's server, whose browser is the stage's tab.
struct Desk<'a> {
    stage: &'a Stage,
    /// The cookie of the session.
    session: String,
    watch: String,
}

impl<'a> Desk<'a> {
    /// A new member of the account, signed in.
    fn of(stage: &'a Stage, name: &str, role: Role) -> Self {
        let session = session_of(&joined(stage, name, role));
        let (cookie, value) = session.split_once('=').expect("a pair");
        let url = stage.shop.client.base();
        let tab = &stage.tab;
        tab.cdp("Network.clearBrowserCookies", json!({}));
        tab.cdp(
            "Network.setCookie",
            json!({"name": cookie, "value": value, "url": url, "httpOnly": true, "sameSite": "Lax"}),
        );
        let watch = watch(tab);
        Self {
            stage,
            session,
            watch,
        }
    }

    fn tab(&self) -> &Tab {
        &self.stage.tab
    }

    /// A call as the pages send it.
    fn call(&self, method: &'static str, path: &str) -> Call<'_> {
        let client = &self.stage.shop.client;
        let call = client.call(method, format!("/panel/api{path}"));
        call.header("Origin", client.base())
            .header("Cookie", &self.session)
    }

    /// A path of the store.
    fn of_store(&self, rest: &str) -> String {
        format!("/stores/{}{rest}", self.stage.shop.store)
    }

    /// A path of the account.
    fn of_account(&self, rest: &str) -> String {
        format!("/accounts/{}{rest}", self.stage.shop.account)
    }

    /// Goes to a page and waits until it is complete.
    fn open(&self, path: &str) {
        let base = self.stage.shop.client.base();
        self.tab().go(&format!("{base}/panel{path}"));
        self.tab()
            .until("find('main h1') && !find('main[aria-busy]')");
    }

    /// Fails if the page has complained since it was loaded.
    #[track_caller]
    fn is_quiet(&self, about: &str) {
        let complaints = self.tab().js("return window.complaints");
        assert_eq!(complaints, json!([]), "{about}");
    }

    fn speak(&self, language: &str) {
        let body = json!({ "language": language });
        self.call("PUT", "/me").json(&body).send().ok();
    }
}

impl Drop for Desk<'_> {
    fn drop(&mut self) {
        let id = json!({"identifier": self.watch});
        self.tab()
            .cdp("Page.removeScriptToEvaluateOnNewDocument", id);
        self.tab().cdp("Network.clearBrowserCookies", json!({}));
    }
}

/// Watches all pages from now on; returns the id to stop it with.
fn watch(tab: &Tab) -> String {
    let script = json!({ "source": WATCH });
    let added = tab.cdp("Page.addScriptToEvaluateOnNewDocument", script);
    let id = added["identifier"].as_str();
    id.expect("an id").to_owned()
}

/// Types a text of any characters: keys of their own would need the codes of a keyboard.
fn insert(tab: &Tab, text: &str) {
    tab.cdp("Input.insertText", json!({ "text": text }));
}

fn invite(stage: &Stage, email: &str, role: Role) -> String {
    let made = stage.shop.admin(AdminRequest::Users(UserRequest::Create {
        account: Some(stage.shop.account.clone()),
        email: email.to_owned(),
        role,
        stores: Vec::new(),
    }));
    made["token"].as_str().expect("a token").to_owned()
}

/// Makes `name` a member, or signs the member in: an account may invite few people a day. The response has the cookies.
fn joined(stage: &Stage, name: &str, role: Role) -> Reply {
    if !stage.members.borrow_mut().insert(name.to_owned()) {
        let body = json!({"email": address(name), "password": PASSWORD});
        let client = &stage.shop.client;
        let call = client.call("POST", "/panel/api/sign-in");
        return call.header("Origin", client.base()).json(&body).send().ok();
    }
    let token = invite(stage, &address(name), role);
    let body = json!({"token": token, "name": name, "password": PASSWORD});
    let client = &stage.shop.client;
    let call = client.call("POST", "/panel/api/links/use");
    let call = call.header("Origin", client.base());
    call.json(&body).send().ok()
}

/// The cookie of the session that a response starts.
fn session_of(reply: &Reply) -> String {
    let cookies = reply.cookies().into_iter();
    let mut sessions = cookies.filter(|pair| pair.starts_with("findwell_"));
    sessions.next().expect("a session").to_owned()
}

/// An address for a name, which may have any characters.
fn address(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    format!(
        "{}@shop.example",
        letters.collect::<String>().to_lowercase()
    )
}

/// Feeds 60 products, and closes a run that saw one of them.
fn fill(stage: &Stage, store: &StoreId, connector: &str) {
    let products: Vec<Value> = (0..60)
        .map(|id| {
            json!({"id": id.to_string(), "name": format!("Boot {id}"), "url": format!("https://shop.example/{id}"),
                   "inStock": true, "priceInclTax": 10.0, "currency": "EUR", "hash": "a"})
        })
        .collect();
    let feed = |path: &str, body: Value| {
        let call = stage.shop.api("POST", path).key(connector);
        call.json(&body).send().ok()
    };
    let languages = json!([{"code": "es"}]);
    feed(
        "/feed/indices",
        json!({"types": ["products"], "languages": languages}),
    );
    feed(
        "/feed/products/bulk",
        json!({"language": "es", "documents": products}),
    );
    let run = json!({"clientRunId": store.as_str(), "mode": "incremental", "types": ["products"], "languages": ["es"]});
    let run = feed("/feed/runs", run).data()["runId"].clone();
    let items = json!([{"id": "0", "hash": "a"}]);
    feed(
        "/feed/touch",
        json!({"runId": run, "type": "products", "language": "es", "items": items}),
    );
    let scopes = json!([{"type": "products", "language": "es", "sent": 0, "touched": 1}]);
    let close = format!("/feed/runs/{}/close", run.as_str().expect("an id"));
    let closed = feed(&close, json!({ "scopes": scopes }));
    assert_eq!(closed.data()["scopes"][0]["status"], "held");
}

/// A new store with a purge that waits for the owner.
fn held_store(stage: &Stage, name: &str) -> StoreId {
    let store = stage.shop.new_store(name);
    let connector = stage.shop.new_key(&store, domain::KeyKind::Connector, None);
    fill(stage, &store, &connector);
    store
}
