//! Every statement of storage, executed; two tenants in every test that touches a tenant's rows.
//!
//! 1. Each pooled connection reports the settings that durability rests on.
//! 2. A change and its audit record commit together or not at all.
//! 3. No statement of one store reaches rows of another.
//! 4. Documents keep their ordinals, changes come in the order of their sequence, purges spare what was written.

mod configuration;
mod connections;
mod declarations;
mod documents;
mod keys;
mod runs;
mod world;
