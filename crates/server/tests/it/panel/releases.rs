//! 1. Whoever is signed in reads the latest release of each shop module, with the address under which shops call the
//!    server; nobody else does, and before the first release there is none.

use super::{Person, shop};
use crate::harness::Shop;
use crate::harness::module_releases::{archive, look_again, put_valid};
use domain::Role;
use serde_json::json;
use sha2::{Digest, Sha256};

fn releases(shop: &Shop, person: &Person) -> serde_json::Value {
    let reply = shop.by(person, "GET", "/module-releases").send().ok();
    reply.data().clone()
}

#[test]
fn the_latest_releases_are_linked() {
    let shop = shop();
    let vic = shop.member("vic@shop.example", Role::Viewer);
    assert_eq!(releases(&shop, &vic), json!([]));
    let dir = shop.dir().join("releases");
    put_valid(&dir, "1.9.0");
    put_valid(&dir, "1.10.0");
    look_again(&shop);
    let digest = Sha256::digest(archive("1.10.0"));
    let sha256: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let path = "/api/v1/downloads/prestashop/prestashop-1.10.0.zip";
    let base = shop.client.base();
    let expected = json!([{
        "platform": "prestashop", "version": "1.10.0", "released": "2026-11-20",
        "url": format!("{base}{path}"), "sha256": sha256
    }]);
    assert_eq!(releases(&shop, &vic), expected);
    assert_eq!(shop.client.call("GET", path).send().status, 200);
    let nobody = shop.client.call("GET", "/panel/api/module-releases");
    nobody.send().error(401, "session_missing");
}
