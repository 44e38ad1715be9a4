//! Tests of the operations through their public functions, on a fresh directory and with a fixed clock.
//!
//! Each file opens with the properties that it tests. All of them are tested with the database in a file and on a PostgreSQL
//! server (`on_postgresql`).

mod blocks;
mod bounds;
mod check;
#[path = "../../../storage/tests/cluster/mod.rs"]
mod cluster;
mod configuration;
mod deletions;
mod drafts;
#[path = "../../../storage/tests/cluster/each_test.rs"]
mod each_test;
mod engines;
mod failing_engine;
mod fake_engine;
mod gate;
mod imports;
mod indexing;
mod jobs;
mod keys;
mod on_postgresql;
mod pairs;
mod people;
mod places;
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
