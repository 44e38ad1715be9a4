//! Imports a configuration file, or copies the configuration of another store: all of it in one revision, or nothing.

use super::applying::Application;
use super::checking::{CheckedFile, check};
use super::export::ConfigurationFile;
use super::whole::WholeConfiguration;
use crate::configuration::advised::AdvisedContent;
use crate::configuration::carried::resources_of;
use crate::configuration::change::{self, Changed, ConfigurationChange, Within};
use crate::configuration::drafts::resource;
use crate::configuration::gate;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Service};
use domain::audit::{Actor, FieldChange};
use domain::configuration_file::{
    ConfigurationImport, FILE_FORMAT, FILE_VERSION, FilePart, FileRecord, FileStore, ImportMode,
    ImportQuery, parts_of_import,
};
use domain::relevance::{Advice, RelevanceChange};
use domain::{Caller, Invalid, Message, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use storage::ConfigurationWrite;

/// Changes that the response to an import lists.
const CHANGES_MAX: usize = 200;

/// What an import did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// The latest revision; that of the import if it changed anything.
    pub revision: i64,
    /// What happened to the records of each imported part; a part without records counts as one.
    #[schemars(with = "BTreeMap<String, PartCounts>")]
    pub parts: BTreeMap<&'static str, PartCounts>,
    /// Ids of this store by those of the file, such as `rules/<id>`, where they differ; at most 1,000.
    pub ids: BTreeMap<String, String>,
    /// Changed fields with their values before and after, each path preceded by its resource; at most 200.
    pub changes: Vec<FieldChange>,
    /// Number of changes that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub changes_more: usize,
    /// What deserves a second look.
    pub advice: Vec<Advice>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What happened to the records of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PartCounts {
    /// Records that did not exist.
    pub created: usize,
    /// Records that were different.
    pub updated: usize,
    /// Records that the file lacks.
    pub deleted: usize,
    /// Records that were as the file has them.
    pub unchanged: usize,
}

/// Imports the selected parts of a file, or of another store, into `store`.
///
/// Errors: those of a read of the store to copy; `Invalid` with all invalid values, by their paths in the file;
/// `Stale` if the configuration is not the expected one; `Conflict` and `PlanLimit` as for the single writes.
pub async fn import(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    (file, query): (ConfigurationImport, ImportQuery),
    precondition: Precondition,
) -> Result<Imported, OperationError> {
    let permit = access::change(caller, store)?;
    file.check().map_err(OperationError::Invalid)?;
    let file = match &file.copy_from {
        Some(source) => file_of(WholeConfiguration::of_source(service, caller, source).await?)?,
        None => file,
    };
    let parts = parts_of_import(&file, query.parts.as_deref()).map_err(OperationError::Invalid)?;
    if permit.proposes() {
        let lists = [FilePart::Watched, FilePart::HiddenQueries];
        if parts.iter().any(|part| lists.contains(part)) {
            let reason = message::proposal::list_on_its_own();
            return Err(OperationError::invalid("query.parts", reason));
        }
    }
    let present: Vec<FilePart> = file.present().collect();
    let checked = {
        let parts = parts.clone();
        tokio::task::spawn_blocking(move || check(file, &parts))
    };
    let checked = checked.await.map_err(OperationError::internal)??;
    let service = service.clone();
    run_to_completion(async move {
        let advised = advised(&checked);
        let hides = parts.contains(&FilePart::HiddenQueries);
        let import = Arc::new(CheckedImport {
            checked,
            mode: query.mode,
            present,
            parts,
            precondition,
            actor: permit.actor().clone(),
        });
        let written = change::write(&service, &permit, move |open| {
            import_in(open, Arc::clone(&import))
        });
        let (mut imported, revision) = written.await?;
        imported.revision = revision;
        let is_saved = !permit.attempt().dry_run && !permit.proposes();
        if is_saved && hides {
            service.search_log.popular().forget(permit.store());
        }
        imported.advice = service.advice_on_all(permit.store(), advised).await;
        Ok(imported)
    })
    .await
}

/// A checked import.
struct CheckedImport {
    checked: CheckedFile,
    mode: ImportMode,
    /// The parts of the file.
    present: Vec<FilePart>,
    /// The parts to import.
    parts: Vec<FilePart>,
    precondition: Precondition,
    actor: Actor,
}

/// Imports a file within a change.
fn import_in<'o>(
    open: &'o mut ConfigurationChange<'_>,
    import: Arc<CheckedImport>,
) -> Within<'o, (Changed, Imported)> {
    Box::pin(async move {
        let parts: [&[FilePart]; 2] = [&import.present, &import.parts];
        require_expected(&mut open.write, &import.precondition, &parts).await?;
        let (edit, provisional) = (open.edit(), open.is_provisional());
        let applied = apply(&mut open.write, import.checked.clone(), |write| {
            Application::new(write, edit, import.mode, provisional)
        });
        let (imported, all) = applied.await?;
        let mut unrevised = resources_of(open.write.unrevised()).into_iter();
        if unrevised.any(|resource| resource == "watched") {
            gate::require_watching(open.write.before(), &import.actor)?;
        }
        let changed = Changed {
            operation: "import_configuration",
            resource: resource(&all),
            summary: summary(&imported.parts),
            changes: all,
        };
        Ok((changed, imported))
    })
}

