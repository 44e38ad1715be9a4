//! The client of the official SDK works through the six steps of tuning a store and undoes them: it parses every
//! response into its own types.

use crate::harness::{Client, Shop, product};
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult, ReadResourceRequestParams};
use rmcp::service::{RoleClient, RunningService, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use std::convert::Infallible;
use tokio::sync::mpsc;

/// Carries messages over HTTP, one request for each.
struct Posted {
    client: Client,
    key: String,
    responses: mpsc::UnboundedReceiver<RxJsonRpcMessage<RoleClient>>,
    sender: mpsc::UnboundedSender<RxJsonRpcMessage<RoleClient>>,
}

impl Posted {
    fn new(shop: &Shop) -> Self {
        let (sender, responses) = mpsc::unbounded_channel();
        Self {
            client: shop.client.clone(),
            key: shop.write_key.clone(),
            responses,
            sender,
        }
    }
}

impl Transport<RoleClient> for Posted {
    type Error = Infallible;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        let (client, key, sender) = (self.client.clone(), self.key.clone(), self.sender.clone());
        let post = move || {
            let message = serde_json::to_value(message).expect("JSON");
            let reply = super::send(&client, &key, &message);
            if let Ok(response) = serde_json::from_value(reply.json) {
                // A closed client does not wait for anything.
                let _ = sender.send(response);
            }
        };
        async move {
            tokio::task::spawn_blocking(post)
                .await
                .expect("the server responds");
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        self.responses.recv().await
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

struct Agent(RunningService<RoleClient, ()>);

impl Agent {
    async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        let mut params = CallToolRequestParams::new(tool);
        params.arguments = arguments.as_object().cloned();
        let result: CallToolResult = self.0.call_tool(params).await.expect("a result");
        assert_eq!(result.is_error, Some(false), "{tool}: {result:?}");
        result.structured_content.expect("structured content")["data"].clone()
    }
}

async fn six_steps(agent: &Agent) {
    let account = agent.call("get_account", json!({})).await;
    let store = account["stores"][0]["id"].clone();
    let before = agent.call("get_relevance", json!({"storeId": store})).await;
    agent.call("list_synonyms", json!({})).await;
    let found = agent.call("test_relevance", json!({"q": "couch"})).await;
    assert_eq!(found["total"], 0);
    let boosts = json!({"name": 12});
    let tried = agent
        .call("test_relevance", json!({"q": "sofa", "boosts": boosts}))
        .await;
    assert_eq!(
        (&tried["total"], &tried["hits"][0]["savedPosition"]),
        (&json!(1), &json!(1))
    );
    agent
        .call("update_relevance", json!({"boosts": boosts}))
        .await;
    let group = json!({"terms": ["sofa", "couch"], "language": "es"});
    let group = agent.call("create_synonym", group).await;
    let confirmed = agent.call("test_relevance", json!({"q": "couch"})).await;
    assert_eq!(confirmed["hits"][0]["id"], "1");

    agent
        .call("delete_synonym", json!({"synId": group["id"]}))
        .await;
    let name = before["boosts"]["name"].clone();
    let after = agent
        .call("update_relevance", json!({"boosts": {"name": name}}))
        .await;
    assert_eq!(after["boosts"], before["boosts"]);
}

#[test]
fn the_official_client_works_through_the_steps() {
    let shop = Shop::open();
    shop.bulk("products", "es", &json!([product("1", "Sofa")]))
        .ok();
    shop.until_found("es", &["1"]);
    let posted = Posted::new(&shop);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let agent = Agent(().serve(posted).await.expect("a connection"));
        let tools = agent.0.list_all_tools().await.expect("tools");
        assert_eq!(tools.len(), 15);
        assert_eq!(
            agent.0.list_all_resources().await.expect("resources").len(),
            2
        );
        let guide = ReadResourceRequestParams::new("svc://docs/agent");
        agent.0.read_resource(guide).await.expect("the guide");
        six_steps(&agent).await;
        agent.0.cancel().await.expect("closed");
    });
}
