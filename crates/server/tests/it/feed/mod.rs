//! The feed API, which a connector calls.

mod blocks;
pub mod calls;
mod clears;
mod compressed;
mod concurrent;
mod declarations;
mod deletes;
mod examples;

mod purges;
mod releases;
mod runs;
mod setup;
mod status;
mod store_facts;
mod types;
mod unknown_fields;
