//! 1. Sign-in makes a new session and never adopts the id that a request brings.
//! 2. Sign-out, sign-out everywhere, a new password and removal end sessions at once.
//! 3. The cookie is for scripts out of reach and for this site only; sign-out clears what the browser keeps.
//! 4. After ten minutes the password is needed again for some calls; giving it replaces the session.
//! 5. Passwords and tokens are in no file of the data directory and in no response but their own.
//! 6. A key is nothing here, and a session nothing elsewhere.

use super::{MINUTE_MS, PASSWORD, Person, shop};
use domain::Role;
use serde_json::json;

#[test]
fn an_id_that_a_request_brings_is_never_adopted() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let (name, _) = ana.session.split_once('=').expect("a pair");
    let planted = format!("{name}=plantedplantedplantedplantedplantedplanted12");
    let sign_in = shop.visit("POST", "/sign-in").header("Cookie", &planted);
    let body = json!({"email": "ana@shop.example", "password": PASSWORD});
    let again = Person::of(&sign_in.json(&body).send().ok());
    assert_ne!(again.session, planted);
    let me = |cookie: &str| shop.visit("GET", "/me").header("Cookie", cookie).send();
    me(&planted).error(401, "session_missing");
    me(&again.session).ok();
    let third = shop
        .visit("POST", "/sign-in")
        .header("Cookie", &again.session);
    Person::of(&third.json(&body).send().ok());
    me(&again.session).error(401, "session_missing");
    let missing = shop
        .visit("GET", "/me")
        .send()
        .error(401, "session_missing");
    assert_eq!(missing.text, me(&planted).text, "one text");
    assert_eq!(missing.header("www-authenticate"), "");
}

#[test]
fn sessions_end_at_once() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let ben = shop.member("ben@shop.example", Role::Owner);
    let here = |person: &Person| shop.by(person, "GET", "/me").send();
    let enter = || Person::of(&shop.sign_in("ana@shop.example", PASSWORD).ok());

    let second = enter();
    let out = shop
        .by(&second, "POST", "/sign-out")
        .json(&json!({}))
        .send()
        .ok();
    assert_eq!(out.header("clear-site-data"), "\"cache\", \"storage\"");
    assert!(out.header("set-cookie").contains("Max-Age=0"), "{out:?}");
    here(&second).error(401, "session_missing");
    here(&ana).ok();

    let (third, fourth) = (enter(), enter());
    let everywhere = json!({"everywhere": true});
    shop.by(&third, "POST", "/sign-out")
        .json(&everywhere)
        .send()
        .ok();
    for person in [&ana, &third, &fourth] {
        here(person).error(401, "session_missing");
    }

    let (fifth, sixth) = (enter(), enter());
    let wrong = json!({"current": "wrong", "new": "gravel oboe tram 42"});
    let wrong = shop.by(&fifth, "POST", "/password").json(&wrong).send();
    assert_eq!(wrong.error(400, "invalid_request").fields(), ["current"]);
    let weak = json!({"current": PASSWORD, "new": "ana@shop.example"});
    let weak = shop.by(&fifth, "POST", "/password").json(&weak).send();
    assert_eq!(weak.error(400, "invalid_request").fields(), ["new"]);
    let good = json!({"current": PASSWORD, "new": "gravel oboe tram 42"});
    let renewed = Person::of(&shop.by(&fifth, "POST", "/password").json(&good).send().ok());
    here(&renewed).ok();
    here(&fifth).error(401, "session_missing");
    here(&sixth).error(401, "session_missing");
    shop.sign_in("ana@shop.example", PASSWORD)
        .error(401, "sign_in_failed");

    let path = shop.of_account(&format!("/members/{}", renewed.id));
    shop.by(&ben, "DELETE", &path).send().ok();
    here(&renewed).error(401, "session_missing");
}

#[test]
fn one_session_of_the_list_can_be_ended() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Viewer);
    let other = Person::of(&shop.sign_in("ana@shop.example", PASSWORD).ok());
    let list = shop.by(&ana, "GET", "/sessions").send().ok();
    let sessions = list.data().as_array().expect("a list");
    assert_eq!(sessions.len(), 2);
    let is_other = |session: &&serde_json::Value| session["current"] == false;
    let id = sessions.iter().find(is_other).expect("the other")["id"].clone();
    let path = format!("/sessions/{}", id.as_str().expect("an id"));
    let ben = shop.member("ben@shop.example", Role::Owner);
    shop.by(&ben, "DELETE", &path)
        .send()
        .error(404, "not_found");
    shop.by(&ana, "DELETE", &path).send().ok();
    shop.by(&other, "GET", "/me")
        .send()
        .error(401, "session_missing");
}

#[test]
fn the_password_is_needed_again_after_ten_minutes() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let create = |person: &Person| {
        let body = json!({"preset": "ai-agent"});
        shop.by(person, "POST", &shop.of_store("/keys"))
            .json(&body)
            .send()
    };
    create(&ana).ok();
    shop.clock.advance_ms(11 * MINUTE_MS);
    create(&ana).error(403, "password_needed");
    let confirm = |password: &str| {
        let body = json!({ "password": password });
        shop.by(&ana, "POST", "/confirm").json(&body).send()
    };
    let wrong = confirm("wrong").error(400, "invalid_request");
    assert_eq!(wrong.fields(), ["password"]);
    let confirmed = Person::of(&confirm(PASSWORD).ok());
    create(&confirmed).ok();
    shop.by(&ana, "GET", "/me")
        .send()
        .error(401, "session_missing");
    // Confirming does not prolong the time since sign-in.
    for _ in 0..(7 * 24 / 11) {
        shop.clock.advance_ms(11 * 60 * MINUTE_MS);
        shop.by(&confirmed, "GET", "/me").send().ok();
    }
    shop.clock.advance_ms(3 * 60 * MINUTE_MS);
    shop.by(&confirmed, "GET", "/me")
        .send()
        .error(401, "session_missing");
}

#[test]
fn cookies_and_keys_do_not_mix() {
    let shop = shop();
    let ana = shop.member("ana@shop.example", Role::Owner);
    let entered = shop.sign_in("ana@shop.example", PASSWORD).ok();
    let cookies: Vec<&str> = entered
        .headers
        .get_all("set-cookie")
        .iter()
        .filter_map(|cookie| cookie.to_str().ok())
        .collect();
    assert_eq!(cookies.len(), 2);
    for cookie in cookies {
        assert!(cookie.contains("; HttpOnly; SameSite=Lax"), "{cookie}");
        assert!(
            cookie.contains("; Path=/;") && !cookie.contains("Domain"),
            "{cookie}"
        );
    }
    assert!(!entered.text.contains(PASSWORD) && !entered.text.contains("argon2"));
    let key = shop.visit("GET", "/me").key(&shop.write_key).send();
    key.error(401, "session_missing");
    let session = shop.api("GET", "/me").header("Cookie", &ana.session).send();
    session.error(401, "key_missing");
    let unknown = shop.visit("GET", "/nothing").send();
    unknown.error(404, "not_found");
    let method = shop.visit("DELETE", "/me").send();
    method.error(405, "method_not_allowed");
}
