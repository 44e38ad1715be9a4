//! Synonym groups of a store: list, get, create, update, delete, import.

mod import;

pub use import::{ImportReport, LineError, check_import, import};

use crate::configuration::change::ConfigurationChange;
use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::configuration::likeness::Likeness;
use crate::configuration::records::{self, Deleted, Listed, Record, RecordKind, WriteOutcome};
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::FieldChange;
use domain::limits::SYNONYMS_MAX;
use domain::page::Meta;
use domain::synonym::{NewSynonym, Synonym, SynonymGroup, SynonymPatch, SynonymQuery};
use domain::{Caller, Language, StoreId, SynonymId, access, error_codes};
use serde_json::json;
use storage::{StorageError, SynonymRow};

/// Returns the groups that match `query`: all, or one page.
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

/// Returns one group.
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
    // An invalid one does not wait for the single writer of the database.
    let likeness = Likeness::in_language(&new.language);
    let checked = new.clone().check(&|text| likeness.form(text));
    checked.map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        let mut edit = open.edit();
        let id = Synonym::new_id();
        let synonym = Synonym::create_in(&mut open.write, &mut edit, id, new).await?;
        records::created(open, "create_synonym", synonym).await
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
        let before: Synonym = records::find(&mut open.write, &id).await?;
        let mut edit = open.edit();
        let (synonym, changes) =
            Synonym::update_in(&mut open.write, &mut edit, before, patch, &precondition).await?;
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

/// Fails if there is another group with the same terms.
pub(crate) async fn check_duplicate(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    row: &SynonymRow,
) -> Result<(), OperationError> {
    let language = &row.synonym.group.language;
    let likeness = edit.likeness(language);
    match state.duplicate_synonym(row, likeness).await? {
        Some(duplicate) => Err(OperationError::Conflict {
            code: error_codes::CONFLICT,
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
    type New = NewSynonym;
    type Patch = SynonymPatch;

    fn id(&self) -> &SynonymId {
        &self.id
    }

    fn content(&self) -> &SynonymGroup {
        &self.group
    }

    fn language(&self) -> Option<&Language> {
        Some(&self.group.language)
    }

    fn new_id() -> SynonymId {
        ids::synonym()
    }

    async fn find(
        state: &mut impl EditableConfiguration,
        id: &SynonymId,
    ) -> Result<Option<Self>, StorageError> {
        state.synonym(id).await
    }

    async fn create_in(
        state: &mut impl EditableConfiguration,
        edit: &mut Edit,
        id: SynonymId,
        new: NewSynonym,
    ) -> Result<Self, OperationError> {
        let (now, likeness) = (edit.now, edit.likeness(&new.language));
        let group = new
            .check(&|text| likeness.form(text))
            .map_err(OperationError::Invalid)?;
        let row = SynonymRow {
            duplicate_key: likeness.of(&group),
            synonym: Self {
                id,
                group,
                created_at: now,
                updated_at: now,
            },
        };
        check_duplicate(state, edit, &row).await?;
        let language = &row.synonym.group.language;
        if state.synonym_count(language).await? >= SYNONYMS_MAX as u64 {
            let what = format!("synonym groups in {language}");
            return Err(records::over_the_limit(&what, SYNONYMS_MAX));
        }
        state.add_synonym(&row).await?;
        Ok(row.synonym)
    }

    async fn update_in(
        state: &mut impl EditableConfiguration,
        edit: &mut Edit,
        before: Self,
        patch: SynonymPatch,
        precondition: &Precondition,
    ) -> Result<(Self, Vec<FieldChange>), OperationError> {
        let (now, likeness) = (edit.now, edit.likeness(&before.group.language));
        let group = patch
            .apply(&before.group, &|text| likeness.form(text))
            .map_err(OperationError::Invalid)?;
        let changes = precondition.changes(&json!(before.group), &json!(group))?;
        if changes.is_empty() {
            return Ok((before, changes));
        }
        let row = SynonymRow {
            duplicate_key: likeness.of(&group),
            synonym: Self {
                group,
                updated_at: now,
                ..before
            },
        };
        check_duplicate(state, edit, &row).await?;
        state.save_synonym(&row).await?;
        Ok((row.synonym, changes))
    }

    async fn remove_in(
        state: &mut impl EditableConfiguration,
        _edit: &mut Edit,
        before: &Self,
    ) -> Result<(), OperationError> {
        Ok(state.remove_synonym(&before.id).await?)
    }
}
