//! The command line, by the built binary.

mod about_itself;
mod accounts;
mod administer;
mod audit;
mod backup;
mod backup_state;
mod check;
mod configuration;
mod ignored_releases;
mod import;
mod import_catalogue;
mod logs;
mod missing_index;
mod owner;
mod permissions;
mod readiness;
mod reindex;

mod serving;
mod settings;
mod sources;
mod traces;
