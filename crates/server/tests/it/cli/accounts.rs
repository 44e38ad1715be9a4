//! 1. The users of an account have as many stores as `account create` says, and one more is refused with `plan_limit`;
//!    `account set` makes it another number. `store create` does not depend on it.
//! 2. With several accounts `store create` needs a choice.

use crate::harness::{Binary, Call, findwell};
use serde_json::json;
use tempfile::TempDir;

fn directory() -> TempDir {
    TempDir::new().expect("a directory")
}

/// A call as a page of the control panel sends it.
fn panel<'a>(server: &'a Binary, path: &str) -> Call<'a> {
    let call = server.client.call("POST", format!("/panel/api{path}"));
    call.header("Origin", server.client.base())
}

/// The cookies of an owner of the only account, who comes in by the link that a command prints.
fn cookies_of_an_owner(data: &TempDir, server: &Binary) -> String {
    let create = [
        "user",
        "create",
        "--email",
        "ana@shop.example",
        "--role",
        "owner",
    ];
    let created = findwell(data.path(), &create);
    let (_, token) = created.line().split_once('#').expect("a link");
    let body = json!({"token": token, "name": "Ana", "password": "tram gravel oboe 41"});
    let entered = panel(server, "/links/use").json(&body).send().ok();
    entered.cookies().join("; ")
}

#[test]
fn users_have_as_many_stores_as_their_account_was_created_with() {
    let data = directory();
    let run = |arguments: &[&str]| findwell(data.path(), arguments);
    let account = run(&["account", "create", "--name", "Acme", "--max-stores", "1"])
        .line()
        .to_owned();
    let server = Binary::serve(data.path());
    let cookies = cookies_of_an_owner(&data, &server);
    let create = |name: &str| {
        let call = panel(&server, &format!("/accounts/{account}/stores"));
        let call = call.header("Cookie", &cookies);
        call.json(&json!({"name": name, "languages": ["es"]}))
            .send()
    };
    create("First").ok();
    create("Second").error(403, "plan_limit");
    run(&["account", "set", &account, "--max-stores", "2"]).line();
    create("Second").ok();
    create("Third").error(403, "plan_limit");
    run(&["store", "create", "--name", "Third", "--language", "es"]).line();
    let stores = run(&["store", "list", "--json"]).json();
    assert_eq!(stores.as_array().map(Vec::len), Some(3), "{stores}");
    assert_eq!(server.terminate(), 0);
}

#[test]
fn several_accounts_need_a_choice() {
    let data = directory();
    let run = |arguments: &[&str]| findwell(data.path(), arguments);
    run(&["account", "create", "--name", "One"]).line();
    let second = run(&["account", "create", "--name", "Two"])
        .line()
        .to_owned();
    let arguments = ["store", "create", "--name", "Shop", "--language", "es"];
    assert_eq!(run(&arguments).status, 2);
    let chosen = [&arguments[..], &["--account", &second]].concat();
    run(&chosen).line();
}
