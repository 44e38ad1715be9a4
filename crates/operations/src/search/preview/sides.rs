//! The two configurations that a preview compares: what is saved, and what is tried.

use crate::configuration::drafts::{
    NewIds, ProvisionalState, apply, require_restorable, return_all,
};
use crate::configuration::editable::Edit;
use crate::configuration::records;
use crate::message;
use crate::search::simulator::SimulatedVisitor;
use crate::search::visitor::Claims;
use crate::snapshots::snapshot::StoreSnapshot;
use crate::{OperationError, Service};
use domain::draft::Draft;
use domain::limits::DATE_CHARACTERS_MAX;
use domain::message::quoted;
use domain::visitor::Visitor;
use domain::{Caller, Language, StoreId, Timestamp, access};
use schemars::JsonSchema;
use serde::Deserialize;
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

/// What is tried, with everything that was read for it.
pub(super) struct Trial {
    snapshot: Arc<StoreSnapshot>,
    draft: Option<Draft>,
    restored: Vec<FormerResource>,
    visitor: Option<SimulatedVisitor>,
    now: Timestamp,
    at: Timestamp,
}

/// What is saved and what is tried, each ready to be searched.
pub(super) struct Sides {
    /// What is saved.
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
        let snapshot = service.snapshots.of(store).await?;
        let restored = match restore {
            None => Vec::new(),
            Some(number) => {
                let mut reading = records::view(service, &permit).await?;
                let first = reading.restorable_from().await?;
                require_restorable(number, first, reading.revision())?;
                reading.states_after(number).await?
            }
        };
        Ok(Self {
            snapshot,
            draft,
            restored,
            visitor,
            now,
            at,
        })
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

impl Sides {
    /// Applies what is tried, and compiles it for `languages`. May take seconds; for a thread that may block.
    ///
    /// Errors: `Invalid`, `Conflict` and `PlanLimit`, as for a save.
    pub fn new<'a>(
        trial: Trial,
        languages: impl IntoIterator<Item = &'a Language>,
    ) -> Result<Self, OperationError> {
        let Trial {
            snapshot,
            draft,
            restored,
            now,
            at,
            ..
        } = trial;
        if draft.is_none() && restored.is_empty() {
            let tried = Arc::clone(&snapshot);
            let saved = snapshot;
            return Ok(Self { saved, tried, at });
        }
        let mut state = ProvisionalState::of(&snapshot);
        let patterns = snapshot.pattern_bytes();
        let mut edit = Edit::new(now, patterns, |number| format!("draft:group:{number}"));
        // Nothing in memory waits, so this returns at once.
        let done = tokio::runtime::Handle::current().block_on(async {
            return_all(&mut state, &mut edit, restored).await?;
            let draft = draft.unwrap_or_default();
            apply(&mut state, &mut edit, draft, NewIds::Provisional).await
        });
        done?;
        let languages = languages.into_iter().collect();
        let tried = Arc::new(snapshot.with_saved(state.into_saved(), languages));
        let saved = snapshot;
        Ok(Self { saved, tried, at })
    }
}
