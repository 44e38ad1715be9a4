//! A gate before the service: notes requests, holds responses until the test lets them go, replaces or rewrites them.

use crate::harness::Client;
use crate::wire::{Request, Response, Wire};
use serde_json::Value;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// What is done with a request that a rule applies to.
#[derive(Clone)]
enum Deed {
    /// Held until the rule is lifted.
    Hold,
    /// Answered with this status and this header.
    Status(u16, Option<(&'static str, &'static str)>),
    /// The response's JSON is changed.
    Rewrite(Arc<dyn Fn(&mut Value) + Send + Sync>),
}

struct Rule {
    path: String,
    body: String,
    deed: Deed,
}

#[derive(Default)]
struct Inner {
    rules: Vec<Rule>,
    log: Vec<Request>,
    /// Text that is replaced in every response.
    replaced: Vec<(String, String)>,
}

/// The gate, at an origin of its own.
pub struct Gate {
    wire: Wire,
    inner: Arc<(Mutex<Inner>, Condvar)>,
}

impl Gate {
    /// A gate before the server at the client's address.
    pub fn before(client: Client) -> Self {
        let inner = Arc::new((Mutex::new(Inner::default()), Condvar::new()));
        let own = Arc::clone(&inner);
        let wire = Wire::listen(Arc::new(move |request| respond(&client, &own, request)));
        Self { wire, inner }
    }

    pub fn base(&self) -> &str {
        &self.wire.base
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner
            .0
            .lock()
            .expect("no test panics while it holds the gate")
    }

    fn rule(&self, path: &str, body: &str, deed: Deed) {
        let (path, body) = (path.to_owned(), body.to_owned());
        self.lock().rules.push(Rule { path, body, deed });
    }

    /// Holds responses to requests whose path and body contain these texts.
    pub fn hold(&self, path: &str, body: &str) {
        self.rule(path, body, Deed::Hold);
    }

    /// Answers such requests itself.
    pub fn answer(&self, path: &str, status: u16, header: Option<(&'static str, &'static str)>) {
        self.rule(path, "", Deed::Status(status, header));
    }

    /// Changes the JSON of the responses to such requests.
    pub fn rewrite(&self, path: &str, change: impl Fn(&mut Value) + Send + Sync + 'static) {
        self.rule(path, "", Deed::Rewrite(Arc::new(change)));
    }

    /// Replaces a text in all responses.
    pub fn replace(&self, text: &str, by: &str) {
        self.lock().replaced.push((text.to_owned(), by.to_owned()));
    }

    /// Lifts all rules: what was held, and such requests from now on, get this status.
    pub fn fail(&self, path: &str, status: u16) {
        let mut now = self.lock();
        now.rules.clear();
        now.rules.push(Rule {
            path: path.to_owned(),
            body: String::new(),
            deed: Deed::Status(status, None),
        });
        drop(now);
        self.inner.1.notify_all();
    }

    /// Lifts all rules: what was held goes on.
    pub fn open(&self) {
        self.lock().rules.clear();
        self.inner.1.notify_all();
    }

    /// Bodies of the requests whose path contains a text, in order of arrival; preflights are left out.
    pub fn bodies(&self, path: &str) -> Vec<Value> {
        let log = &self.lock().log;
        let of = log
            .iter()
            .filter(|one| one.method != "OPTIONS" && one.path.contains(path));
        of.map(|one| serde_json::from_str(&one.body).unwrap_or(Value::Null))
            .collect()
    }

    /// All requests, preflights included.
    pub fn requests(&self) -> Vec<Request> {
        self.lock().log.clone()
    }

    pub fn forget(&self) {
        self.lock().log.clear();
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.open();
    }
}

