//! Tests of the crate from outside: files in, documents and reports out.

mod formats;
mod groups;
mod harness;
mod hostile;
mod mapping;
mod platforms;
mod properties;
mod values;
