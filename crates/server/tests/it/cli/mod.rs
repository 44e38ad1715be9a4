//! The command line, by the built binary.

mod administer;
mod import;
mod serving;
mod settings;
