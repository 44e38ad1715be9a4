//! Languages of the page: how prices are written and which way text runs, whatever form its tag has.

use crate::Case;
use crate::stage::{Stage, page, theme};
use serde_json::json;

pub const CASES: &[Case] = &[("languages::tags", tags)];

fn tags(stage: &mut Stage) {
    for (tag, price, direction) in [
        ("de_DE", "5,00 €", "ltr"),
        ("ar_EG", "", "rtl"),
        ("not a language", "5,00 €", "ltr"),
    ] {
        let scene = stage.scene(json!({}));
        let html = page(&theme("/find"), &scene.line("data-lang=\"\""));
        let html = html.replace("<html lang=en>", &format!("<html lang=\"{tag}\">"));
        scene.put_html("/", &html, None);
        scene.type_for_panel("lamp");
        let tab = scene.tab;
        tab.check(&format!("panel().dir === '{direction}'"));
        tab.check(&format!(
            "!'{price}' || text('.fw-option-products .fw-price').replace(/\\s/g, ' ') === '{price}'"
        ));
    }
}
