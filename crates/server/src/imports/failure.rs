//! Why an import ended early.

use crate::admin::AdminFailure;
use domain::error_codes;
use std::fmt;
use std::io;

/// The temporary files do not fit.
const DISK_FULL: &str = "disk_full";

/// Why an import ended early; what was stored by then stays, and nothing is removed.
#[derive(Debug)]
pub enum ImportFailure {
    /// The service refused something.
    Refused(AdminFailure),
    /// The disk has too little room for the temporary files.
    DiskFull,
    /// Something else changed the catalogue, so nothing can be removed.
    Changed,
    /// Reading or storing failed.
    Failed(String),
    /// It was cancelled.
    Cancelled,
}

impl ImportFailure {
    /// Returns the stable code: that of the service, `disk_full`, `conflict` or `internal`.
    pub fn code(&self) -> &str {
        match self {
            Self::Refused(failure) if !failure.code.is_empty() => &failure.code,
            Self::DiskFull => DISK_FULL,
            Self::Changed => error_codes::CONFLICT,
            Self::Refused(_) | Self::Failed(_) | Self::Cancelled => error_codes::INTERNAL,
        }
    }
}

impl From<AdminFailure> for ImportFailure {
    fn from(failure: AdminFailure) -> Self {
        Self::Refused(failure)
    }
}

impl From<io::Error> for ImportFailure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull => Self::DiskFull,
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl fmt::Display for ImportFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(failure) => f.write_str(&failure.message),
            Self::DiskFull => write!(
                f,
                "{DISK_FULL}: too little room for the temporary files of the import"
            ),
            Self::Changed => {
                f.write_str("something else changed the catalogue meanwhile; nothing is removed")
            }
            Self::Failed(message) => f.write_str(message),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for ImportFailure {}
