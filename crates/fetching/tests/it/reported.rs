//! What users of other programs that fetch feeds report, tried here:
//!
//! 1. A packed file behind two kinds of redirects, and one behind an address with spaces and accents.
//! 2. A `.gz` file that the server calls a coding; a coding that a proxy removed without saying so; zeros behind it.
//! 3. Tags of versions that are weak or have a suffix of the coding are sent as they came; where the server takes them for
//!    others, the file still has the same hash.
//! 4. 304 with the length of the file, and interim responses, do not make the client wait.
//! 5. Chunks of a packed body, headers in lower case, twice the same length.

use super::server::{TestLookup, TestServer, fetch, fetch_from, loopback, ok, request};
use fetching::{FetchBounds, FetchClient, Validators};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

#[test]
fn redirects_of_shops() {
    let server = TestServer::new(|head, stream| {
        let to = |status: &str, place: &str| {
            let head = "Content-Length: 0\r\nConnection: close\r\nContent-Encoding: gzip\r\n";
            format!("HTTP/1.1 {status} Moved\r\nLocation: {place}\r\n{head}\r\n").into_bytes()
        };
        let reply = match head.split(' ').nth(1) {
            Some("/feed") => to("302", "/rss 2/catálogo"),
            Some("/rss%202/cat%C3%A1logo") => to("301", "?format=xml#top"),
            Some("/rss%202/cat%C3%A1logo?format=xml") => {
                ok("Content-Encoding: gzip\r\n", &gzip(b"catalogue"))
            }
            _ => b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n".to_vec(),
        };
        let _ = stream.write_all(&reply);
    });
    let (fetched, file) = fetch_from(&server);
    assert_eq!(fetched.map(|fetched| fetched.redirects), Ok(2));
    assert_eq!(file, b"catalogue");
}

#[test]
fn codings_of_shops() {
    let padded = [gzip(b"catalogue"), vec![0; 512]].concat();
    for (headers, body) in [
        (
            "Content-Type: application/x-gzip\r\nContent-Encoding: x-gzip\r\n",
            gzip(b"catalogue"),
        ),
        ("Content-Encoding: gzip\r\n", b"catalogue".to_vec()),
        ("Content-Encoding: gzip\r\n", padded),
    ] {
        let (fetched, file) = fetch_from(&TestServer::sending(ok(headers, &body)));
        assert!(fetched.is_ok(), "{headers}: {fetched:?}");
        assert_eq!(file, b"catalogue", "{headers}");
    }
}

#[test]
fn versions_of_shops() {
    for tag in ["W/\"abc\"", "\"abc-gzip\"", "\"abc;gzip\"", "abc", "W/abc"] {
        let headers = format!("ETag: {tag}\r\nLast-Modified: yesterday\r\n");
        let server = TestServer::sending(ok(&headers, b"catalogue"));
        let (fetched, _) = fetch_from(&server);
        let first = fetched.expect("fetched").file.expect("a file");
        let client = FetchClient::with(loopback(), FetchBounds::default(), TestLookup::new(&[]));
        let mut again = request(loopback().check(&server.address("/feed")).expect("allowed"));
        again.validators = first.validators.clone();
        let (fetched, _) = fetch(&client, &again);
        let second = fetched.expect("fetched").file.expect("sent again");
        assert_eq!(first.sha256, second.sha256);
        let named = format!("if-none-match: {}\r\n", tag.to_lowercase());
        let request = &server.requests()[1];
        assert!(request.contains(&named), "{request}");
        assert!(request.contains("if-modified-since: yesterday\r\n"));
    }
}

#[test]
fn nothing_is_waited_for_that_does_not_come() {
    let server = TestServer::new(|_, stream| {
        let head = "HTTP/1.1 304 Not Modified\r\nContent-Length: 100000\r\nETag: \"1\"\r\n\r\n";
        let _ = stream.write_all(head.as_bytes());
        let _ = std::io::Read::read(stream, &mut [0; 1]);
    });
    let client = FetchClient::with(loopback(), FetchBounds::default(), TestLookup::new(&[]));
    let mut wanted = request(loopback().check(&server.address("/")).expect("allowed"));
    wanted.validators = Validators {
        etag: Some("\"1\"".to_owned()),
        last_modified: None,
    };
    assert_eq!(
        fetch(&client, &wanted).0.map(|fetched| fetched.status),
        Ok(304)
    );
    let hints = [
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n".to_vec(),
        ok("", b"catalogue"),
    ];
    let (fetched, file) = fetch_from(&TestServer::sending(hints.concat()));
    assert_eq!(fetched.map(|fetched| fetched.status), Ok(200));
    assert_eq!(file, b"catalogue");
}

#[test]
fn ways_to_write_a_response() {
    let packed = gzip(b"catalogue");
    let (first, second) = packed.split_at(9);
    let chunk =
        |bytes: &[u8]| [format!("{:X}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
    let chunked = [
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-encoding: gzip\r\n\r\n".to_vec(),
        chunk(first),
        chunk(second),
        b"0\r\n\r\n".to_vec(),
    ];
    let twice = b"HTTP/1.1 200\r\nContent-Length: 9\r\ncontent-length: 9\r\n\r\ncatalogue".to_vec();
    for bytes in [chunked.concat(), twice] {
        let (fetched, file) = fetch_from(&TestServer::sending(bytes));
        assert!(fetched.is_ok(), "{fetched:?}");
        assert_eq!(file, b"catalogue");
    }
}
