//! 1. Every operation of the catalogue has its path, and needs a key.
//! 2. Each kind of key reaches the operations that the catalogue grants it, and no other.

use crate::harness::Shop;
use domain::Scope;
use operations::catalogue::{Access, OPERATIONS};

/// The answer of the permission check: none when the request came past it.
fn refusal(shop: &Shop, method: &'static str, path: &str, key: Option<&str>) -> Option<String> {
    let call = shop.api(method, path);
    let reply = match key {
        Some(key) => call.key(key).send(),
        None => call.send(),
    };
    let refused = matches!(reply.status, 401 | 403 | 404 | 405);
    refused.then(|| format!("{} {}", reply.status, reply.code()))
}

/// What the catalogue says of the keys that write, that read, of the connector and of the shop's pages.
fn granted(access: Access) -> [Option<&'static str>; 4] {
    let (config, other) = (Some("401 key_kind"), Some("403 key_kind"));
    match access {
        Access::Configuration(Scope::Read) => [None, None, config, config],
        Access::Configuration(Scope::Write) => [None, Some("403 scope_missing"), config, config],
        Access::Feed => [other, other, None, other],
        Access::Search => [other, other, other, None],
        Access::Operator => [None; 4],
    }
}

#[test]
fn each_kind_of_key_reaches_what_the_catalogue_grants() {
    let shop = Shop::open();
    let keys = [
        &shop.write_key,
        &shop.read_key,
        &shop.connector,
        &shop.public,
    ];
    let mut seen = 0;
    for operation in &OPERATIONS {
        let Some((method, path)) = operation.rest else {
            continue;
        };
        let path = path
            .replace("{id}", shop.store.as_str())
            .replace("{type}", "products")
            .replace("{runId}", "run_x");
        assert_eq!(
            refusal(&shop, method, &path, None).as_deref(),
            Some("401 key_missing"),
            "{} without a key",
            operation.id
        );
        let answers = keys.map(|key| refusal(&shop, method, &path, Some(key)));
        let answers = answers.each_ref().map(Option::as_deref);
        assert_eq!(answers, granted(operation.access), "{}", operation.id);
        seen += 1;
    }
    assert!(seen >= 15, "the catalogue has {seen} paths");
}
