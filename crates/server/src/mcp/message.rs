//! The JSON-RPC message of a request, checked before the protocol handles it: valid JSON, and whether it calls a tool.

use crate::http::{Failure, media};
use crate::message;
use crate::validation::strict_json::{self, NotJson};
use axum::http::header::{ACCEPT, CONTENT_LENGTH};
use axum::http::{HeaderMap, HeaderValue};
use domain::message::MessageValue;
use domain::{ErrorList, Invalid, Message};
use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// Method that calls a tool.
const CALL: &str = "tools/call";
/// Name of the arguments in errors, and their path in the message.
const ARGUMENTS: &str = "arguments";
const IN_ARGUMENTS: &str = "params.arguments.";
/// The media types that the protocol requires in `Accept`. Responses are JSON, so accepting JSON is enough.
const JSON_AND_EVENTS: HeaderValue =
    HeaderValue::from_static("application/json, text/event-stream");

/// A message that passes to the protocol.
#[derive(Debug, Default)]
pub struct ProtocolMessage {
    /// Whether the message calls a tool.
    pub calls_a_tool: bool,
    /// Errors in the JSON of the arguments; the call returns them as its result.
    pub wrong: ErrorList,
    /// The message as the protocol expects it, if that differs from the body.
    pub rewritten: Option<Vec<u8>>,
}

impl ProtocolMessage {
    /// Reads a message.
    ///
    /// Errors: 415, 406, and 400 if the body is not a JSON object or has a duplicate key outside of the arguments.
    pub fn read(headers: &mut HeaderMap, bytes: &[u8]) -> Result<Self, Failure> {
        media::body_is_json(headers)?;
        media::json_is_acceptable(headers)?;
        headers.insert(ACCEPT, JSON_AND_EVENTS);
        let read = match strict_json::parse(bytes) {
            Ok(message) => Self::of(message)?,
            Err(wrong) => Self::of_doubled(&wrong, bytes)
                .ok_or_else(|| Failure::invalid(wrong.invalid("body")))?,
        };
        if read.rewritten.is_some() {
            headers.remove(CONTENT_LENGTH);
        }
        Ok(read)
    }

    fn of(mut message: Value) -> Result<Self, Failure> {
        if !message.is_object() {
            let reason = message::tool::one_message();
            return Err(invalid("body", reason));
        }
        if message["method"] != CALL {
            return Ok(Self::default());
        }
        if !message["params"]["name"].is_string() {
            return Err(invalid("params.name", message::tool::tool_name()));
        }
        let call = Self {
            calls_a_tool: true,
            ..Self::default()
        };
        let arguments = match message["params"].get_mut(ARGUMENTS) {
            None | Some(Value::Null | Value::Object(_)) => return Ok(call),
            Some(arguments) => arguments,
        };
        let (read, wrong) = as_object(arguments);
        *arguments = read;
        Ok(Self {
            wrong,
            rewritten: Some(message.to_string().into_bytes()),
            ..call
        })
    }

    /// Returns the message if it calls a tool and has duplicate keys in its arguments only.
    fn of_doubled(wrong: &NotJson, bytes: &[u8]) -> Option<Self> {
        let NotJson::Duplicates { paths, more } = wrong else {
            return None;
        };
        let arguments = paths.iter().map(|path| path.strip_prefix(IN_ARGUMENTS));
        let arguments: Option<Vec<&str>> = arguments.collect();
        let arguments = arguments?.into_iter();
        let mut wrong: ErrorList = arguments
            .map(|path| Invalid::new(path, message::value::given_twice()))
            .collect();
        wrong.count(*more);
        calls_a_tool(bytes).then_some(Self {
            calls_a_tool: true,
            wrong,
            rewritten: None,
        })
    }
}

/// Converts arguments that are not an object: some clients pass them as a JSON string. Returns errors if it cannot.
fn as_object(arguments: &Value) -> (Value, ErrorList) {
    let wrong = match arguments {
        Value::String(text) => match strict_json::parse(text.as_bytes()) {
            Ok(read @ Value::Object(_)) => return (read, ErrorList::default()),
            Err(doubled @ NotJson::Duplicates { .. }) => doubled.invalid(ARGUMENTS),
            _ => not_an_object(message::kind::text().into()),
        },
        Value::Array(_) => not_an_object(message::kind::list().into()),
        other => not_an_object(MessageValue::of(other)),
    };
    (json!({}), wrong)
}

fn not_an_object(got: MessageValue) -> ErrorList {
    let reason = message::value::must_be_got(message::kind::object(), got);
    vec![Invalid::new(ARGUMENTS, reason)].into()
}

fn invalid(field: &str, reason: Message) -> Failure {
    Failure::invalid(vec![Invalid::new(field, reason)])
}

fn calls_a_tool(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Method<'a> {
        #[serde(borrow)]
        method: Cow<'a, str>,
    }
    serde_json::from_slice::<Method<'_>>(bytes).is_ok_and(|message| message.method == CALL)
}
