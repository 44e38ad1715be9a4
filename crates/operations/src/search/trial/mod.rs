//! Trials: the two configurations that a preview, a simulation or an impact compares, the base, which is what is saved
//! unless another is named, and what is tried.

mod order;
mod overlap;
mod query;
mod visitor;

pub(crate) use order::{Moves, Order};
pub(crate) use overlap::{four_decimals, overlap};
pub(crate) use query::TriedQuery;
pub use visitor::SimulatedVisitor;

use crate::configuration::drafts::{Applying, NewIds, apply, require_restorable, return_all};
use crate::configuration::editable::Edit;
use crate::configuration::provisional::ProvisionalState;
use crate::configuration::{records, relevance};
use crate::message;
use crate::search::ranking::user_query;
use crate::search::visitor::Claims;
use crate::snapshots::snapshot::{Saved, StoreSnapshot};
use crate::{OperationError, Precondition, Service};
use ::query::rules::Effects;
use domain::draft::Draft;
use domain::limits::DATE_CHARACTERS_MAX;
use domain::message::quoted;
use domain::relevance::{BoostMerging, RelevanceChange};
use domain::visitor::Visitor;
use domain::{Caller, Invalid, Language, Permit, StoreId, Timestamp, access};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::Arc;
use storage::FormerResource;

/// What is tried, when and for whom. It is a part of requests whose schemas reject unknown keys: serde cannot, where one
/// type is part of another.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrialRequest {
    /// The draft to try.
    #[serde(default)]
    #[schemars(with = "Draft")]
    pub draft: Option<Draft>,
    /// The revision to try in place of a draft.
    #[serde(default)]
    #[schemars(with = "i64")]
    pub restore: Option<i64>,
    /// The instant at which rules apply, RFC 3339; now when left out.
    #[serde(default)]
    #[schemars(with = "String", length(max = DATE_CHARACTERS_MAX))]
    pub at: Option<String>,
    /// The shopper to rank for; an anonymous one when left out.
    #[serde(default)]
    #[schemars(with = "SimulatedVisitor")]
    pub visitor: Option<SimulatedVisitor>,
}

impl TrialRequest {
    /// Returns what is wrong with the values of the draft whatever is saved.
    pub fn value_errors(self) -> Vec<Invalid> {
        self.draft.map(Draft::value_errors).unwrap_or_default()
    }
}

/// What is tried, with everything that was read for it.
#[derive(Clone)]
pub(crate) struct Trial {
    snapshot: Arc<StoreSnapshot>,
    draft: Option<Draft>,
    restored: Vec<FormerResource>,
    relevance: Option<RelevanceChange>,
    merging: BoostMerging,
    base: Vec<FormerResource>,
    visitor: Option<SimulatedVisitor>,
    now: Timestamp,
    at: Timestamp,
}

/// What is saved, or another base, and what is tried, each ready to be searched.
pub(crate) struct Sides {
    /// The base: what is saved unless a revision was named.
    pub saved: Arc<StoreSnapshot>,
    /// What is tried.
    pub tried: Arc<StoreSnapshot>,
    /// The instant at which rules apply.
    pub at: Timestamp,
}

impl Trial {
    /// Reads what is needed to try a draft or a revision.
    ///
    /// Errors: `Invalid`; `NotFound` for an unknown store or revision.
    pub async fn open(
        service: &Service,
        caller: &Caller,
        store: &StoreId,
        request: TrialRequest,
    ) -> Result<Self, OperationError> {
        let TrialRequest {
            draft,
            restore,
            at,
            visitor,
        } = request;
        let permit = access::read(caller, store)?;
        if let Some(draft) = &draft {
            draft.check().map_err(OperationError::Invalid)?;
        }
        if draft.is_some() && restore.is_some() {
            let reason = message::change::not_with_draft();
            return Err(OperationError::invalid("restore", reason));
        }
        let now = service.clock.now();
        let at = match at {
            None => now,
            Some(text) => Timestamp::parse(&text).ok_or_else(|| {
                let reason = message::change::instant(quoted(&text));
                OperationError::invalid("at", reason)
            })?,
        };
        let snapshot = service.snapshots.latest(store).await?;
        let restored = match restore {
            None => Vec::new(),
            Some(number) => states_after(service, &permit, number).await?,
        };
        Ok(Self {
            snapshot,
            draft,
            restored,
            relevance: None,
            merging: BoostMerging::Replace,
            base: Vec::new(),
            visitor,
            now,
            at,
        })
    }

