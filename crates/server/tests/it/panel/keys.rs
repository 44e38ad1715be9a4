//! 1. A new key for an agent is returned once, works in the lines that come with it, and is in no list, audit record or
//!    file of the data directory; deactivated it is rejected at the next call.
//! 2. The preset reads, for 90 days; each of its values can be set beside it.
//! 3. Connector, search-only and account keys are created here, too; what does not fit is rejected by field.
//! 4. Removing a member names the keys that they created.

use super::shop;
use crate::harness::Shop;
use domain::Role;
use domain::audit::AuditFilter;
use serde_json::{Value, json};
use server::admin::AdminRequest;

fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("text: {value}"))
        .to_owned()
}

fn audit(shop: &Shop) -> String {
    let filter = AuditFilter {
        limit: 1_000,
        ..AuditFilter::default()
    };
    shop.admin(AdminRequest::ListAudit(filter)).to_string()
}

#[test]
fn a_key_for_an_agent_is_returned_once() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let path = shop.of_store("/keys");
    let body = json!({"preset": "ai-agent"});
    let created = shop.by(&ana, "POST", &path).json(&body).send().ok();
    assert_eq!(created.status, 201);
    let key = text(&created.data()["key"]);
    let detail = &created.data()["detail"];
    assert_eq!(detail["scope"], "config:read");
    assert_eq!(detail["name"], "AI agent");
    assert_eq!(detail["storeId"], shop.store.as_str());
    assert_eq!(
        detail["createdBy"],
        json!({"userId": ana.id, "name": "ana"})
    );
    let days = shop.clock.now().plus_hours(90 * 24).to_string();
    assert_eq!(detail["expiresAt"], days.as_str());

    let connect = &created.data()["connect"];
    let base = shop.client.base();
    assert_eq!(connect["tools"], format!("{base}/mcp"));
    let lines = connect["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| text(&line["text"]).contains(&key)));
    let curl = text(&lines[2]["text"]);
    let address = curl.split('\'').nth(1).expect("an address");
    let call = shop
        .client
        .call("GET", address.strip_prefix(base).expect("this server"));
    call.key(&key).send().ok();

    let secret = &key[17..];
    let listed = shop.by(&ana, "GET", &path).send().ok();
    assert!(listed.text.contains("AI agent") && !listed.text.contains(secret));
    let audit = audit(&shop);
    assert!(audit.contains("create_key") && audit.contains(&ana.id));
    assert!(!audit.contains(secret) && !audit.contains(super::PASSWORD));

    let deactivate = format!("{path}/{}/deactivate", text(&detail["id"]));
    shop.by(&ana, "POST", &deactivate).send().ok();
    shop.api("GET", "/me")
        .key(&key)
        .send()
        .error(401, "key_invalid");
    let second = shop.new_store("Second");
    let elsewhere = format!("/stores/{second}/keys/{}/deactivate", text(&detail["id"]));
    shop.by(&ana, "POST", &elsewhere)
        .send()
        .error(404, "not_found");
}

#[test]
fn keys_of_other_kinds_are_created_by_field() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let create = |path: &str, body: &Value| shop.by(&ana, "POST", path).json(body).send();
    let store = shop.of_store("/keys");
    let agent = json!({"preset": "ai-agent", "scope": "config:write", "name": "Robot"});
    let agent = create(&store, &agent).ok();
    assert_eq!(agent.data()["detail"]["scope"], "config:write");
    assert_eq!(agent.data()["detail"]["name"], "Robot");
    for (kind, prefix) in [
        ("connector", "con_"),
        ("search-only", "pub_"),
        ("configuration", "cfg_"),
    ] {
        let created = create(&store, &json!({ "kind": kind })).ok();
        assert!(text(&created.data()["key"]).starts_with(prefix));
    }
    let account = shop.of_account("/keys");
    let whole = create(&account, &json!({"kind": "configuration"})).ok();
    assert_eq!(whole.data()["detail"].get("storeId"), None);
    for (path, body, field) in [
        (&store, json!({}), "kind"),
        (
            &store,
            json!({"kind": "connector", "scope": "config:read"}),
            "scope",
        ),
        (
            &store,
            json!({"preset": "ai-agent", "expires": "2001-01-01T00:00:00Z"}),
            "expires",
        ),
        (
            &store,
            json!({"preset": "ai-agent", "expires": "tomorrow"}),
            "expires",
        ),
        (&store, json!({"preset": "ai-agent", "name": ""}), "name"),
        (&account, json!({"kind": "connector"}), "store"),
        (&store, json!({"preset": "robot"}), "preset"),
    ] {
        let failed = create(path, &body).error(400, "invalid_request");
        assert_eq!(failed.fields(), [field], "{body}");
    }
}

#[test]
fn removing_a_member_names_their_keys() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let ben = shop.member("ben@shop.example", Role::Owner);
    let mut keys = Vec::new();
    for name in ["one", "two"] {
        let body = json!({"preset": "ai-agent", "name": name});
        let created = shop
            .by(&ben, "POST", &shop.of_store("/keys"))
            .json(&body)
            .send()
            .ok();
        keys.push(text(&created.data()["key"]));
    }
    let path = shop.of_account(&format!("/members/{}", ben.id));
    let removed = shop.by(&ana, "DELETE", &path).send().ok();
    assert_eq!(removed.data()["keys"].as_array().map(Vec::len), Some(2));
    for key in keys {
        shop.api("GET", "/me").key(&key).send().ok();
    }
    let entered = shop.sign_in("ben@shop.example", super::PASSWORD);
    entered.error(401, "sign_in_failed");
}
