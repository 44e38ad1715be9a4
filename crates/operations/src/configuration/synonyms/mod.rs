//! Synonym groups as records: what they check; and their import.

mod import;

pub use import::{ImportReport, LineError, check_import, import};

use crate::configuration::advised::AdvisedContent;
use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::configuration::likeness::Likeness;
use crate::configuration::records::{self, Record, RecordKind, RecordSummaries};
use crate::message;
use crate::runtime::ids;
use crate::{OperationError, Precondition};
use domain::audit::FieldChange;
use domain::limits::SYNONYMS_MAX;
use domain::page::Meta;
use domain::synonym::{NewSynonym, Synonym, SynonymGroup, SynonymPatch, SynonymQuery};
use domain::{Invalid, Language, SynonymId, Timestamp, error_codes};
use serde_json::json;
use storage::{ConfigurationView, StorageError, SynonymRow};

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
            message: message::conflict::same_terms(language.as_str(), duplicate.as_str()),
            details: json!({ "id": duplicate }),
        }),
        None => Ok(()),
    }
}

impl Record for Synonym {
    const KIND: RecordKind = RecordKind::Synonym;
    const NAME: &'static str = "Synonym group";
    const SUMMARIES: RecordSummaries = RecordSummaries {
        created: message::saved::synonym_created,
        updated: message::saved::synonym_updated,
        unchanged: message::saved::synonym_unchanged,
        deleted: message::saved::synonym_deleted,
    };
    const RESOURCES: &'static str = "synonyms";
    const CREATE: &'static str = "create_synonym";
    const UPDATE: &'static str = "update_synonym";
    const DELETE: &'static str = "delete_synonym";
    type Id = SynonymId;
    type Query = SynonymQuery;
    type New = NewSynonym;
    type Patch = SynonymPatch;
    type Content = SynonymGroup;
    type View = Self;

    fn id(&self) -> &SynonymId {
        &self.id
    }

    fn content(&self) -> &SynonymGroup {
        &self.group
    }

    fn language(&self) -> Option<&Language> {
        Some(&self.group.language)
    }

    fn to_advise(&self) -> Option<AdvisedContent> {
        Some(AdvisedContent::Synonym(self.group.clone()))
    }

    fn view(self, _now: Timestamp) -> Self {
        self
    }

    fn new_id() -> SynonymId {
        ids::synonym()
    }

    fn check(new: &NewSynonym) -> Result<(), OperationError> {
        let likeness = Likeness::in_language(&new.language);
        let checked = new.clone().check(&|text| likeness.form(text));
        checked.map(drop).map_err(OperationError::Invalid)
    }

    fn check_query(query: &SynonymQuery) -> Result<(), Invalid> {
        match &query.q {
            Some(q) if q.contains('\0') => Err(Invalid::new("q", message::text::nul())),
            _ => Ok(()),
        }
    }

    async fn list_in(
        reading: &mut ConfigurationView,
        query: &SynonymQuery,
    ) -> Result<(Vec<Self>, Option<Meta>), StorageError> {
        let page = query.page();
        let meta = match page {
            Some((number, limit)) => {
                let total = reading.synonym_count(query).await?;
                Some(Meta::new(number, limit, total))
            }
            None => None,
        };
        Ok((reading.synonyms(query, page).await?, meta))
    }

    async fn get_in(
        reading: &mut ConfigurationView,
        id: &SynonymId,
    ) -> Result<Option<Self>, StorageError> {
        reading.synonym(id).await
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
            let message = message::limit::synonyms(SYNONYMS_MAX, language.as_str());
            return Err(records::over_the_limit(message, SYNONYMS_MAX));
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
