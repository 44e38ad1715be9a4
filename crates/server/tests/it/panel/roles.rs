//! 1. Every operation of the panel admits exactly the roles that the catalogue names, cell by cell.
//! 2. An owner is asked for the password exactly where the catalogue says so.
//! 3. The account of a store decides: an owner of one account may be a viewer of another; a third one does not exist.
//! 4. A role that was taken away holds at the next call, and nothing is stored.
//! 5. What no key may do stays reserved on the shared paths.
//! 6. A member of some stores reaches no others.

use super::{MINUTE_MS, PASSWORD, Person, shop};
use crate::harness::{Call, Shop};
use domain::{AccountId, RequiredRole, Role};
use operations::catalogue::operation;
use serde_json::json;
use server::admin::{AdminRequest, UserRequest};

/// A call of the panel with ids that exist where they decide about access, and with input that is never valid.
fn call<'a>(shop: &'a Shop, person: &Person, method: &'static str, path: &str) -> Call<'a> {
    let id = if path.starts_with("/accounts") {
        shop.account.as_str()
    } else {
        shop.store.as_str()
    };
    let path = path.replace("{id}", id).replace("{storeId}", id);
    let path: String = path
        .split('/')
        .map(|part| if part.starts_with('{') { "none" } else { part })
        .collect::<Vec<_>>()
        .join("/");
    let call = shop.by(person, method, &path);
    match method {
        "POST" | "PUT" => call.json(&json!({"none": 1})),
        _ => call,
    }
}

#[test]
fn every_call_admits_the_roles_of_the_catalogue() {
    let shop = shop();
    let people = [
        (
            Role::Viewer,
            shop.member("viewer@shop.example", Role::Viewer),
        ),
        (
            Role::Editor,
            shop.member("editor@shop.example", Role::Editor),
        ),
        (Role::Owner, shop.member("owner@shop.example", Role::Owner)),
    ];
    let mut cells = 0;
    for confirmed in [true, false] {
        if !confirmed {
            shop.clock.advance_ms(11 * MINUTE_MS);
        }
        for (method, path, id) in server::panel::routes() {
            let Some(required) = operation(id).and_then(|operation| operation.role) else {
                continue;
            };
            for (role, person) in &people {
                let reply = call(&shop, person, method, path).send();
                let expected = if *role < required.role() {
                    Some((403, "role_missing"))
                } else if required == RequiredRole::ConfirmedOwner && !confirmed {
                    Some((403, "password_needed"))
                } else {
                    None
                };
                let denied = matches!(reply.code(), "role_missing" | "password_needed")
                    || matches!(reply.status, 401 | 405);
                let found = denied.then_some((reply.status, reply.code()));
                assert_eq!(
                    found, expected,
                    "{method} {path} ({id}) as {role:?}: {reply:?}"
                );
                cells += 1;
            }
        }
    }
    assert!(cells > 200, "{cells}");
}

#[test]
fn an_editor_cannot_help_herself() {
    let shop = shop();
    let eve = shop.member("eve@shop.example", Role::Editor);
    let own = shop.of_account(&format!("/members/{}", eve.id));
    let calls = [
        (
            "POST",
            shop.of_store("/keys"),
            json!({"preset": "ai-agent"}),
        ),
        (
            "POST",
            shop.of_account("/keys"),
            json!({"preset": "ai-agent"}),
        ),
        ("PUT", own, json!({"role": "owner"})),
        (
            "POST",
            shop.of_account("/invitations"),
            json!({"email": "e@x.example", "role": "owner"}),
        ),
    ];
    for (method, path, body) in calls {
        let reply = shop.by(&eve, method, &path).json(&body).send();
        reply.error(403, "role_missing");
    }
    let members = shop
        .by(&eve, "GET", &shop.of_account("/members"))
        .send()
        .ok();
    assert_eq!(members.data()[0]["role"], "editor");
    assert_eq!(
        members.data()[0].get("email"),
        None,
        "addresses are for owners"
    );
    let reserved = shop
        .by(&eve, "PUT", &shop.of_store(""))
        .json(&json!({"url": "https://a.example"}));
    reserved.send().error(403, "reserved");
    shop.by(&eve, "DELETE", &shop.of_store(""))
        .send()
        .error(403, "reserved");
    let body = json!({"boosts": {"name": 9}});
    shop.by(&eve, "PUT", &shop.of_store("/relevance"))
        .json(&body)
        .send()
        .ok();
    let revision = shop.own("GET", "/revisions").send().ok();
    assert_eq!(
        revision.data()[0]["by"],
        json!({"userId": eve.id, "name": "eve"})
    );
}

