//! Executes every statement of storage; tests of a tenant's rows have two tenants.
//!
//! 1. Each pooled connection reports the settings that durability depends on.
//! 2. A change and its audit record commit together or not at all.
//! 3. No statement on one store reads or writes rows of another.
//! 4. Documents keep their ordinals, changes are ordered by sequence, purges keep what was written meanwhile.
//!
//! All of it holds in a file and on a PostgreSQL server (`on_postgresql`).

mod analytics;
mod audit_texts;
mod certificates;
#[path = "../cluster/mod.rs"]
mod cluster;
mod configuration;
mod connections;
mod declarations;
mod documents;
#[path = "../cluster/each_test.rs"]
mod each_test;
mod ended_runs;
mod gate;
mod keys;
mod locks;
mod moves;
mod nodes;
mod on_postgresql;
mod people;
mod place;
mod runs;
mod seen;
mod servers;
mod sources;
mod stored_products;
mod world;
