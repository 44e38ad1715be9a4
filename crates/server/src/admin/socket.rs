//! The socket of a running server: one line of JSON per request, one per answer.
//!
//! Only the user who owns the server and root are listened to.

use super::request::{AdminFailure, AdminRequest, execute};
use crate::data_dir::{Lock, SocketPath};
use operations::Service;
use serde_json::Value;
use std::fs::{Permissions, remove_file, set_permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Bytes of the longest line: a feed block and what JSON adds around it.
pub(super) const LINE_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// Keeps a socket that cannot accept, for want of file handles perhaps, from spinning.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

/// A listening socket.
#[derive(Debug)]
pub struct AdminSocket {
    listener: UnixListener,
    path: SocketPath,
    owner: u32,
}

impl AdminSocket {
    /// Listens in the data directory `dir`, which `lock` proves to be ours: a socket that is left over goes.
    pub fn bind(dir: &Path, lock: &Lock) -> io::Result<Self> {
        let path = SocketPath::of(dir)?;
        match remove_file(path.as_path()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(path.as_path())?;
        set_permissions(path.as_path(), Permissions::from_mode(0o600))?;
        Ok(Self {
            listener,
            path,
            owner: lock.owner()?,
        })
    }

    /// Answers until told to stop; requests that have begun are finished.
    pub async fn serve(self, service: Service, stopped: watch::Receiver<bool>) {
        let mut conversations = JoinSet::new();
        loop {
            tokio::select! {
                () = told(stopped.clone()) => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) if self.is_ours(&stream) => {
                        conversations.spawn(converse(stream, service.clone(), stopped.clone()));
                    }
                    Ok(_) => tracing::warn!("another user knocked at the administration socket"),
                    Err(error) => {
                        tracing::warn!(%error, "the administration socket failed");
                        tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
                    }
                },
                // Finished conversations need no room any more.
                Some(_) = conversations.join_next() => {}
            }
        }
        // A socket that nobody listens at would only delay the next command.
        let _ = remove_file(self.path.as_path());
        drop(self.listener);
        while conversations.join_next().await.is_some() {}
    }

    fn is_ours(&self, stream: &UnixStream) -> bool {
        stream
            .peer_cred()
            .is_ok_and(|peer| peer.uid() == self.owner || peer.uid() == 0)
    }
}

async fn told(mut stopped: watch::Receiver<bool>) {
    // A sender that is gone means the same as one that says stop.
    let _ = stopped.wait_for(|stop| *stop).await;
}

async fn converse(stream: UnixStream, service: Service, stopped: watch::Receiver<bool>) {
    let (input, mut output) = stream.into_split();
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        let mut limited = (&mut input).take(LINE_BYTES_MAX);
        let read = tokio::select! {
            () = told(stopped.clone()) => return,
            read = limited.read_until(b'\n', &mut line) => read,
        };
        if !matches!(read, Ok(1..)) {
            return;
        }
        let mut bytes = answer(&service, &line).await;
        bytes.push(b'\n');
        // After a line that was cut off nobody can tell where the next one starts.
        if output.write_all(&bytes).await.is_err() || !line.ends_with(b"\n") {
            return;
        }
    }
}

async fn answer(service: &Service, line: &[u8]) -> Vec<u8> {
    let outcome: Result<Value, AdminFailure> = match serde_json::from_slice::<AdminRequest>(line) {
        Ok(request) => execute(service, request).await,
        Err(_) => Err(AdminFailure::failed(
            "the running server does not know this command; is it of another version?",
        )),
    };
    serde_json::to_vec(&outcome).unwrap_or_default()
}
