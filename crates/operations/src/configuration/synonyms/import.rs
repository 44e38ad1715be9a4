//! Imports synonym groups from comma-separated values: new groups are created, existing ones skipped, and invalid lines
//! reported.

use crate::configuration::change::{self, Changed};
use crate::configuration::likeness::Likeness;
use crate::configuration::records::{self, Record};
use crate::message;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::FieldChange;
use domain::limits::{ERRORS_MAX, SYNONYMS_MAX};
use domain::message::joined;
use domain::synonym::{LineGroup, Synonym, SynonymGroup, SynonymImport, lines};
use domain::{
    Caller, Invalid, Language, Message, StoreId, SynonymId, Timestamp, Translatable,
    TriggerAlternatives, access,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::collections::HashSet;
use std::sync::Arc;
use storage::SynonymRow;

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportReport {
    /// Groups that were created.
    pub created: usize,
    /// Groups that existed already, or were in the import twice.
    pub skipped: usize,
    /// Lines that were not imported, up to 100.
    pub errors: Vec<LineError>,
    /// Number of the lines that were not imported and are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl ImportReport {
    /// Returns the result in one sentence.
    pub fn sentence(&self) -> String {
        let (created, skipped, wrong) = (self.created, self.skipped, self.errors.len() + self.more);
        format!("{created} synonym groups created, {skipped} skipped, {wrong} lines rejected.")
    }

    fn reject(&mut self, line: usize, reason: impl FnOnce() -> Message) {
        if self.errors.len() < ERRORS_MAX {
            let Message { text, translatable } = reason();
            self.errors.push(LineError {
                line,
                reason: text,
                translatable,
            });
        } else {
            self.more += 1;
        }
    }
}

/// A line that was not imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LineError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Why it was rejected.
    pub reason: String,
    /// Key and values of the reason.
    pub translatable: Box<Translatable>,
}

/// A line with a valid group.
struct GoodLine {
    number: usize,
    group: SynonymGroup,
    likeness: String,
}

/// Creates the groups of an import; returns the report, the revision and a remark.
///
/// An invalid line, or one over the limit, does not affect the others.
pub async fn import(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    import: SynonymImport,
) -> Result<(ImportReport, i64, Option<String>), OperationError> {
    let permit = access::change(caller, store)?;
    let service = service.clone();
    run_to_completion(async move {
        let language = import.language.clone();
        // Analysis takes time, so it is done before the transaction occupies the single writer of the database.
        let read = tokio::task::spawn_blocking(move || read(&import));
        let (good, report) = read.await.map_err(OperationError::internal)?;
        let good = Arc::new(good);
        let written = change::write(&service, &permit, move |open| {
            let (good, language) = (Arc::clone(&good), language.clone());
            let mut report = report.clone();
            Box::pin(async move {
                let known = open.write.synonym_duplicate_keys(&language).await?;
                let now = open.edit().now;
                let id = |at| open.new_id(Synonym::RESOURCES, at, ids::synonym);
                let rows = choose(&language, (known, &good[..]), now, id, &mut report);
                open.write.add_synonyms(&rows).await?;
                let remark = records::remark(open.write.before(), &language);
                Ok((changed(&rows, &language), (report, remark)))
            })
        });
        let ((report, remark), revision) = written.await?;
        Ok((report, revision, remark))
    })
    .await
}

/// Returns what [`import`] would report, and saves nothing.
pub async fn check_import(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    import: SynonymImport,
) -> Result<ImportReport, OperationError> {
    let permit = access::read(caller, store)?;
    let language = import.language.clone();
    let read = tokio::task::spawn_blocking(move || read(&import));
    let (good, mut report) = read.await.map_err(OperationError::internal)?;
    let mut reading = records::view(service, &permit).await?;
    let known = reading.synonym_duplicate_keys(&language).await?;
    let now = service.clock.now();
    let id = |_| ids::synonym();
    choose(&language, (known, &good[..]), now, id, &mut report);
    Ok(report)
}

fn changed(rows: &[SynonymRow], language: &Language) -> Changed {
    let changes = rows.iter().map(|row| FieldChange {
        path: row.synonym.id.0.clone(),
        before: None,
        after: Some(json!(row.synonym.group)),
    });
    Changed {
        operation: "import_synonyms_csv",
        resource: "synonyms".to_owned(),
        summary: message::saved::synonyms_imported(rows.len(), language.as_str()),
        changes: changes.collect(),
    }
}

fn read(import: &SynonymImport) -> (Vec<GoodLine>, ImportReport) {
    let likeness = Likeness::in_language(&import.language);
    let mut report = ImportReport::default();
    let mut good = Vec::new();
    for line in lines(&import.csv) {
        let group = line
            .group
            .and_then(|group| checked(group, &import.language, &likeness));
        match group {
            Ok(group) => good.push(GoodLine {
                number: line.number,
                likeness: likeness.of(&group),
                group,
            }),
            Err(reason) => report.reject(line.number, || reason),
        }
    }
    (good, report)
}

fn checked(
    line: LineGroup,
    language: &Language,
    likeness: &Likeness,
) -> Result<SynonymGroup, Message> {
    let group = SynonymGroup {
        language: language.clone(),
        kind: line.kind,
        input: line.input,
        terms: line.terms,
        alternatives: TriggerAlternatives::default(),
        active: true,
    };
    let checked = group.checked(&|text| likeness.form(text));
    checked
        .map_err(|wrong| message::value::all_of(joined("; ", wrong.iter().map(Invalid::message))))
}

/// Returns the groups that are new and within the limit; adds the others to the report.
fn choose(
    language: &Language,
    (mut known, lines): (HashSet<String>, &[GoodLine]),
    now: Timestamp,
    id: impl Fn(usize) -> SynonymId,
    report: &mut ImportReport,
) -> Vec<SynonymRow> {
    let mut rows = Vec::new();
    for line in lines {
        if known.contains(&line.likeness) {
            report.skipped += 1;
        } else if known.len() >= SYNONYMS_MAX {
            report.reject(line.number, || {
                message::limit::synonyms_of_import(SYNONYMS_MAX, language.as_str())
            });
        } else {
            known.insert(line.likeness.clone());
            let synonym = Synonym {
                id: id(rows.len()),
                group: line.group.clone(),
                created_at: now,
                updated_at: now,
            };
            rows.push(SynonymRow {
                synonym,
                duplicate_key: line.likeness.clone(),
            });
        }
    }
    report.created = rows.len();
    report.errors.sort_by_key(|error| error.line);
    rows
}
