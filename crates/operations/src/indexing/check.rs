//! Checks that the database and the indexes are intact and agree, and repairs what can be repaired.

use crate::boot::engine_of;
use crate::indexing::compare;
use crate::indexing::reindex::indices;
use crate::indexing::{Differences, Indexing, Rebuild};
use crate::{DataLocations, OperationError, Service, causes};
use domain::{Caller, DocType, IndexId, Language, StoreId, access};
use engine::Engine;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use storage::{IndexRow, Storage};

/// Most documents that a finding names.
const NAMED_MAX: usize = 10;

/// A problem that a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Kind of the problem.
    pub kind: FindingKind,
    /// The index concerned; `None` for the database as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<FoundIndex>,
    /// Number of documents concerned; 0 if it concerns none in particular.
    pub count: usize,
    /// Some of these documents.
    pub documents: Vec<String>,
    /// Description of the problem.
    pub text: String,
    /// Whether it was repaired.
    pub repaired: bool,
}

/// The index that a finding concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundIndex {
    /// Number of the index, which is the name of its directory.
    pub id: IndexId,
    /// Its store.
    pub store_id: StoreId,
    /// Type of its documents.
    #[serde(rename = "type")]
    pub doc_type: DocType,
    /// Their language.
    pub language: Language,
}

/// Kind of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingKind {
    /// The database file.
    Database,
    /// Counters of the database.
    Counters,
    /// A file of an index.
    Damaged,
    /// Documents that an index lacks.
    Missing,
    /// Documents that an index should not hold.
    Surplus,
    /// Documents that an index holds in an older state.
    Outdated,
    /// Documents that the engine rejects; a new index rejects them, too.
    Rejected,
}

/// Checks everything except closed stores and, if `repair` is set, repairs what can be repaired: counters are recomputed from the documents,
/// and an index that differs is rebuilt from the database.
///
/// Errors: if storage or an index is not available.
pub async fn run(
    service: &Service,
    caller: &Caller,
    repair: bool,
) -> Result<Vec<Finding>, OperationError> {
    access::operator(caller)?;
    let mut findings = damages(&service.storage).await?;
    if !findings.is_empty() {
        return Ok(findings);
    }
    if !service.indexing.has_files() {
        tracing::info!("the engine keeps no files on this machine, so no checksums are compared");
    }
    let rows = indices(service, caller, None).await?;
    findings.extend(counters(service, &rows, repair).await?);
    for row in &rows {
        let checked = index(service, row, repair).await;
        // A store that was closed in the meantime ends its own check only.
        if service.storage.index(row.id).await?.is_some() {
            findings.extend(checked?);
        }
    }
    Ok(findings)
}

/// Checks one index and, if `repair` is set, rebuilds one that differs.
async fn index(
    service: &Service,
    row: &IndexRow,
    repair: bool,
) -> Result<Vec<Finding>, OperationError> {
    let found = service.indexing.differences(row).await?;
    let (found, repaired) = if repair && !found.are_rejections() {
        rebuilt(&service.indexing, row, found).await?
    } else {
        (found, false)
    };
    let findings = findings_of(row, found).map(|finding| Finding {
        repaired: repaired && finding.kind != FindingKind::Rejected,
        ..finding
    });
    Ok(findings.collect())
}

/// Checks the data directory `dir`, and the database of `locations`, without a service: everything is read and nothing changes.
/// No other process may use the directory meanwhile.
///
/// What an index has not applied yet is no finding: the next start of a server applies it.
///
/// Errors: if the database or an index cannot be read, or is of another version.
pub async fn read_only(
    caller: &Caller,
    dir: &Path,
    locations: &DataLocations,
) -> Result<Vec<Finding>, OperationError> {
    access::operator(caller)?;
    let storage = match Storage::open_to_read(&locations.database_of(dir)).await {
        Err(error) if error.is_damage() => {
            let text = causes(&error);
            return Ok(vec![finding(FindingKind::Database, None, Vec::new(), text)]);
        }
        storage => storage?,
    };
    let engine = engine_of(dir, locations).await?;
    let checked = all_unchanged(&storage, &engine).await;
    storage.close().await;
    checked
}

