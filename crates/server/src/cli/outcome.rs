//! How a command ends: its exit status and what it says on stderr.

use crate::admin::{AdminFailure, AdminKind};
use crate::boot::StartError;
use std::fmt;
use std::process::ExitCode;

/// Exit status of a command that came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: all is done.
    Done,
    /// 1: something was left undone, and said so.
    Incomplete,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        match status {
            ExitStatus::Done => Self::SUCCESS,
            ExitStatus::Incomplete => Self::from(1),
        }
    }
}

/// A command that could not come to its end.
#[derive(Debug)]
pub enum Ending {
    /// 1: it failed.
    Failed(String),
    /// 2: it was used wrongly.
    Usage(String),
    /// What the parser of arguments says, help and version among it.
    Arguments(clap::Error),
}

impl Ending {
    /// A failure.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
    }

    /// A wrong use.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// Says what happened and gives the exit status.
    pub fn report(&self) -> ExitCode {
        match self {
            Self::Arguments(error) => {
                // Without a terminal to print to there is nobody to tell.
                let _ = error.print();
                return u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
            }
            Self::Failed(_) | Self::Usage(_) => super::output::note(format_args!("error: {self}")),
        }
        match self {
            Self::Usage(_) => ExitCode::from(2),
            _ => ExitCode::from(1),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(message) | Self::Usage(message) => f.write_str(message),
            Self::Arguments(error) => error.fmt(f),
        }
    }
}

impl From<clap::Error> for Ending {
    fn from(error: clap::Error) -> Self {
        Self::Arguments(error)
    }
}

impl From<StartError> for Ending {
    fn from(error: StartError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<AdminFailure> for Ending {
    fn from(failure: AdminFailure) -> Self {
        let message = match failure.errors.as_slice() {
            [] => failure.message,
            errors => {
                let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
                lines.join("\n       ")
            }
        };
        match failure.kind {
            AdminKind::Usage => Self::Usage(message),
            AdminKind::Failed | AdminKind::Later => Self::Failed(message),
        }
    }
}
