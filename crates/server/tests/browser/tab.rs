//! One tab, driven as a person would: trusted keys, clicks and touches; scripts only look.

use crate::driver::Driver;
use crate::harness::eventually;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// How long a condition may take: only a case that fails waits that long, however slow the machine is.
const TIMEOUT: Duration = Duration::from_secs(90);
const PAUSE: Duration = Duration::from_millis(15);

/// Functions that scripts of the tests use: `host` is the widget's element, `find` also looks into its root.
const PRELUDE: &str = "
    const host = document.querySelector('[data-findwell-layer]');
    const root = host && host.shadowRoot;
    const find = (css) => (root && root.querySelector(css)) || document.querySelector(css);
    const all = (css) => [...(root ? root.querySelectorAll(css) : []), ...document.querySelectorAll(css)];
    const layer = () => root && root.querySelector('dialog.fw-layer[open]');
    const panel = () => document.querySelector('#fw-panel:not([hidden])');
    const active = () => { let at = document.activeElement; while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement; return at; };
    const text = (css) => { const one = find(css); return one ? one.textContent : null; };
    const named = (css) => all(css).map((one) => one.textContent);
";

/// Makes the widget's patience with service and shop longer, whose end would be the slowness of the machine.
const SLOW_CLOCK: &str = "{
    const slow = (time) => (time >= 800 ? time * 20 : time);
    const [timeout, later] = [AbortSignal.timeout, window.setTimeout];
    AbortSignal.timeout = (time) => timeout.call(AbortSignal, slow(time));
    window.setTimeout = (call, time, ...more) => later(call, slow(time), ...more);
}";

