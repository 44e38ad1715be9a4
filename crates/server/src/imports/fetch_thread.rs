//! Fetches a file on a thread of its own: a server that stops sending holds up nothing else.

use fetching::{FetchClient, FetchFault, FetchRequest, Fetched};
use std::io::{self, Write};
use tokio::sync::oneshot;

/// Why there is no file.
pub enum NoFile {
    /// The fetch failed.
    Fault(FetchFault),
    /// This machine failed.
    Io(io::Error),
}

/// Fetches what `request` asks for into `file`, on a thread called `name`, unless it is cancelled meanwhile.
///
/// Errors: the fetch or this machine failed; the file is gone then.
pub async fn fetch_on_thread<F: Write + Send + 'static>(
    name: &str,
    (client, request): (FetchClient, FetchRequest),
    mut file: F,
    is_cancelled: impl Fn() -> bool + Send + Sync + 'static,
) -> Result<(Fetched, F), NoFile> {
    let (sender, receiver) = oneshot::channel();
    let thread = std::thread::Builder::new().name(name.to_owned());
    let spawned = thread.spawn(move || {
        let fetched = client.fetch(&request, &mut file, &is_cancelled);
        let _ = sender.send(fetched.map(|fetched| (fetched, file)));
    });
    spawned.map_err(NoFile::Io)?;
    let ended = receiver
        .await
        .map_err(|_| NoFile::Io(io::Error::other("the thread ended")))?;
    ended.map_err(NoFile::Fault)
}
