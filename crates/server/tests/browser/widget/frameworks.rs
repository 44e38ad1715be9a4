//! Pages of shops made with jQuery UI and Bootstrap, in versions that shops have.
//!
//! 1. Under `data-takeover` jQuery UI's autocomplete stays silent in each mode, and works again once the key is not valid.
//! 2. Bootstrap's style changes nothing of the panel, and the layer opens over its modal dialog, whose trap of the focus
//!    does not take the focus out of it; afterwards the focus is in the dialog again.

use crate::Case;
use crate::stage::{Scene, Stage, installed, page, theme};
use crate::tab::Key;
use serde_json::json;

pub const CASES: &[Case] = &[
    ("frameworks::jquery", jquery),
    ("frameworks::bootstrap", bootstrap),
];

fn put(scene: &Scene<'_>, attributes: &str, head: &str, body: &str, scripts: &[(&str, &str)]) {
    let mut tail = String::new();
    for (path, text) in scripts {
        scene.put_html(path, text, None);
        tail.push_str(&format!("<script src=\"{path}\"></script>"));
    }
    let html = page(&format!("{body}{tail}"), &scene.line(attributes));
    scene.put_html(
        "/",
        &html.replace("<style>", &format!("{head}<style>")),
        None,
    );
}

fn jquery(stage: &mut Stage) {
    let case = "frameworks::jquery";
    let Some(jquery) = installed("jquery/dist/jquery.min.js", case) else {
        return;
    };
    let Some(ui) = installed("jquery-ui/dist/jquery-ui.min.js", case) else {
        return;
    };
    let theirs = "$('input[name=s]').autocomplete({source: ['tent of theirs', 'tents of theirs'], minLength: 1, delay: 0});";
    let scripts = [
        ("/jquery.js", jquery.as_str()),
        ("/jquery-ui.js", &ui),
        ("/theirs.js", theirs),
    ];
    let menu =
        "[...document.querySelectorAll('.ui-autocomplete')].some((one) => one.offsetHeight > 0)";
    for mode in ["dropdown", "overlay"] {
        let scene = stage.scene(json!({"features": {"displayMode": mode}}));
        let tab = scene.tab;
        put(&scene, "data-takeover", "", &theme("/find"), &scripts);
        match mode {
            "overlay" => scene.type_for_layer("tent"),
            _ => scene.type_for_panel("tent"),
        }
        tab.check(&format!("!({menu})"));
        scene.gate.answer("/suggest", 401, None);
        tab.keys("s");
        tab.until("!panel() && !layer() && active().name === 's' && active().value === 'tents'");
        tab.press(Key::BACKSPACE);
        tab.until(menu);
    }
}

fn bootstrap(stage: &mut Stage) {
    let case = "frameworks::bootstrap";
    let Some(css) = installed("bootstrap/dist/css/bootstrap.min.css", case) else {
        return;
    };
    let Some(js) = installed("bootstrap/dist/js/bootstrap.bundle.min.js", case) else {
        return;
    };
    let style = format!("<style>{css}</style>");
    let look = "return ['#fw-panel', '#fw-panel .fw-option', '#fw-panel .fw-price', '#fw-panel .fw-group-title'].map((css) => { const style = getComputedStyle(find(css)); \
                return ['display', 'color', 'fontSize', 'fontWeight', 'boxSizing', 'paddingTop', 'marginTop', 'textDecorationLine', 'lineHeight'].map((name) => style[name]).join(' '); })";
    let scene =
        stage.scene(json!({"colors": {"text": "#111111"}, "typography": {"font": "serif"}}));
    let tab = scene.tab;
    let mut looks = ["", style.as_str()].map(|head| {
        put(&scene, "", head, &theme("/find"), &[]);
        scene.type_for_panel("tent");
        tab.js(look)
    });
    let [plain, bootstrapped] = &mut looks;
    assert_eq!(plain, bootstrapped);
    let scene = stage.scene(json!({"features": {"displayMode": "overlay"}}));
    let tab = scene.tab;
    let modal = "<button data-bs-toggle=modal data-bs-target=\"#search\">Search</button><div class=modal id=search tabindex=-1><div class=modal-dialog><div class=modal-content>\
                 <form role=search action=\"/find\"><input class=form-control name=s type=search aria-label=Search></form></div></div></div>";
    put(&scene, "", &style, modal, &[("/bootstrap.js", js.as_str())]);
    scene.go("/");
    tab.click("find('button')");
    tab.until("find('#search.show')");
    tab.click("find('#search input')");
    tab.until("find('#search input').getAttribute('aria-haspopup') === 'dialog'");
    tab.keys("tent");
    tab.until("layer() && named('.fw-card').length === 24 && active() === find('.fw-input')");
    tab.keys(" 7");
    tab.until("text('.fw-card .fw-link') === 'Tent 7' && active() === find('.fw-input')");
    tab.press(Key::ESCAPE);
    tab.until("!layer() && active() === find('#search input') && active().value === 'tent 7' && find('#search.show')");
}
