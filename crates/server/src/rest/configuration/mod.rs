//! `/stores/{id}/configuration`: the whole configuration as one file, exported, imported and copied.

mod file_text;

pub use file_text::read;

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input, query_input};
use crate::http::{
    ApiResult, Failure, Guarded, Params, StoreReader, StoreWriter, Success, coding, input, media,
};
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG};
use axum::response::{IntoResponse, Response};
use axum::routing::on;
use domain::configuration_file::{ConfigurationImport, ConfigurationQuery, ImportQuery};
use domain::limits::CONFIGURATION_FILE_BYTES_MAX;
use domain::widget::WidgetPatch;
use domain::{ErrorList, Invalid};
use operations::file::{self, ConfigurationFile, Imported};
use serde_json::Value;

/// Memory for each byte of a file: its text, and the records that are made of it.
const MEMORY_RATIO: usize = 4;

/// Rows of the configuration as one file.
pub const ROWS: &[OperationRow] = &[
    Route::get("export_configuration", "/stores/{id}/configuration")
        .handler(|method| on(method, export))
        .query::<ConfigurationQuery>(r#"{"parts": ["rules", "synonyms"], "file": false}"#)
        .returns::<ConfigurationFile>(example!("configuration/file.response"))
        .also_bare(),
    Route::put("import_configuration", "/stores/{id}/configuration")
        .handler(|method| on(method, import))
        .body::<ConfigurationImport>(example!("configuration/file.request"))
        .query::<ImportQuery>(r#"{"parts": ["rules", "synonyms"], "mode": "merge"}"#)
        .returns::<Imported>(example!("configuration/imported.response"))
        .errors(&[409]),
];

query_input!(ConfigurationQuery);
query_input!(ImportQuery);
input! {
    ConfigurationImport,
    const BYTES_MAX: usize = CONFIGURATION_FILE_BYTES_MAX;
    const GZIP: bool = true;
    fn reserved(value: &Value) -> ErrorList {
        WidgetPatch::reserved(&value["widget"]).under("widget")
    }
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.check())
    }
}

/// Returns the configuration as a file.
pub async fn export(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(query): Params<ConfigurationQuery>,
) -> Result<Response, Failure> {
    let is_file = query.file;
    let exported = file::export(&app.service, &caller, &store, query.parts).await?;
    if !is_file {
        return Ok(Success::revisioned("Configuration.", exported)?.into_response());
    }
    let (file, revisioned) = exported;
    let mut bytes = serde_json::to_vec_pretty(&file)
        .map_err(|error| Failure::internal(format!("a file does not serialise: {error}")))?;
    bytes.push(b'\n');
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    let mut set = |name, value: &str| {
        // Ids, tags and numbers are visible ASCII characters.
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    set(CONTENT_TYPE, "application/json");
    set(CACHE_CONTROL, "no-store");
    set(ETAG, &format!("\"{}\"", revisioned.etag));
    let name = format!("attachment; filename=\"configuration-{store}.json\"");
    set(CONTENT_DISPOSITION, &name);
    headers.insert(
        crate::http::envelope::X_CONFIG_REVISION,
        revisioned.config_revision.into(),
    );
    Ok(response)
}

/// Imports a file, or copies another store.
pub async fn import(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Guarded(FileBody(file, query), guard): Guarded<FileBody>,
) -> ApiResult {
    let request = (file, query);
    let imported = file::import(&app.service, &caller, &store, request, guard).await?;
    let revision = imported.revision;
    let message = match imported.changes.is_empty() {
        true => "Configuration imported without a change.".to_owned(),
        false => format!("Configuration imported as revision {revision}."),
    };
    Ok(Success::ok(message, &imported)?.of_revision(revision))
}

/// A file as body, whose records are parsed one by one, with the parameters of its import.
#[derive(Debug)]
pub struct FileBody(pub ConfigurationImport, pub ImportQuery);

impl FromRequest<App> for FileBody {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        let max = CONFIGURATION_FILE_BYTES_MAX;
        let received = input::received(&parts, body, max, app).await?;
        let coding = coding::of(&parts.headers, true)?;
        media::body_is_json(&parts.headers)?;
        let query = Params::<ImportQuery>::from_request_parts(&mut parts, app).await;
        let account = input::account(&parts);
        let weigh = input::BodyWeight {
            of: |bytes| bytes.len().saturating_mul(MEMORY_RATIO),
            at_most: |bytes| {
                bytes
                    .min(CONFIGURATION_FILE_BYTES_MAX)
                    .saturating_mul(MEMORY_RATIO)
            },
        };
        let read =
            input::parsed_off_thread(app, &account, received, (coding, max), weigh, read).await;
        Ok(Self(read?, query?.0))
    }
}
