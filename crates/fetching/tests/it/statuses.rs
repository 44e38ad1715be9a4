//! 1. Only 200 and, for a request with a version, 304 count; others are `http_status` with the status.
//! 2. `Retry-After` of 429 and 503 is kept, as seconds or a date, and not for other statuses.
//! 3. The version of the last response is sent as it was received.

use super::server::{TestLookup, TestServer, fetch, fetch_from, loopback, request};
use fetching::{FetchBounds, FetchClient, FetchCode, Validators};
use std::time::Duration;

fn status(status: u16, headers: &str) -> TestServer {
    let head = format!("HTTP/1.1 {status} Whatever\r\nContent-Length: 0\r\n{headers}\r\n");
    TestServer::sending(head)
}

#[test]
fn other_statuses_are_faults() {
    for code in [201, 204, 206, 304, 400, 401, 403, 404, 410, 429, 500, 503] {
        let fault = fetch_from(&status(code, "")).0.expect_err("a fault");
        assert_eq!(
            (fault.code, fault.status),
            (FetchCode::HttpStatus, Some(code))
        );
        assert!(fault.message.text.contains(&code.to_string()));
        assert_eq!(fault.retry_after, None);
    }
}

#[test]
fn retry_after_is_kept() {
    for (code, header, seconds) in [
        (429, "120", Some(120)),
        (503, "Fri, 20 Nov 2026 15:10:00 GMT", Some(600)),
        (503, "Fri, 20 Nov 2026 14:00:00 GMT", None),
        (503, "soon", None),
        (503, "-5", None),
        (429, "99999999999", Some(7 * 24 * 3_600)),
        (404, "120", None),
    ] {
        let server = status(code, &format!("Retry-After: {header}\r\n"));
        let fault = fetch_from(&server).0.expect_err("a fault");
        assert_eq!(
            fault.retry_after,
            seconds.map(Duration::from_secs),
            "{header}"
        );
    }
}

#[test]
fn a_file_of_the_same_version_is_not_sent_again() {
    let server = status(304, "ETag: \"2\"\r\n");
    let client = FetchClient::with(loopback(), FetchBounds::default(), TestLookup::new(&[]));
    let mut wanted = request(loopback().check(&server.address("/")).expect("allowed"));
    wanted.validators = Validators {
        etag: Some("W/\"a b\"".to_owned()),
        last_modified: Some("Fri, 20 Nov 2026 12:00:00 GMT".to_owned()),
    };
    let (fetched, file) = fetch(&client, &wanted);
    let fetched = fetched.expect("304");
    assert_eq!((fetched.file, fetched.status), (None, 304));
    assert!(file.is_empty());
    let request = &server.requests()[0];
    assert!(
        request.contains("if-none-match: w/\"a b\"\r\n"),
        "{request}"
    );
    assert!(request.contains("if-modified-since: fri, 20 nov 2026 12:00:00 gmt\r\n"));
}
