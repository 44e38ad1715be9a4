//! What store pages call.

mod filters;
mod pages;
mod search;
mod suggest;
mod types;
mod visitors;
