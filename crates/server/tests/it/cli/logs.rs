//! 1. By default the log has a line for the start and one for each failure of the server, and none for a client error,
//!    including those of the tool server's SDK.
//! 2. Every 5xx response has its request id in the log, with the cause.
//! 3. As JSON every line is one object; access lines are logged on request.
//! 4. On request slow searches and suggestions are logged with the time of each stage, in which neither keys nor what may
//!    identify a person appears.
//! 5. No key and no secret appears in the log at its most verbose level, wherever a request carries it.

use crate::harness::{Binary, command, findwell, product};
use serde_json::{Value, json};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::{ChildStderr, Command, Stdio};
use std::thread::JoinHandle;
use tempfile::TempDir;

/// A server whose log is read to its end.
pub(super) struct Logged {
    pub server: Binary,
    log: JoinHandle<String>,
}

impl Logged {
    /// Starts a server.
    pub fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let stderr = child.stderr.take().expect("a pipe");
        Self {
            log: std::thread::spawn(|| read(stderr)),
            server: Binary::of(child),
        }
    }

    /// Stops the server and returns its log.
    pub fn stop(self) -> String {
        assert_eq!(self.server.terminate(), 0);
        without_first_link(&self.log.join().expect("read"))
    }
}

/// The log without the line that a server prints as long as the control panel has no user.
fn without_first_link(log: &str) -> String {
    let is_link = |line: &&str| line.contains("Set up the control panel") && line.contains("#own_");
    let (links, lines): (Vec<&str>, Vec<&str>) = log.lines().partition(is_link);
    assert!(links.len() <= 1, "{log}");
    lines.into_iter().map(|line| format!("{line}\n")).collect()
}

fn read(mut stderr: ChildStderr) -> String {
    let mut bytes = Vec::new();
    stderr.read_to_end(&mut bytes).expect("a log");
    String::from_utf8(bytes).expect("UTF-8")
}

/// A store's id and keys, created by the command line.
struct Created {
    data: TempDir,
    store: String,
    configuration: String,
    connector: String,
}

impl Created {
    fn new() -> Self {
        // A directory open to others would be logged as a warning.
        let own = std::fs::Permissions::from_mode(0o700);
        let data = tempfile::Builder::new().permissions(own).tempdir();
        let data = data.expect("a directory");
        let run = |line: &str| {
            let arguments: Vec<&str> = line.split(' ').collect();
            findwell(data.path(), &arguments).line().to_owned()
        };
        let store = run("store create --name x --language es");
        let key = |kind: &str| run(&format!("key create --store {store} --kind {kind}"));
        Self {
            configuration: key("configuration --scope config:write"),
            connector: key("connector"),
            store,
            data,
        }
    }

    fn serve(&self, more: &[&str]) -> Logged {
        let arguments = [&["serve", "--listen", "127.0.0.1:0"], more].concat();
        Logged::start(command(self.data.path(), &arguments))
    }

    fn relevance(&self) -> String {
        format!("/api/v1/stores/{}/relevance", self.store)
    }
}

#[test]
fn a_log_is_quiet_by_default() {
    let created = Created::new();
    let logged = created.serve(&[]);
    let client = &logged.server.client;
    client.call("GET", "/healthz").send().ok();
    client
        .call("GET", "/api/v1/me")
        .send()
        .error(401, "key_missing");
    client
        .call("GET", "/nowhere")
        .send()
        .error(404, "not_found");
    for (header, value, status) in [
        ("Origin", "https://evil.example", 403),
        ("Host", "evil.example", 403),
        ("MCP-Protocol-Version", "1999-01-01", 400),
    ] {
        let call = client.call("POST", "/mcp").key(&created.configuration);
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
        let reply = call.header(header, value).json(&list).send();
        assert_eq!(reply.status, status, "{reply:?}");
    }
    let log = logged.stop();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 4, "{log}");
    assert!(lines[0].contains("limit of open files"), "{log}");
    assert!(lines[1].contains("MCP server at /mcp"), "{log}");
    assert!(
        lines[2].contains("listening") && lines[2].contains("127.0.0.1"),
        "{log}"
    );
    assert!(lines[3].contains("stopping"), "{log}");
}

