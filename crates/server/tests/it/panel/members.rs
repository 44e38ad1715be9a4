//! 1. Owners invite, change roles, make links for new passwords and revoke them; the links are shown once.
//! 2. Nobody changes their own role, and the last owner stays.
//! 3. Names with markup are returned as they are, as text.
//! 4. The audit trail has the member by id, with role and stores before and after.
//! 5. Whoever belongs to another account, too, gets a new password by command only.

use super::{PASSWORD, Person, shop};
use domain::Role;
use serde_json::json;

#[test]
fn owners_manage_members() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let invite = |email: &str, role: &str| {
        let body = json!({"email": email, "role": role});
        shop.by(&ana, "POST", &shop.of_account("/invitations"))
            .json(&body)
            .send()
    };
    let made = invite("ben@shop.example", "editor").ok();
    assert_eq!(made.status, 201);
    let link = made.data()["link"].as_str().expect("a link");
    let prefix = format!("{}/panel/link#inv_", shop.client.base());
    assert!(link.starts_with(&prefix), "{link}");
    let token = link.split('#').nth(1).expect("a token");
    let links = || shop.by(&ana, "GET", &shop.of_account("/links")).send().ok();
    assert_eq!(links().data()[0]["email"], "ben@shop.example");
    assert!(!links().text.contains(&token[4..]), "a link is shown once");
    let evil = "<img src=x onerror=alert(1)>";
    let body = json!({"token": token, "name": evil, "password": PASSWORD});
    let ben = Person::of(&shop.visit("POST", "/links/use").json(&body).send().ok());
    assert_eq!(links().data(), &json!([]));
    invite("ben@shop.example", "viewer").error(409, "conflict");
    let bad = invite("nobody", "viewer").error(400, "invalid_request");
    assert_eq!(bad.fields(), ["email"]);
    invite("x@shop.example", "king").error(400, "invalid_request");

    let members = shop
        .by(&ana, "GET", &shop.of_account("/members"))
        .send()
        .ok();
    let names: Vec<_> = members
        .data()
        .as_array()
        .expect("a list")
        .iter()
        .map(|m| &m["name"])
        .collect();
    assert_eq!(names, ["ana", evil]);
    let member = shop.of_account(&format!("/members/{}", ben.id));
    let set = |body: serde_json::Value| shop.by(&ana, "PUT", &member).json(&body).send();
    set(json!({"role": "viewer", "stores": [shop.store]})).ok();
    set(json!({"role": "viewer", "stores": ["none"]})).error(400, "invalid_request");
    set(json!({"role": "owner", "stores": [shop.store]})).error(400, "invalid_request");
    let own = shop.of_account(&format!("/members/{}", ana.id));
    let demoted = shop
        .by(&ana, "PUT", &own)
        .json(&json!({"role": "viewer"}))
        .send();
    demoted.error(409, "conflict");
    shop.by(&ana, "DELETE", &own).send().error(409, "conflict");

    let reset = shop
        .by(&ana, "POST", &format!("{member}/reset"))
        .send()
        .ok();
    let token = reset.data()["link"]
        .as_str()
        .and_then(|link| link.split('#').nth(1));
    let token = token.expect("a token").to_owned();
    let id = reset.data()["id"].as_str().expect("an id");
    shop.by(&ana, "DELETE", &shop.of_account(&format!("/links/{id}")))
        .send()
        .ok();
    let body = json!({"token": token, "password": PASSWORD});
    shop.visit("POST", "/links/use")
        .json(&body)
        .send()
        .error(410, "link_gone");
    let gone = shop
        .by(&ana, "DELETE", &shop.of_account(&format!("/links/{id}")))
        .send();
    gone.error(404, "not_found");
}

#[test]
fn the_audit_trail_names_a_member_by_id() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let eve = shop.member("eve@shop.example", Role::Editor);
    let member = shop.of_account(&format!("/members/{}", eve.id));
    let body = json!({"role": "viewer", "stores": [shop.store]});
    shop.by(&ana, "PUT", &member).json(&body).send().ok();
    shop.by(&ana, "DELETE", &member).send().ok();
    let path = shop.of_account(&format!("/audit?resource=member&user={}", ana.id));
    let audit = shop.by(&ana, "GET", &path).send().ok();
    let [removed, narrowed] = [&audit.data()[0], &audit.data()[1]];
    for record in [removed, narrowed] {
        assert_eq!(record["resource"], json!(format!("member/{}", eve.id)));
    }
    assert_eq!(narrowed["summary"], "eve: role editor → viewer.");
    let changes = |record: &serde_json::Value| record["changes"].as_array().cloned();
    let role = json!({"path": "role", "before": "editor", "after": "viewer"});
    let stores = json!({"path": "stores", "before": "all", "after": [shop.store]});
    assert_eq!(changes(narrowed), Some(vec![role, stores]));
    let role = json!({"path": "role", "before": "viewer"});
    let stores = json!({"path": "stores", "before": [shop.store]});
    assert_eq!(changes(removed), Some(vec![role, stores]));
}

#[test]
fn a_member_of_another_account_is_reset_by_command() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let eve = shop.member("eve@shop.example", Role::Editor);
    let path = shop.of_account(&format!("/members/{}/reset", eve.id));
    shop.by(&ana, "POST", &path).send().ok();
    let name = "Other".to_owned();
    let other = shop.admin(server::admin::AdminRequest::CreateAccount {
        name,
        max_stores: None,
    });
    let other = other["id"].as_str().expect("an id").into();
    let token = shop.invitation(&other, "eve@shop.example", Role::Viewer);
    let body = json!({"token": token, "password": PASSWORD});
    shop.visit("POST", "/links/use").json(&body).send().ok();
    let refused = shop.by(&ana, "POST", &path).send().error(409, "conflict");
    assert!(
        refused
            .message()
            .contains("findwell user reset eve@shop.example")
    );
}
