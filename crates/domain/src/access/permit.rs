//! `Permit`: that a caller may act on one store in one way, and how a write is to be carried out.

use super::Caller;
use crate::attempt::WriteAttempt;
use crate::audit::Actor;
use crate::change_note::ChangeNote;
use crate::id::StoreId;

/// Proof that a caller may act on one store in one way.
#[derive(Clone, Debug)]
pub struct Permit<Kind> {
    store: StoreId,
    actor: Actor,
    request_id: Option<String>,
    attempt: WriteAttempt,
    proposes: bool,
    kind: std::marker::PhantomData<Kind>,
}

/// Marks a permit to read the configuration, including the simulator.
#[derive(Clone, Debug)]
pub struct Read;
/// Marks a permit to change the configuration.
#[derive(Clone, Debug)]
pub struct Write;
/// Marks a permit to write documents.
#[derive(Clone, Debug)]
pub struct Feed;
/// Marks a permit to search as a shopper.
#[derive(Clone, Debug)]
pub struct Search;
/// Marks a permit to read the files that a store publishes to everybody.
#[derive(Clone, Debug)]
pub struct PublicFiles;
/// Marks a permit of the server itself, which acts on behalf of no caller.
#[derive(Clone, Debug)]
pub struct System;

/// The kinds of permits to read the configuration and the catalogue of a store.
///
/// [`Search`] is none of them: a search reads the indexes and a snapshot of the configuration, never the database.
pub trait MayRead {}

impl MayRead for Read {}
impl MayRead for Write {}
impl MayRead for Feed {}
impl MayRead for System {}

impl<Kind> Permit<Kind> {
    pub(super) fn new(caller: &Caller, store: &StoreId) -> Self {
        Self {
            attempt: caller.attempt.clone(),
            ..Self::of_actor(caller.actor(), caller.request_id.clone(), store)
        }
    }

    pub(super) fn of_actor(actor: Actor, request_id: Option<String>, store: &StoreId) -> Self {
        Self {
            store: store.clone(),
            actor,
            request_id,
            attempt: WriteAttempt::default(),
            proposes: false,
            kind: std::marker::PhantomData,
        }
    }

    /// Returns the store that the permit is for.
    pub fn store(&self) -> &StoreId {
        &self.store
    }

    /// Returns the caller as the audit trail names it.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Returns how the write is to be carried out.
    pub fn attempt(&self) -> &WriteAttempt {
        &self.attempt
    }

    /// Returns the permit of a write with this note, which may be that of its body.
    #[must_use]
    pub fn noted(self, note: Option<ChangeNote>) -> Self {
        Self {
            attempt: self.attempt.with_note(note),
            ..self
        }
    }

    /// Returns the permit of a write that is saved although the gate of the store does not let it through, as `field` of
    /// its body says.
    #[must_use]
    pub fn forcing(self, field: &'static str) -> Self {
        Self {
            attempt: self.attempt.forced(field),
            ..self
        }
    }

    /// Returns the permit for a write of a proposal itself, which is saved.
    #[must_use]
    pub fn saving(self) -> Self {
        self.proposing(false)
    }

    /// Returns the permit of a write that becomes a proposal, or is saved.
    pub(super) fn proposing(self, proposes: bool) -> Self {
        Self { proposes, ..self }
    }

    /// Returns whether the write saves nothing and becomes a proposal.
    pub fn proposes(&self) -> bool {
        self.proposes
    }

    /// Returns the id of the request.
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }
}
