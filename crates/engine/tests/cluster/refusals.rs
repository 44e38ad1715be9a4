//! What a cluster lacks, said by a host that responds as such a cluster does.

use engine::{
    ClusterAccess, ClusterCredentials, OpenSearchEngine, SEARCH_FORMAT, SEARCH_PATIENCE,
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

/// Returns the sentence with which the check refuses a host that responds so.
fn refused(responses: Responses) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            respond(stream, responses);
        }
    });
    let access = ClusterAccess {
        hosts: vec![format!("http://{address}")],
        credentials: Some(ClusterCredentials::ApiKey("s3cret".to_owned())),
        authorities: None,
        prefix: "findwell".to_owned(),
        shards: SEARCH_SHARDS,
        format: SEARCH_FORMAT,
        patience: SEARCH_PATIENCE,
    };
    let engine = OpenSearchEngine::new(&access).expect("an access");
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
