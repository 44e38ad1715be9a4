//! Checking that database and indexes are whole and agree, and repairing what can be repaired.

use crate::indexing::{Differences, Rebuild};
use crate::reindex::indices;
use crate::{OperationError, Service};
use domain::{Caller, DocType, IndexId, Language, StoreId, access};
use serde::{Deserialize, Serialize};
use storage::IndexRow;

/// Documents that a finding names.
const NAMED_MAX: usize = 10;

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What kind of thing.
    pub kind: FindingKind,
    /// The index that it concerns; none when it is the database as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<FoundIndex>,
    /// How many documents it concerns; 0 when it concerns none in particular.
    pub count: usize,
    /// Some of them.
    pub documents: Vec<String>,
    /// What is wrong, in a sentence.
    pub text: String,
    /// Whether it was repaired.
    pub repaired: bool,
}

/// An index as a finding names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundIndex {
    /// Its number, which is the name of its folder.
    pub id: IndexId,
    /// Its store.
    pub store_id: StoreId,
    /// Type of its documents.
    #[serde(rename = "type")]
    pub doc_type: DocType,
    /// Their language.
    pub language: Language,
}

/// What kind of thing is wrong.
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
    /// Documents that an index holds in another state.
    Outdated,
}

/// Checks everything, and repairs what can be repaired if `repair` says so: counters are set to what the documents say,
/// and an index that differs is built anew from the database.
///
/// Errors: when storage or an index is out of reach.
pub async fn run(
    service: &Service,
    caller: &Caller,
    repair: bool,
) -> Result<Vec<Finding>, OperationError> {
    access::operator(caller)?;
    let mut findings = Vec::new();
    for text in service.storage.damages().await? {
        findings.push(finding(FindingKind::Database, None, Vec::new(), text));
    }
    let rows = indices(service, caller, None).await?;
    findings.extend(counters(service, &rows, repair).await?);
    for row in &rows {
        let found = service.indexing.differences(row).await?;
        if found.are_none() {
            continue;
        }
        let repaired = repair && rebuilt(service, row).await?;
        let of_index = in_words(row, found);
        findings.extend(of_index.map(|finding| Finding {
            repaired,
            ..finding
        }));
    }
    Ok(findings)
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

/// Builds an index anew; tells whether it agrees with storage then.
async fn rebuilt(service: &Service, row: &IndexRow) -> Result<bool, OperationError> {
    let mut rebuild = service.indexing.rebuild(row);
    let end = rebuild.wait_for(Rebuild::is_over).await;
    let done = end.is_ok_and(|end| *end == Rebuild::Done);
    Ok(done && service.indexing.differences(row).await?.are_none())
}

fn in_words(row: &IndexRow, found: Differences) -> impl Iterator<Item = Finding> + '_ {
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
    damaged.into_iter().chain(lists)
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
