//! What a case plays on: one server with products for all, a gate and a site for each.

use crate::driver::Driver;
use crate::gate::Gate;
use crate::harness::{Shop, eventually};
use crate::site::{Page, Site};
use crate::tab::Tab;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Products named tent: three pages of results and a few.
const TENTS: usize = 80;

/// Server and browser of all cases.
pub struct Stage {
    pub shop: Shop,
    pub tab: Tab,
    /// Names of the members of the account.
    pub members: RefCell<BTreeSet<String>>,
}

/// A shop's site with the widget, through a gate.
pub struct Scene<'a> {
    pub gate: Gate,
    pub site: Site,
    pub tab: &'a Tab,
    pub shop: &'a Shop,
}

impl Stage {
    pub fn new(driver: Driver) -> Self {
        let shop = Shop::open();
        let tiers = json!({"tiers": [{"groupId": "4", "taxDisplay": "incl"}]});
        shop.feed("POST", "/feed/price-tiers")
            .json(&tiers)
            .send()
            .ok();
        let currencies = json!({"base": "EUR", "currencies": [{"code": "USD"}]});
        let declared = shop.feed("POST", "/feed/currencies");
        declared.json(&currencies).send().ok();
        for language in ["en", "es"] {
            let products: Vec<Value> = (1..=TENTS).map(tent).chain(others()).collect();
            let fed = shop
                .bulk("products", language, &Value::Array(products))
                .ok();
            assert_eq!(fed.data()["rejected"], json!([]), "{fed:?}");
            let category =
                json!([{"id": "7", "name": "Tents and tarps", "url": "https://shop.example/c/7"}]);
            shop.bulk("categories", language, &category).ok();
        }
        let all = || {
            shop.search(&json!({"lang": "en", "types": ["products"], "limit": 1}))
                .data()["products"]["total"]
                .as_u64()
        };
        eventually("the products are searchable", || {
            all() == Some((TENTS + others().len()) as u64)
        });
        Self {
            shop,
            tab: Tab::new(driver),
            members: RefCell::default(),
        }
    }

    /// A scene with the widget's configuration; what is left out has its default.
    pub fn scene(&self, mut widget: Value) -> Scene<'_> {
        let mut features = json!({
            "displayMode": "dropdown", "filters": true, "showBrand": true, "minChars": 2, "livePricing": false, "themeCards": false,
            "recentSearches": true, "popularQueries": true, "analytics": true, "layoutSwitch": false,
            "sorts": "relevance,price_asc,price_desc,name,newest,sales,rating"
        });
        if let Value::Object(own) = widget["features"].take() {
            features.as_object_mut().expect("an object").extend(own);
        }
        let mut all = json!({
            "theme": "light", "layout": "grid", "position": "top", "colors": null, "typography": null, "defaultSearch": null,
            "translations": null
        });
        all.as_object_mut()
            .expect("an object")
            .extend(widget.as_object().cloned().unwrap_or_default());
        all["features"] = features;
        self.shop.own("PUT", "/widget").json(&all).send().ok();
        // A gate can have the port of a former one, whose configuration the browser keeps for minutes.
        self.tab.cdp("Network.clearBrowserCache", json!({}));
        let gate = Gate::before(self.shop.client.clone());
        let site = Site::open();
        gate.replace("https://shop.example", site.base());
        let scene = Scene {
            gate,
            site,
            tab: &self.tab,
            shop: &self.shop,
        };
        scene.put("/", "", "");
        scene
    }

    /// Leaves nothing of a case to the next one.
    pub fn tidy_up(&mut self) {
        self.tab.reset();
    }
}

impl Scene<'_> {
    /// The script line with more attributes.
    pub fn line(&self, attributes: &str) -> String {
        let lang = if attributes.contains("data-lang") {
            ""
        } else {
            "data-lang=\"en\""
        };
        format!(
            "<script src=\"{}/api/v1/widget/loader.js\" data-key=\"{}\" {lang} {attributes} async></script>",
            self.gate.base(),
            self.shop.public
        )
    }

    /// Puts a page of a bare theme with the widget at a path.
    pub fn put(&self, path: &str, attributes: &str, main: &str) {
        let html = page(
            &format!("{}{}", theme("/find"), main),
            &self.line(attributes),
        );
        self.site.page(path, Page { html, policy: None });
    }

    pub fn put_html(&self, path: &str, html: &str, policy: Option<&str>) {
        let policy = policy.map(str::to_owned);
        self.site.page(
            path,
            Page {
                html: html.to_owned(),
                policy,
            },
        );
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.site.base())
    }

    pub fn go(&self, path: &str) {
        self.tab.go(&self.url(path));
    }

    /// Saves the shop's own style or script, which only the control panel changes.
    pub fn set_custom(&self, keys: &Value) {
        let patch = serde_json::from_value(keys.clone()).expect("a patch");
        let (service, operator) = (self.shop.running().service(), domain::Caller::operator());
        let any = operations::Precondition::None;
        let set =
            operations::widget::custom_code::set(service, &operator, &self.shop.store, patch, any);
        self.shop.block_on(set).expect("saved");
    }

    /// Goes to the start page and into its input.
    pub fn focus(&self) {
        self.go("/");
        self.tab.click("find('input[name=s]')");
    }

    /// Focuses the input of the start page, types and waits for the panel.
    pub fn type_for_panel(&self, text: &str) {
        self.focus();
        self.tab
            .until("find('input[name=s]').getAttribute('role') === 'combobox'");
        self.tab.keys(text);
        self.tab
            .until("panel() && named('[role=option]').length > 1");
    }

    /// Focuses the input of the start page, types and waits for results in the layer.
    pub fn type_for_layer(&self, text: &str) {
        self.focus();
        self.tab
            .until("find('input[name=s]').getAttribute('aria-haspopup') === 'dialog'");
        self.tab.keys(text);
        self.tab
            .until("layer() && named('.fw-card').length > 0 && !find('.fw-view[aria-busy]')");
    }

    /// Whether no request, page or storage of the case has this text where others could read it.
    pub fn assert_secret(&self, secret: &str) {
        let inside = |path: &str| path.contains(secret);
        assert!(!self.gate.requests().iter().any(|one| inside(&one.path)));
        assert!(!self.site.asked("").iter().any(|path| inside(path)));
        self.tab.check(&format!(
            "![...Object.values(localStorage), ...Object.values(sessionStorage), location.href, document.documentElement.outerHTML, \
             document.cookie, ...performance.getEntries().map((one) => one.name)].join().includes('{secret}')"
        ));
    }

    /// Waits until the gate has seen as many requests of a path.
    pub fn until_asked(&self, path: &str, count: usize) {
        eventually(&format!("{count} requests of {path}"), || {
            self.gate.bodies(path).len() >= count
        });
    }
}

