//! 1. gzip as the coding of the transfer is removed once, by its content: a body that is called gzip and is not stays as
//!    it is, and a file that is gzip itself stays gzip under it.
//! 2. Codings that were not asked for are `encoding_unsupported`; a cut one is `truncated`, a bomb `too_large`.
//! 3. The hash is that of the decoded body.

use super::server::{TestServer, fetch_from, fetch_within, ok};
use fetching::{FetchBounds, FetchCode};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

#[test]
fn a_coding_is_removed_once() {
    let twice = gzip(&gzip(b"catalogue"));
    let members = [gzip(b"cata"), gzip(b"logue")].concat();
    for (coding, body, expected) in [
        ("gzip", gzip(b"catalogue"), b"catalogue".to_vec()),
        ("x-gzip", gzip(b"catalogue"), b"catalogue".to_vec()),
        ("GZIP, identity", gzip(b"catalogue"), b"catalogue".to_vec()),
        ("gzip", members, b"catalogue".to_vec()),
        ("gzip", b"catalogue".to_vec(), b"catalogue".to_vec()),
        ("gzip", b"c".to_vec(), b"c".to_vec()),
        ("gzip", Vec::new(), Vec::new()),
        ("identity", b"catalogue".to_vec(), b"catalogue".to_vec()),
        ("", gzip(b"catalogue"), gzip(b"catalogue")),
        ("gzip", twice, gzip(b"catalogue")),
    ] {
        let server = TestServer::sending(ok(&format!("Content-Encoding: {coding}\r\n"), &body));
        let (fetched, file) = fetch_from(&server);
        let received = fetched.expect("fetched").file.expect("a file");
        assert_eq!(file, expected, "{coding}");
        assert_eq!(received.bytes, body.len() as u64);
    }
}

#[test]
fn equal_files_have_equal_hashes_however_they_are_sent() {
    let plain = TestServer::sending(ok("", b"catalogue"));
    let coded = TestServer::sending(ok("Content-Encoding: gzip\r\n", &gzip(b"catalogue")));
    let hash = |server: &TestServer| {
        let fetched = fetch_from(server).0.expect("fetched");
        fetched.file.expect("a file").sha256
    };
    assert_eq!(hash(&plain), hash(&coded));
}

#[test]
fn other_codings_are_not_supported() {
    for coding in ["br", "deflate", "zstd", "gzip, br", "gzip, gzip"] {
        let server = TestServer::sending(ok(&format!("Content-Encoding: {coding}\r\n"), b"x"));
        let fault = fetch_from(&server).0.expect_err(coding);
        assert_eq!(fault.code, FetchCode::EncodingUnsupported, "{coding}");
        assert_eq!(fault.status, Some(200));
    }
}

#[test]
fn a_cut_or_expanding_body_is_a_fault() {
    let whole = gzip(&[b'x'; 10_000]);
    let cut = &whole[..whole.len() - 6];
    let server = TestServer::sending(ok("Content-Encoding: gzip\r\n", cut));
    assert_eq!(
        fetch_from(&server).0.expect_err("cut").code,
        FetchCode::Truncated
    );
    let bomb = gzip(&vec![0; 2_000_000]);
    let server = TestServer::sending(ok("Content-Encoding: gzip\r\n", &bomb));
    let bounds = FetchBounds {
        expansion_from: 100_000,
        ..FetchBounds::default()
    };
    let (fetched, file) = fetch_within(&server, "/", bounds);
    assert_eq!(fetched.expect_err("a bomb").code, FetchCode::TooLarge);
    assert!(file.len() < 1_000_000);
}
