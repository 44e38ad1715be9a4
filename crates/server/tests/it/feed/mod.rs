//! The connector's face.

mod blocks;
mod calls;
mod clears;
mod deletes;
mod packed;
mod purges;
mod runs;
mod setup;
mod status;
