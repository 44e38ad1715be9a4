//! 1. Signing in takes exactly one hash whoever the address belongs to, and every failure looks the same.
//! 2. Ten failures of an address or thirty of a client lock it for the rest of 15 minutes, but not a browser in which
//!    the user signed in before.
//! 3. A session ends 12 h after its last use and 7 days after sign-in; requests that do not count do not prolong it.
//! 4. A job removes sessions once they have ended, and no others.
//! 5. The 21st session of a user ends the least recently used one.
//! 6. However short the time without use, a session that is used goes on.

use super::{HOUR_MS, MINUTE_MS, PASSWORD, client, code};
use crate::world::{NOW, World};
use domain::{Role, Timestamp};
use operations::OperationError;
use operations::jobs::ended_sessions;
use operations::people::{self, PanelClient, SignIn};
use operations::{Service, ServiceOptions, SessionTimes};
use std::time::Duration;

#[tokio::test]
async fn failures_look_alike_and_cost_one_hash_each() {
    let world = World::new().await;
    world
        .member(&world.account().await, "ana@shop.example", Role::Owner)
        .await;
    for window in 0..2 {
        for attempt in 0..11 {
            let mut texts = Vec::new();
            for email in ["ana@shop.example", "nobody@shop.example"] {
                let before = world.service.password_hashes();
                let error = world.sign_in(email, "wrong", client(1)).await.err();
                let error = error.expect("a wrong password");
                let hashes = world.service.password_hashes() - before;
                assert_eq!(
                    hashes,
                    u64::from(attempt < 10),
                    "{email}, {window}, {attempt}"
                );
                texts.push((error.code(), error.to_string()));
            }
            assert_eq!(texts[0], texts[1]);
            let expected = if attempt < 10 {
                "sign_in_failed"
            } else {
                "rate_limited"
            };
            assert_eq!(texts[0].0, expected, "{window}, {attempt}");
        }
        world.clock.advance_ms(15 * MINUTE_MS);
    }
    let signed_in = world
        .sign_in(" ANA@shop.example ", PASSWORD, client(1))
        .await;
    assert_eq!(signed_in.expect("the right password").user.name, "Ana");
}

#[tokio::test]
async fn nobody_locks_another_out_of_a_known_browser() {
    let world = World::new().await;
    let ana = world
        .member(&world.account().await, "ana@shop.example", Role::Owner)
        .await;
    for _ in 0..10 {
        let stranger = world.sign_in("ana@shop.example", "wrong", client(1)).await;
        assert_eq!(code(stranger), "sign_in_failed");
    }
    let stranger = world.sign_in("ana@shop.example", PASSWORD, client(2)).await;
    assert!(matches!(
        stranger,
        Err(OperationError::TooMany {
            retry_after_s: 900,
            ..
        })
    ));
    let known = PanelClient {
        known: Some(ana.known.clone()),
        ..client(2)
    };
    let signed_in = world
        .sign_in("ana@shop.example", PASSWORD, known.clone())
        .await;
    assert_eq!(code(signed_in), "ok");
    for _ in 0..10 {
        let failed = world
            .sign_in("ana@shop.example", "wrong", known.clone())
            .await;
        assert_eq!(code(failed), "sign_in_failed");
    }
    let limited = world.sign_in("ana@shop.example", PASSWORD, known).await;
    assert_eq!(code(limited), "rate_limited");
}

#[tokio::test]
async fn thirty_failures_lock_a_client_and_no_other() {
    let world = World::new().await;
    world
        .member(&world.account().await, "ana@shop.example", Role::Owner)
        .await;
    for number in 0..30 {
        let email = format!("user{number}@shop.example");
        let failed = world.sign_in(&email, "wrong", client(1)).await;
        assert_eq!(code(failed), "sign_in_failed", "{number}");
    }
    let right = world.sign_in("ana@shop.example", PASSWORD, client(1)).await;
    assert_eq!(code(right), "rate_limited");
    let elsewhere = world.sign_in("ana@shop.example", PASSWORD, client(2)).await;
    assert_eq!(code(elsewhere), "ok");
}

