//! Executes every statement of storage; tests of a tenant's rows have two tenants.
//!
//! 1. Each pooled connection reports the settings that durability depends on.
//! 2. A change and its audit record commit together or not at all.
//! 3. No statement on one store reads or writes rows of another.
//! 4. Documents keep their ordinals, changes are ordered by sequence, purges keep what was written meanwhile.

mod analytics;
mod configuration;
mod connections;
mod declarations;
mod documents;
mod ended_runs;
mod keys;
mod people;
mod runs;
mod seen;
mod world;
