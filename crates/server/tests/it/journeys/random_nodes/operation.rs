//! An operation as it was sent, so that it can be sent again to a service with other ids.

use super::super::two_nodes::Keys;
use crate::harness::{Client, Reply};
use serde_json::Value;
use std::collections::HashMap;

/// Which key sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    Feed,
    Owner,
}

/// How its commit is found among those of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A text that this operation alone has stored.
    Text(String),
    /// The audit record with the id of its request.
    Request,
    /// The clear of the one scope that is cleared.
    Clear,
    /// None is needed: nothing depends on when it is done.
    AnyTime,
}

/// What a client sends.
#[derive(Clone, Debug)]
pub struct Operation {
    pub face: Face,
    pub method: &'static str,
    pub path: String,
    pub body: Value,
    pub mark: Mark,
}

/// An operation that was acknowledged.
#[derive(Clone, Debug)]
pub struct Done {
    pub operation: Operation,
    /// The text by which its commit is found, if it has one.
    pub mark: Option<String>,
    pub data: Value,
}

/// The ids that one service gave, and what the other one gave in their place.
#[derive(Default)]
pub struct Ids(HashMap<String, String>);

impl Operation {
    pub fn send(&self, keys: &Keys, client: &Client) -> Reply {
        let call = match self.face {
            Face::Feed => keys.feed(client, self.method, &self.path),
            Face::Owner => keys.of_store(client, self.method, &self.path),
        };
        call.json(&self.body).send()
    }

    /// The id that a response gives to what the operation created.
    pub fn created(&self, data: &Value) -> Option<String> {
        if self.method != "POST" {
            return None;
        }
        let id = match self.face {
            Face::Feed => &data["runId"],
            Face::Owner => &data["id"],
        };
        id.as_str().map(str::to_owned)
    }

    /// The operation with the ids of the other service.
    pub fn with(&self, ids: &Ids) -> Self {
        let body = ids.translated(&self.body.to_string());
        Self {
            path: ids.translated(&self.path),
            body: serde_json::from_str(&body).expect("JSON"),
            ..self.clone()
        }
    }
}

impl Ids {
    pub fn add(&mut self, one: String, other: String) {
        self.0.insert(one, other);
    }

    /// A text with the ids of the other service.
    pub fn translated(&self, text: &str) -> String {
        let mut translated = text.to_owned();
        for (one, other) in &self.0 {
            if translated.contains(one.as_str()) {
                translated = translated.replace(one.as_str(), other);
            }
        }
        translated
    }
}
