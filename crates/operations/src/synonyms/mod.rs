//! Synonym groups of a store: listed, read, made, changed, deleted, imported.

mod import;
mod likeness;

pub use import::{ImportReport, LineError, import};

use crate::change::{Change, Changed};
use crate::records::{self, Deleted, Listed, Outcome, RecordKind};
use crate::service::to_the_end;
use crate::{OperationError, Precondition, Revisioned, Service, ids};
use domain::audit::differences;
use domain::limits::SYNONYMS_MAX;
use domain::page::Meta;
use domain::synonym::{NewSynonym, Synonym, SynonymPatch, SynonymQuery};
use domain::{Caller, StoreId, SynonymId, access};
use likeness::Likeness;
use serde_json::json;
use storage::SynonymRow;

/// The groups that `query` asks for: all, or one page.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: SynonymQuery,
) -> Result<Listed<Synonym>, OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::reading(service, permit.store()).await?;
    let page = query.page();
    let meta = match page {
        Some((number, limit)) => {
            let total = reading.synonym_count(&query).await?;
            Some(Meta::new(number, limit, total))
        }
        None => None,
    };
    Ok(Listed {
        records: reading.synonyms(&query, page).await?,
        meta,
        config_revision: reading.revision(),
    })
}

/// One group.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &SynonymId,
) -> Result<(Synonym, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::reading(service, permit.store()).await?;
    let found = reading.synonym(id).await?;
    let synonym = found.ok_or_else(|| records::not_found(RecordKind::Synonym))?;
    let revisioned = Revisioned::of(&synonym.group, reading.revision());
    Ok((synonym, revisioned))
}

/// Makes a group.
///
/// Errors: everything that is wrong with it; a conflict when there is a group like it; too many groups.
pub async fn create(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    new: NewSynonym,
) -> Result<Outcome<Synonym>, OperationError> {
    let permit = access::write(caller, store)?;
    let likeness = Likeness::in_language(&new.language);
    let group = new
        .check(&|text| likeness.form(text))
        .map_err(OperationError::Invalid)?;
    let service = service.clone();
    to_the_end(async move {
        let mut open = Change::begin(&service, &permit).await?;
        let now = service.clock.now();
        let row = SynonymRow {
            likeness: likeness.of(&group),
            synonym: Synonym {
                id: ids::synonym(),
                group,
                created_at: now,
                updated_at: now,
            },
        };
        refuse_duplicate(&mut open, &row).await?;
        let language = &row.synonym.group.language;
        if open.write.synonym_likenesses(language).await?.len() >= SYNONYMS_MAX {
            let what = format!("synonym groups in {language}");
            return Err(records::over_the_limit(&what, SYNONYMS_MAX));
        }
        open.write.add_synonyms(std::slice::from_ref(&row)).await?;
        let remark = records::remark(open.write.before(), language);
        let group = json!(row.synonym.group);
        let changed = changed("create_synonym", &row.synonym.id, "made");
        let changes = differences(&records::nothing(), &group);
        let revision = open.commit(Changed { changes, ..changed }).await?;
        Ok(outcome(row.synonym, revision, remark))
    })
    .await
}

/// Changes a group.
///
/// Errors: everything that is wrong with the change; `Stale` when the precondition does not hold; a conflict when
/// there is another group like it.
pub async fn update(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &SynonymId,
    patch: SynonymPatch,
    precondition: Precondition,
) -> Result<Outcome<Synonym>, OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    to_the_end(async move {
        let mut open = Change::begin(&service, &permit).await?;
        let found = open.write.synonym(&id).await?;
        let before = found.ok_or_else(|| records::not_found(RecordKind::Synonym))?;
        let likeness = Likeness::in_language(&before.group.language);
        let group = patch
            .apply(&before.group, &|text| likeness.form(text))
            .map_err(OperationError::Invalid)?;
        let changes = precondition.changes(&json!(before.group), &json!(group))?;
        let remark = records::remark(open.write.before(), &group.language);
        if changes.is_empty() {
            let changed = changed("update_synonym", &id, "saved without a change");
            let revision = open.commit(changed).await?;
            return Ok(outcome(before, revision, remark));
        }
        let row = SynonymRow {
            likeness: likeness.of(&group),
            synonym: Synonym {
                group,
                updated_at: service.clock.now(),
                ..before
            },
        };
        refuse_duplicate(&mut open, &row).await?;
        open.write.save_synonym(&row).await?;
        let changed = changed("update_synonym", &id, "changed");
        let revision = open.commit(Changed { changes, ..changed }).await?;
        Ok(outcome(row.synonym, revision, remark))
    })
    .await
}

/// Deletes a group.
///
/// Errors: `Stale` when the precondition does not hold.
pub async fn delete(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &SynonymId,
    precondition: Precondition,
) -> Result<(Deleted, i64), OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    to_the_end(async move {
        let mut open = Change::begin(&service, &permit).await?;
        let found = open.write.synonym(&id).await?;
        let before = found.ok_or_else(|| records::not_found(RecordKind::Synonym))?;
        let changes = precondition.changes(&json!(before.group), &records::nothing())?;
        open.write.remove_synonym(&id).await?;
        let changed = changed("delete_synonym", &id, "deleted");
        let revision = open.commit(Changed { changes, ..changed }).await?;
        Ok((Deleted { id: id.0 }, revision))
    })
    .await
}

async fn refuse_duplicate(open: &mut Change<'_>, row: &SynonymRow) -> Result<(), OperationError> {
    let language = &row.synonym.group.language;
    let alike = open.write.synonym_alike(language, &row.likeness).await?;
    match alike.filter(|alike| *alike != row.synonym.id) {
        Some(alike) => Err(OperationError::Conflict {
            code: "conflict",
            message: format!("there is a group with the same terms in {language}: {alike}"),
            details: json!({ "id": alike }),
        }),
        None => Ok(()),
    }
}

/// A change of one group, which has changed nothing yet.
fn changed(operation: &'static str, id: &SynonymId, what: &str) -> Changed {
    Changed {
        operation,
        resource: format!("synonyms/{id}"),
        summary: format!("Synonym group {what}."),
        changes: Vec::new(),
    }
}

fn outcome(synonym: Synonym, revision: i64, remark: Option<String>) -> Outcome<Synonym> {
    Outcome {
        revisioned: Revisioned::of(&synonym.group, revision),
        data: synonym,
        remark,
    }
}
