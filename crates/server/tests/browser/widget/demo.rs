//! The pages of `findwell demo`, as a visitor sees them.
//!
//! 1. The storefront links to it, and its content security policy blocks nothing of the widget.
//! 2. Typing brings suggestions, results and filters, wide and narrow, light and dark; nothing scrolls sideways.
//! 3. "Why here?" explains a hit. "Tune" asks those who are not signed in to sign in and says where their link is; the link
//!    enters the workbench, where "Tune" leads from then on, and what is saved there changes the storefront.
//! 4. A search of the storefront that fails leaves nothing of the one before, and says what is left to do, to the keyboard
//!    too.
//! 5. Names on cards are cut after three lines, and the whole card is the link all the same.
//! 6. Where the system is dark both pages are, and their text has contrast in either scheme.
//! 7. axe-core finds nothing on either page at 375 px, light and dark, in the storefront's dialogs and without results.

use super::looks::{checker, violations};
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
    ("demo::failure", failure),
    ("demo::long_names", long_names),
    ("demo::schemes", schemes),
    ("demo::axe", axe),
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
        Self::start_with(&[])
    }

    fn start_with(more: &[&str]) -> Self {
        let data = TempDir::new().expect("a directory");
        let usual = ["demo", "--listen", "127.0.0.1:0", "--json"];
        let mut child = command(data.path(), &[&usual, more].concat())
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

    /// The address of a page.
    fn page(&self, path: &str) -> String {
        let base = self.printed["address"].as_str().expect("an address");
        format!("{base}{path}")
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

/// Lets requests of the page fail while `away` is set.
const AWAY: &str = "{ const own = window.fetch; \
    window.fetch = (...all) => (window.away ? Promise.reject(new TypeError('away')) : own(...all)); }";

/// What of a search stands on the storefront, but for its message.
const LEFT: &str = "[...['count', 'filters', 'chips', 'hints', 'cards'].filter((id) => document.getElementById(id).childNodes.length), \
    ...['.sort', '#more', '#filters-button'].filter((css) => !find(css).hidden)]";

fn failure(stage: &mut Stage) {
    let tab = &stage.tab;
    tab.early(AWAY);
    tab.resize(1280, 800);
    let demo = Demo::start();
    tab.go(&demo.page("/?lang=en"));
    let found = "all('.card').length > 3 && !find('#results[aria-busy]')";
    let failed = "find('#empty h2') && !find('#results[aria-busy]')";
    let standing = || tab.js(&format!("return {LEFT}"));
    tab.until(&format!("{found} && find('.hint')"));
    tab.js("window.away = true");
    tab.click("find('#q')");
    // In one event, so that no later search follows.
    tab.cdp("Input.insertText", json!({"text": "tent"}));
    tab.until(failed);
    assert_eq!(standing(), json!([]));
    tab.check("active().id === 'q'");
    tab.picture("demo-failed");
    tab.js("window.away = false");
    tab.click("find('#empty button')");
    tab.until(&format!(
        "{found} && find('#filters .choice') && find('.sort').offsetWidth"
    ));

    // Whoever chooses in the sheet of a telephone sees that it failed, and goes on there.
    tab.resize(375, 812);
    tab.click("find('#filters-button')");
    tab.click("find('#drawer[open] .choice')");
    tab.until("all('#chips .chip').length === 1 && !find('#results[aria-busy]')");
    tab.js("window.away = true");
    tab.click("find('#drawer[open] .choice')");
    tab.until(&format!("{failed} && !find('#drawer[open]')"));
    assert_eq!(standing(), json!([]));
    tab.check("active() === find('#empty button')");
    tab.js("window.away = false");
    tab.press(Key::ENTER);
    tab.until(&format!("{found} && find('#filters-button').offsetWidth"));
}

fn long_names(stage: &mut Stage) {
    let tab = &stage.tab;
    let files = TempDir::new().expect("a directory");
    let file = files.path().join("lanterns.csv");
    let long = "A long name of a lantern that nobody has room for ".repeat(4);
    std::fs::write(&file, format!("sku,title,price\nL-1,{long},89.00 EUR\n")).expect("written");
    let demo = Demo::start_with(&["--file", file.to_str().expect("a path in UTF-8")]);
    let name = "find('.card h2')";
    for width in [320, 375, 1280] {
        tab.resize(width, 800);
        tab.go(&demo.page("/?q=lantern"));
        tab.until(name);
        tab.check(&format!("(() => {{ const name = {name}; return name.clientHeight < name.scrollHeight && Math.round(name.clientHeight / parseFloat(getComputedStyle(name).lineHeight)) === 3; }})()"));
        tab.check(&format!("(() => {{ const box = {name}.closest('.card').getBoundingClientRect(); return document.elementFromPoint(box.x + 20, box.y + 20) === {name}.querySelector('a'); }})()"));
        tab.picture(&format!("demo-long-names-{width}"));
    }
}

/// Background and text of the page, and the contrast between them as WCAG defines it.
const COLOURS: &str = "
    const { backgroundColor, color } = getComputedStyle(document.body);
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const luminance = (one) => {
        const [red, green, blue] = one.match(/[\\d.]+/g).map((part) => linear(part / 255));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const [dark, light] = [backgroundColor, color].map(luminance).sort((one, other) => one - other);
    return [backgroundColor, color, (light + 0.05) / (dark + 0.05)];
";

fn schemes(stage: &mut Stage) {
    let tab = &stage.tab;
    tab.resize(1280, 800);
    let demo = Demo::start();
    for path in ["/?q=tent&lang=en", "/demo/shop"] {
        tab.go(&demo.page(path));
        let [light, dark] = ["light", "dark"].map(|scheme| {
            tab.media(&[("prefers-color-scheme", scheme)]);
            let colours = tab.js(COLOURS);
            let contrast = colours[2].as_f64().expect("a number");
            assert!(contrast >= 7.0, "{path}, {scheme}: {colours}");
            colours
        });
        for part in 0..2 {
            assert_ne!(light[part], dark[part], "{path}");
        }
    }
}

fn axe(stage: &mut Stage) {
    let Some(axe) = checker("demo::axe") else {
        return;
    };
    let tab = &stage.tab;
    tab.resize(375, 812);
    let demo = Demo::start();
    for scheme in ["light", "dark"] {
        tab.media(&[("prefers-color-scheme", scheme)]);
        let check = |state: &str, condition: &str| {
            tab.until(condition);
            let found = violations(tab, &axe);
            assert!(found.is_empty(), "{state}, {scheme}: {found:#?}");
            tab.picture(&format!("demo-{state}-{scheme}-375"));
        };
        tab.go(&demo.page("/?q=tent&lang=en"));
        let found = "all('.card').length > 3 && !find('#results[aria-busy]')";
        check("storefront", found);
        tab.click("find('.why-button')");
        check("why", "find('#why[open] .part')");
        tab.click("find('#why .close')");
        tab.click("find('#filters-button')");
        check("drawer", "find('#drawer[open] .choice')");
        tab.click("find('#drawer[open] .choice')");
        tab.until("find('#chips .chip')");
        tab.click("find('#drawer-close')");
        check("filtered", &format!("!find('#drawer[open]') && {found}"));
        tab.go(&demo.page("/?q=zzqqxx&lang=en"));
        check("nothing", "find('#empty h2')");
        tab.go(&demo.page("/demo/shop"));
        check("shop", "find('.shop-line')");
    }
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