#[test]
fn every_failure_of_the_server_is_logged_with_its_request() {
    let created = Created::new();
    // A limit on the size of files stands in for a full disk.
    let script = "trap '' XFSZ; ulimit -f 2048; exec \"$0\" \"$@\"";
    let binary = command(created.data.path(), &[]);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", script])
        .arg(binary.get_program())
        .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"])
        .env_clear()
        .env("FINDWELL_DATA", created.data.path())
        .current_dir(created.data.path());
    let logged = Logged::start(limited);
    let client = &logged.server.client;
    let failed = (0..1_000).find_map(|n| {
        let change = json!({"boosts": {"name": 1 + n % 100}});
        let call = client
            .call("PUT", created.relevance())
            .key(&created.configuration);
        let reply = call.json(&change).send();
        (reply.status >= 500).then_some(reply)
    });
    let failed = failed.expect("the limit is reached");
    let id = failed.header("x-request-id").to_owned();
    assert_eq!(failed.json["requestId"], json!(id));
    let log = logged.stop();
    let logged_failures: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .filter(|line: &Value| line["request_id"] == json!(id))
        .collect();
    assert_eq!(logged_failures.len(), 1, "one line: {log}");
    assert_eq!(logged_failures[0]["status"], failed.status);
    assert_eq!(logged_failures[0]["code"], failed.json["code"]);
    assert_eq!(logged_failures[0]["path"], created.relevance());
    let cause = logged_failures[0]["cause"].as_str().expect("a cause");
    assert!(!cause.is_empty() && !failed.text.contains(cause), "{cause}");
}

#[test]
fn access_lines_are_logged_on_request() {
    let created = Created::new();
    let logged = created.serve(&["--log", "warn,access=debug", "--log-format", "json"]);
    let client = &logged.server.client;
    let reply = client.call("GET", "/api/v1/me?q=secret%20question").send();
    let id = reply.header("x-request-id").to_owned();
    let log = logged.stop();
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 1, "{log}");
    let line = &lines[0];
    assert_eq!(line["request_id"], json!(id));
    assert_eq!(
        (&line["method"], &line["path"]),
        (&json!("GET"), &json!("/api/v1/me"))
    );
    assert_eq!(
        (&line["status"], &line["code"]),
        (&json!(401), &json!("key_missing"))
    );
    assert!(
        line["took_ms"].is_u64() && line["timestamp"].is_string(),
        "{line}"
    );
    assert!(!log.contains("question"), "query strings are not logged");
}

#[test]
fn slow_searches_are_logged_on_request() {
    let created = Created::new();
    let line = format!("key create --store {} --kind search-only", created.store);
    let arguments: Vec<&str> = line.split(' ').collect();
    let key = findwell(created.data.path(), &arguments).line().to_owned();
    let logged = created.serve(&["--slow-search-ms", "0", "--log-format", "json"]);
    let client = &logged.server.client;
    let mut ids = Vec::new();
    for (path, q) in [
        ("/api/v1/search", "Blue Tent"),
        ("/api/v1/search", "Blue Tent"),
        ("/api/v1/suggest", "tent"),
        ("/api/v1/search", "ann@example.com"),
        ("/api/v1/search", created.configuration.as_str()),
    ] {
        let call = client.call("POST", path).key(&key);
        let reply = call.json(&json!({"q": q})).send();
        assert_eq!(reply.status, 200, "{reply:?}");
        ids.push(reply.header("x-request-id").to_owned());
    }
    let log = logged.stop();
    let lines = log
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let slow: Vec<Value> = lines
        .filter(|line: &Value| line["message"] == "slow search")
        .collect();
    let of = |name: &str| {
        slow.iter()
            .map(|line| line[name].clone())
            .collect::<Vec<_>>()
    };
    let requests = of("span")
        .into_iter()
        .map(|span| span["request_id"].clone());
    assert_eq!(json!(requests.collect::<Vec<_>>()), json!(ids), "{log}");
    assert_eq!(
        json!(of("surface")),
        json!(["search", "search", "suggest", "search", "search"])
    );
    assert_eq!(
        json!(of("query")[..4]),
        json!(["blue tent", "blue tent", "tent", "(hidden)"])
    );
    // The second response is that of the cache.
    assert_eq!(
        json!(of("computed")),
        json!([true, false, true, true, true])
    );
    for line in &slow {
        let ms = |name: &str| line[name].as_f64().expect("milliseconds");
        let stages = ["open_ms", "check_ms", "wait_ms", "compute_ms", "respond_ms"];
        let sum: f64 = stages.map(ms).iter().sum();
        assert!((sum - ms("took_ms")).abs() < 0.6, "{line}");
    }
    let secret = created.configuration.rsplit('_').next().expect("a secret");
    assert!(
        !log.to_lowercase().contains(&secret.to_lowercase()),
        "{log}"
    );
    assert!(!log.contains("example.com"), "{log}");
}

