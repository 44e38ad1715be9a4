//! `ConfigurationFile`: a configuration as a file, the same bytes for the same state.

use super::whole::WholeConfiguration;
use crate::configuration::revisioned::tag;
use crate::{OperationError, Revisioned, Service};
use domain::analytics::HiddenQueries;
use domain::configuration_file::{FILE_FORMAT, FILE_VERSION, FilePart};
use domain::filter::Filter;
use domain::limits::CONFIGURATION_FILE_BYTES_MAX;
use domain::relevance::Overrides;
use domain::relevance::field::FieldId;
use domain::relevance::setting::{SETTINGS, Setting};
use domain::rule::RuleContent;
use domain::synonym::Synonym;
use domain::watched::WatchedQueries;
use domain::widget::Widget;
use domain::{Caller, Language, RuleId, StoreId, Timestamp, access};
use schemars::JsonSchema;
use serde::Serialize;

/// A configuration as one file: records in a fixed order, each as its read without status and advice.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigurationFile {
    /// That it is a configuration file.
    pub format: &'static str,
    /// Version of the format.
    pub version: u32,
    /// Number of the latest revision.
    pub revision: i64,
    /// The store.
    pub store: ExportedStore,
    /// Boosts and search settings that differ from the defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Overrides")]
    pub relevance: Option<Overrides>,
    /// Synonym groups by language, creation and id.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Synonym>")]
    pub synonyms: Option<Vec<Synonym>>,
    /// Rules by language, creation and id.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<ExportedRule>")]
    pub rules: Option<Vec<ExportedRule>>,
    /// Filters in display order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Filter>")]
    pub filters: Option<Vec<Filter>>,
    /// The widget in effect, without custom code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Widget")]
    pub widget: Option<Widget>,
    /// The watched queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "WatchedQueries")]
    pub watched: Option<WatchedQueries>,
    /// The queries that are never suggested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HiddenQueries")]
    pub hidden_queries: Option<HiddenQueries>,
}

/// The store of a configuration file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "FileStore")]
pub struct ExportedStore {
    /// Its id.
    pub id: StoreId,
    /// Its name.
    pub name: String,
    /// Its languages, the default one first.
    pub languages: Vec<Language>,
}

/// A rule of a configuration file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FileRule")]
pub struct ExportedRule {
    /// Its id.
    pub id: RuleId,
    /// Its content.
    #[serde(flatten)]
    pub content: RuleContent,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
}

/// Returns the configuration of `store` as a file with these parts, or all.
///
/// Errors: `NotFound` for an unknown store; `Invalid` for a file above its limit of bytes.
pub async fn export(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    parts: Option<Vec<FilePart>>,
) -> Result<(ConfigurationFile, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let whole = WholeConfiguration::read(service, &permit).await?;
    let made = tokio::task::spawn_blocking(move || {
        let revision = whole.revision;
        let file = ConfigurationFile::of(whole, parts.as_deref());
        let bytes = serde_json::to_string(&file).map_or(0, |text| text.len());
        if bytes > CONFIGURATION_FILE_BYTES_MAX {
            let reason = crate::message::file::too_large(CONFIGURATION_FILE_BYTES_MAX);
            return Err(OperationError::invalid("query.parts", reason));
        }
        let revisioned = Revisioned {
            etag: file.etag(),
            config_revision: revision,
        };
        Ok((file, revisioned))
    });
    made.await.map_err(OperationError::internal)?
}

impl ConfigurationFile {
    /// Returns the file of these parts of a configuration, or of all.
    pub(super) fn of(whole: WholeConfiguration, parts: Option<&[FilePart]>) -> Self {
        let has = |part| parts.is_none_or(|parts| parts.contains(&part));
        let rules = whole.rules.into_iter().map(|rule| ExportedRule {
            id: rule.id,
            content: rule.content,
            created_at: rule.created_at,
            updated_at: rule.updated_at,
        });
        Self {
            format: FILE_FORMAT,
            version: FILE_VERSION,
            revision: whole.revision,
            store: ExportedStore {
                id: whole.store.id,
                name: whole.store.name,
                languages: whole.store.languages,
            },
            relevance: has(FilePart::Relevance).then(|| in_order(whole.overrides)),
            synonyms: has(FilePart::Synonyms).then_some(whole.synonyms),
            rules: has(FilePart::Rules).then(|| rules.collect()),
            filters: has(FilePart::Filters).then_some(whole.filters),
            widget: has(FilePart::Widget).then(|| whole.widget.effective()),
            watched: has(FilePart::Watched).then_some(whole.watched),
            hidden_queries: has(FilePart::HiddenQueries).then_some(whole.hidden),
        }
    }

    /// Returns the entity tag of the content, which does not depend on the number of the revision.
    pub(super) fn etag(&self) -> String {
        tag(&Self {
            revision: 0,
            ..self.clone()
        })
    }
}

/// Returns the overrides that the tables know, in the order of the tables.
pub(super) fn in_order(mut overrides: Overrides) -> Overrides {
    overrides
        .boosts
        .retain(|name, _| FieldId::named(name).is_some());
    let mut saved = std::mem::take(&mut overrides.search_settings);
    for setting in &SETTINGS {
        if let Some(value) = saved.remove(setting.name)
            && Setting::named(setting.name).is_some_and(|known| known.check(&value).is_ok())
        {
            let name = setting.name.to_owned();
            overrides.search_settings.insert(name, value);
        }
    }
    overrides
}
