//! Hosts that respond as a cluster does which lacks something or is busy with an index.
//!
//! 1. What it lacks is said in a sentence, without secrets.
//! 2. A request to an index that is closed for a moment is sent until it is open, also where another host is away.
//! 3. A host that is being stopped, and says so with a status of 500, is passed over.

use crate::tents;
use engine::{
    ClusterAccess, ClusterCredentials, Engine, OpenSearchEngine, SEARCH_FORMAT, SEARCH_PATIENCE,
    SEARCH_SHARDS,
};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

/// A response to a method and the beginning of a path: status and body.
type Responses = &'static [(&'static str, u16, &'static str)];

const VERSION: (&str, u16, &str) = (
    "GET / ",
    200,
    r#"{"version":{"distribution":"opensearch","number":"2.19.1"}}"#,
);
const ENOUGH_CLAUSES: (&str, u16, &str) = (
    "GET /_cluster/settings",
    200,
    r#"{"persistent":{"indices.query.bool.max_clause_count":"4096"}}"#,
);
const FORBIDDEN: &str =
    r#"{"error":{"type":"security_exception","reason":"no permissions"},"status":403}"#;

/// Returns the engine of a host that responds to its requests, by their numbers, as `of` says, and of one that is away.
fn engine(of: impl Fn(usize) -> Responses + Send + 'static) -> OpenSearchEngine {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().flatten().enumerate() {
            respond(stream, of(number));
        }
    });
    let access = ClusterAccess {
        hosts: vec![format!("http://{address}"), "http://127.0.0.1:1".to_owned()],
        credentials: Some(ClusterCredentials::ApiKey("s3cret".to_owned())),
        authorities: None,
        prefix: "findwell".to_owned(),
        shards: SEARCH_SHARDS,
        format: SEARCH_FORMAT,
        patience: SEARCH_PATIENCE,
    };
    OpenSearchEngine::new(&access).expect("an access")
}

/// Returns the sentence with which the check refuses a host that responds so.
fn refused(responses: Responses) -> String {
    let engine = engine(move |_| responses);
    let lacking = engine.check().expect_err("refused").to_string();
    assert!(!lacking.contains("s3cret"), "{lacking}");
    lacking
}

/// Responds to one request, and ends the connection.
fn respond(mut stream: TcpStream, responses: Responses) {
    let mut request = Vec::new();
    let mut some = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut some) {
        request.extend_from_slice(&some[..count]);
        if is_whole(&request) {
            break;
        }
    }
    let text = String::from_utf8_lossy(&request);
    let known = responses.iter().find(|(start, ..)| text.starts_with(start));
    let (status, body) = known.map_or((200, "{}"), |(_, status, body)| (*status, *body));
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    length.is_none_or(|length| {
        length
            .trim()
            .parse()
            .is_ok_and(|length: usize| body.len() >= length)
    })
}

#[test]
fn what_a_cluster_lacks_is_a_sentence() {
    let cases: [(Responses, &str); 5] = [
        (
            &[("GET / ", 200, r#"{"version":{"number":"8.14.0"}}"#)],
            "is not OpenSearch",
        ),
        (
            &[(
                "GET / ",
                200,
                r#"{"version":{"distribution":"opensearch","number":"2.11.1"}}"#,
            )],
            "has version 2.11.1; 2.19 or newer is needed",
        ),
        (
            &[("GET / ", 401, FORBIDDEN)],
            "cannot be used: OpenSearch refused with status 401",
        ),
        (
            &[
                VERSION,
                ("GET /_cluster/settings", 200, "{}"),
                ("PUT /_cluster/settings", 403, FORBIDDEN),
            ],
            "allows 1024 clauses a query; set indices.query.bool.max_clause_count to 4096",
        ),
        (
            &[
                VERSION,
                ENOUGH_CLAUSES,
                ("PUT /findwell-check-", 403, FORBIDDEN),
            ],
            "refuses to create an index with scripts of similarity",
        ),
    ];
    for (responses, expected) in cases {
        let sentence = refused(responses);
        assert!(sentence.contains(expected), "{sentence}");
    }
}

/// Whether an index exists in a cluster whose host refuses the first requests so.
fn exists_after(refusals: usize, refusal: Responses) -> bool {
    const IS_MISSING: Responses = &[("GET /_alias/", 404, "{}")];
    let engine = engine(move |number| match number < refusals {
        true => refusal,
        false => IS_MISSING,
    });
    let shared = engine.shared().expect("shared indexes");
    let exists = shared.exists(&tents::spec("refusals", 1));
    exists.expect("the last response")
}

#[test]
fn a_closed_index_is_waited_for() {
    // More than the rounds after which a request is given up otherwise.
    let exists = exists_after(
        6,
        &[(
            "GET /_alias/",
            400,
            r#"{"error":{"type":"index_closed_exception","reason":"closed"},"status":400}"#,
        )],
    );
    assert!(!exists);
}

#[test]
fn a_host_that_is_being_stopped_is_passed_over() {
    let exists = exists_after(
        1,
        &[(
            "GET /_alias/",
            500,
            r#"{"error":{"type":"transport_exception","reason":"TransportService is closed stopped can't send request"},"status":500}"#,
        )],
    );
    assert!(!exists);
}
