//! The shop's own style and script.
//!
//! 1. Both come from the service, also to a page of another origin and where the service does not know its own address.
//! 2. The style reaches the layer and the page, the script runs once and before anything is drawn.

use crate::Case;
use crate::stage::Stage;
use serde_json::json;

pub const CASES: &[Case] = &[("custom::style_and_script", style_and_script)];

fn style_and_script(stage: &mut Stage) {
    for mode in ["overlay", "dropdown"] {
        let scene = stage.scene(json!({"features": {"displayMode": mode}}));
        let tab = scene.tab;
        let own = json!({
            "customCSS": ".fw-title { color: rgb(1, 2, 3) } #shops { color: rgb(4, 5, 6) }",
            "customJS": "window.runs = (window.runs || 0) + 1; window.early = !document.querySelector('#fw-panel:not([hidden])')",
        });
        scene.set_custom(&own);
        scene.put("/", "", "<p id=shops>The shop's</p>");
        match mode {
            "overlay" => {
                scene.type_for_layer("tent");
                tab.check("getComputedStyle(find('.fw-title')).color === 'rgb(1, 2, 3)'");
            }
            _ => scene.type_for_panel("tent"),
        }
        tab.until("getComputedStyle(document.getElementById('shops')).color === 'rgb(4, 5, 6)'");
        tab.check("window.runs === 1 && window.early");
        let asked = scene.gate.requests();
        let custom = asked
            .iter()
            .filter(|one| one.path.contains("/widget/custom/"));
        assert!(custom.count() >= 2, "{mode}: {asked:?}");
        let none = json!({"customCSS": null, "customJS": null});
        scene.set_custom(&none);
    }
}
