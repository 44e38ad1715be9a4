//! A small HTTP client that exposes the whole response.

use serde_json::Value;
use ureq::Agent;
use ureq::http::{HeaderMap, Request};

/// A client of one server.
#[derive(Clone, Debug)]
pub struct Client {
    base: String,
    agent: Agent,
}

/// A request before it is sent.
#[derive(Debug)]
pub struct Call<'a> {
    client: &'a Client,
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

/// A response.
#[derive(Debug)]
pub struct Reply {
    /// Status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// The body as received.
    pub text: String,
    /// The body as JSON; null if it is not JSON.
    pub json: Value,
}

impl Client {
    /// A client of the server at `base`, such as `http://127.0.0.1:7700`.
    pub fn new(base: impl Into<String>) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .timeout_global(Some(super::TIMEOUT))
            .max_redirects(0)
            .build();
        Self {
            base: base.into(),
            agent: config.into(),
        }
    }

    /// The address of the server.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// A request for `path`, which starts with a slash.
    pub fn call(&self, method: &'static str, path: impl Into<String>) -> Call<'_> {
        Call {
            client: self,
            method,
            path: path.into(),
            headers: Vec::new(),
            body: None,
        }
    }
}

impl Call<'_> {
    /// With the key `key`.
    pub fn key(self, key: &str) -> Self {
        self.header("X-API-Key", key)
    }

    /// With a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With a JSON body.
    pub fn json(self, body: &Value) -> Self {
        self.raw_json(body.to_string())
    }

    /// With a body whose media type is JSON.
    pub fn raw_json(self, body: impl Into<Vec<u8>>) -> Self {
        self.header("Content-Type", "application/json").body(body)
    }

    /// With a body.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sends the request and returns the response.
    pub fn send(self) -> Reply {
        self.try_send().expect("the server responds")
    }

    /// Sends the request; `None` if the server is gone before it responds.
    pub fn try_send(self) -> Option<Reply> {
        let mut request = Request::builder()
            .method(self.method)
            .uri(format!("{}{}", self.client.base, self.path));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let agent = &self.client.agent;
        let sent = match self.body {
            Some(body) => agent.run(request.body(body).expect("a request")),
            None => agent.run(request.body(()).expect("a request")),
        };
        let mut response = sent.ok()?;
        let bytes = response.body_mut().read_to_vec().ok()?;
        Some(Reply {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            json: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
            text: String::from_utf8(bytes).expect("a body in UTF-8"),
        })
    }
}

impl Reply {
    /// The cookies that it sets, as a browser sends them back: `name=value`.
    pub fn cookies(&self) -> Vec<&str> {
        let cookies = self.headers.get_all("set-cookie").iter();
        let pairs = cookies.map(|cookie| cookie.to_str().expect("ASCII").split(';').next());
        pairs.map(|pair| pair.expect("a pair")).collect()
    }

    /// Asserts that the request succeeded.
    pub fn ok(self) -> Self {
        assert!(self.status < 300, "expected success, got {self:?}");
        assert_eq!(self.json["success"], true, "{self:?}");
        assert!(self.json["message"].is_string(), "{self:?}");
        self
    }

    /// Asserts an error response with this status and code.
    pub fn error(self, status: u16, code: &str) -> Self {
        assert_eq!(
            (self.status, self.code()),
            (status, code),
            "expected an error response, got {self:?}"
        );
        assert_eq!(self.json["success"], false, "{self:?}");
        self
    }

    /// `data` of the response.
    pub fn data(&self) -> &Value {
        &self.json["data"]
    }

    /// `code` of an error response.
    pub fn code(&self) -> &str {
        self.json["code"].as_str().unwrap_or_default()
    }

    /// `message` of the response.
    pub fn message(&self) -> &str {
        self.json["message"].as_str().unwrap_or_default()
    }

    /// The fields of all errors, in their order.
    pub fn fields(&self) -> Vec<&str> {
        let errors = self.json["errors"].as_array().into_iter().flatten();
        errors.filter_map(|e| e["field"].as_str()).collect()
    }

    /// The value of a header; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default()
    }
}
