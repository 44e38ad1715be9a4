//! 1. Each redirect is checked as a new address, its port too; five are followed, six are not.
//! 2. https to http is refused; another scheme or a missing place too.
//! 3. Credentials go to the scheme, host and port of the source alone, and not again after a way back.
//! 4. Nothing of the environment leads a request elsewhere.

use super::server::{
    TestLookup, TestServer, basic, fetch, fetch_from, loopback, ok, request, rules,
};
use fetching::{Credentials, FetchBounds, FetchClient, FetchCode};
use std::io::Write;

fn redirect(to: &str) -> String {
    format!(
        "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
}

#[test]
fn what_is_refused_is_not_reached_by_a_redirect() {
    for (to, code) in [
        ("http://10.0.0.1/", FetchCode::AddressRefused),
        ("http://localhost/", FetchCode::AddressRefused),
        ("http://[::1]/", FetchCode::AddressRefused),
        ("http://2130706433:22/", FetchCode::AddressRefused),
        ("http://shop.example:22/", FetchCode::AddressRefused),
        ("ftp://shop.example/", FetchCode::AddressRefused),
        ("file:///etc/passwd", FetchCode::AddressRefused),
        (
            "//169.254.169.254/latest/meta-data/",
            FetchCode::AddressRefused,
        ),
        (
            "http://user:secret@shop.example/",
            FetchCode::AddressRefused,
        ),
    ] {
        // 2130706433 is 127.0.0.1, which the test allows with one port only.
        let server = TestServer::sending(redirect(to));
        let rules = rules(&[format!("127.0.0.1:{}", server.port)]);
        let client = FetchClient::with(rules.clone(), FetchBounds::default(), TestLookup::new(&[]));
        let address = rules.check(&server.address("/")).expect("allowed");
        let (fetched, _) = fetch(&client, &request(address));
        let fault = fetched.expect_err(to);
        assert_eq!(fault.code, code, "{to}");
        assert!(!fault.message.text.contains("10.0.0.1"), "{fault}");
    }
    let (fetched, _) = fetch_from(&TestServer::sending(
        "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
    ));
    assert_eq!(
        fetched.expect_err("no place").code,
        FetchCode::AddressRefused
    );
}

#[test]
fn five_are_followed_and_six_are_not() {
    for (redirects, is_ok) in [(5, true), (6, false)] {
        let mut left = redirects;
        let server = TestServer::new(move |_, stream| {
            left -= 1;
            let reply = match left >= 0 {
                true => redirect("next?x#y").into_bytes(),
                false => ok("", b"catalogue"),
            };
            let _ = stream.write_all(&reply);
        });
        let (fetched, file) = fetch_from(&server);
        match fetched {
            Ok(fetched) => assert_eq!((fetched.redirects, &*file), (5, &b"catalogue"[..])),
            Err(fault) => assert_eq!(fault.code, FetchCode::TooManyRedirects),
        }
        assert_eq!(server.requests().len(), 6, "{is_ok}");
    }
}

#[test]
fn every_kind_of_redirect_is_followed() {
    for status in [301, 302, 303, 307, 308] {
        let mut is_first = true;
        let server = TestServer::new(move |_, stream| {
            let reply = match std::mem::take(&mut is_first) {
                true => redirect("/elsewhere")
                    .replace("302", &status.to_string())
                    .into_bytes(),
                false => ok("", b"x"),
            };
            let _ = stream.write_all(&reply);
        });
        assert!(fetch_from(&server).0.is_ok(), "{status}");
        assert!(server.requests()[1].starts_with("get /elsewhere http/1.1"));
    }
    let (fetched, _) = fetch_from(&TestServer::sending(
        "HTTP/1.1 300 Choices\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n",
    ));
    assert_eq!(fetched.expect_err("300").code, FetchCode::HttpStatus);
}

#[test]
fn credentials_stay_with_their_origin() {
    let own_port = std::sync::Arc::new(std::sync::atomic::AtomicU16::new(0));
    let back = std::sync::Arc::clone(&own_port);
    let other = TestServer::new(move |_, stream| {
        let port = back.load(std::sync::atomic::Ordering::SeqCst);
        let _ = stream.write_all(redirect(&format!("http://127.0.0.1:{port}/back")).as_bytes());
    });
    let to = other.address("/other");
    let server = TestServer::new(move |head, stream| {
        let reply = match head.split(' ').nth(1) {
            Some("/feed") => redirect("/same").into_bytes(),
            Some("/same") => redirect(&to).into_bytes(),
            _ => ok("", b"x"),
        };
        let _ = stream.write_all(&reply);
    });
    own_port.store(server.port, std::sync::atomic::Ordering::SeqCst);
    let header = Credentials::Header {
        name: "X-Feed-Key".to_owned(),
        value: "s3cret".to_owned(),
    };
    for (credentials, shown) in [
        (
            basic().expect("some"),
            "authorization: basic c2hvcdpzm2nyzxq=",
        ),
        (header, "x-feed-key: s3cret"),
    ] {
        let before = (server.requests().len(), other.requests().len());
        let client = FetchClient::with(loopback(), FetchBounds::default(), TestLookup::new(&[]));
        let mut wanted = request(loopback().check(&server.address("/feed")).expect("allowed"));
        wanted.credentials = Some(credentials);
        let (fetched, _) = fetch(&client, &wanted);
        assert_eq!(fetched.map(|fetched| fetched.redirects), Ok(3));
        let own = server.requests().split_off(before.0);
        let carried: Vec<bool> = own.iter().map(|head| head.contains(shown)).collect();
        assert_eq!(carried, [true, true, false], "{own:?}");
        assert!(!other.requests()[before.1].contains("s3cret"));
        assert!(!other.requests()[before.1].contains("authorization"));
    }
}
