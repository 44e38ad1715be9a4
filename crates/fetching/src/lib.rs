//! Fetches one file from an address that is not to be trusted (`docs/import.md`).
//!
//! It knows neither stores nor runs. Names are looked up once, and every address of the response must be public and not
//! this machine's; the socket is opened to one of them, so a second look-up cannot lead elsewhere. Redirects are
//! followed here, each as a new address.

mod agent;
mod bounds;
mod client;
mod conditions;
mod decoding;
mod fault;
mod interfaces;
mod lookup;
mod metered;
mod receiving;

pub use bounds::FetchBounds;
pub use client::{FetchClient, FetchRequest, Fetched};
pub use conditions::{Credentials, Validators};
pub use fault::{FetchCode, FetchFault};
pub use lookup::{HostLookup, SystemLookup};
pub use receiving::ReceivedFile;
