//! Proposals: what keys propose instead of saving, and what people decide about it (`docs/api.md`).
//!
//! A proposal is the write itself, undone before its commit. It is kept as changed fields with their values before and
//! after, so that it can be merged with what is saved later.

mod adding;
mod create;
mod decide;
mod draft;
mod judge;
mod propose;
mod read;
mod record;
mod settle;
mod stored;
mod undone;
mod withdraw;

pub use create::{Created, create};
pub use decide::{apply, reject};
pub use read::{get, list};
pub use record::{
    ConflictKind, ProposalChange, ProposalConflict, ProposalDecision, ProposalHead, ProposalRecord,
    ProposalSummary, RejectedBefore, RestoreContent,
};
pub use withdraw::withdraw;

pub(crate) use stored::{Content, PendingProposal, Proposal, Stored, StoredRestore};