fn respond(
    client: &Client,
    inner: &(Mutex<Inner>, Condvar),
    request: &Request,
) -> Option<Response> {
    let (lock, changed) = inner;
    let mut now = lock.lock().expect("no test panics while it holds the gate");
    now.log.push(request.clone());
    let applies = |rule: &Rule| {
        request.method != "OPTIONS"
            && request.path.contains(&rule.path)
            && request.body.contains(&rule.body)
    };
    let deed = loop {
        let deed = now
            .rules
            .iter()
            .find(|rule| applies(rule))
            .map(|rule| rule.deed.clone());
        if !matches!(deed, Some(Deed::Hold)) {
            break deed;
        }
        now = changed
            .wait(now)
            .expect("no test panics while it holds the gate");
    };
    let replaced = now.replaced.clone();
    drop(now);
    if let Some(Deed::Status(status, header)) = deed {
        let mut response = Response::of("application/json", "{\"success\": false}");
        response.status = status;
        let cors = [
            ("Access-Control-Allow-Origin", "*"),
            ("Access-Control-Expose-Headers", "Retry-After"),
        ];
        response.headers.extend(
            cors.into_iter()
                .chain(header)
                .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        return Some(response);
    }
    let mut response = forward(client, request)?;
    if let Some(Deed::Rewrite(change)) = deed {
        let mut json: Value = serde_json::from_slice(&response.body).expect("JSON");
        change(&mut json["data"]);
        response.body = json.to_string().into_bytes();
    }
    for (text, by) in replaced {
        let body = String::from_utf8_lossy(&response.body).replace(&text, &by);
        response.body = body.into_bytes();
    }
    Some(response)
}

/// Folder whose built files take the place of the embedded ones, so that a change of the widget needs no build of the
/// server: `FINDWELL_BROWSER_ASSETS`.
fn from_disk(request: &Request) -> Option<Response> {
    let folder = std::env::var("FINDWELL_BROWSER_ASSETS").ok()?;
    let file = request.path.rsplit_once("/widget/")?.1;
    let (name, extension) = match file.strip_prefix("assets/") {
        None => ("loader", file.strip_prefix("loader.")?),
        Some(asset) => (asset.split('-').next()?, asset.rsplit_once('.')?.1),
    };
    let mut text = std::fs::read_to_string(format!("{folder}/{name}.{extension}")).ok()?;
    for asset in ["box.js", "box.css", "results.js", "results.css"] {
        let (name, extension) = asset.split_once('.')?;
        let placeholder = format!("__FINDWELL_{}__", asset.replace('.', "_").to_uppercase());
        text = text.replace(
            &placeholder,
            &format!("{name}-0000000000000000.{extension}"),
        );
    }
    let kind = if extension == "css" {
        "text/css"
    } else {
        "text/javascript"
    };
    let mut response = Response::of(kind, text.replace("__FINDWELL_BASE__", ""));
    let cors = ("Access-Control-Allow-Origin".to_owned(), "*".to_owned());
    response.headers.push(cors);
    Some(response)
}

fn forward(client: &Client, request: &Request) -> Option<Response> {
    if let Some(response) = from_disk(request) {
        return Some(response);
    }
    let method = ["GET", "POST", "OPTIONS"]
        .into_iter()
        .find(|one| *one == request.method)?;
    let mut call = client.call(method, request.path.clone());
    let own = ["host", "content-length", "connection", "accept-encoding"];
    for (name, value) in request
        .headers
        .iter()
        .filter(|(name, _)| !own.contains(&name.as_str()))
    {
        call = call.header(name, value);
    }
    if method == "POST" {
        call = call.body(request.body.clone());
    }
    let reply = call.try_send()?;
    let text = |value: &ureq::http::HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let framing = ["content-length", "transfer-encoding", "connection"];
    let kept = reply
        .headers
        .iter()
        .filter(|(name, _)| !framing.contains(&name.as_str()));
    let headers = kept
        .map(|(name, value)| (name.as_str().to_owned(), text(value)))
        .collect();
    Some(Response {
        status: reply.status,
        headers,
        body: reply.text.into_bytes(),
    })
}
