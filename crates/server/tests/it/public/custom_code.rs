//! 1. Custom code is in the configuration once the panel has set it, by the address of a file that everybody can read
//!    and that never changes; its former versions stay.
//! 2. A file does nothing when it is opened by itself, and pages of any origin may load it.
//! 3. Another store's file, an unknown one and a malformed name are 404.
//! 4. A key may neither read nor write it, whatever its scope; a change is a revision, which names hashes.
//! 5. It is gone from the configuration once it is removed.

use crate::harness::{Reply, Shop};
use domain::Caller;
use domain::widget::custom_code::CustomCodePatch;
use operations::widget::custom_code;
use operations::{OperationError, Precondition, authenticate};
use serde_json::{Value, json};

fn set_as(shop: &Shop, caller: &Caller, patch: Value) -> Result<Value, OperationError> {
    let patch: CustomCodePatch = serde_json::from_value(patch).expect("a patch");
    let (service, any) = (shop.running().service(), Precondition::None);
    let saved = custom_code::set(service, caller, &shop.store, patch, any);
    shop.block_on(saved).map(|(code, _)| json!(code))
}

fn set(shop: &Shop, patch: Value) {
    set_as(shop, &Caller::operator(), patch).expect("saves");
}

/// The address of a file in the configuration, below the API; null if there is none.
fn address(shop: &Shop, name: &str) -> Option<String> {
    let call = shop.api("GET", "/widget/config").key(&shop.public);
    let url = call.send().ok().data()[name]["url"].clone();
    let url = url
        .as_str()?
        .strip_prefix("/api/v1")
        .expect("a path of the API");
    Some(url.to_owned())
}

fn load(shop: &Shop, path: &str) -> Reply {
    shop.api("GET", path)
        .header("Origin", "https://shop.example")
        .send()
}

#[test]
fn code_is_a_file_of_its_own() {
    let shop = Shop::open();
    assert_eq!(address(&shop, "customCss"), None);
    set(&shop, json!({"customCSS": "a{}", "customJS": "b()"}));
    let (css, js) = (address(&shop, "customCss"), address(&shop, "customJs"));
    let (css, js) = (css.expect("a file"), js.expect("a file"));
    for (path, text, content_type) in [
        (&css, "a{}", "text/css; charset=utf-8"),
        (&js, "b()", "text/javascript; charset=utf-8"),
    ] {
        let reply = load(&shop, path);
        assert_eq!((reply.status, reply.text.as_str()), (200, text));
        for (name, value) in [
            ("content-type", content_type),
            ("cache-control", "public, max-age=31536000, immutable"),
            ("content-security-policy", "sandbox; default-src 'none'"),
            ("cross-origin-resource-policy", "cross-origin"),
            ("access-control-allow-origin", "*"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(reply.header(name), value, "{name} of {path}");
        }
    }
    set(&shop, json!({"customCSS": "c{}"}));
    let next = address(&shop, "customCss").expect("a file");
    assert_ne!(next, css);
    assert_eq!(load(&shop, &next).text, "c{}");
    assert_eq!(load(&shop, &css).text, "a{}");
    assert_eq!(address(&shop, "customJs"), Some(js));
    set(&shop, json!({"customCSS": null, "customJS": ""}));
    assert_eq!(address(&shop, "customCss"), None);
    assert_eq!(address(&shop, "customJs"), None);
    assert_eq!(load(&shop, &next).text, "c{}");
}

#[test]
fn twenty_former_files_stay() {
    let shop = Shop::open();
    let mut files = Vec::new();
    for number in 0..23 {
        set(&shop, json!({"customCSS": format!("a{number}{{}}")}));
        files.push(address(&shop, "customCss").expect("a file"));
    }
    let gone = files
        .iter()
        .filter(|path| load(&shop, path).status == 404)
        .count();
    assert_eq!(gone, 2);
    assert_eq!(load(&shop, &files[2]).text, "a2{}");
    // A former version that is saved again is present again.
    set(&shop, json!({"customCSS": "a2{}"}));
    assert_eq!(address(&shop, "customCss").as_ref(), Some(&files[2]));
}

#[test]
fn unknown_files_are_not_found() {
    let shop = Shop::open();
    set(&shop, json!({"customCSS": "a{}"}));
    let path = address(&shop, "customCss").expect("a file");
    let other = shop.new_store("Second");
    let (store, hash) = (shop.store.as_str(), &path[path.len() - 20..path.len() - 4]);
    for path in [
        path.replace(store, other.as_str()),
        path.replace(".css", ".js"),
        path.replace(".css", ""),
        path.replace(hash, "0123456789abcdef"),
        path.replace(hash, &hash.to_uppercase()),
        path.replace(store, "%ff"),
        format!("/widget/custom/{store}/"),
    ] {
        let reply = load(&shop, &path).error(404, "not_found");
        assert_eq!(reply.header("cache-control"), "no-store", "{path}");
    }
}

#[test]
fn no_key_reads_or_writes_it() {
    let shop = Shop::open();
    let service = shop.running().service();
    for key in [&shop.write_key, &shop.read_key] {
        let caller = shop.block_on(authenticate::by_key(service, key));
        let caller = caller.expect("a key");
        let written = set_as(&shop, &caller, json!({"customJS": "x()"}));
        let read = shop.block_on(custom_code::get(service, &caller, &shop.store));
        let code = |error: OperationError| error.code();
        assert_eq!(written.map_err(code), Err("reserved"));
        assert_eq!(read.map(|_| ()).map_err(code), Err("reserved"));
    }
    let long = "x".repeat(64 * 1024 + 1);
    let error = set_as(&shop, &Caller::operator(), json!({"customCSS": long}));
    let error = error.expect_err("too long");
    assert!(error.to_string().contains("customCSS"), "{error}");
    assert_eq!(address(&shop, "customJs"), None);

    set(&shop, json!({"customJS": "x()"}));
    let revision = shop.own("GET", "/revisions/1").send().ok();
    assert_eq!(revision.data()["operation"], "set_custom_code");
    let changes = &revision.data()["changes"];
    let file = address(&shop, "customJs").expect("a file");
    let (_, name) = file.rsplit_once('/').expect("a name");
    let hash = name.trim_end_matches(".js");
    assert!(changes.to_string().contains(hash), "{changes}");
    assert!(!changes.to_string().contains("x()"), "{changes}");
    let widget = shop.own("GET", "/widget").send().ok();
    assert!(!widget.text.contains("customJS"));
}

#[test]
fn a_named_server_has_whole_addresses() {
    let shop = Shop::open_with(|options| {
        options.public_url = Some("https://search.example".to_owned());
    });
    set(&shop, json!({"customCSS": "a{}"}));
    let call = shop.api("GET", "/widget/config").key(&shop.public);
    let url = call.send().ok().data()["customCss"]["url"].clone();
    let start = format!(
        "https://search.example/api/v1/widget/custom/{}/",
        shop.store
    );
    assert!(
        url.as_str().is_some_and(|url| url.starts_with(&start)),
        "{url}"
    );
}
