//! 1. A name that leads to a public and a loopback address at once, or to loopback alone, is not connected to, in any
//!    place of the response, also beyond the sixteenth address.
//! 2. A name is looked up once for each request; a later response does not count for the connection of an earlier one.
//! 3. An address of this machine is refused, unless its host is allowed as it is written.
//! 4. Reasons hold no address that a name resolved to.

use super::server::{TestLookup, TestServer, fetch, loopback, ok, request, rules};
use domain::source::SourceRules;
use fetching::{FetchBounds, FetchClient, FetchCode};
use std::net::UdpSocket;
use std::time::Duration;

fn bounds() -> FetchBounds {
    FetchBounds {
        connect: Duration::from_secs(5),
        head: Duration::from_secs(5),
        ..FetchBounds::default()
    }
}

#[test]
fn nothing_is_connected_to_on_loopback() {
    let server = TestServer::sending(ok("", b"x"));
    let mut many = vec!["93.184.216.34"; 16];
    many.push("127.0.0.1");
    for response in [
        &["127.0.0.1"][..],
        &["93.184.216.34", "127.0.0.1"],
        &["127.0.0.1", "93.184.216.34"],
        &["::1"],
        &["::ffff:127.0.0.1"],
        &["93.184.216.34", "10.0.0.1"],
        &many,
    ] {
        let lookup = TestLookup::new(&[response]);
        let client = FetchClient::with(SourceRules::default(), bounds(), lookup.clone());
        let address = SourceRules::default().check("http://shop.example/feed");
        let (fetched, _) = fetch(&client, &request(address.expect("a public name")));
        let fault = fetched.expect_err("refused");
        assert_eq!(fault.code, FetchCode::AddressRefused, "{response:?}");
        assert!(!fault.message.text.contains("127."), "{fault}");
        assert_eq!(lookup.names(), ["shop.example"]);
    }
    assert!(server.requests().is_empty());
}

#[test]
fn a_second_look_up_is_checked_as_the_first() {
    let redirecting = TestServer::sending(
        "HTTP/1.1 302 Found\r\nLocation: http://rebound.example:80/\r\nContent-Length: 0\r\n\r\n",
    );
    // The first host is allowed and leads to the test's server; the name that it redirects to leads to loopback.
    let lookup = TestLookup::new(&[&["127.0.0.1"]]);
    let first = format!("first.example:{}", redirecting.port);
    let rules = rules(std::slice::from_ref(&first));
    let client = FetchClient::with(rules.clone(), bounds(), lookup.clone());
    let address = rules.check(&format!("http://{first}/")).expect("allowed");
    let (fetched, _) = fetch(&client, &request(address));
    let fault = fetched.expect_err("refused");
    assert_eq!(
        (fault.code, fault.redirects),
        (FetchCode::AddressRefused, 1)
    );
    assert_eq!(lookup.names(), ["first.example", "rebound.example"]);
    assert_eq!(redirecting.requests().len(), 1);
}

#[test]
fn a_connection_goes_to_what_was_checked() {
    let server = TestServer::sending(ok("", b"catalogue"));
    let host = format!("shop.example:{}", server.port);
    let rules = rules(std::slice::from_ref(&host));
    let lookup = TestLookup::new(&[&["127.0.0.1"], &["10.255.255.1"]]);
    let client = FetchClient::with(rules.clone(), bounds(), lookup.clone());
    let address = rules.check(&format!("http://{host}/")).expect("allowed");
    let (fetched, file) = fetch(&client, &request(address));
    assert!(fetched.is_ok(), "{fetched:?}");
    assert_eq!(file, b"catalogue");
    assert_eq!(lookup.names(), ["shop.example"]);
}

#[test]
fn names_without_an_address_are_dns_failures() {
    let client = FetchClient::with(SourceRules::default(), bounds(), TestLookup::new(&[]));
    let address = SourceRules::default().check("http://shop.example/");
    let (fetched, _) = fetch(&client, &request(address.expect("a name")));
    assert_eq!(fetched.expect_err("no address").code, FetchCode::DnsFailed);
}

#[test]
fn addresses_of_this_machine_are_refused() {
    // Where this machine has an interface with a public address, that one is refused too.
    let own = UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("93.184.216.34:80")?;
        socket.local_addr()
    });
    let own = own.map_or("127.0.0.1".to_owned(), |own| own.ip().to_string());
    let lookup = TestLookup::new(&[&[own.as_str()]]);
    let client = FetchClient::with(SourceRules::default(), bounds(), lookup);
    let address = SourceRules::default().check("http://shop.example/");
    let (fetched, _) = fetch(&client, &request(address.expect("a name")));
    assert_eq!(
        fetched.expect_err("refused").code,
        FetchCode::AddressRefused
    );
}

#[test]
fn only_the_allowed_port_is_exempt() {
    let server = TestServer::sending(ok("", b"x"));
    let rules = rules(&[format!("127.0.0.1:{}", server.port)]);
    assert!(rules.check(&server.address("/")).is_ok());
    let other = server.port.checked_add(1).unwrap_or(1);
    assert!(rules.check(&format!("http://127.0.0.1:{other}/")).is_err());
    assert!(
        loopback()
            .check(&format!("http://127.0.0.1:{other}/"))
            .is_ok()
    );
}
