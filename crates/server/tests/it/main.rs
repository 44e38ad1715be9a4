//! The server as its clients see it: a real one on a free port, asked over HTTP, by the command line and by force.

mod cli;
mod feed;
mod harness;
mod http;
mod journeys;
mod public;
mod rest;
mod storefront;