async fn all_unchanged(
    storage: &Storage,
    engine: &Arc<dyn Engine>,
) -> Result<Vec<Finding>, OperationError> {
    let mut findings = damages(storage).await?;
    if !findings.is_empty() {
        return Ok(findings);
    }
    let rows = storage.open_indices().await?;
    for wrong in storage.wrong_counters().await? {
        let row = rows.iter().find(|row| row.id == wrong.index);
        findings.push(finding(FindingKind::Counters, row, Vec::new(), wrong.text));
    }
    for row in &rows {
        let found = compare::unchanged(storage, engine, row).await?;
        findings.extend(findings_of(row, found));
    }
    Ok(findings)
}

/// Returns what is damaged in the database file; then nothing that it says can be compared.
async fn damages(storage: &Storage) -> Result<Vec<Finding>, OperationError> {
    let damages = storage.damages().await?.into_iter();
    let damages = damages.map(|text| finding(FindingKind::Database, None, Vec::new(), text));
    Ok(damages.collect())
}

async fn counters(
    service: &Service,
    rows: &[IndexRow],
    repair: bool,
) -> Result<Vec<Finding>, OperationError> {
    let wrong = service.storage.wrong_counters().await?;
    let mut findings = Vec::with_capacity(wrong.len());
    for wrong in wrong {
        let row = rows.iter().find(|row| row.id == wrong.index);
        let mut found = finding(FindingKind::Counters, row, Vec::new(), wrong.text);
        if repair {
            service.storage.repair_counters(wrong.index).await?;
            let still = service.storage.wrong_counters().await?;
            found.repaired = still.iter().all(|other| other.index != wrong.index);
        }
        findings.push(found);
    }
    Ok(findings)
}

/// Rebuilds an index that differs as `found`; returns that, with what the engine rejects told apart, which nobody knows
/// before it has written a document, and whether the index now agrees with storage in everything else.
async fn rebuilt(
    indexing: &Indexing,
    row: &IndexRow,
    found: Differences,
) -> Result<(Differences, bool), OperationError> {
    let mut rebuild = indexing.rebuild(row);
    let end = rebuild.wait_for(Rebuild::is_over).await;
    if !end.is_ok_and(|end| *end == Rebuild::Done) {
        return Ok((found, false));
    }
    let left = indexing.differences(row).await?;
    let repaired = left.are_rejections();
    Ok((found.with_rejected(left.rejected), repaired))
}

fn findings_of(row: &IndexRow, found: Differences) -> impl Iterator<Item = Finding> + '_ {
    let damaged = found
        .damaged
        .map(|text| finding(FindingKind::Damaged, Some(row), Vec::new(), text));
    let lists = [
        (
            FindingKind::Missing,
            found.missing,
            "documents are not in the index",
        ),
        (
            FindingKind::Surplus,
            found.surplus,
            "documents of the index are not in the database",
        ),
        (
            FindingKind::Outdated,
            found.outdated,
            "documents of the index are not those of the database",
        ),
    ];
    let lists = lists
        .into_iter()
        .filter(|(_, documents, _)| !documents.is_empty());
    let lists = lists.map(move |(kind, documents, what)| {
        let text = format!("{} {what}", documents.len());
        finding(kind, Some(row), documents, text)
    });
    damaged
        .into_iter()
        .chain(lists)
        .chain(rejected_of(row, found.rejected))
}

/// Names the reason of the first document; the log has up to ten of a batch.
fn rejected_of(row: &IndexRow, rejected: Vec<(String, String)>) -> Option<Finding> {
    let (_, reason) = rejected.first()?;
    let text = format!(
        "{} documents are rejected by the engine ({reason})",
        rejected.len()
    );
    let ids = rejected.into_iter().map(|(id, _)| id).collect();
    Some(finding(FindingKind::Rejected, Some(row), ids, text))
}

fn finding(
    kind: FindingKind,
    row: Option<&IndexRow>,
    mut documents: Vec<String>,
    text: String,
) -> Finding {
    let count = documents.len();
    documents.truncate(NAMED_MAX);
    Finding {
        kind,
        index: row.map(|row| FoundIndex {
            id: row.id,
            store_id: row.store.clone(),
            doc_type: row.scope.doc_type,
            language: row.scope.language.clone(),
        }),
        count,
        documents,
        text,
        repaired: false,
    }
}
