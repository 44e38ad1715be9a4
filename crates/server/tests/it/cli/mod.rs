//! The command line, by the built binary.

mod administer;
mod audit;
mod backup;
mod check;
mod import;
mod logs;
mod owner;
mod readiness;
mod reindex;
mod rights;
mod serving;
mod settings;
