//! The message in the body of a request, as far as it is looked at before the protocol is: its form, and whether it
//! calls a tool.

use crate::http::{Failure, media};
use crate::validation::strict_json::{self, NotJson};
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, HeaderValue};
use domain::Invalid;
use serde::Deserialize;
use std::borrow::Cow;

/// The method by which a tool is called.
const CALL: &str = "tools/call";
/// Where the arguments of a tool stand.
const ARGUMENTS: &str = "params.arguments.";
/// What the protocol wants to be accepted. Answers are JSON, so who takes JSON takes them.
const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// A message that the protocol may see.
#[derive(Debug, Default)]
pub struct Message {
    /// Whether it calls a tool.
    pub calls_a_tool: bool,
    /// Arguments of the call that are given twice: the call is answered, by a refusal.
    pub doubled: Vec<Invalid>,
}

impl Message {
    /// The message in `bytes`.
    ///
    /// Errors: 415, 406, and 400 for what is no JSON object or gives a key twice outside of arguments.
    pub fn read(headers: &mut HeaderMap, bytes: &[u8]) -> Result<Self, Failure> {
        media::body_is_json(headers)?;
        media::json_is_acceptable(headers)?;
        headers.insert(ACCEPT, BOTH);
        match strict_json::parse(bytes) {
            Ok(message) if message.is_object() => Ok(Self {
                calls_a_tool: message["method"] == CALL,
                doubled: Vec::new(),
            }),
            Ok(_) => {
                let reason = "must be one message of the protocol, a JSON object";
                Err(Failure::invalid(vec![Invalid::new("body", reason)]))
            }
            Err(wrong) => Self::of_doubled(&wrong, bytes)
                .ok_or_else(|| Failure::invalid(wrong.invalid("body"))),
        }
    }

    /// The call of a tool some of whose arguments, and nothing else, are given twice.
    fn of_doubled(wrong: &NotJson, bytes: &[u8]) -> Option<Self> {
        let NotJson::Doubled(paths) = wrong else {
            return None;
        };
        let arguments = paths.iter().map(|path| path.strip_prefix(ARGUMENTS));
        let arguments: Option<Vec<&str>> = arguments.collect();
        let doubled = arguments?
            .into_iter()
            .map(|path| Invalid::new(path, strict_json::TWICE));
        calls_a_tool(bytes).then(|| Self {
            calls_a_tool: true,
            doubled: doubled.collect(),
        })
    }
}

fn calls_a_tool(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Method<'a> {
        #[serde(borrow)]
        method: Cow<'a, str>,
    }
    serde_json::from_slice::<Method<'_>>(bytes).is_ok_and(|message| message.method == CALL)
}
