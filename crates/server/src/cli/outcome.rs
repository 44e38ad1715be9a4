//! The outcome of a command: its exit status and error message.

use crate::admin::{AdminFailure, AdminKind};
use crate::imports::ImportFailure;
use crate::start_error::StartError;
use std::fmt;
use std::process::ExitCode;

/// The exit status of a command that finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: everything is done.
    Done,
    /// 1: something failed and was reported.
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

/// Why a command failed.
#[derive(Debug)]
pub enum CommandError {
    /// 1: it failed.
    Failed(String),
    /// 2: wrong usage.
    Usage(String),
    /// An error of the argument parser, including help and version.
    Arguments(clap::Error),
}

impl CommandError {
    /// Creates a failure.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
    }

    /// Creates a usage error.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// Prints the error and returns the exit status.
    pub fn report(&self) -> ExitCode {
        match self {
            Self::Arguments(error) => {
                // If stderr is closed, the error is lost.
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

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(message) | Self::Usage(message) => f.write_str(message),
            Self::Arguments(error) => error.fmt(f),
        }
    }
}

impl From<clap::Error> for CommandError {
    fn from(error: clap::Error) -> Self {
        Self::Arguments(error)
    }
}

impl From<StartError> for CommandError {
    fn from(error: StartError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<AdminFailure> for CommandError {
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

impl From<ImportFailure> for CommandError {
    fn from(failure: ImportFailure) -> Self {
        match failure {
            ImportFailure::Refused(failure) => failure.into(),
            failure => Self::Failed(failure.to_string()),
        }
    }
}
