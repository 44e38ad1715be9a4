//! The administration socket of a running server: one line of JSON per request, one per response.
//!
//! Only the owner of the server and root are accepted.

use super::outcome::AdminFailure;
use super::request::{AdminRequest, execute};
use crate::App;
use crate::data_dir::{Lock, SocketPath};
use crate::metrics::SourceMetrics;
use crate::panel::PanelUrl;
use operations::Service;
use serde_json::Value;
use std::fs::{Permissions, remove_file, set_permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Maximum bytes of a line: a block of the feed and the JSON around it.
pub(super) const LINE_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// Pause after a failed accept, for example when file handles run out, so that the loop does not spin.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

/// What is administered.
#[derive(Clone)]
pub struct Administered {
    service: Service,
    panel: Option<Arc<PanelUrl>>,
    metrics: Arc<SourceMetrics>,
}

impl Administered {
    /// Returns what is administered of a server whose control panel is at `panel`.
    pub fn new(app: &App, panel: Option<PanelUrl>) -> Self {
        Self {
            service: app.service.clone(),
            panel: panel.map(Arc::new),
            metrics: Arc::clone(&app.sources),
        }
    }
}

/// A listening administration socket.
#[derive(Debug)]
pub struct AdminSocket {
    listener: UnixListener,
    path: SocketPath,
    owner: u32,
}

impl AdminSocket {
    /// Binds the socket in the data directory `dir`. `lock` proves that no other server runs, so a left-over socket is
    /// removed.
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

    /// Serves until `stopped`, then finishes the requests in flight.
    pub async fn serve(self, server: Administered, stopped: watch::Receiver<bool>) {
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                () = wait_for_stop(stopped.clone()) => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) if self.is_ours(&stream) => {
                        connections.spawn(serve_connection(stream, server.clone(), stopped.clone()));
                    }
                    Ok(_) => tracing::warn!("another user connected to the administration socket"),
                    Err(error) => {
                        tracing::warn!(%error, "the administration socket failed");
                        tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
                    }
                },
                // Removes finished connections.
                Some(_) = connections.join_next() => {}
            }
        }
        // A left-over socket would delay the next command.
        let _ = remove_file(self.path.as_path());
        drop(self.listener);
        while connections.join_next().await.is_some() {}
    }

    fn is_ours(&self, stream: &UnixStream) -> bool {
        stream
            .peer_cred()
            .is_ok_and(|peer| peer.uid() == self.owner || peer.uid() == 0)
    }
}

async fn wait_for_stop(mut stopped: watch::Receiver<bool>) {
    // A dropped sender means stop, too.
    let _ = stopped.wait_for(|stop| *stop).await;
}

async fn serve_connection(
    stream: UnixStream,
    server: Administered,
    stopped: watch::Receiver<bool>,
) {
    let (input, mut output) = stream.into_split();
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        let mut limited = (&mut input).take(LINE_BYTES_MAX);
        let read = tokio::select! {
            () = wait_for_stop(stopped.clone()) => return,
            read = limited.read_until(b'\n', &mut line) => read,
        };
        if !matches!(read, Ok(1..)) {
            return;
        }
        let mut bytes = respond(&server, &line).await;
        bytes.push(b'\n');
        // After a truncated line, the start of the next one is unknown.
        if output.write_all(&bytes).await.is_err() || !line.ends_with(b"\n") {
            return;
        }
    }
}

async fn respond(server: &Administered, line: &[u8]) -> Vec<u8> {
    let outcome: Result<Value, AdminFailure> = match serde_json::from_slice::<AdminRequest>(line) {
        Ok(AdminRequest::PanelAddress) => Ok(server
            .panel
            .as_ref()
            .map_or(Value::Null, |url| url.to_string().into())),
        Ok(AdminRequest::ImportEnded { outcome, rows }) => {
            server.metrics.imported(outcome, rows);
            Ok(Value::Null)
        }
        Ok(request) => execute(&server.service, request).await,
        Err(_) => Err(AdminFailure::failed(
            "the running server does not know this command; is it another version?",
        )),
    };
    serde_json::to_vec(&outcome).unwrap_or_default()
}
