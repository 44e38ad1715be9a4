//! An owner who is signed in to the control panel, as the scripts of its pages call it.

use crate::failure::{Failure, Outcome};
use crate::process::Server;
use crate::stopwatch::Stopwatch;
use serde_json::{Value, json};
use std::time::Duration;
use ureq::Agent;
use ureq::http::Request;

/// Timeout of one call.
const TIMEOUT: Duration = Duration::from_secs(120);
const PASSWORD: &str = "tram gravel oboe 41";

/// A signed-in owner.
pub struct Owner {
    agent: Agent,
    address: String,
    cookie: String,
}

/// A successful response.
pub struct OwnerResponse {
    /// Its `data`.
    pub data: Value,
    /// Its `meta`.
    pub meta: Value,
    /// Time until all of it was received; parsing it is not included.
    pub took: Duration,
}

impl Owner {
    /// Creates an owner of the only account and signs them in.
    ///
    /// # Errors
    ///
    /// When the command or a call fails.
    pub fn create(server: &Server, email: &str) -> Outcome<Self> {
        let link = server.command(&["user", "create", "--email", email, "--role", "owner"])?;
        let (_, token) = link
            .split_once('#')
            .ok_or_else(|| Failure::new(format!("no link: {link}")))?;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(TIMEOUT))
            .build();
        let mut owner = Self {
            agent: config.into(),
            address: server.address().to_owned(),
            cookie: String::new(),
        };
        let body = json!({"token": token, "name": "Load", "password": PASSWORD, "language": "en"});
        owner.cookie = owner.session(&body)?;
        Ok(owner)
    }

    fn session(&self, body: &Value) -> Outcome<String> {
        let path = "/links/use";
        let response = self.agent.run(self.request("POST", path, body)?);
        let response = response.map_err(Failure::of(path))?;
        let cookies = response.headers().get_all("Set-Cookie");
        let pairs = cookies.iter().filter_map(|cookie| {
            let pair = cookie.to_str().ok()?.split(';').next()?;
            Some(pair.to_owned())
        });
        let pairs: Vec<String> = pairs.collect();
        match pairs.is_empty() {
            true => Err(Failure::new(format!("{path}: {}", response.status()))),
            false => Ok(pairs.join("; ")),
        }
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> Outcome<Request<Vec<u8>>> {
        let request = Request::builder()
            .method(method)
            .uri(format!("{}/panel/api{path}", self.address))
            .header("Origin", &self.address)
            .header("Cookie", &self.cookie)
            .header("Content-Type", "application/json");
        let body = match body {
            Value::Null => Vec::new(),
            body => body.to_string().into_bytes(),
        };
        request.body(body).map_err(Failure::of(path))
    }

    /// Calls `path` below `/panel/api`.
    ///
    /// # Errors
    ///
    /// When there is no response, or it is an error.
    pub fn call(&self, method: &str, path: &str, body: &Value) -> Outcome<OwnerResponse> {
        let request = self.request(method, path, body)?;
        let watch = Stopwatch::start();
        let mut response = self.agent.run(request).map_err(Failure::of(path))?;
        let status = response.status();
        let bytes = response.body_mut().with_config().limit(1 << 28);
        let bytes = bytes.read_to_vec().map_err(Failure::of(path))?;
        let took = watch.elapsed();
        let mut body: Value = serde_json::from_slice(&bytes).map_err(Failure::of(path))?;
        if !status.is_success() {
            let message = &body["message"];
            return Err(Failure::new(format!("{path}: {status}: {message}")));
        }
        let (data, meta) = (body["data"].take(), body["meta"].take());
        Ok(OwnerResponse { data, meta, took })
    }

    /// Returns the id of the owner's account.
    ///
    /// # Errors
    ///
    /// When a call fails.
    pub fn account(&self) -> Outcome<String> {
        let me = self.get("/me")?.data;
        let id = me["accounts"][0]["id"].as_str().map(str::to_owned);
        id.ok_or_else(|| Failure::new(format!("no account: {me}")))
    }

    /// Returns the response of a GET.
    ///
    /// # Errors
    ///
    /// Those of [`Self::call`].
    pub fn get(&self, path: &str) -> Outcome<OwnerResponse> {
        self.call("GET", path, &Value::Null)
    }

    /// Returns the response of a POST.
    ///
    /// # Errors
    ///
    /// Those of [`Self::call`].
    pub fn post(&self, path: &str, body: &Value) -> Outcome<OwnerResponse> {
        self.call("POST", path, body)
    }
}
