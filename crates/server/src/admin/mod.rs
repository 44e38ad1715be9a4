//! Administration: the requests of the command line, executed the same way by a running server and without one.

mod client;
mod request;
mod socket;

pub use client::DataAccess;
pub use request::{AdminFailure, AdminKind, AdminRequest, execute};
pub use socket::AdminSocket;