/// Sends requests that carry `keys` wherever a request can carry something.
fn scatter(logged: &Logged, created: &Created, keys: &[&str]) {
    let client = &logged.server.client;
    for key in keys {
        let encoded = key.replace('_', "%5F");
        for path in [
            format!("/api/v1/me?api_key={key}"),
            format!("/api/v1/search?q={encoded}"),
            format!("/api/v1/stores/{key}"),
            format!("/api/v1/stores/{encoded}/relevance"),
            format!("/{key}"),
        ] {
            for as_key in [key, &created.configuration.as_str()] {
                client.call("GET", path.clone()).key(as_key).send();
                let bearer = format!("Bearer {as_key}");
                let call = client.call("GET", path.clone());
                call.header("Authorization", &bearer).send();
            }
        }
        for body in [
            json!({"boosts": {*key: 1}}),
            json!({"q": key, "visitor": key, "language": key, "instanceId": key}),
            json!({"documents": [product(key, key)], "language": "es"}),
            json!(key),
        ] {
            for (path, as_key) in [
                (created.relevance(), &created.configuration),
                ("/api/v1/feed/products/bulk".to_owned(), &created.connector),
                ("/api/v1/feed/public-key".to_owned(), &created.connector),
            ] {
                let call = client.call("POST", path.clone()).key(as_key);
                call.json(&body).header("X-Svc-Client", key).send();
                let call = client.call("PUT", path).key(as_key);
                call.header("If-Match", key).json(&body).send();
            }
            let call = client.call("POST", "/mcp").key(&created.configuration);
            let called = json!({"name": "get_relevance", "arguments": {"storeId": key, "x": body}});
            let message =
                json!({"jsonrpc": "2.0", "id": key, "method": "tools/call", "params": called});
            call.header("Mcp-Name", key).json(&message).send();
        }
    }
}

#[test]
fn no_key_and_no_secret_appears_in_the_log() {
    for form in ["text", "json"] {
        let created = Created::new();
        let logged = created.serve(&["--log", "trace,rmcp=trace", "--log-format", form]);
        let client = &logged.server.client;
        let connector = |path: &'static str| client.call("POST", path).key(&created.connector);
        let languages = json!([{"code": "es", "default": true}]);
        connector("/api/v1/feed/indices")
            .json(&json!({"types": ["products"], "languages": languages}))
            .send()
            .ok();
        let issued = connector("/api/v1/feed/public-key")
            .json(&json!({"instanceId": "test"}))
            .send()
            .ok();
        let text = |name: &str| issued.data()[name].as_str().expect("text").to_owned();
        let (public, context) = (text("publicKey"), text("contextSecret"));
        let unknown = "cfg_unknown00000_0123456789012345678901234567890";
        let keys = [
            created.configuration.as_str(),
            &created.connector,
            &public,
            &context,
            unknown,
        ];
        scatter(&logged, &created, &keys);
        let seen = client
            .call("GET", "/api/v1/me")
            .key(&created.configuration)
            .send();
        let id = seen.ok().header("x-request-id").to_owned();
        let log = logged.stop();
        assert!(log.contains(&id), "the log is there");
        for key in keys {
            let secret = key.rsplit('_').next().expect("a secret");
            let logged_failures = log.lines().find(|line| line.contains(secret));
            assert_eq!(logged_failures, None, "{form}");
        }
    }
}
