//! Administration: the requests of the command line, executed by a running server or in the process of the command.

mod client;
mod closed_stores;
mod imports;
mod outcome;
mod request;
mod socket;
mod users;

pub use client::DataAccess;
pub use closed_stores::ClosedStoreRequest;
pub use imports::ImportRequest;
pub use outcome::{AdminFailure, AdminKind};
pub use request::{AdminRequest, execute};
pub use socket::AdminSocket;
pub use users::UserRequest;
