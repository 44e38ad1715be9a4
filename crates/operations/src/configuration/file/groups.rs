//! Imports the synonym groups of a file. Two groups may exchange their terms, so what the database compares is moved out
//! of the way first.

use super::applying::Application;
use super::checking::CheckedRecord;
use super::matching::{Matched, matches};
use crate::OperationError;
use crate::configuration::drafts::new_ids;
use crate::configuration::records::Record;
use crate::message;
use domain::synonym::{Synonym, SynonymGroup};
use domain::{Language, SynonymId, error_codes};
use serde_json::json;
use std::collections::HashMap;
use storage::SynonymRow;

type CheckedGroup = CheckedRecord<SynonymGroup, (Language, String)>;

/// The groups of a store by what tells them apart, as the import leaves them.
type Taken = HashMap<(Language, String), SynonymId>;

/// Makes the groups of the store those of the file, or adds these.
///
/// Errors: `Conflict` with the path of a group that is a duplicate of one that stays.
pub(super) async fn import(
    application: &mut Application<'_>,
    groups: Vec<CheckedGroup>,
) -> Result<(), OperationError> {
    let present = application.write.synonyms().await?;
    let key = |row: &SynonymRow| {
        let language = row.synonym.group.language.clone();
        (language, row.duplicate_key.clone())
    };
    let of_file: Vec<_> = groups
        .iter()
        .map(|one| Matched {
            id: one.id.as_deref(),
            fixed: &one.content.language,
            key: one.key.clone(),
        })
        .collect();
    let of_store: Vec<_> = present
        .iter()
        .map(|row| Matched {
            id: Some(row.synonym.id.as_str()),
            fixed: &row.synonym.group.language,
            key: key(row),
        })
        .collect();
    let matched = matches(&of_file, &of_store);
    drop((of_file, of_store));
    let mut taken: Taken = present
        .iter()
        .map(|row| (key(row), row.synonym.id.clone()))
        .collect();
    let mut stays = vec![false; present.len()];
    for found in matched.iter().flatten() {
        stays[*found] = true;
    }
    for (row, stays) in present.iter().zip(stays) {
        if !stays && application.deletes() {
            Synonym::remove_in(application.write, &mut application.edit, &row.synonym).await?;
            taken.remove(&key(row));
            application.deleted::<Synonym>(&row.synonym);
        }
    }
    let mut updated: Vec<(CheckedGroup, Synonym)> = Vec::new();
    let mut created: Vec<CheckedGroup> = Vec::new();
    for (group, found) in groups.into_iter().zip(matched) {
        match found.and_then(|at| present.get(at)) {
            Some(row) if row.synonym.group == group.content => {
                application.unchanged::<Synonym>(group.id.as_deref(), &row.synonym.id);
            }
            Some(row) => {
                taken.remove(&key(row));
                updated.push((group, row.synonym.clone()));
            }
            None => created.push(group),
        }
    }
    update(application, updated, &mut taken).await?;
    create(application, created, &mut taken).await
}

async fn update(
    application: &mut Application<'_>,
    updated: Vec<(CheckedGroup, Synonym)>,
    taken: &mut Taken,
) -> Result<(), OperationError> {
    for (_, synonym) in &updated {
        let moved = SynonymRow {
            duplicate_key: format!("moved {}", synonym.id),
            synonym: synonym.clone(),
        };
        application.write.save_synonym(&moved).await?;
    }
    for (group, before) in updated {
        let after = Synonym {
            group: group.content,
            updated_at: application.edit.now,
            ..before.clone()
        };
        claim(taken, group.at, &group.key, &after.id)?;
        let row = SynonymRow {
            duplicate_key: group.key.1,
            synonym: after,
        };
        application.write.save_synonym(&row).await?;
        application.updated::<Synonym>(group.id.as_deref(), &before, &row.synonym);
    }
    Ok(())
}

async fn create(
    application: &mut Application<'_>,
    created: Vec<CheckedGroup>,
    taken: &mut Taken,
) -> Result<(), OperationError> {
    let ids = new_ids::<Synonym>(
        created.len(),
        application.new_ids(),
        application.edit.drafted(Synonym::RESOURCES),
    );
    let mut rows = Vec::with_capacity(created.len());
    for (nth, (id, group)) in ids.into_iter().zip(created).enumerate() {
        claim(taken, group.at, &group.key, &id)?;
        let at = application.created_at(nth);
        let synonym = Synonym {
            id,
            group: group.content,
            created_at: at,
            updated_at: at,
        };
        application.created::<Synonym>(group.id.as_deref(), &synonym);
        rows.push(SynonymRow {
            duplicate_key: group.key.1,
            synonym,
        });
    }
    if !rows.is_empty() {
        application.write.add_synonyms(&rows).await?;
    }
    Ok(())
}

/// Takes the place of a group by its content, which two never share.
fn claim(
    taken: &mut Taken,
    at: usize,
    key: &(Language, String),
    id: &SynonymId,
) -> Result<(), OperationError> {
    let Some(other) = taken.insert(key.clone(), id.clone()) else {
        return Ok(());
    };
    let path = format!("synonyms[{at}]");
    let message = message::conflict::same_terms(key.0.as_str(), other.as_str());
    Err(OperationError::Conflict {
        code: error_codes::CONFLICT,
        message: message::value::in_field(&path, message),
        details: json!({ "id": other, "field": path }),
    })
}
