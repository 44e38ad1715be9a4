//! Process settings at the start: a private umask, and the highest limit of open files.

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit, umask};

/// Makes files and directories created from now on accessible to their owner only.
pub fn set_umask() {
    umask(Mode::RWXG | Mode::RWXO);
}

/// Raises the limit of open files to the maximum that the system allows, and logs it.
pub fn raise_open_files() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    // If this fails, the server still works with the current limit.
    let soft = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => maximum,
        Err(_) => current,
    };
    let files = soft.map_or_else(|| "unlimited".to_owned(), |files| files.to_string());
    tracing::info!(files, "limit of open files");
}
