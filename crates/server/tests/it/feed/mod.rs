//! The feed API, which a connector calls.

mod blocks;
mod calls;
mod clears;
mod declarations;
mod deletes;
mod examples;
mod packed;
mod purges;
mod runs;
mod setup;
mod status;
mod types;
