//! Administration: the requests of the command line, executed by a running server or in the process of the command.

mod client;
mod closed_stores;
mod configurations;
mod imports;
mod outcome;
mod request;
mod socket;
mod sources;
mod users;

pub use client::DataAccess;
pub use closed_stores::ClosedStoreRequest;
pub use configurations::{ConfigurationRequest, ImportWay};
pub use imports::{ImportRequest, block as import_block, execute as execute_import};
pub use outcome::{AdminFailure, AdminKind};
pub use request::{AdminRequest, execute};
pub use socket::AdminSocket;
pub use socket::Administered;
pub use sources::{SentSource, SourceRequest};
pub use users::UserRequest;
