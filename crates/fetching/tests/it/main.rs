//! Fetching, against a server on loopback.

mod addresses;
mod bodies;
mod encodings;
mod redirects;
mod reported;
mod server;
mod statuses;
mod times;
