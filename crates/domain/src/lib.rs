//! The domain types: stores, keys, documents, relevance and the other configuration, their checks and limits.
//!
//! This crate is pure: no clock, no randomness, no input or output. Time is always an argument.

pub mod access;
pub mod analytics;
mod attempt;
pub mod audit;
mod byte_order_mark;
mod cache_usage;
mod change_note;
pub mod clearable;
pub mod client_address;
pub mod configuration_file;
pub mod day;
pub mod declarations;
pub mod document;
pub mod draft;
pub mod error_codes;
pub mod event;
pub mod feed;
pub mod filter;
mod first_characters;
pub mod form;
pub mod id;
mod impact_gate;
pub mod invalid;
pub mod label_text;
pub mod labels;
pub mod language;
pub mod limits;
pub mod message;
pub mod nearest;
pub mod page;
pub mod plain_text;
pub mod proposal;
pub mod published_schema;
pub mod release;
pub mod relevance;
pub mod revision;
pub mod role;
pub mod rule;
pub mod search;
pub mod sent;
pub mod source;
pub mod store;
pub mod synonym;
pub mod time;
mod trigger_alternatives;
pub mod user;
pub mod visitor;
pub mod watched;
pub mod widget;

pub use access::{Caller, Denied, KeyKind, Permit, Scope};
pub use attempt::{NOTE_HEADER_FIELD, ProposalTarget, Proposed, WriteAttempt, WriteReport};
pub use byte_order_mark::{bytes_without_byte_order_mark, without_byte_order_mark};
pub use cache_usage::CacheUsage;
pub use change_note::ChangeNote;
pub use clearable::Clearable;
pub use client_address::ClientAddress;
pub use day::Day;
pub use document::{DocType, Document, Rejection};
pub use first_characters::first_characters;
pub use id::{
    AccountId, FilterId, IndexId, KeyId, LinkId, ProposalId, RequestId, RuleId, RunId, SourceId,
    StoreId, SynonymId, UserId,
};
pub use impact_gate::{GateMeasure, ImpactGate};
pub use invalid::{ErrorList, Invalid};
pub use language::{Language, PageLanguage};
pub use message::{Message, Translatable};
pub use relevance::{Relevance, RelevanceChange, SearchSettings};
pub use role::{RequiredRole, Role, StoreReach};
pub use sent::SentDocuments;
pub use time::Timestamp;
pub use trigger_alternatives::{TriggerAlternative, TriggerAlternatives};
pub use user::{Email, PanelLanguage};
