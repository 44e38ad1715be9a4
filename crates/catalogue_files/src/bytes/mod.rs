//! From the bytes of a file to clean text: containers, bounds and encodings.

pub mod container;
pub mod encoding;
pub mod text;
mod zip_entry;
