//! The pages of `findwell demo`, as a visitor sees them.
//!
//! 1. The storefront links to it, and its content security policy blocks nothing of the widget.
//! 2. Typing brings suggestions, results and filters, wide and narrow, light and dark; nothing scrolls sideways.
//! 3. "Why here?" explains a hit. "Tune" asks those who are not signed in to sign in and says where their link is; the link
//!    enters the workbench, where "Tune" leads from then on, and what is saved there changes the storefront.

use crate::Case;
use crate::harness::{Client, command};
use crate::stage::Stage;
use crate::tab::{CTRL, Key, Tab};
use serde_json::{Value, json};
use std::process::{Child, Stdio};
use tempfile::TempDir;

pub const CASES: &[Case] = &[
    ("demo::bare_shop", bare_shop),
    ("demo::storefront", storefront),
];

const COUNTER: &str = "window.blocked = []; \
    document.addEventListener('securitypolicyviolation', (event) => window.blocked.push(event.violatedDirective + ' ' + event.blockedURI)); \
    addEventListener('error', (event) => window.blocked.push(String(event.message)))";

/// A running demo, killed when the case ends.
struct Demo {
    child: Child,
    printed: Value,
    _data: TempDir,
}

impl Demo {
    fn start() -> Self {
        let data = TempDir::new().expect("a directory");
        let mut child = command(data.path(), &["demo", "--listen", "127.0.0.1:0", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        let stdout = child.stdout.take().expect("a pipe");
        let mut values = serde_json::Deserializer::from_reader(stdout).into_iter();
        let printed = values.next().expect("a line").expect("JSON");
        Self {
            child,
            printed,
            _data: data,
        }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // A case that failed must not leave its server running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn bare_shop(stage: &mut Stage) {
    let tab = &stage.tab;
    tab.early(COUNTER);
    let demo = Demo::start();
    let base = demo.printed["address"].as_str().expect("an address");
    tab.go(base);
    tab.until("document.querySelector('footer a[href=\"/demo/shop\"]').textContent");
    tab.click("document.querySelector('footer a[href=\"/demo/shop\"]')");
    tab.until("location.pathname === '/demo/shop' && document.readyState === 'complete'");
    for theme in ["light", "dark"] {
        let key = demo.printed["keys"]["configuration"].as_str();
        let store = demo.printed["storeId"].as_str().expect("a store");
        let client = Client::new(base);
        let call = client.call("PUT", format!("/api/v1/stores/{store}/widget"));
        let call = call.key(key.expect("a key"));
        call.json(&json!({"theme": theme})).send().ok();
        for width in [1280, 320] {
            tab.resize(width, 800);
            visit(tab, base, &format!("{theme}-{width}"));
        }
    }
}

fn storefront(stage: &mut Stage) {
    let tab = &stage.tab;
    tab.early(COUNTER);
    tab.resize(1280, 800);
    let demo = Demo::start();
    let base = demo.printed["address"].as_str().expect("an address");
    let page = format!("{base}/?q=tent&lang=en");
    tab.go(&page);
    tab.until("all('.card').length > 3");
    tab.picture("demo-storefront");
    tab.click("find('.why-button')");
    tab.until("find('#why[open] .part') && find('#why .quiet').textContent.startsWith('Place 1')");
    tab.picture("demo-why");
    tab.click("find('#why .close')");
    tab.until("!find('#why[open]')");
    assert_eq!(tab.js("return window.blocked"), json!([]));

    let workbench = "location.pathname.endsWith('/workbench')";
    tab.click("find('#tune-button')");
    tab.until("location.pathname === '/panel/sign-in' && find('main').textContent.includes('no password')");
    tab.click("find('main a.strong')");
    tab.until("find('main button[type=submit]')");
    tab.click("find('main button[type=submit]')");
    tab.until(&format!("{workbench} && find('main')"));
    let order = || {
        tab.go(&page);
        tab.until("all('.card').length > 3");
        tab.js("return all('.card').map((card) => card.dataset.id)")
    };
    let before = order();
    tab.click("find('#tune-button')");
    tab.until(workbench);
    save_other_weights(tab);
    assert_ne!(order(), before);
}

/// Moves two sliders of the workbench to their ends and saves that.
fn save_other_weights(tab: &Tab) {
    let settled = "find('.hits') && !find('.hits[aria-busy]') && find('.sums').textContent";
    tab.until(settled);
    for (weight, key) in [("name", Key::HOME), ("description", Key::END)] {
        tab.js(&format!(
            "find('[data-tab=weights]').click(); find('.lever[data-path=\"boosts.{weight}\"] :is(input, select)').focus()"
        ));
        tab.press(key);
    }
    tab.until("text('.unsaved') === '2 unsaved changes'");
    tab.until(settled);
    tab.press_with(Key::S, CTRL);
    tab.until("find('dialog:modal .strong')");
    tab.click("find('dialog:modal .strong')");
    tab.until("text('.done')?.includes('Saved as revision 1')");
}

fn visit(tab: &Tab, base: &str, look: &str) {
    // An address of its own, so that the configuration is not the one that the browser has kept.
    tab.cdp("Network.clearBrowserCache", json!({}));
    tab.go(&format!("{base}/demo/shop"));
    tab.until("document.scrollingElement.scrollWidth <= document.scrollingElement.clientWidth");
    tab.picture(&format!("demo-page-{look}"));
    tab.click("find('#shop-q')");
    tab.until("find('#shop-q').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("jack");
    tab.until("layer() && named('.fw-card').length > 1 && !find('.fw-view[aria-busy]')");
    tab.until("all('[role=option]').length > 0");
    let theme = look.split('-').next().expect("a theme");
    tab.check(&format!("find('.fw-root').dataset.theme === '{theme}'"));
    tab.until("all('.fw-card img').filter((one) => one.getBoundingClientRect().top < innerHeight).every((one) => one.complete && one.naturalWidth)");
    tab.check("layer().scrollWidth <= layer().clientWidth");
    tab.picture(&format!("demo-results-{look}"));
    let narrow = look.ends_with("-320");
    if narrow {
        tab.click("find('.fw-open-filters')");
        tab.until("find('.fw-drawer[open]')");
        tab.picture(&format!("demo-filters-{look}"));
    }
    tab.click("find('.fw-choice')");
    tab.until("all('.fw-chips button').length === 1 && !find('.fw-view[aria-busy]')");
    if narrow {
        tab.click("find('.fw-drawer-foot button')");
        tab.until("!find('.fw-drawer[open]')");
    }
    tab.picture(&format!("demo-filtered-{look}"));
    tab.press(Key::ESCAPE);
    tab.until("!layer()");
    assert_eq!(tab.js("return window.blocked"), json!([]), "{look}");
}
