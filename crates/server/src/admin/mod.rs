//! Administration: the requests of the command line, executed by a running server or in the process of the command.

mod client;
mod request;
mod socket;
mod users;

pub use client::DataAccess;
pub use request::{AdminFailure, AdminKind, AdminRequest, execute};
pub use socket::AdminSocket;
pub use users::UserRequest;
