//! The designer of the widget.
//!
//! 1. It shows the real widget, in each of its modes, with what is chosen and not saved, such as what it shows before
//!    anything is typed, which a save keeps exactly as it was; viewers see it, too. It leaves the focus where it is.
//! 2. The shop's own code in it reads no cookie and reaches no call and no page of the panel.

use super::Desk;
use super::lists::{named, put};
use crate::Case;
use crate::stage::Stage;
use crate::tab::Key;
use domain::Role;
use serde_json::json;

pub const CASES: &[Case] = &[("panel::widget", widget)];

/// The shop's own code: tries what it must not reach, and says what came of it.
const CODE: &str = "const seen = {};
fetch('/panel/api/me', { credentials: 'include' }).then(() => { seen.call = 'reached'; }, () => { seen.call = 'failed'; });
try { seen.page = parent.document.title; } catch { seen.page = 'failed'; }
try { seen.cookie = document.cookie; } catch { seen.cookie = 'failed'; }
setInterval(() => {
  const roots = [...document.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean);
  seen.theme = roots.map((root) => root.querySelector('[data-theme]')?.dataset.theme).find(Boolean);
  seen.suggests = Boolean(document.querySelector('#fw-panel:not([hidden])'));
  seen.drawn = document.querySelector('[data-findwell-results]')?.firstElementChild?.shadowRoot?.textContent ?? '';
  seen.text = roots.map((root) => root.textContent).join();
  parent.postMessage({ seen }, '*');
}, 100);";

/// What is shown before anything is typed, with values that the short form would take for something else.
fn keeps_first_search(desk: &Desk<'_>) {
    let path = desk.of_store("/widget");
    let first = json!({"q": "tent", "filters": {
        "attributes.size": ["36-38"], "attributes.a:b": ["x"], "manufacturer": ["Red, dark", "[x"],
        "supplier": ["Norte", "Ostro"], "price": {"min": 5, "max": 10.5}}});
    let body = json!({ "defaultSearch": first });
    desk.call("PUT", &path).json(&body).send().ok();
    let saved = || desk.call("GET", &path).send().ok().data()["defaultSearch"].clone();
    let before = saved();
    desk.open(&desk.of_store("/widget?lang=en"));
    let tab = desk.tab();
    tab.check("find('[name=\"defaultSearch.filters\"]').value.includes('supplier: Norte, Ostro')");
    let save = "find('form:has([name=theme])').requestSubmit()";
    tab.js("find('[name=theme]').value = 'auto'");
    tab.js(save);
    tab.until("text('.notice').startsWith('Saved.')");
    assert_eq!(saved(), before, "it was not touched");
    tab.js("find('[name=\"defaultSearch.q\"]').value = 'boot'");
    tab.js(save);
    crate::harness::eventually("the query is saved", || saved()["q"] == "boot");
    assert_eq!(saved()["filters"], before["filters"]);
    let body = json!({"theme": "light", "defaultSearch": null});
    desk.call("PUT", &path).json(&body).send().ok();
}

fn viewers_see_it(stage: &Stage) {
    let viewer = Desk::of(stage, "Wiv", Role::Viewer);
    viewer.open(&viewer.of_store("/widget?lang=en"));
    let tab = viewer.tab();
    tab.check("text('main').includes('Your role is viewer') && find('[name=theme]').disabled");
    tab.until("find('iframe.preview')?.src.includes('/panel/preview')");
    tab.check("Math.abs(find('.preview').getBoundingClientRect().width - find('.preview-place').clientWidth) < 2");
    viewer.is_quiet("widget, as viewer");
}

fn widget(stage: &mut Stage) {
    // Cases before this one leave the mode that they chose.
    drop(stage.scene(json!({"features": {"displayMode": "overlay"}})));
    viewers_see_it(stage);
    let desk = Desk::of(stage, "Wid", Role::Owner);
    keeps_first_search(&desk);
    let custom = desk.of_store("/widget/custom");
    let code = json!({ "customJS": CODE });
    desk.call("PUT", &custom).json(&code).send().ok();
    desk.open(&desk.of_store("/widget?lang=en"));
    let tab = desk.tab();
    tab.js(
        "addEventListener('message', ({ data }) => { if (data.seen) window.seen = data.seen; })",
    );
    put(tab, "find('[name=previewQuery]')", "tent");
    tab.press(Key::ENTER);
    tab.until("window.seen?.call && window.seen.text.includes('Tent')");
    tab.check("active().name === 'previewQuery'");
    for reached in ["call", "page", "cookie"] {
        tab.check(&format!("seen.{reached} === 'failed'"));
    }
    tab.check("seen.theme !== 'dark'");
    tab.js("const theme = find('[name=theme]'); theme.value = 'dark'; theme.dispatchEvent(new Event('input', { bubbles: true }))");
    tab.until("seen.theme === 'dark'");
    let saved = desk.call("GET", &desk.of_store("/widget")).send().ok();
    assert_ne!(saved.data()["theme"], "dark", "nothing is saved yet");
    tab.picture("panel-designer-dark-theme");
    let choose = |name: &str, value: &str| {
        tab.js(&format!("const one = find('[name=\"{name}\"]'); one.focus(); one.value = '{value}'; one.dispatchEvent(new Event('input', {{ bubbles: true }}))"));
    };
    choose("features.displayMode", "dropdown");
    tab.until("seen.suggests && seen.drawn === ''");
    tab.check("document.activeElement.tagName !== 'IFRAME'");
    choose("features.displayMode", "page");
    tab.until("seen.drawn.includes('Tent') && !seen.suggests");
    tab.picture("panel-designer-page-mode");
    put(tab, "find('[name=previewQuery]')", " ");
    tab.js("find('[name=previewQuery]').value = ''; find('[name=previewQuery]').dispatchEvent(new Event('change'))");
    choose(
        "defaultSearch.filters",
        "manufacturer: Ostro\\nprice: 21-40",
    );
    tab.until("seen.drawn.includes('7 products')");
    tab.click(&named("375 px"));
    tab.check("find('iframe').width === '375'");
    tab.click(&named("Save widget"));
    tab.until("text('.notice').startsWith('Saved.')");
    let saved = desk.call("GET", &desk.of_store("/widget")).send().ok();
    assert_eq!(saved.data()["theme"], "dark");
    let filters = json!({"manufacturer": ["Ostro"], "price": {"min": 21, "max": 40}});
    assert_eq!(saved.data()["defaultSearch"], json!({ "filters": filters }));
    tab.js("find('[name=\"defaultSearch.filters\"]').value = 'colour: red'");
    tab.click(&named("Save widget"));
    tab.until("find('[data-field=\"defaultSearch.filters\"] .wrong:not([hidden])')");
    tab.js("find('[name=\"defaultSearch.filters\"]').value = ''");
    tab.click("all('summary').find((one) => one.textContent === 'Colours')");
    put(tab, "find('[name=\"colors.primary\"]')", "url(x)");
    tab.click(&named("Save widget"));
    tab.until("find('[data-field=\"colors.primary\"] .wrong:not([hidden])')");
    desk.is_quiet("widget");
    for (path, body) in [
        (custom, json!({"customJS": null})),
        (
            desk.of_store("/widget"),
            json!({"theme": "light", "defaultSearch": null, "features": {"displayMode": "dropdown"}}),
        ),
    ] {
        desk.call("PUT", &path).json(&body).send().ok();
    }
}
