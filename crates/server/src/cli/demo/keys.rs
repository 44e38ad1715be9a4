//! The keys of the demo shop, stored in a file that only its owner can read.

use crate::admin::{AdminFailure, AdminRequest, execute};
use crate::cli::outcome::CommandError;
use crate::demo::catalogue::LANGUAGES;
use domain::feed::PublicKeyRequest;
use domain::store::PlanLimits;
use domain::{KeyKind, Language, Message, Scope, StoreId};
use operations::feed::{FeedCaller, public_key};
use operations::keys::NewApiKey;
use operations::stores::{NewStore, StoreSettings};
use operations::{OperationError, Service, authenticate};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{File, OpenOptions, remove_file, rename};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Name of the file in the data directory.
pub const FILE_NAME: &str = "demo-keys.json";

/// The demo shop and its keys.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DemoKeys {
    /// The store.
    pub store: StoreId,
    /// A configuration key that may write.
    pub configuration: String,
    /// The connector key.
    pub connector: String,
    /// The search-only key.
    pub search_only: String,
    /// Language of the products of a file; `None` if the products are the invented ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// The address for which the catalogue was fed last; `None` until it was fed completely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fed_for: Option<String>,
}

impl DemoKeys {
    /// Reads the keys in the data directory `dir`; returns `None` if there are none yet.
    pub fn read(dir: &Path) -> Result<Option<Self>, CommandError> {
        let path = dir.join(FILE_NAME);
        let failed = |reason: String| CommandError::failed(format!("{}: {reason}", path.display()));
        match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|error| failed(error.to_string())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(error.to_string())),
        }
    }

    /// Writes the keys atomically to the data directory `dir`.
    pub fn write(&self, dir: &Path) -> Result<(), CommandError> {
        let path = dir.join(FILE_NAME);
        self.write_to(&path)
            .map_err(|error| CommandError::failed(format!("{}: {error}", path.display())))
    }

    fn write_to(&self, path: &Path) -> io::Result<()> {
        let new = path.with_extension("json.new");
        // A left-over file may have other permissions.
        match remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file: File = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&new)?;
        file.write_all(&serde_json::to_vec_pretty(self)?)?;
        file.sync_all()?;
        rename(new, path)
    }
}

/// Creates account, store and keys, and stores the keys in `dir`. `language` is that of the products of a file.
pub async fn create(
    service: &Service,
    dir: &Path,
    language: Option<Language>,
) -> Result<DemoKeys, CommandError> {
    let (store, connector) = create_store(service, language.as_ref()).await?;
    if language.is_some() {
        // Another file replaces all products, which is what nobody has to release here.
        let settings = StoreSettings {
            purge_breaker: Some(false),
            ..StoreSettings::default()
        };
        let store = store.clone();
        execute(service, AdminRequest::SetStore { store, settings }).await?;
    }
    let configuration = create_configuration_key(service, &store).await?;
    let search_only = create_public_key(service, &connector)
        .await
        .map_err(AdminFailure::from)?;
    let keys = DemoKeys {
        store,
        configuration,
        connector,
        search_only,
        language,
        fed_for: None,
    };
    keys.write(dir)?;
    Ok(keys)
}

/// Creates the store; returns its id and its connector key.
async fn create_store(
    service: &Service,
    language: Option<&Language>,
) -> Result<(StoreId, String), CommandError> {
    let name = "Demo".to_owned();
    let account = execute(
        service,
        AdminRequest::CreateAccount {
            name,
            max_stores: None,
        },
    )
    .await?;
    let languages: Result<Vec<Language>, Message> = match language {
        Some(language) => Ok(vec![language.clone()]),
        None => LANGUAGES.iter().map(|code| Language::parse(code)).collect(),
    };
    let request = AdminRequest::CreateStore(NewStore {
        name: "Demo shop".to_owned(),
        account: Some(text(&account, "/id")?.into()),
        languages: languages.map_err(|reason| CommandError::failed(reason.text))?,
        plan: PlanLimits::default(),
    });
    let store = execute(service, request).await?;
    Ok((text(&store, "/id")?.into(), text(&store, "/connectorKey")?))
}

async fn create_configuration_key(
    service: &Service,
    store: &StoreId,
) -> Result<String, CommandError> {
    let request = AdminRequest::CreateKey(NewApiKey {
        store: Some(store.clone()),
        account: None,
        kind: KeyKind::Configuration,
        scope: Some(Scope::Write),
        name: Some("demo".to_owned()),
        expires: None,
    });
    let key = execute(service, request).await?;
    text(&key, "/key")
}

/// Creates the search-only key as a connector does.
async fn create_public_key(service: &Service, connector: &str) -> Result<String, OperationError> {
    let caller = FeedCaller {
        caller: authenticate::by_key(service, connector).await?,
        client: None,
    };
    let request = PublicKeyRequest {
        instance_id: "findwell-demo".to_owned(),
        origin: None,
        rotate: false,
    };
    Ok(public_key::issue(service, &caller, request)
        .await?
        .public_key)
}

fn text(response: &Value, pointer: &str) -> Result<String, CommandError> {
    response
        .pointer(pointer)
        .and_then(Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| CommandError::failed(format!("{pointer} is missing in the response")))
}
