//! `POST /feed/indices`: creates the missing indices, as far as the plan covers their languages.

use super::{FeedCaller, writable_store};
use crate::access::permits::feed_on_store;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::audit::AuditEntry;
use domain::feed::{
    FeedScope, IndexOutcome, IndicesReport, LanguagesOutcome, NewIndices, SkippedLanguage,
};
use domain::limits::STORE_LANGUAGES_MAX;
use domain::store::Store;
use domain::{Caller, DocType, IndexId, Invalid, Language, Permit, StoreId, error_codes};
use serde_json::json;
use storage::FeedWrite;

/// Creates the missing indices of the given types and languages. Never removes one.
///
/// The default language comes first, so that the plan covers it before the others.
///
/// Errors: `Invalid` for no language or two default ones; `PlanLimit` if no language can be indexed at all.
pub async fn create(
    service: &Service,
    caller: &FeedCaller,
    requested: NewIndices,
) -> Result<IndicesReport, OperationError> {
    let permit = caller.permit(service).await?;
    create_requested(service, permit, requested, None).await
}

/// Creates the missing indices on behalf of a user or the operator; it is audited.
///
/// Errors: `Forbidden` for a key or a lesser role, and those of [`create`].
pub async fn create_in_panel(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    requested: NewIndices,
) -> Result<IndicesReport, OperationError> {
    let permit = feed_on_store(caller, "create_indices", store)?;
    let entry = AuditEntry {
        actor: permit.actor().clone(),
        operation: "create_indices".to_owned(),
        resource: "indices".to_owned(),
        summary: message::audited::indices_created(),
        changes: Vec::new(),
        request_id: permit.request_id().map(str::to_owned),
    };
    create_requested(service, permit, requested, Some(entry)).await
}

async fn create_requested(
    service: &Service,
    permit: Permit<Feed>,
    requested: NewIndices,
    entry: Option<AuditEntry>,
) -> Result<IndicesReport, OperationError> {
    let languages = languages(&requested)?;
    let mut types = requested.types;
    types.dedup();
    if types.is_empty() {
        return Err(OperationError::invalid("types", message::store::name_one()));
    }
    let service = service.clone();
    run_to_completion(async move {
        create_missing(&service, &permit, (&types, languages), entry.as_ref()).await
    })
    .await
}

async fn create_missing(
    service: &Service,
    permit: &Permit<Feed>,
    (types, languages): (&[DocType], Vec<Language>),
    entry: Option<&AuditEntry>,
) -> Result<IndicesReport, OperationError> {
    let mut feed = service.storage.begin_feed(permit).await?;
    let store = writable_store(&mut feed).await?;
    let now = service.clock.now();
    let scopes = feed.scopes().await?;
    let outcome = covered(&store, &scopes, languages)?;
    let mut indices = Vec::new();
    let mut created: Vec<IndexId> = Vec::new();
    for doc_type in types {
        for language in &outcome.indexed {
            let scope = FeedScope {
                doc_type: *doc_type,
                language: language.clone(),
            };
            let status = if scopes.contains(&scope)
                || indices.iter().any(|i: &IndexOutcome| i.scope == scope)
            {
                "exists"
            } else {
                created.push(feed.create_index(&scope, now).await?.id);
                "created"
            };
            indices.push(IndexOutcome { scope, status });
        }
    }
    let languages_added = add_languages(&mut feed, &store, &outcome.indexed).await?;
    if let Some(entry) = entry {
        feed.record(entry, now).await?;
    }
    feed.commit().await?;
    notify_indexer(service, permit, &created, languages_added).await;
    Ok(IndicesReport {
        indices,
        languages: outcome,
    })
}

/// Creates the index of `scope` if it is missing, for imports.
pub(crate) async fn ensure(
    service: &Service,
    permit: &Permit<Feed>,
    scope: &FeedScope,
) -> Result<(), OperationError> {
    // An index is never removed from a store, so what is there before the transaction is there in it, too.
    let known = service.storage.indices_of(permit).await?;
    if known.iter().any(|index| index.scope == *scope) {
        return Ok(());
    }
    let types = [scope.doc_type];
    let languages = vec![scope.language.clone()];
    create_missing(service, permit, (&types, languages), None).await?;
    Ok(())
}

/// Adds the languages that have an index to those of the store; returns whether any is new.
async fn add_languages(
    feed: &mut FeedWrite,
    store: &Store,
    indexed: &[Language],
) -> Result<bool, OperationError> {
    let mut languages = store.languages.clone();
    for language in indexed {
        if !languages.contains(language) {
            languages.push(language.clone());
        }
    }
    let languages_added = languages.len() > store.languages.len();
    if languages_added {
        feed.save_languages(&languages).await?;
    }
    Ok(languages_added)
}

async fn notify_indexer(
    service: &Service,
    permit: &Permit<Feed>,
    created: &[IndexId],
    languages_added: bool,
) {
    for index in created {
        service.indexing.changed(permit.store(), *index);
    }
    if languages_added || !created.is_empty() {
        service
            .snapshots
            .configuration_changed(permit.store())
            .await;
    }
}

fn languages(requested: &NewIndices) -> Result<Vec<Language>, OperationError> {
    let mut wrong = Vec::new();
    let mut languages: Vec<Language> = Vec::new();
    for (at, language) in requested.languages.iter().enumerate() {
        let field = format!("languages[{at}].code");
        match Language::parse(&language.code) {
            Ok(code) if languages.contains(&code) => {
                wrong.push(Invalid::new(field, message::value::named_twice()));
            }
            Ok(code) => languages.push(code),
            Err(reason) => wrong.push(Invalid::new(field, reason)),
        }
    }
    if requested.languages.is_empty() {
        wrong.push(Invalid::new("languages", message::store::name_one()));
    }
    if requested.languages.iter().filter(|l| l.default).count() > 1 {
        wrong.push(Invalid::new("languages", message::store::one_default()));
    }
    if wrong.is_empty() {
        if let Some(default) = requested.languages.iter().position(|l| l.default) {
            languages[..=default].rotate_right(1);
        }
        Ok(languages)
    } else {
        Err(OperationError::Invalid(wrong))
    }
}

/// Returns the languages that the plan covers: those with an index keep their slot, the others follow in the requested
/// order.
fn covered(
    store: &Store,
    scopes: &[FeedScope],
    requested: Vec<Language>,
) -> Result<LanguagesOutcome, OperationError> {
    let max = store
        .plan
        .max_languages
        .map_or(STORE_LANGUAGES_MAX, |max| max as usize);
    let mut taken: Vec<&Language> = scopes.iter().map(|scope| &scope.language).collect();
    taken.sort();
    taken.dedup();
    let mut free = max.saturating_sub(taken.len());
    let mut outcome = LanguagesOutcome::default();
    for code in requested {
        if taken.contains(&&code) {
            outcome.indexed.push(code);
        } else if free > 0 {
            free -= 1;
            outcome.indexed.push(code);
        } else {
            let reason = error_codes::PLAN_LIMIT;
            outcome.skipped.push(SkippedLanguage { code, reason });
        }
    }
    if outcome.indexed.is_empty() {
        return Err(OperationError::PlanLimit {
            message: message::limit::plan_languages(max),
            details: json!({"max": max, "declared": outcome.skipped.len()}),
        });
    }
    Ok(outcome)
}
