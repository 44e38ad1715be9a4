//! The connector's face.

mod blocks;
mod deletes;
mod runs;
mod setup;
