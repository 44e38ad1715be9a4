//! Access of a command to the data: through the running server, or by opening the data directory itself.

use super::outcome::{AdminFailure, to_json};
use super::request::{AdminRequest, execute};
use super::socket::LINE_BYTES_MAX;
use crate::data_dir::{self, DirError, Lock, SocketPath};
use crate::start_error::StartError;
use domain::Caller;
use operations::{DataLocations, Service, ServiceOptions, check};
use serde_json::Value;
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::time::Instant;

/// How long a command waits while another command, or a server that is starting, holds the directory.
const WAIT: Duration = Duration::from_secs(10);
const WAIT_STEP: Duration = Duration::from_millis(50);

/// Access to the data.
pub enum DataAccess {
    /// Through the running server.
    Server(BufReader<UnixStream>),
    /// In this process, which holds the directory.
    Own {
        /// The service.
        service: Service,
        /// The lock.
        lock: Lock,
    },
}

impl DataAccess {
    /// Opens the data in `dir` and `locations`, creating the directory if `may_create` is set.
    pub async fn open(
        dir: &Path,
        locations: &DataLocations,
        may_create: bool,
    ) -> Result<Self, StartError> {
        let unusable = |source| DirError::Unusable {
            dir: dir.to_owned(),
            source,
        };
        if may_create {
            data_dir::create(dir).map_err(unusable)?;
        }
        let lock = |dir: &Path| {
            if may_create {
                Lock::take(dir)
            } else {
                data_dir::lock_data(dir, locations)
            }
        };
        match reach(dir, lock).await? {
            Reached::Server(stream) => Ok(Self::Server(stream)),
            Reached::Lock(lock) => Self::open_locked(dir, locations, lock).await,
        }
    }

    /// Checks the data in `dir` and `locations`, by its server; without one, by reading, and nothing changes.
    pub async fn check(
        dir: &Path,
        locations: &DataLocations,
    ) -> Result<Result<Value, AdminFailure>, StartError> {
        match reach(dir, |dir| data_dir::lock_data_to_read(dir, locations)).await? {
            Reached::Server(stream) => {
                let mut server = Self::Server(stream);
                Ok(server.execute(AdminRequest::Check { repair: false }).await)
            }
            Reached::Lock(_lock) => {
                let found = check::read_only(&Caller::operator(), dir, locations).await;
                Ok(to_json(Ok(found.map_err(StartError::from_operation)?)))
            }
        }
    }

    async fn open_locked(
        dir: &Path,
        locations: &DataLocations,
        lock: Lock,
    ) -> Result<Self, StartError> {
        let options = ServiceOptions {
            locations: locations.clone(),
            ..ServiceOptions::new(dir.to_owned())
        };
        let service = Service::open(options)
            .await
            .map_err(StartError::from_operation)?;
        Ok(Self::Own { service, lock })
    }

    /// Returns whether a server runs.
    pub fn is_server(&self) -> bool {
        matches!(self, Self::Server(_))
    }

    /// Executes `request`.
    pub async fn execute(&mut self, request: AdminRequest) -> Result<Value, AdminFailure> {
        match self {
            Self::Own { service, .. } => execute(service, request).await,
            Self::Server(stream) => send(stream, &request).await.unwrap_or_else(|error| {
                let message = format!("the running server did not respond: {error}");
                Err(AdminFailure::failed(message))
            }),
        }
    }

    /// Closes the access. Writes are durable before that already.
    pub async fn close(self) {
        if let Self::Own { service, lock } = self {
            service.close().await;
            drop(lock);
        }
    }
}

/// A data directory that a server uses, or that is locked for this process.
enum Reached<L> {
    Server(BufReader<UnixStream>),
    Lock(L),
}

/// Connects to the server of `dir`, or locks the directory if there is none.
async fn reach<L>(
    dir: &Path,
    lock: impl Fn(&Path) -> Result<L, DirError>,
) -> Result<Reached<L>, StartError> {
    let deadline = Instant::now() + WAIT;
    loop {
        let socket = SocketPath::of(dir).map_err(|source| DirError::Unusable {
            dir: dir.to_owned(),
            source,
        })?;
        if let Ok(stream) = UnixStream::connect(socket.as_path()).await {
            return Ok(Reached::Server(BufReader::new(stream)));
        }
        match lock(dir) {
            Ok(lock) => return Ok(Reached::Lock(lock)),
            Err(DirError::InUse { .. }) if Instant::now() < deadline => {
                tokio::time::sleep(WAIT_STEP).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

async fn send(
    stream: &mut BufReader<UnixStream>,
    request: &AdminRequest,
) -> io::Result<Result<Value, AdminFailure>> {
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    stream.get_mut().write_all(&line).await?;
    let mut response = Vec::new();
    stream
        .take(LINE_BYTES_MAX)
        .read_until(b'\n', &mut response)
        .await?;
    if response.is_empty() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(serde_json::from_slice(&response)?)
}
