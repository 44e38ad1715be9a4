//! Writes documents in bulk. Each has a version, so a write that arrives late or twice changes nothing.

use super::client::{Client, ClientError, Purpose};
use super::fields;
use super::generation::written;
use serde_json::{Value, json};

/// Bytes of a request from which on it is sent.
const BYTES_MAX: usize = 4 * 1024 * 1024;
/// Id of the document with the watermark.
const WATERMARK_ID: &str = "watermark";

/// A document to write; none to delete it.
pub struct DocumentWrite {
    /// Its number in storage.
    pub ordinal: u32,
    /// The document.
    pub document: Option<Value>,
}

/// A document that the cluster will never take as it is.
#[derive(Debug, PartialEq, Eq)]
pub struct RejectedWrite {
    /// Its number in storage.
    pub ordinal: u32,
    /// Why.
    pub reason: String,
}

/// Writes `writes` with the version `version`, which no later one is below, into the index `name`, where they are not seen
/// yet. A refused document is deleted.
///
/// Errors: some of it may be written; it can be repeated.
pub fn write(
    client: &Client,
    name: &str,
    writes: &[DocumentWrite],
    version: i64,
) -> Result<Vec<RejectedWrite>, ClientError> {
    let mut refused = Vec::new();
    let mut lines = Vec::new();
    let mut ordinals = Vec::new();
    for (at, own) in writes.iter().enumerate() {
        push(own, version, &mut lines);
        ordinals.push(own.ordinal);
        if lines.len() >= BYTES_MAX || at + 1 == writes.len() {
            let sent = (std::mem::take(&mut lines), std::mem::take(&mut ordinals));
            refused.extend(send(client, name, sent)?);
        }
    }
    if !refused.is_empty() {
        let mut lines = Vec::new();
        let ordinals: Vec<u32> = refused
            .iter()
            .map(|own: &RejectedWrite| own.ordinal)
            .collect();
        for ordinal in &ordinals {
            let gone = DocumentWrite {
                ordinal: *ordinal,
                document: None,
            };
            push(&gone, version, &mut lines);
        }
        send(client, name, (lines, ordinals))?;
    }
    Ok(refused)
}

/// Makes everything that was written visible, at once.
pub fn refresh(client: &Client, name: &str) -> Result<(), ClientError> {
    client.send(Purpose::write(), "POST", &format!("/{name}/_refresh"), None)?;
    Ok(())
}

/// Writes the watermark, which never falls.
pub fn set_watermark(client: &Client, name: &str, watermark: i64) -> Result<(), ClientError> {
    let path = format!(
        "/{}/_doc/{WATERMARK_ID}?version={watermark}&version_type=external_gte&require_alias=true",
        written(name)
    );
    let body = json!({fields::WATERMARK: watermark, fields::NUMBERS: {"watermark": watermark}});
    match client.send(Purpose::write(), "PUT", &path, Some(&body)) {
        Err(ClientError::Refused { status: 409, .. }) => Ok(()),
        other => other.map(drop),
    }
}

/// Reads the watermark; 0 where none was written.
pub fn watermark(client: &Client, name: &str) -> Result<i64, ClientError> {
    Ok(position(client, name)?.map_or(0, |(_, watermark)| watermark))
}

/// Reads the watermark of the index that `name` is or stands for, with its own name; none where there is no watermark.
pub fn position(client: &Client, name: &str) -> Result<Option<(String, i64)>, ClientError> {
    let path = format!("/{name}/_doc/{WATERMARK_ID}");
    match client.send(Purpose::write(), "GET", &path, None) {
        Err(error) if error.is_missing() => Ok(None),
        found => {
            let found = found?;
            let name = found["_index"].as_str().map(str::to_owned);
            let position = name.zip(found["_version"].as_i64());
            let position = position.ok_or(ClientError::Malformed("a watermark without a version"));
            position.map(Some)
        }
    }
}

fn push(own: &DocumentWrite, version: i64, lines: &mut Vec<u8>) {
    let head =
        json!({"_id": own.ordinal.to_string(), "version": version, "version_type": "external_gte"});
    let action = match own.document {
        Some(_) => json!({"index": head}),
        None => json!({"delete": head}),
    };
    for line in std::iter::once(&action).chain(&own.document) {
        lines.extend(line.to_string().as_bytes());
        lines.push(b'\n');
    }
}

/// Sends a request, and returns what was refused for good.
///
/// Errors: something was refused that may be taken later.
fn send(
    client: &Client,
    name: &str,
    (lines, ordinals): (Vec<u8>, Vec<u32>),
) -> Result<Vec<RejectedWrite>, ClientError> {
    let path = format!("/{}/_bulk?require_alias=true", written(name));
    let response = client.send_lines(Purpose::write(), &path, lines)?;
    let items = response["items"].as_array();
    let items = items.filter(|items| items.len() == ordinals.len());
    let items = items.ok_or(ClientError::Malformed("a bulk without its items"))?;
    let mut refused = Vec::new();
    for (item, ordinal) in items.iter().zip(ordinals) {
        let item = item.as_object().and_then(|item| item.values().next());
        let item = item.ok_or(ClientError::Malformed("an empty item of a bulk"))?;
        let status = item["status"].as_u64().unwrap_or(0);
        let text = |key: &str| item["error"][key].as_str().unwrap_or_default().to_owned();
        let error = ClientError::Refused {
            status: u16::try_from(status).unwrap_or(0),
            kind: text("type"),
            reason: text("reason"),
        };
        match status {
            // A conflict means that a later state is there already; what does not exist is deleted already.
            200..=299 | 404 | 409 => {}
            400 if !error.is_closed() => refused.push(RejectedWrite {
                ordinal,
                reason: text("reason"),
            }),
            _ => return Err(error),
        }
    }
    Ok(refused)
}

#[cfg(test)]
mod tests {
    //! 1. A write has its version, a deletion no document.

    use super::*;

    #[test]
    fn a_write_has_its_version() {
        let mut lines = Vec::new();
        let document = Some(json!({"id": "a"}));
        push(
            &DocumentWrite {
                ordinal: 3,
                document,
            },
            7,
            &mut lines,
        );
        push(
            &DocumentWrite {
                ordinal: 4,
                document: None,
            },
            7,
            &mut lines,
        );
        let text = String::from_utf8(lines).expect("a text");
        let expected = [
            r#"{"index":{"_id":"3","version":7,"version_type":"external_gte"}}"#,
            r#"{"id":"a"}"#,
            r#"{"delete":{"_id":"4","version":7,"version_type":"external_gte"}}"#,
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }
}
