//! Why a server, or a command that opens the data itself, cannot start.

use crate::data_dir::DirError;
use operations::{OperationError, causes};
use std::io;
use std::net::SocketAddr;

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data directory cannot be used.
    #[error(transparent)]
    Dir(#[from] DirError),
    /// The address cannot be bound.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        source: io::Error,
    },
    /// The data cannot be opened.
    #[error("the data cannot be opened: {0}")]
    Data(String),
    /// The administration socket cannot be created.
    #[error("the administration socket cannot be created: {0}")]
    Socket(io::Error),
    /// The metrics cannot be set up.
    #[error("the metrics cannot be set up: {0}")]
    Metrics(#[from] prometheus::Error),
    /// The system provides no random numbers.
    #[error("the system provides no random numbers: {0}")]
    Randomness(#[from] getrandom::Error),
}

impl StartError {
    /// Converts an error of opening the service, with its causes: the operator may see internal details.
    pub fn from_operation(error: OperationError) -> Self {
        Self::Data(causes(&error))
    }
}
