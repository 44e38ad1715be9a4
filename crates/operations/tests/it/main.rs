//! Tests of the operations through their public functions, on a fresh directory and with a fixed clock.
//!
//! Each file opens with the properties that it tests.

mod blocks;
mod bounds;
mod check;
mod configuration;
mod deletions;
mod drafts;
mod engines;
mod failing_engine;
mod fake_engine;
mod imports;
mod indexing;
mod jobs;
mod keys;
mod people;
mod plans;
mod public_keys;
mod runs;
mod search_log;
mod searches;
mod setup;
mod simulations;
mod stores;
mod sweeps;
mod test_clock;
mod unknown_fields;
mod world;