/// A key that is not a character.
#[derive(Clone, Copy)]
pub struct Key(&'static str, u32);

impl Key {
    pub const DOWN: Self = Self("ArrowDown", 40);
    pub const UP: Self = Self("ArrowUp", 38);
    pub const LEFT: Self = Self("ArrowLeft", 37);
    pub const ENTER: Self = Self("Enter", 13);
    pub const ESCAPE: Self = Self("Escape", 27);
    pub const TAB: Self = Self("Tab", 9);
    pub const DELETE: Self = Self("Delete", 46);
    pub const BACKSPACE: Self = Self("Backspace", 8);
    pub const HOME: Self = Self("Home", 36);
    pub const END: Self = Self("End", 35);
    pub const S: Self = Self("s", 83);
    pub const Z: Self = Self("z", 90);
}

/// Modifiers of keys and clicks.
pub const ALT: u32 = 1;
pub const CTRL: u32 = 2;
pub const SHIFT: u32 = 8;

/// The tab that a case looks at.
pub struct Tab {
    pub driver: Driver,
    /// Scripts that run in every new page before its own, by the browser's ids.
    early: RefCell<Vec<Value>>,
}

impl Tab {
    /// The tab of a browser, with a widget that is patient.
    pub fn new(driver: Driver) -> Self {
        let early = RefCell::default();
        let tab = Self { driver, early };
        tab.early(SLOW_CLOCK);
        tab
    }

    /// Runs a script in every new page of this case, before the page's own and whatever its policy says.
    pub fn early(&self, script: &str) {
        let added = self.cdp(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({"source": script}),
        );
        self.early.borrow_mut().push(added["identifier"].clone());
    }

    /// Lets the widget be as impatient as it is, for a case about that.
    pub fn real_time(&self) {
        for id in self.early.take() {
            self.cdp(
                "Page.removeScriptToEvaluateOnNewDocument",
                json!({"identifier": id}),
            );
        }
    }

    /// Goes to an address and waits for its `load` event.
    pub fn go(&self, address: &str) {
        let gone = self
            .driver
            .runtime
            .block_on(self.driver.browser.goto(address));
        gone.unwrap_or_else(|error| panic!("{address}: {error}"));
    }

    pub fn address(&self) -> String {
        self.text("return location.href")
    }

    /// Runs a script and returns its value.
    pub fn js(&self, script: &str) -> Value {
        let script = format!("{PRELUDE}\n{script}");
        let ret = self
            .driver
            .runtime
            .block_on(self.driver.browser.execute(script.clone(), Vec::new()));
        ret.unwrap_or_else(|error| panic!("{script}: {error}"))
            .json()
            .clone()
    }

    pub fn text(&self, script: &str) -> String {
        let value = self.js(script);
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    }

    pub fn holds(&self, condition: &str) -> bool {
        let script = format!("{PRELUDE}\nreturn !!({condition})");
        // A page that is being left has no script to run.
        let ret = self
            .driver
            .runtime
            .block_on(self.driver.browser.execute(script, Vec::new()));
        ret.is_ok_and(|ret| ret.json() == &Value::Bool(true))
    }

    /// Waits until a condition holds.
    #[expect(
        clippy::disallowed_methods,
        reason = "a test that waits needs an end, and only the system's clock has one"
    )]
    pub fn until(&self, condition: &str) {
        let deadline = Instant::now() + TIMEOUT;
        while !self.holds(condition) {
            assert!(
                Instant::now() < deadline,
                "timed out at {} waiting for {condition}",
                self.address()
            );
            std::thread::sleep(PAUSE);
        }
    }

    /// Waits until nothing on the page is animated any more: a part that appears is pale for a moment.
    pub fn until_still(&self) {
        self.until(
            "[document, ...[...document.querySelectorAll('*')].flatMap((one) => one.shadowRoot ?? [])] \
             .every((tree) => tree.getAnimations().every((one) => one.playState !== 'running'))",
        );
    }

    #[track_caller]
    pub fn check(&self, condition: &str) {
        assert!(self.holds(condition), "does not hold: {condition}");
    }

    pub fn cdp(&self, method: &str, parameters: Value) -> Value {
        let sent = self
            .driver
            .runtime
            .block_on(async { self.driver.browser.cdp().send_raw(method, parameters).await });
        sent.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Types characters, one key each.
    pub fn keys(&self, text: &str) {
        for character in text.chars() {
            let code = u32::from(character.to_ascii_uppercase());
            let key = character.to_string();
            self.key_event(
                "keyDown",
                json!({"key": key, "text": key, "windowsVirtualKeyCode": code}),
            );
            self.key_event("keyUp", json!({"key": key, "windowsVirtualKeyCode": code}));
        }
    }

    pub fn press(&self, key: Key) {
        self.press_with(key, 0);
    }

    pub fn press_with(&self, Key(name, code): Key, modifiers: u32) {
        let mut event = json!({"key": name, "code": name, "windowsVirtualKeyCode": code, "modifiers": modifiers});
        if name == "Enter" && modifiers == 0 {
            event["text"] = json!("\r");
        }
        self.key_event("keyDown", event.clone());
        event.as_object_mut().expect("an object").remove("text");
        self.key_event("keyUp", event);
    }

    fn key_event(&self, kind: &str, mut event: Value) {
        event["type"] = json!(kind);
        self.cdp("Input.dispatchKeyEvent", event);
    }

    /// Clicks in the middle of the element of a script expression.
    pub fn click(&self, element: &str) {
        self.click_with(element, "left", 0);
    }

    pub fn click_with(&self, element: &str, button: &str, modifiers: u32) {
        let (x, y) = self.middle(element);
        let event = |kind: &str| json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1, "modifiers": modifiers});
        self.cdp(
            "Input.dispatchMouseEvent",
            json!({"type": "mouseMoved", "x": x, "y": y}),
        );
        self.cdp("Input.dispatchMouseEvent", event("mousePressed"));
        self.cdp("Input.dispatchMouseEvent", event("mouseReleased"));
    }

    /// Makes the tab a screen of this size in pixels that is touched, as on a telephone.
    pub fn touch_screen(&self, width: u32, height: u32) {
        self.cdp(
            "Emulation.setTouchEmulationEnabled",
            json!({"enabled": true, "maxTouchPoints": 1}),
        );
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": true}),
        );
    }

    pub fn tap(&self, element: &str) {
        let (x, y) = self.middle(element);
        self.cdp(
            "Input.dispatchTouchEvent",
            json!({"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}),
        );
        self.cdp(
            "Input.dispatchTouchEvent",
            json!({"type": "touchEnd", "touchPoints": []}),
        );
    }

    /// The middle of an element, once it is in view and has stopped moving.
    fn middle(&self, element: &str) -> (f64, f64) {
        let place = format!(
            "(() => {{ const one = {element}; if (!one) return false; const now = one.getBoundingClientRect(); \
             if (now.top < 90 || now.bottom > innerHeight) one.scrollIntoView({{block: 'center', inline: 'nearest'}}); \
             const box = one.getBoundingClientRect(); const key = [box.x, box.y, box.width].join(); \
             const still = window.stood === key && box.width > 0; window.stood = key; return still; }})()"
        );
        self.js("window.stood = ''");
        self.until(&place);
        let place = self.js(&format!(
            "const box = {element}.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2];"
        ));
        let number = |at: usize| place[at].as_f64().expect("a number");
        (number(0), number(1))
    }

    /// Sets the size of the window.
    pub fn resize(&self, width: u32, height: u32) {
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}),
        );
    }

    /// Sets features that media queries ask for, such as `prefers-reduced-motion`.
    pub fn media(&self, features: &[(&str, &str)]) {
        let features: Vec<Value> = features
            .iter()
            .map(|(name, value)| json!({"name": name, "value": value}))
            .collect();
        self.cdp("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    pub fn back(&self) {
        self.js("history.back()");
    }

    /// The pixels of a rectangle of a script, as PNG, once they stay the same.
    pub fn pixels(&self, rectangle: &str) -> Vec<u8> {
        // A pointer that a former case has left over an element would change its colour.
        self.cdp(
            "Input.dispatchMouseEvent",
            json!({"type": "mouseMoved", "x": 0, "y": 0}),
        );
        let place = self.js(&format!(
            "const box = {rectangle}; return {{x: box.x, y: box.y, width: box.width, height: box.height, scale: 1}};"
        ));
        let take = || {
            let taken = self.cdp("Page.captureScreenshot", json!({"clip": place}));
            let png = STANDARD.decode(taken["data"].as_str().expect("a picture"));
            png.expect("base64")
        };
        let mut last = take();
        eventually("the picture stays the same", || {
            let next = take();
            std::mem::replace(&mut last, next) == last
        });
        last
    }

    /// Writes a picture to the folder of `FINDWELL_PICTURES`, else to `target/browser`.
    pub fn picture(&self, name: &str) {
        let usual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/browser");
        let folder = std::env::var("FINDWELL_PICTURES").unwrap_or_else(|_| usual.to_owned());
        let name = name.replace("::", "-");
        let taken = self
            .driver
            .runtime
            .block_on(self.driver.browser.screenshot_as_png());
        let Ok(png) = taken else { return };
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(format!("{folder}/{name}.png"), png).expect("written");
    }

    /// Number of open tabs.
    pub fn tabs(&self) -> usize {
        self.driver
            .runtime
            .block_on(self.driver.browser.windows())
            .expect("tabs")
            .len()
    }

    /// Closes all tabs but the first, and undoes what was emulated.
    pub fn reset(&self) {
        self.driver.runtime.block_on(async {
            let browser = &self.driver.browser;
            let tabs = browser.windows().await.expect("tabs");
            for other in &tabs[1..] {
                browser
                    .switch_to_window(other.clone())
                    .await
                    .expect("a tab");
                browser.close_window().await.expect("closed");
            }
            browser
                .switch_to_window(tabs[0].clone())
                .await
                .expect("a tab");
        });
        self.cdp("Emulation.clearDeviceMetricsOverride", json!({}));
        self.cdp("Emulation.setEmulatedMedia", json!({"features": []}));
        self.cdp("Emulation.setUserAgentOverride", json!({"userAgent": ""}));
        self.cdp(
            "Emulation.setTouchEmulationEnabled",
            json!({"enabled": false}),
        );
        self.real_time();
        self.early(SLOW_CLOCK);
        self.go("about:blank");
    }
}