#[tokio::test]
async fn sessions_end_with_their_times() {
    let world = World::new().await;
    let account = world.account().await;
    let ana = world
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    let polled = |counts| people::by_session(&world.service, Some(&ana.token), counts);
    for _ in 0..11 {
        world.clock.advance_ms(HOUR_MS);
        assert_eq!(code(polled(false).await), "ok");
    }
    world.clock.advance_ms(HOUR_MS - 1);
    assert_eq!(code(polled(true).await), "ok", "a use prolongs it");
    world.clock.advance_ms(12 * HOUR_MS - 1);
    assert_eq!(code(polled(false).await), "ok");
    assert_eq!(
        ended_sessions::run(&world.service)
            .await
            .expect("runs")
            .rows,
        0
    );
    world.clock.advance_ms(1);
    assert_eq!(code(polled(true).await), "session_missing");
    world.clock.advance_ms(1);
    assert_eq!(
        ended_sessions::run(&world.service)
            .await
            .expect("runs")
            .rows,
        1
    );

    let again = world.sign_in("ana@shop.example", PASSWORD, client(1)).await;
    let again = again.expect("signs in");
    for _ in 0..(7 * 24 - 1) / 11 {
        world.clock.advance_ms(11 * HOUR_MS);
        assert_eq!(code(world.user(&again).await), "ok");
    }
    world.clock.advance_ms(3 * HOUR_MS);
    assert_eq!(code(world.user(&again).await), "session_missing", "7 days");
}

#[tokio::test]
async fn a_user_has_twenty_sessions() {
    let world = World::new().await;
    let first = world
        .member(&world.account().await, "ana@shop.example", Role::Owner)
        .await;
    for number in 0..19 {
        world.clock.advance_ms(1_000);
        let more = world.sign_in("ana@shop.example", PASSWORD, client(1)).await;
        assert_eq!(code(more), "ok", "{number}");
    }
    assert_eq!(code(world.user(&first).await), "ok");
    world.clock.advance_ms(1_000);
    let last = world
        .sign_in("ana@shop.example", PASSWORD, client(1))
        .await
        .expect("signs in");
    assert_eq!(code(world.user(&first).await), "session_missing");
    let caller = people::by_session(&world.service, Some(&last.token), true).await;
    let sessions = people::list_sessions(&world.service, &caller.expect("Ana")).await;
    let sessions = sessions.expect("lists");
    assert_eq!((sessions.len(), sessions[0].current), (20, true));
    assert!(sessions[0].signed_in_at > Timestamp(NOW.0));
}

#[tokio::test]
async fn a_short_time_without_use_is_prolonged() {
    let world = World::new().await;
    let account = world.account().await;
    world
        .member(&account, "ana@shop.example", Role::Owner)
        .await;
    world.service.close().await;
    for minutes in [1, 2, 30] {
        let sessions = SessionTimes {
            idle: Duration::from_millis(minutes * MINUTE_MS as u64),
            max: Duration::from_hours(24),
        };
        let options = ServiceOptions {
            clock: world.clock.shared(),
            sessions,
            ..crate::world::options(&world.dir, &world.clock)
        };
        let service = Service::open(options).await.expect("opens");
        let input = SignIn {
            email: "ana@shop.example".to_owned(),
            password: PASSWORD.to_owned(),
        };
        let ana = people::sign_in(&service, input, client(1)).await;
        let ana = ana.expect("signs in");
        let used = || people::by_session(&service, Some(&ana.token), true);
        let idle_ms = i64::try_from(minutes).expect("small") * MINUTE_MS;
        for _ in 0..20 {
            world.clock.advance_ms(idle_ms / 2);
            assert_eq!(code(used().await), "ok", "{minutes} min");
        }
        // A use may be stored a tenth of the time too early.
        world.clock.advance_ms(idle_ms - idle_ms / 10 - 1);
        assert_eq!(code(used().await), "ok", "{minutes} min");
        world.clock.advance_ms(idle_ms);
        assert_eq!(code(used().await), "session_missing", "{minutes} min");
        service.close().await;
    }
}