#[test]
fn the_account_of_the_store_decides() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let theirs = shop.foreign_store();
    let name = "Third".to_owned();
    let third: AccountId = shop.admin(AdminRequest::CreateAccount {
        name,
        max_stores: None,
    })["id"]
        .as_str()
        .expect("an id")
        .into();
    let account_of_theirs = shop.admin(AdminRequest::ListKeys {
        store: Some(theirs.clone()),
    });
    let other: AccountId = account_of_theirs[0]["accountId"]
        .as_str()
        .expect("an id")
        .into();
    let token = shop.invitation(&other, "ana@shop.example", Role::Viewer);
    let join = |password: &str| {
        let body = json!({"token": token, "password": password});
        shop.visit("POST", "/links/use").json(&body).send()
    };
    assert_eq!(
        join("wrong").error(400, "invalid_request").fields(),
        ["password"]
    );
    join(PASSWORD).ok();
    let save = |path: &str| {
        let body = json!({"boosts": {"name": 9}});
        shop.by(&ana, "PUT", path).json(&body).send()
    };
    save(&shop.of_store("/relevance")).ok();
    save(&format!("/stores/{theirs}/relevance")).error(403, "role_missing");
    save("/stores/none/relevance").error(404, "not_found");
    let members = |account: &AccountId| {
        shop.by(&ana, "GET", &format!("/accounts/{account}/members"))
            .send()
    };
    members(&other).ok();
    members(&third).error(404, "not_found");
    let stores = shop.by(&ana, "GET", "/stores").send().ok();
    assert_eq!(stores.json["meta"]["total"], 2);
    let found = shop.by(&ana, "GET", "/stores?q=theirs").send().ok();
    assert_eq!(found.data()[0]["role"], "viewer");
    let unknown = shop.by(&ana, "GET", "/stores?x=1").send();
    unknown.error(400, "invalid_request");
}

#[test]
fn a_lost_role_holds_at_the_next_call() {
    let shop = shop();
    shop.member("ana@shop.example", Role::Owner);
    let eve = shop.member("eve@shop.example", Role::Editor);
    let save = |weight: u32| {
        let body = json!({"boosts": {"name": weight}});
        shop.by(&eve, "PUT", &shop.of_store("/relevance"))
            .json(&body)
            .send()
    };
    save(9).ok();
    shop.admin(AdminRequest::Users(UserRequest::SetRole {
        email: "eve@shop.example".to_owned(),
        account: shop.account.clone(),
        role: Some(Role::Viewer),
    }));
    save(10).error(403, "role_missing");
    let read = shop
        .by(&eve, "GET", &shop.of_store("/relevance"))
        .send()
        .ok();
    assert_eq!(read.data()["boosts"]["name"], 9.0);
}

#[test]
fn a_member_of_some_stores_reaches_no_others() {
    let shop = shop();
    let second = shop.new_store("Second");
    let made = shop.admin(AdminRequest::Users(UserRequest::Create {
        account: Some(shop.account.clone()),
        email: "eve@shop.example".to_owned(),
        role: Role::Editor,
        stores: vec![second.clone()],
    }));
    let body = json!({"token": made["token"], "name": "Eve", "password": PASSWORD});
    let eve = Person::of(&shop.visit("POST", "/links/use").json(&body).send().ok());
    shop.by(&eve, "GET", &shop.of_store(""))
        .send()
        .error(404, "not_found");
    shop.by(&eve, "GET", &shop.of_store("/keys"))
        .send()
        .error(404, "not_found");
    shop.by(&eve, "GET", &format!("/stores/{second}"))
        .send()
        .ok();
    let keys = shop.by(&eve, "GET", &shop.of_account("/keys")).send().ok();
    let keys = keys.data().as_array().expect("a list");
    assert!(!keys.is_empty() && keys.iter().all(|key| key["storeId"] == second.as_str()));
    let stores = shop.by(&eve, "GET", "/stores").send().ok();
    assert_eq!(stores.json["meta"]["total"], 1);
}
