//! 1. `serve` on an empty directory prints one link; used, it makes account and owner, and the next start prints none.
//! 2. Sign-in answers an unknown and a known address with equal status, headers and body.
//! 3. A locked address is let in from a browser that it signed in from before; others get 429 with `Retry-After`.
//! 4. A link that was opened still works, and works once; used, revoked, ended and unknown links get one response.
//! 5. Input is strict: unknown keys, other media types and too large bodies are rejected.
//! 6. A link that a command prints leads to the running server; without one, to where a server with the same settings
//!    would be. No link is made for a server without a control panel.
//! 7. A command prints a link; a user who was deactivated by a command is out at once.

use super::{MINUTE_MS, PASSWORD, Person, shop};
use crate::harness::{Binary, Client, command, findwell, outcome};
use domain::Role;
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use tempfile::TempDir;

/// Starts a server; returns it with what it printed for its operator before it was stopped.
fn start(data: &TempDir) -> (Binary, std::thread::JoinHandle<String>) {
    let mut child = command(data.path(), &["serve", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let printed = std::thread::spawn(move || {
        let lines = stderr.lines().map_while(Result::ok);
        lines.collect::<Vec<_>>().join("\n")
    });
    (Binary::of(child), printed)
}

/// The token of the only link in `printed`.
fn token(printed: &str) -> Option<&str> {
    let links: Vec<&str> = printed.split("/panel/link#").skip(1).collect();
    assert!(links.len() < 2, "{printed}");
    links
        .first()
        .and_then(|link| link.split_whitespace().next())
}

fn post(client: &Client, path: &str, body: &serde_json::Value) -> crate::harness::Reply {
    let call = client.call("POST", format!("/panel/api{path}"));
    call.header("Origin", client.base()).json(body).send()
}

#[test]
fn the_first_link_makes_account_and_owner() {
    let data = TempDir::new().expect("a directory");
    let (server, printed) = start(&data);
    assert_eq!(server.terminate(), 0);
    let unused = printed.join().expect("printed");
    let unused = token(&unused).expect("a link").to_owned();

    let (server, printed) = start(&data);
    // A new start replaces the link, so the former one is gone.
    post(&server.client, "/links/look", &json!({ "token": unused })).error(410, "link_gone");
    assert_eq!(server.terminate(), 0);
    let printed = printed.join().expect("printed");
    assert_eq!(printed.matches("/panel/link#own_").count(), 1, "{printed}");

    // The last link is good at the next start only until that start replaces it: use one while the server runs.
    let mut child = command(data.path(), &["serve", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut lines = stderr.lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("#own_")).expect("a link");
    let rest = std::thread::spawn(move || lines.collect::<Vec<_>>().join("\n"));
    let token_text = token(&line).expect("a link").to_owned();
    let server = Binary::of(child);
    let looked = post(
        &server.client,
        "/links/look",
        &json!({ "token": token_text }),
    )
    .ok();
    assert_eq!(looked.data()["kind"], "owner");
    let bad = json!({"token": token_text, "name": "", "email": "ana", "password": "short"});
    let bad = post(&server.client, "/links/use", &bad).error(400, "invalid_request");
    assert_eq!(bad.fields(), ["email", "accountName", "name"]);
    let body = json!({
        "token": token_text, "name": "Ana", "email": "Ana@Shop.example", "password": PASSWORD,
        "accountName": "Cumbre", "language": "es"
    });
    let entered = post(&server.client, "/links/use", &body).ok();
    let ana = Person::of(&entered);
    assert_eq!(ana.email, "ana@shop.example");
    post(&server.client, "/links/use", &body).error(410, "link_gone");
    let me = server
        .client
        .call("GET", "/panel/api/me")
        .header("Cookie", &ana.session);
    let me = me.send().ok();
    assert_eq!(me.data()["accounts"][0]["name"], "Cumbre");
    assert_eq!(me.data()["accounts"][0]["role"], "owner");
    assert_eq!(me.data()["user"]["language"], "es");
    assert_eq!(server.terminate(), 0);
    let rest = rest.join().expect("printed");
    assert!(!rest.contains(&token_text[4..]), "the token is in no log");

    let (server, printed) = start(&data);
    assert_eq!(server.terminate(), 0);
    assert_eq!(token(&printed.join().expect("printed")), None);
}

/// The address of the link that `user create` prints, run with these variables.
fn address_of_link(data: &TempDir, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let create = [
        "user",
        "create",
        "--email",
        "b@shop.example",
        "--role",
        "owner",
    ];
    let mut command = command(data.path(), &[&create, arguments].concat());
    command.envs(variables.iter().copied());
    let created = outcome(&mut command);
    let (address, token) = created.line().split_once("/panel/link#").expect("a link");
    assert!(token.starts_with("inv_"), "{created:?}");
    address.to_owned()
}

#[test]
fn links_of_commands_lead_to_the_server() {
    let data = TempDir::new().expect("a directory");
    findwell(data.path(), &["account", "create", "--name", "Cumbre"]).line();
    let link = |arguments: &[&str], variables: &[(&str, &str)]| {
        address_of_link(&data, arguments, variables)
    };
    let public = ("FINDWELL_PUBLIC_URL", "https://search.example");
    let panel = (
        "FINDWELL_PANEL_URL",
        "https://panel.example,https://b.example",
    );
    let anywhere = ("FINDWELL_LISTEN", "0.0.0.0:7700");
    assert_eq!(link(&[], &[]), "http://127.0.0.1:7700");
    assert_eq!(link(&["--listen", "[::1]:7701"], &[]), "http://[::1]:7701");
    assert_eq!(link(&[], &[public]), "https://search.example");
    assert_eq!(link(&[], &[public, panel]), "https://panel.example");
    std::fs::write(
        data.path().join("findwell.toml"),
        "public-url = \"https://toml.example\"",
    )
    .expect("written");
    assert_eq!(link(&[], &[anywhere]), "https://toml.example");
    std::fs::remove_file(data.path().join("findwell.toml")).expect("removed");
    let create = [
        "user",
        "create",
        "--email",
        "c@shop.example",
        "--role",
        "owner",
    ];
    let nowhere = outcome(command(data.path(), &create).envs([anywhere]));
    assert_eq!(nowhere.status, 2, "{nowhere:?}");

    for (variables, expected) in [
        (vec![], None),
        (vec![public], Some("https://search.example")),
        (vec![public, panel], Some("https://panel.example")),
    ] {
        let mut serve = command(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
        serve.stdout(Stdio::piped()).stderr(Stdio::null());
        let child = serve.envs(variables).spawn();
        let server = Binary::of(child.expect("the binary runs"));
        assert_eq!(link(&[], &[]), expected.unwrap_or(server.client.base()));
        let named = link(&["--panel-url", "https://named.example"], &[]);
        assert_eq!(named, "https://named.example");
        assert_eq!(server.terminate(), 0);
    }
    let mut serve = command(
        data.path(),
        &["serve", "--listen", "127.0.0.1:0", "--no-panel"],
    );
    let child = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let server = Binary::of(child.expect("the binary runs"));
    let refused = findwell(data.path(), &create);
    assert_eq!(
        (refused.status, refused.stdout.as_str()),
        (1, ""),
        "{refused:?}"
    );
    assert_eq!(server.terminate(), 0);
}

#[test]
fn commands_make_links_and_end_access() {
    let data = TempDir::new().expect("a directory");
    let account = findwell(data.path(), &["account", "create", "--name", "Cumbre"]);
    let account = account.line().to_owned();
    let create = [
        "user",
        "create",
        "--email",
        "ana@shop.example",
        "--role",
        "owner",
    ];
    let created = findwell(data.path(), &create);
    let link = created.line();
    assert!(
        link.starts_with("http://127.0.0.1:7700/panel/link#inv_"),
        "{link}"
    );
    let (server, _printed) = start(&data);
    let token = link.split('#').nth(1).expect("a token");
    let body = json!({"token": token, "name": "Ana", "password": PASSWORD});
    let ana = Person::of(&post(&server.client, "/links/use", &body).ok());
    let me = || {
        let call = server.client.call("GET", "/panel/api/me");
        call.header("Cookie", &ana.session).send()
    };
    me().ok();
    let listed = findwell(data.path(), &["user", "list"]);
    assert!(listed.line().contains("ana@shop.example"), "{listed:?}");
    let last = findwell(data.path(), &["user", "deactivate", "ana@shop.example"]);
    assert!(
        last.status == 1 && last.stderr.contains("last owner"),
        "{last:?}"
    );
    let role = [
        "user",
        "role",
        "ana@shop.example",
        "--account",
        &account,
        "--role",
        "none",
    ];
    assert_eq!(findwell(data.path(), &role).status, 1);
    let signed_out = findwell(data.path(), &["user", "sign-out", "ana@shop.example"]);
    assert_eq!(signed_out.line(), "ana@shop.example");
    me().error(401, "session_missing");
    let reset = [
        "user",
        "reset",
        "ana@shop.example",
        "--panel-url",
        "https://panel.example",
    ];
    let reset = findwell(data.path(), &reset);
    assert!(
        reset
            .line()
            .starts_with("https://panel.example/panel/link#res_"),
        "{reset:?}"
    );
    let wrong = ["user", "create", "--email", "x", "--role", "owner"];
    assert_eq!(findwell(data.path(), &wrong).status, 2);
    assert_eq!(server.terminate(), 0);
}

#[test]
fn a_failure_does_not_say_whether_the_address_has_a_user() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    for attempt in 0..11 {
        let known = shop.sign_in("ana@shop.example", "wrong");
        let unknown = shop.sign_in("nobody@shop.example", "wrong");
        assert_eq!(known.status, if attempt < 10 { 401 } else { 429 });
        assert_eq!((known.status, &known.text), (unknown.status, &unknown.text));
        let headers = |reply: &crate::harness::Reply| {
            let kept = reply
                .headers
                .iter()
                .filter(|(name, _)| *name != "x-request-id" && *name != "date");
            kept.map(|(name, value)| (name.to_string(), value.clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(headers(&known), headers(&unknown));
    }
    let locked = shop
        .sign_in("ana@shop.example", PASSWORD)
        .error(429, "rate_limited");
    assert_eq!(locked.header("retry-after"), "900");
    let own = shop.visit("POST", "/sign-in").header("Cookie", &ana.known);
    let body = json!({"email": "ana@shop.example", "password": PASSWORD});
    own.json(&body).send().ok();
}

#[test]
fn a_link_that_was_opened_still_works_once() {
    let shop = shop();
    let token = shop.invitation(&shop.account, "ana@shop.example", Role::Viewer);
    for method in ["GET", "HEAD"] {
        assert_eq!(shop.client.call(method, "/panel/link").send().status, 200);
    }
    let look = |token: &str| {
        shop.visit("POST", "/links/look")
            .json(&json!({ "token": token }))
            .send()
    };
    let looked = look(&token).ok();
    assert_eq!(looked.data()["email"], "ana@shop.example");
    assert_eq!(looked.data()["account"], "Acme");
    assert_eq!(looked.data()["hasUser"], false);
    let body = json!({"token": token, "name": "Ana", "password": PASSWORD});
    let redeem = || shop.visit("POST", "/links/use").json(&body).send();
    redeem().ok();
    let gone = redeem().error(410, "link_gone");
    let late = shop.invitation(&shop.account, "ben@shop.example", Role::Viewer);
    shop.clock.advance_ms(7 * 24 * 60 * MINUTE_MS);
    for token in [late.as_str(), "inv_unknown", ""] {
        assert_eq!(look(token).error(410, "link_gone").text, gone.text);
    }
}

#[test]
fn input_is_strict() {
    let shop = shop();
    let call = || shop.visit("POST", "/sign-in");
    let unknown = call()
        .json(&json!({"email": "a", "password": "b", "next": "/x"}))
        .send();
    assert_eq!(unknown.error(400, "invalid_request").fields(), ["next"]);
    let form = call().header("Content-Type", "text/plain").body("{}");
    form.send().error(415, "unsupported_media_type");
    let large = json!({"email": "a".repeat(20_000), "password": "b"});
    call().json(&large).send().error(413, "payload_too_large");
    let long = json!({"email": "a".repeat(2_000), "password": "b"});
    call().json(&long).send().error(400, "invalid_request");
}
