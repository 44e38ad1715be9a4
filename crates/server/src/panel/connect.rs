//! What an agent or a program needs to use a new key: addresses, and lines ready for clients.

use domain::{KeyKind, StoreId};
use serde::Serialize;
use serde_json::json;

/// How to use a new key.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Connect {
    /// Address of the API.
    pub address: String,
    /// Address of the MCP server; for configuration keys only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<String>,
    /// Lines ready for clients.
    pub lines: Vec<ConnectLine>,
}

/// A line, or a block, ready for a client.
#[derive(Clone, Debug, Serialize)]
pub struct ConnectLine {
    /// The client.
    pub client: &'static str,
    /// What to run or to paste.
    pub text: String,
}

/// Returns how to use `key` with the server at `url`.
pub fn lines(url: &str, kind: KeyKind, store: Option<&StoreId>, key: &str) -> Connect {
    let address = format!("{url}/api/v1");
    let curl = |path: &str| ConnectLine {
        client: "curl",
        text: format!("curl -s '{address}{path}' -H 'X-API-Key: {key}'"),
    };
    match kind {
        KeyKind::Configuration => {
            let tools = format!("{url}/mcp");
            let path = store.map_or("/me".to_owned(), |id| format!("/stores/{id}/relevance"));
            let servers = json!({"mcpServers": {"findwell": {
                "type": "http", "url": tools, "headers": {"X-API-Key": key}
            }}});
            let claude = format!(
                "claude mcp add --transport http findwell {tools} --header 'X-API-Key: {key}'"
            );
            let block = serde_json::to_string_pretty(&servers).unwrap_or_default();
            let line = |client, text| ConnectLine { client, text };
            Connect {
                address: address.clone(),
                lines: vec![
                    line("Claude Code", claude),
                    line("JSON", block),
                    curl(&path),
                ],
                tools: Some(tools),
            }
        }
        KeyKind::Connector => Connect {
            lines: vec![curl("/feed/connect")],
            address,
            tools: None,
        },
        KeyKind::SearchOnly => Connect {
            lines: vec![curl("/search?q=&limit=3")],
            address,
            tools: None,
        },
    }
}
