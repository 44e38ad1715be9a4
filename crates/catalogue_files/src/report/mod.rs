//! What an import reports: the result, and what is found while a file is read.

pub mod codes;
pub mod findings;
pub mod result;