    /// Checks the language of a query and provisional relevance together, before anything is built.
    ///
    /// Errors: `Invalid` with all invalid values.
    pub fn check(
        &self,
        lang: Option<&str>,
        change: &RelevanceChange,
        merging: BoostMerging,
    ) -> Result<(), OperationError> {
        let overrides = &self.snapshot.configuration.overrides;
        let mut wrong: Vec<Invalid> = self.snapshot.language(lang).err().into_iter().collect();
        wrong.extend(overrides.apply(change, merging).err().unwrap_or_default());
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(OperationError::Invalid(wrong)),
        }
    }

    /// Tries boosts and settings too, and merges all boosts in this way.
    #[must_use]
    pub fn with_relevance(self, change: RelevanceChange, merging: BoostMerging) -> Self {
        Self {
            relevance: change.changes_anything().then_some(change),
            merging,
            ..self
        }
    }

    /// Compares with the state right after the revision `number` in place of what is saved.
    ///
    /// Errors: `NotFound` for an unknown revision; `Conflict` for one whose state was not kept.
    pub async fn compared_with(
        mut self,
        service: &Service,
        permit: &Permit<access::Read>,
        number: i64,
    ) -> Result<Self, OperationError> {
        self.base = states_after(service, permit, number).await?;
        Ok(self)
    }

    /// Returns all languages of the store.
    pub fn languages(&self) -> Vec<Language> {
        self.snapshot.store.languages.clone()
    }

    /// Returns the language with this code, or the default one.
    pub fn language(&self, code: Option<&str>) -> Result<Language, OperationError> {
        let language = self.snapshot.language(code);
        language.map_err(|invalid| OperationError::Invalid(vec![invalid]))
    }

    /// Returns the shopper.
    pub fn visitor(&self) -> Arc<Visitor> {
        let claims = self.visitor.clone().map(Claims::from).unwrap_or_default();
        Arc::new(claims.resolve(&self.snapshot.declarations))
    }
}

/// Returns what differs today from the state right after the revision `number`.
async fn states_after(
    service: &Service,
    permit: &Permit<access::Read>,
    number: i64,
) -> Result<Vec<FormerResource>, OperationError> {
    let mut reading = records::view(service, permit).await?;
    let first = reading.restorable_from().await?;
    require_restorable(number, first, reading.revision())?;
    Ok(reading.states_after(number).await?)
}

impl Sides {
    /// Applies what is tried, and compiles it for `languages`. May take seconds; for a thread that may block.
    ///
    /// Errors: `Invalid`, `Conflict` and `PlanLimit`, as for a save; `NotFoundIn` for a record that the draft names and
    /// that is not there.
    pub fn new<'a>(
        trial: Trial,
        languages: impl IntoIterator<Item = &'a Language>,
    ) -> Result<Self, OperationError> {
        let languages: BTreeSet<&Language> = languages.into_iter().collect();
        let (snapshot, at) = (&trial.snapshot, trial.at);
        let saved = match trial.base.is_empty() {
            true => Arc::clone(snapshot),
            false => {
                let base = provisional(snapshot, trial.now, async |state, edit| {
                    return_all(state, edit, trial.base).await.map(drop)
                })?;
                Arc::new(snapshot.with_saved(base, languages.clone()))
            }
        };
        let is_saved =
            trial.draft.is_none() && trial.restored.is_empty() && trial.relevance.is_none();
        if is_saved {
            let tried = Arc::clone(snapshot);
            return Ok(Self { saved, tried, at });
        }
        let tried = provisional(snapshot, trial.now, async |state, edit| {
            return_all(state, edit, trial.restored).await?;
            let way = Applying {
                ids: NewIds::Provisional,
                boosts: trial.merging,
            };
            let draft = trial.draft.unwrap_or_default();
            apply(state, edit, draft, way).await?;
            if let Some(change) = trial.relevance {
                let any = Precondition::None;
                relevance::update_in(state, &change, trial.merging, &any).await?;
            }
            Ok(())
        })?;
        let tried = Arc::new(snapshot.with_saved(tried, languages));
        Ok(Self { saved, tried, at })
    }

    /// Returns whether the two configurations may rank a query differently, without ranking it: whether relevance, the
    /// rules in effect or the synonyms that fire differ.
    ///
    /// Errors: if an index cannot be read.
    pub fn may_differ(
        &self,
        (language, text): (&Language, &str),
        visitor: &Visitor,
        [tried, saved]: [&Effects; 2],
    ) -> Result<bool, OperationError> {
        let (ours, theirs) = (&self.tried, &self.saved);
        if Arc::ptr_eq(ours, theirs) {
            return Ok(false);
        }
        let differs = ours.configuration.relevance != theirs.configuration.relevance
            || tried.plan(true) != saved.plan(true);
        if differs || ours.has_same_records(theirs, language) {
            return Ok(differs);
        }
        let read = |snapshot: &StoreSnapshot| user_query(snapshot, (language, text), visitor);
        Ok(read(ours)? != read(theirs)?)
    }
}

/// Returns the configuration of a store as `change` leaves it.
fn provisional(
    snapshot: &StoreSnapshot,
    now: Timestamp,
    change: impl AsyncFnOnce(&mut ProvisionalState, &mut Edit) -> Result<(), OperationError>,
) -> Result<Saved, OperationError> {
    let mut state = ProvisionalState::of(snapshot);
    let patterns = snapshot.pattern_bytes();
    let mut edit = Edit::new(now, patterns, |number| format!("draft:group:{number}"));
    // Nothing in memory waits, so this returns at once.
    let changed = change(&mut state, &mut edit);
    tokio::runtime::Handle::current().block_on(changed)?;
    Ok(state.into_saved())
}
