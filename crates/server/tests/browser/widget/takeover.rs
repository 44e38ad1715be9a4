//! `data-takeover`: an input whose own suggestions stay silent.
//!
//! 1. The theme's own autocomplete hears and shows nothing of the input; without the service the form is submitted.
//! 2. Nothing is taken over without the service; with a key that is not valid any more, the theme has its input back.
//! 3. What else the theme does with the input, such as buttons that clear and submit it, acts on what the shopper sees.

use crate::Case;
use crate::stage::Stage;
use crate::tab::Key;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("takeover::silence", silence),
    ("takeover::ends", ends),
    ("takeover::controls", controls),
];

/// A theme's own autocomplete, as plugins write it: listeners on the input, a list below it, Enter taken from the form.
const THEIRS: &str = "<ul id=theirs hidden><li>Theirs</li></ul><script>(() => { \
    const input = document.querySelector('input'); const list = document.getElementById('theirs'); window.heard = []; \
    input.setAttribute('role', 'combobox'); input.setAttribute('aria-autocomplete', 'list'); input.setAttribute('aria-controls', 'theirs'); \
    for (const kind of ['focus', 'input', 'keydown', 'blur']) input.addEventListener(kind, (event) => { window.heard.push(kind); \
    list.hidden = kind === 'blur'; if (event.key === 'Enter') { event.preventDefault(); location.href = '/theirs'; } }); })()</script>";

/// Whether the input is the widget's.
const TAKEN: &str = "(find('input[name=s]').getAttribute('aria-controls') || '').startsWith('fw-')";

fn silence(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.put("/", "data-takeover", THEIRS);
    scene.focus();
    tab.until(TAKEN);
    tab.check("active().name === 's' && find('#theirs').hidden && window.heard.at(-1) === 'blur'");
    tab.js("window.heard = []");
    tab.keys("tent");
    tab.until("panel() && named('.fw-option-name').length");
    tab.press(Key::DOWN);
    tab.until("find('[role=option][aria-selected=true]')");
    tab.check("window.heard.length === 0 && find('#theirs').hidden");
    tab.check("document.querySelectorAll('input').length === 1 && active().value === 'tent'");
    // The service goes away: the form goes its own way, with the text of the input that stands in it now.
    scene.gate.answer("/suggest", 503, None);
    tab.keys(" 1");
    tab.until("!panel()");
    tab.press(Key::ENTER);
    tab.until("location.pathname + location.search === '/find?s=tent+1'");
}

fn ends(stage: &mut Stage) {
    let scene = stage.scene(json!({}));
    let tab = scene.tab;
    scene.put("/", "data-takeover", THEIRS);
    // Without the service nothing is taken over.
    scene.gate.answer("/widget/config", 503, None);
    scene.focus();
    scene.until_asked("/widget/config", 1);
    tab.keys("tent");
    tab.check("!find('#theirs').hidden && active().getAttribute('aria-controls') === 'theirs' && window.heard.includes('input')");
    scene.gate.open();
    scene.focus();
    tab.until(TAKEN);
    // With a key that is no longer valid the theme has its input back, and its suggestions with it.
    scene.gate.answer("/suggest", 401, None);
    tab.keys("tent");
    tab.until("active().getAttribute('aria-controls') === 'theirs'");
    tab.check("active().value === 'tent' && active().selectionStart === 4 && document.querySelectorAll('input').length === 1");
    tab.keys("s");
    tab.check(
        "active().value === 'tents' && !find('#theirs').hidden && window.heard.at(-1) === 'input'",
    );
    tab.press(Key::ENTER);
    tab.until("location.pathname === '/theirs'");
}

/// Buttons of a theme that hold a reference to the input since the page was loaded.
const CONTROLS: &str = "<button id=clear>Clear</button><button id=lens>Search</button><script>(() => { \
    const input = document.querySelector('input'); \
    document.getElementById('clear').addEventListener('click', () => { input.value = ''; input.focus(); }); \
    document.getElementById('lens').addEventListener('click', () => { if (input.value) input.form.submit(); }); })()</script>";

fn controls(stage: &mut Stage) {
    for mode in ["dropdown", "overlay"] {
        let scene = stage.scene(json!({"features": {"displayMode": mode}}));
        let tab = scene.tab;
        scene.put("/", "data-takeover", &format!("{THEIRS}{CONTROLS}"));
        scene.focus();
        tab.until("find('input[name=s]').getAttribute('aria-controls') !== 'theirs'");
        tab.keys("tent");
        tab.until("panel() || layer()");
        tab.press(Key::ESCAPE);
        tab.until("!panel() && !layer() && active().value === 'tent'");
        tab.click("find('#clear')");
        tab.check("active().name === 's' && active().value === '' && !layer()");
        tab.keys("t");
        if mode == "overlay" {
            tab.until("layer() && find('.fw-input').value === 't'");
            tab.press(Key::ESCAPE);
        }
        tab.until("!layer() && find('input[name=s]').value === 't'");
        tab.click("find('#lens')");
        tab.until("location.pathname + location.search === '/find?s=t'");
    }
}
