//! Imports of files: upload, preview, start, cancel, and what became of them.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::{input, query_input};
use crate::http::{ApiResult, Body, Failure, NoInput, Params, Success, media};
use crate::imports::mapping::ColumnMapping;
use crate::imports::{AddressedFile, ImportChoice, ShownImport};
use crate::message;
use crate::panel::extract::{LastId, OfStore};
use axum::extract::{FromRequest, Request, State};
use axum::http::StatusCode;
use axum::routing::on;
use domain::limits::{IMPORT_NAME_CHARACTERS_MAX, SOURCE_URL_CHARACTERS_MAX};
use domain::source::SourceAuthInput;
use domain::{DocType, Invalid, Language};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The media type of a file.
const FILE: &str = "application/octet-stream";
/// The media type of an address.
const JSON: &str = "application/json";
/// Bytes of a result with many rejected rows.
const BYTES: usize = 32 * 1024;

/// Rows of imports.
pub const ROWS: &[OperationRow] = &[
    Route::post("create_import", "/stores/{id}/imports")
        .handler(|method| on(method, create))
        .query::<UploadQuery>("null"),
    Route::get("list_imports", "/stores/{id}/imports").handler(|method| on(method, list)),
    Route::get("get_import", "/stores/{id}/imports/{importId}").handler(|method| on(method, one)),
    Route::post("preview_import", "/stores/{id}/imports/{importId}/preview")
        .handler(|method| on(method, preview))
        .body::<FileRequest>("null"),
    Route::post("start_import", "/stores/{id}/imports/{importId}/start")
        .handler(|method| on(method, start))
        .body::<FileRequest>("null"),
    Route::post("cancel_import", "/stores/{id}/imports/{importId}/cancel")
        .handler(|method| on(method, cancel)),
];

/// Query parameters of an upload.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UploadQuery {
    /// Name of the file that is sent, without control characters.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = IMPORT_NAME_CHARACTERS_MAX))]
    name: Option<String>,
}

/// Where a file is that is to be fetched.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddressRequest {
    /// An http or https address.
    #[schemars(length(min = 1, max = SOURCE_URL_CHARACTERS_MAX))]
    url: String,
    /// How the request is authenticated.
    #[serde(default)]
    #[schemars(with = "SourceAuthInput")]
    auth: Option<SourceAuthInput>,
}

/// What the user says about a file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileRequest {
    /// What its columns mean.
    #[serde(default)]
    #[schemars(with = "ColumnMapping")]
    mapping: Option<Value>,
    /// Type of its documents.
    #[serde(rename = "type")]
    doc_type: DocType,
    /// Language of its documents.
    language: Language,
    /// Whether what is not in it is removed.
    #[serde(default)]
    complete: bool,
}

impl FileRequest {
    fn mapping(&self) -> Value {
        let empty = || Value::Object(serde_json::Map::new());
        self.mapping.clone().unwrap_or_else(empty)
    }

    /// Returns the error of the mapping, if it has one beside those of its schema.
    fn mapping_error(&self) -> Option<Invalid> {
        let error = ColumnMapping::read(&self.mapping()).err()?;
        // What is no mapping at all is an error of the schema.
        let is_value = !error.path.is_empty();
        let path = error.whole_path();
        is_value.then(|| Invalid::new(path, message::request::mapping(error.reason)))
    }

    fn choice(self) -> Result<ImportChoice, Failure> {
        if let Some(error) = self.mapping_error() {
            return Err(Failure::invalid(vec![error]));
        }
        Ok(ImportChoice {
            mapping: self.mapping(),
            doc_type: self.doc_type,
            language: self.language,
            complete: self.complete,
        })
    }
}

query_input!(UploadQuery);
input!(AddressRequest);
input! {
    FileRequest,
    fn semantic_errors(self) -> Vec<Invalid> {
        self.mapping_error().into_iter().collect()
    }
}

fn shown(message: &str, status: StatusCode, import: &ShownImport) -> ApiResult {
    Success::with_status(status, message, import)
}

async fn create(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    Params(UploadQuery { name }): Params<UploadQuery>,
    request: Request,
) -> ApiResult {
    media::body_is(request.headers(), &[FILE, JSON])?;
    if media::body_is_json(request.headers()).is_ok() {
        let Body(AddressRequest { url, auth }) = Body::from_request(request, &app).await?;
        let rules = &app.service.source_options().rules;
        let file = AddressedFile::check(url, auth, rules).map_err(Failure::invalid)?;
        let import = app.imports.fetch(&caller, &store, file).await?;
        return shown("The file is being fetched.", StatusCode::CREATED, &import);
    }
    let Some(name) = name else {
        let reason = domain::message::value::required();
        return Err(Failure::invalid(vec![Invalid::new("query.name", reason)]));
    };
    if name.chars().any(char::is_control) {
        let reason = message::text::control();
        return Err(Failure::invalid(vec![Invalid::new("query.name", reason)]));
    }
    let body = (request.into_body(), app.patience.file_pause);
    let import = app.imports.receive(&caller, &store, name, body);
    shown("File received.", StatusCode::CREATED, &import.await?)
}

async fn list(State(app): State<App>, OfStore(caller, store): OfStore, _: NoInput) -> ApiResult {
    let imports = app.imports.list(&caller, &store).await?;
    Success::ok(format!("{} imports.", imports.len()), &imports)
}

async fn one(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(id): LastId,
    _: NoInput,
) -> ApiResult {
    let import = app.imports.get(&caller, &store, &id).await?;
    Success::large("Import.", &import, BYTES)
}

async fn preview(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(id): LastId,
    Body(request): Body<FileRequest>,
) -> ApiResult {
    let import = app
        .imports
        .preview(&caller, &store, &id, request.choice()?)
        .await?;
    shown("The file is read again.", StatusCode::ACCEPTED, &import)
}

async fn start(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(id): LastId,
    Body(request): Body<FileRequest>,
) -> ApiResult {
    let import = app
        .imports
        .start(&caller, &store, &id, request.choice()?)
        .await?;
    shown("Import started.", StatusCode::ACCEPTED, &import)
}

async fn cancel(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(id): LastId,
    _: NoInput,
) -> ApiResult {
    let import = app.imports.cancel(&caller, &store, &id).await?;
    shown("Import cancelled.", StatusCode::OK, &import)
}
