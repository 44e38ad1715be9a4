//! What store pages call.

mod codes;
mod filters;
mod origins;
mod pages;
mod search;
mod suggest;
mod types;
mod visitors;
