//! Synonym groups of a store: listed, read, made, changed, deleted, imported.

mod import;
mod likeness;

pub use import::{ImportReport, LineError, import};

use crate::change::ConfigurationChange;
use crate::records::{self, Deleted, Listed, Record, RecordKind, WriteOutcome};
use crate::service::to_the_end;
use crate::{OperationError, Precondition, Revisioned, Service, ids};
use domain::limits::SYNONYMS_MAX;
use domain::page::Meta;
use domain::synonym::{NewSynonym, Synonym, SynonymGroup, SynonymPatch, SynonymQuery};
use domain::{Caller, Language, StoreId, SynonymId, access};
use likeness::Likeness;
use serde_json::json;
use storage::{ConfigurationWrite, StorageError, SynonymRow};

/// The groups that `query` asks for: all, or one page.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: SynonymQuery,
) -> Result<Listed<Synonym>, OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::reading(service, &permit).await?;
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
    let mut reading = records::reading(service, &permit).await?;
    records::shown(reading.synonym(id).await?, reading.revision())
}

/// Makes a group.
///
/// Errors: everything that is wrong with it; a conflict when there is a group like it; too many groups.
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
    to_the_end(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
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
        if open.write.synonym_count(language).await? >= SYNONYMS_MAX as u64 {
            let what = format!("synonym groups in {language}");
            return Err(records::over_the_limit(&what, SYNONYMS_MAX));
        }
        open.write.add_synonyms(std::slice::from_ref(&row)).await?;
        records::made(open, "create_synonym", row.synonym).await
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
) -> Result<WriteOutcome<Synonym>, OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    to_the_end(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        let mut synonym: Synonym = records::find(&mut open, &id).await?;
        let likeness = Likeness::in_language(&synonym.group.language);
        let group = patch
            .apply(&synonym.group, &|text| likeness.form(text))
            .map_err(OperationError::Invalid)?;
        let changes = precondition.changes(&json!(synonym.group), &json!(group))?;
        if !changes.is_empty() {
            let row = SynonymRow {
                likeness: likeness.of(&group),
                synonym: Synonym {
                    group,
                    updated_at: service.clock.now(),
                    ..synonym
                },
            };
            refuse_duplicate(&mut open, &row).await?;
            open.write.save_synonym(&row).await?;
            synonym = row.synonym;
        }
        records::updated(open, "update_synonym", synonym, changes).await
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
    let asked = (caller, store);
    records::delete::<Synonym>(service, asked, "delete_synonym", id, precondition).await
}

async fn refuse_duplicate(
    open: &mut ConfigurationChange<'_>,
    row: &SynonymRow,
) -> Result<(), OperationError> {
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

impl Record for Synonym {
    const KIND: RecordKind = RecordKind::Synonym;
    const CALLED: &'static str = "Synonym group";
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
