//! What the process asks of the system at its start: files for nobody else, and as many of them open as it may have.

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit, umask};

/// Files and directories that are made from now on are for their owner alone.
pub fn close_to_others() {
    umask(Mode::RWXG | Mode::RWXO);
}

/// Raises the number of files that may be open to the most that the system allows, and logs it.
pub fn raise_open_files() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    // Where the system refuses, the former number is still good for a start.
    let soft = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => maximum,
        Err(_) => current,
    };
    let files = soft.map_or_else(|| "unlimited".to_owned(), |files| files.to_string());
    tracing::info!(files, "files that may be open at once");
}