async fn apply<'a>(
    write: &'a mut ConfigurationWrite,
    file: CheckedFile,
    begin: impl FnOnce(&'a mut ConfigurationWrite) -> Application<'a>,
) -> Result<(Imported, Vec<FieldChange>), OperationError> {
    let mut application = begin(write);
    application.apply(file).await?;
    let Application {
        effect,
        counts,
        ids,
        write,
        ..
    } = application;
    let listed = effect.changes.iter().chain(write.unrevised());
    let count = effect.changes.len() + write.unrevised().len();
    let imported = Imported {
        revision: 0,
        parts: counts,
        ids,
        changes: listed.take(CHANGES_MAX).cloned().collect(),
        changes_more: count.saturating_sub(CHANGES_MAX),
        advice: Vec::new(),
    };
    Ok((imported, effect.changes))
}

/// Fails unless the configuration has one of the expected entity tags: that of a complete export, or of one with the parts
/// of the file or the imported ones.
async fn require_expected(
    write: &mut ConfigurationWrite,
    precondition: &Precondition,
    parts: &[&[FilePart]],
) -> Result<(), OperationError> {
    let Precondition::OneOf(expected) = precondition else {
        return Ok(());
    };
    let whole = WholeConfiguration::of_write(write).await?;
    let some = parts.iter().map(|parts| Some(*parts));
    for parts in [None].into_iter().chain(some) {
        let tag = ConfigurationFile::of(whole.clone(), parts).etag();
        if expected.contains(&tag) {
            return Ok(());
        }
    }
    Err(OperationError::Stale)
}

fn summary(parts: &BTreeMap<&'static str, PartCounts>) -> Message {
    let sum = |of: fn(&PartCounts) -> usize| parts.values().map(of).sum::<usize>();
    let created = sum(|counts| counts.created);
    let updated = sum(|counts| counts.updated);
    let deleted = sum(|counts| counts.deleted);
    match created + updated + deleted {
        0 => message::saved::configuration_unchanged(),
        _ => message::saved::configuration_imported(created, updated, deleted),
    }
}

/// Returns the records of a file on which advice is given, by their paths.
fn advised(file: &CheckedFile) -> Vec<(String, AdvisedContent)> {
    let synonyms = file.synonyms.iter().flatten();
    let synonyms = synonyms.map(|one| {
        let content = AdvisedContent::Synonym(one.content.clone());
        (format!("synonyms[{}]", one.at), content)
    });
    let rules = file.rules.iter().flatten();
    let rules = rules.map(|one| {
        let content = AdvisedContent::Rule(one.content.clone());
        (format!("rules[{}]", one.at), content)
    });
    synonyms.chain(rules).collect()
}

/// Returns the file that an export of a configuration would give, as it is read.
///
/// Errors: `Invalid` for contents that today's types do not accept.
fn file_of(whole: WholeConfiguration) -> Result<ConfigurationImport, OperationError> {
    let mut errors = Vec::new();
    let overrides = super::export::in_order(whole.overrides);
    let widget = read("widget", &json!(whole.widget.effective()), &mut errors);
    let mut rules = Vec::with_capacity(whole.rules.len());
    for (at, rule) in whole.rules.into_iter().enumerate() {
        let content = read(&format!("rules[{at}]"), &json!(rule.content), &mut errors);
        rules.extend(content.map(|content| record(rule.id.0, content)));
    }
    let mut filters = Vec::with_capacity(whole.filters.len());
    for (at, filter) in whole.filters.into_iter().enumerate() {
        let path = format!("filters[{at}]");
        let content = read(&path, &json!(filter.content), &mut errors);
        filters.extend(content.map(|content| record(filter.id.0, content)));
    }
    let groups = whole.synonyms.into_iter();
    let groups = groups.map(|one| record(one.id.0, one.group.into()));
    if !errors.is_empty() {
        return Err(OperationError::Invalid(errors));
    }
    Ok(ConfigurationImport {
        format: Some(FILE_FORMAT.to_owned()),
        version: Some(FILE_VERSION),
        revision: None,
        store: Some(FileStore {
            name: Some(whole.store.name),
            ..FileStore::default()
        }),
        relevance: Some(RelevanceChange {
            boosts: Some(
                overrides
                    .boosts
                    .into_iter()
                    .map(|(name, boost)| (name, json!(boost)))
                    .collect(),
            ),
            search_settings: Some(overrides.search_settings),
        }),
        synonyms: Some(groups.collect()),
        rules: Some(rules),
        filters: Some(filters),
        widget,
        watched: Some(whole.watched),
        hidden_queries: Some(whole.hidden),
        copy_from: None,
    })
}

fn record<N>(id: String, content: N) -> FileRecord<N> {
    FileRecord {
        id: Some(id),
        content,
    }
}

fn read<T: DeserializeOwned>(
    path: &str,
    value: &serde_json::Value,
    errors: &mut Vec<Invalid>,
) -> Option<T> {
    match serde_json::from_value(value.clone()) {
        Ok(read) => Some(read),
        Err(error) => {
            let reason = message::value::of_library(error.to_string());
            errors.push(Invalid::new(path, reason));
            None
        }
    }
}