/// The widget's configuration with the layer, and further features.
pub fn overlay(more: Value) -> Value {
    let mut features = json!({"displayMode": "overlay"});
    features
        .as_object_mut()
        .expect("an object")
        .extend(more.as_object().cloned().unwrap_or_default());
    json!({"features": features})
}

/// A file of a package that npm installs beside the sources of the widget; `None` where that need not be.
pub fn installed(file: &str, case: &str) -> Option<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../widget/node_modules");
    let Ok(text) = std::fs::read_to_string(format!("{folder}/{file}")) else {
        assert_ne!(
            std::env::var("FINDWELL_BROWSER").as_deref(),
            Ok("required"),
            "{file} is not installed: npm ci in widget"
        );
        println!("{case} ... SKIPPED: {file} is not installed");
        return None;
    };
    Some(text)
}

/// The bare theme: a header with a form whose results stand at `action`.
pub fn theme(action: &str) -> String {
    format!(
        "<header><b>Shop</b><form role=search action=\"{action}\"><input type=search name=s aria-label=\"Search the shop\">\
         <button>Go</button></form></header><p>A page of the shop. <a id=after href=\"/other\">Another one</a></p>"
    )
}

/// A whole page.
pub fn page(body: &str, line: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width, initial-scale=1\">\
         <title>Shop</title><style>body{{font:16px sans-serif;margin:0;min-height:1500px}}header{{display:flex;gap:16px;padding:16px}}</style>\
         {line}</head><body>{body}</body></html>"
    )
}

fn maker(at: usize) -> &'static str {
    ["Cumbrera", "Norte", "Ostro"][at % 3]
}

fn tent(at: usize) -> Value {
    json!({
        "id": format!("{at}"), "name": format!("Tent {at}"), "url": format!("https://shop.example/p/{at}"), "reference": format!("TN-{at}"),
        "image": format!("https://shop.example/{at}.svg"), "manufacturer": maker(at), "inStock": !at.is_multiple_of(5),
        "priceInclTax": 20.0 + at as f64, "currency": "EUR", "categories": [{"id": "7", "name": "Tents and tarps", "path": ["Tents and tarps"]}], "categoryIds": ["7"],
        "rating": 1 + at % 5, "ratingCount": at, "attributes": [{"groupId": "1", "group": "Colour", "id": (at % 2).to_string(), "value": if at.is_multiple_of(2) { "Red" } else { "Blue" }}]
    })
}

fn others() -> Vec<Value> {
    let hostile = "<img src=x onerror=alert(1)> & \"x\" lamp";
    vec![
        json!({"id": "901", "name": hostile, "url": "https://shop.example/p/901", "inStock": true, "priceInclTax": 5.0, "currency": "EUR"}),
        json!({"id": "902", "name": "Stove", "url": "https://shop.example/p/902", "inStock": true, "priceInclTax": 50.0, "originalPriceInclTax": 80.0, "currency": "EUR", "manufacturer": "Norte"}),
        json!({"id": "904", "name": "Beacon", "url": "https://shop.example/p/904", "inStock": true, "priceInclTax": 40.0, "priceInclTax_t4": 30.0, "priceInclTax_USD": 44.0, "currency": "EUR"}),
        json!({"id": "905", "name": "Lodge 1", "url": "https://shop.example/p/905", "inStock": true, "priceInclTax": 31.07, "currency": "EUR"}),
        json!({"id": "906", "name": "Lodge 2", "url": "https://shop.example/p/906", "inStock": true, "priceInclTax": 60.0, "currency": "EUR"}),
        json!({"id": "907", "name": "Lodge 3", "url": "https://shop.example/p/907", "inStock": true, "priceInclTax": 95.36, "currency": "EUR"}),
        json!({"id": "903", "name": "日本 lantern", "url": "https://shop.example/p/903", "inStock": true, "priceInclTax": 9.0, "currency": "EUR"}),
    ]
}
