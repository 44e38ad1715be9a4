//! 1. A whole body is received, with its size, hash, version and charset; nothing of a request is sent but what is said.
//! 2. A body that is shorter than its length, or chunks without an end, are `truncated`; one that is longer is cut.
//! 3. A body beyond the bounds is `too_large`, decoded or not, before it fills the disk; a full disk is `disk_full`.
//! 4. What is no HTTP is `connect_failed`, plain HTTP where TLS is expected `tls_failed`, nobody there `connect_failed`.

use super::server::{
    TestLookup, TestServer, fetch, fetch_from, fetch_within, loopback, ok, request,
};
use fetching::{FetchBounds, FetchClient, FetchCode, Validators};
use std::io::{self, Write};
use std::net::TcpListener;
use std::time::Duration;

fn code(server: &TestServer) -> FetchCode {
    fetch_from(server).0.expect_err("a fault").code
}

#[test]
fn a_file_is_received_whole() {
    let headers = "ETag: W/\"1\"\r\nLast-Modified: Fri, 20 Nov 2026 12:00:00 GMT\r\n\
                   Content-Type: text/csv; charset=\"ISO-8859-1\"\r\nSet-Cookie: a=b\r\n";
    let server = TestServer::sending(ok(headers, b"id;name"));
    let (fetched, file) = fetch_from(&server);
    let fetched = fetched.expect("fetched");
    let received = fetched.file.expect("a file");
    assert_eq!(file, b"id;name");
    assert_eq!(
        (received.bytes, fetched.status, fetched.redirects),
        (7, 200, 0)
    );
    assert_eq!(received.sha256.len(), 64);
    assert_eq!(received.charset.as_deref(), Some("ISO-8859-1"));
    let version = Validators {
        etag: Some("W/\"1\"".to_owned()),
        last_modified: Some("Fri, 20 Nov 2026 12:00:00 GMT".to_owned()),
    };
    assert_eq!(received.validators, version);
    let request = &server.requests()[0];
    assert!(request.starts_with("get /feed http/1.1\r\n"), "{request}");
    assert!(request.contains("accept-encoding: gzip\r\n"), "{request}");
    assert!(request.contains("user-agent: findwell/"), "{request}");
    for absent in ["cookie", "authorization", "if-none-match", "referer"] {
        assert!(!request.contains(absent), "{request}");
    }
}

#[test]
fn what_ends_early_is_truncated() {
    for bytes in [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n",
    ] {
        assert_eq!(
            code(&TestServer::sending(bytes)),
            FetchCode::Truncated,
            "{bytes}"
        );
    }
}

#[test]
fn other_ways_to_send_a_body() {
    for (bytes, body) in [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole and more",
            "whole",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nwh\r\n3;x=y\r\nole\r\n0\r\nX: y\r\n\r\n",
            "whole",
        ),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nwhole", "whole"),
        ("HTTP/1.0 200 OK\r\n\r\nwhole", "whole"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""),
    ] {
        let (fetched, file) = fetch_from(&TestServer::sending(bytes));
        assert!(fetched.is_ok(), "{bytes}: {fetched:?}");
        assert_eq!(file, body.as_bytes(), "{bytes}");
    }
}

#[test]
fn what_is_too_large_is_not_kept() {
    let bounds = FetchBounds {
        bytes: 100_000,
        ..FetchBounds::default()
    };
    let large = TestServer::sending(ok("", &[b'x'; 200_000]));
    let (fetched, file) = fetch_within(&large, "/", bounds);
    assert_eq!(fetched.expect_err("large").code, FetchCode::TooLarge);
    assert!(file.len() <= 100_000);
    let endless = TestServer::new(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        while stream.write_all(&[b'x'; 4_096]).is_ok() {}
    });
    let (fetched, _) = fetch_within(&endless, "/", bounds);
    assert_eq!(fetched.expect_err("endless").code, FetchCode::TooLarge);
    let endless_head = TestServer::new(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        while stream
            .write_all(b"X-Header: xxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n")
            .is_ok()
        {}
    });
    assert_eq!(code(&endless_head), FetchCode::ConnectFailed);
}

struct FullDisk;

impl Write for FullDisk {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_told_from_the_server() {
    let server = TestServer::sending(ok("", b"x"));
    let client = FetchClient::with(loopback(), FetchBounds::default(), TestLookup::new(&[]));
    let wanted = request(loopback().check(&server.address("/")).expect("allowed"));
    let fetched = client.fetch(&wanted, &mut FullDisk, &|| false);
    assert_eq!(fetched.expect_err("full").code, FetchCode::DiskFull);
    let fetched = client.fetch(&wanted, &mut Vec::new(), &|| true);
    assert_eq!(fetched.expect_err("cancelled").code, FetchCode::Cancelled);
}

#[test]
fn what_is_no_http_is_no_connection() {
    for bytes in [
        "SSH-2.0-OpenSSH_9.6\r\n",
        "",
        "HTTP/1.1 two hundred\r\n\r\n",
    ] {
        assert_eq!(
            code(&TestServer::sending(bytes)),
            FetchCode::ConnectFailed,
            "{bytes}"
        );
    }
    let plain = TcpListener::bind("127.0.0.1:0").expect("a port");
    let https = format!("https://{}/", plain.local_addr().expect("an address"));
    std::thread::spawn(move || {
        let (mut stream, _) = plain.accept().expect("a connection");
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    let client = FetchClient::with(loopback(), FetchBounds::default(), TestLookup::new(&[]));
    let (fetched, _) = fetch(
        &client,
        &request(loopback().check(&https).expect("allowed")),
    );
    assert_eq!(fetched.expect_err("no TLS").code, FetchCode::TlsFailed);
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let nobody = format!("http://127.0.0.1:{}/", free.expect("a port").port());
    let bounds = FetchBounds {
        connect: Duration::from_secs(5),
        ..FetchBounds::default()
    };
    let client = FetchClient::with(loopback(), bounds, TestLookup::new(&[]));
    let (fetched, _) = fetch(
        &client,
        &request(loopback().check(&nobody).expect("allowed")),
    );
    assert_eq!(fetched.expect_err("nobody").code, FetchCode::ConnectFailed);
}
