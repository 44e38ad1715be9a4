//! Synonym groups of a store: list, get, create, update, delete, import.

mod import;
mod likeness;

pub use import::{ImportReport, LineError, import};

use crate::change::ConfigurationChange;
use crate::records::{self, Deleted, Listed, Record, RecordKind, WriteOutcome};
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service, codes, ids};
use domain::limits::SYNONYMS_MAX;
use domain::page::Meta;
use domain::synonym::{NewSynonym, Synonym, SynonymGroup, SynonymPatch, SynonymQuery};
use domain::{Caller, Language, StoreId, SynonymId, access};
use likeness::Likeness;
use serde_json::json;
use storage::{ConfigurationWrite, StorageError, SynonymRow};

/// Returns the groups that match `query`: all, or one page.
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

/// Returns one group.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &SynonymId,
) -> Result<(Synonym, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::reading(service, permit.store()).await?;
    records::shown(reading.synonym(id).await?, reading.revision())
}

/// Creates a group.
///
/// Errors: `Invalid` with all invalid values; `Conflict` if there is a group with the same terms; `PlanLimit` for too
/// many groups.
pub async fn create(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    new: NewSynonym,
) -> Result<WriteOutcome<Synonym>, OperationError> {
    let permit = access::write(caller, store)?;
    let likeness = Likeness::in_language(&new.language);
    let group = new
        .check(&|text| likeness.form(text))
        .map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        let now = service.clock.now();
        let row = SynonymRow {
            duplicate_key: likeness.of(&group),
            synonym: Synonym {
                id: ids::synonym(),
                group,
                created_at: now,
                updated_at: now,
            },
        };
        check_duplicate(&mut open, &row).await?;
        let language = &row.synonym.group.language;
        if open.write.synonym_count(language).await? >= SYNONYMS_MAX as u64 {
            let what = format!("synonym groups in {language}");
            return Err(records::over_the_limit(&what, SYNONYMS_MAX));
        }
        open.write.add_synonyms(std::slice::from_ref(&row)).await?;
        records::created(open, "create_synonym", row.synonym).await
    })
    .await
}

/// Updates a group.
///
/// Errors: `Invalid` with all invalid values; `Stale` if the precondition does not hold; `Conflict` if there is another
/// group with the same terms.
pub async fn update(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &SynonymId,
    patch: SynonymPatch,
    precondition: Precondition,
) -> Result<WriteOutcome<Synonym>, OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    run_to_completion(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        let mut synonym: Synonym = records::find(&mut open, &id).await?;
        let likeness = Likeness::in_language(&synonym.group.language);
        let group = patch
            .apply(&synonym.group, &|text| likeness.form(text))
            .map_err(OperationError::Invalid)?;
        let changes = precondition.changes(&json!(synonym.group), &json!(group))?;
        if !changes.is_empty() {
            let row = SynonymRow {
                duplicate_key: likeness.of(&group),
                synonym: Synonym {
                    group,
                    updated_at: service.clock.now(),
                    ..synonym
                },
            };
            check_duplicate(&mut open, &row).await?;
            open.write.save_synonym(&row).await?;
            synonym = row.synonym;
        }
        records::updated(open, "update_synonym", synonym, changes).await
    })
    .await
}

/// Deletes a group.
///
/// Errors: `Stale` if the precondition does not hold.
pub async fn delete(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &SynonymId,
    precondition: Precondition,
) -> Result<(Deleted, i64), OperationError> {
    records::delete::<Synonym>(service, (caller, store), "delete_synonym", id, precondition).await
}

async fn check_duplicate(
    open: &mut ConfigurationChange<'_>,
    row: &SynonymRow,
) -> Result<(), OperationError> {
    let language = &row.synonym.group.language;
    let duplicate = open
        .write
        .find_duplicate_synonym(language, &row.duplicate_key)
        .await?;
    match duplicate.filter(|duplicate| *duplicate != row.synonym.id) {
        Some(duplicate) => Err(OperationError::Conflict {
            code: codes::CONFLICT,
            message: format!("there is a group with the same terms in {language}: {duplicate}"),
            details: json!({ "id": duplicate }),
        }),
        None => Ok(()),
    }
}

impl Record for Synonym {
    const KIND: RecordKind = RecordKind::Synonym;
    const NAME: &'static str = "Synonym group";
    const RESOURCES: &'static str = "synonyms";
    type Id = SynonymId;
    type Content = SynonymGroup;

    fn id(&self) -> &SynonymId {
        &self.id
    }

    fn content(&self) -> &SynonymGroup {
        &self.group
    }

    fn language(&self) -> Option<&Language> {
        Some(&self.group.language)
    }

    async fn find(
        write: &mut ConfigurationWrite,
        id: &SynonymId,
    ) -> Result<Option<Self>, StorageError> {
        write.synonym(id).await
    }

    async fn remove(write: &mut ConfigurationWrite, id: &SynonymId) -> Result<(), StorageError> {
        write.remove_synonym(id).await
    }
}
