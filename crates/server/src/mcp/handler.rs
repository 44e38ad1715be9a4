//! The handler of the protocol: server information, tools and resources.

use super::definition::Definition;
use super::gate::ToolCaller;
use super::resources::LIST_TTL_MS;
use super::{listing, outcome, references, resources};
use crate::App;
use axum::http::request::Parts;
use domain::RequestId;
use domain::first_characters;
use domain::limits::SHOWN_CHARACTERS_MAX;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestMethod,
    CompleteRequestParams, CompleteResult, ErrorData, Implementation, ListPromptsRequestMethod,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use tracing::Instrument;

/// Handler of the Model Context Protocol.
#[derive(Clone)]
pub struct Tools {
    app: App,
}

impl Tools {
    /// Creates a handler for `app`.
    pub fn new(app: App) -> Self {
        Self { app }
    }
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .build();
        let name =
            Implementation::new("findwell", env!("CARGO_PKG_VERSION")).with_title("Findwell");
        ServerConfig::new(capabilities)
            .with_server_info(name)
            .with_instructions(resources::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let caller = tool_caller(&context)?;
        let scope = caller.caller.key().and_then(|key| key.scope);
        // The list depends on the scope of the key.
        Ok(
            ListToolsResult::with_all_items(listing::shown(scope, caller.address))
                .with_ttl_ms(LIST_TTL_MS)
                .with_cache_scope(CacheScope::Private),
        )
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        listing::tool_called(name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let caller = tool_caller(&context)?;
        let tool = Definition::named(&request.name, caller.address);
        let tool = tool.ok_or_else(|| unknown(&request.name))?;
        let arguments = request.arguments.unwrap_or_default();
        let span = operations::traces::tool(&request.name);
        let run = tool.run(&self.app, caller, arguments);
        let outcome = run.instrument(span).await;
        Ok(result(tool, outcome, caller, &context).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(resources::list())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(references::list())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&request.uri).map(Into::into)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }
}

fn result(
    tool: Definition,
    outcome: crate::http::ApiResult,
    caller: &ToolCaller,
    context: &RequestContext<RoleServer>,
) -> rmcp::model::CallToolResult {
    match outcome {
        Ok(success) => outcome::succeeded(tool, &success, caller.address),
        Err(failure) => {
            let id = request_parts(context).and_then(|parts| parts.extensions.get::<RequestId>());
            outcome::failed(tool, &failure, id.map_or("", |id| &id.0))
        }
    }
}

fn request_parts(context: &RequestContext<RoleServer>) -> Option<&Parts> {
    context.extensions.get::<Parts>()
}

/// Returns the caller, which [`super::gate::admit`] adds to every request.
fn tool_caller(context: &RequestContext<RoleServer>) -> Result<&ToolCaller, ErrorData> {
    let caller = request_parts(context).and_then(|parts| parts.extensions.get::<ToolCaller>());
    caller.ok_or_else(|| ErrorData::internal_error("internal error", None))
}

fn unknown(name: &str) -> ErrorData {
    let shown = first_characters(name, SHOWN_CHARACTERS_MAX);
    ErrorData::invalid_params(format!("Unknown tool: {shown}"), None)
}
