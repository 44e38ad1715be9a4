//! `FetchFault`: why nothing was fetched, in words that hold no address, body or header of a response.

use domain::Message;
use domain::message;
use std::fmt;
use std::io;
use std::time::Duration;

/// The stable code of a fault (`docs/import.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the codes are explained in docs/import.md")]
pub enum FetchCode {
    AddressRefused,
    DnsFailed,
    ConnectFailed,
    TlsFailed,
    Timeout,
    TooManyRedirects,
    RedirectRefused,
    HttpStatus,
    EncodingUnsupported,
    Truncated,
    TooLarge,
    DiskFull,
    Cancelled,
}

impl FetchCode {
    /// Returns the code as text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AddressRefused => "address_refused",
            Self::DnsFailed => "dns_failed",
            Self::ConnectFailed => "connect_failed",
            Self::TlsFailed => "tls_failed",
            Self::Timeout => "timeout",
            Self::TooManyRedirects => "too_many_redirects",
            Self::RedirectRefused => "redirect_refused",
            Self::HttpStatus => "http_status",
            Self::EncodingUnsupported => "encoding_unsupported",
            Self::Truncated => "truncated",
            Self::TooLarge => "too_large",
            Self::DiskFull => "disk_full",
            Self::Cancelled => "interrupted",
        }
    }
}

/// Why nothing was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchFault {
    /// Its code.
    pub code: FetchCode,
    /// The reason.
    pub message: Message,
    /// Status of the last response.
    pub status: Option<u16>,
    /// Redirects that were followed before.
    pub redirects: u32,
    /// How long the server wants to be left alone.
    pub retry_after: Option<Duration>,
}

impl FetchFault {
    pub(crate) fn new(code: FetchCode, message: Message) -> Self {
        Self {
            code,
            message,
            status: None,
            redirects: 0,
            retry_after: None,
        }
    }

    pub(crate) fn forbidden_address() -> Self {
        Self::new(
            FetchCode::AddressRefused,
            message::source::refused_resolved(),
        )
    }

    pub(crate) fn timeout() -> Self {
        Self::new(FetchCode::Timeout, message::source::timeout())
    }

    pub(crate) fn too_large() -> Self {
        Self::new(FetchCode::TooLarge, message::source::too_large())
    }

    pub(crate) fn truncated() -> Self {
        Self::new(FetchCode::Truncated, message::source::truncated())
    }

    pub(crate) fn cancelled() -> Self {
        Self::new(FetchCode::Cancelled, message::source::interrupted())
    }

    fn connect() -> Self {
        Self::new(FetchCode::ConnectFailed, message::source::connect_failed())
    }

    /// Returns what a fault of the client means; one of ours passes through it as it is.
    pub(crate) fn of_client(error: ureq::Error) -> Self {
        match error {
            ureq::Error::Other(inner) => match inner.downcast::<Self>() {
                Ok(own) => *own,
                Err(_) => Self::connect(),
            },
            ureq::Error::Timeout(_) => Self::timeout(),
            ureq::Error::HostNotFound => {
                Self::new(FetchCode::DnsFailed, message::source::dns_failed())
            }
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) | ureq::Error::TlsRequired => {
                Self::new(FetchCode::TlsFailed, message::source::tls_failed())
            }
            ureq::Error::Io(error) => Self::of_connection(&error),
            ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..) => {
                Self::new(FetchCode::ConnectFailed, message::source::no_http())
            }
            _ => Self::connect(),
        }
    }

    fn of_connection(error: &io::Error) -> Self {
        let inner = error.get_ref();
        if inner.is_some_and(|inner| inner.is::<rustls::Error>()) {
            return Self::new(FetchCode::TlsFailed, message::source::tls_failed());
        }
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Self::timeout(),
            _ => Self::connect(),
        }
    }

    /// Returns what a fault while the body is read means.
    pub(crate) fn of_body(error: io::Error) -> Self {
        let kind = error.kind();
        let Some(inner) = error.into_inner() else {
            return match kind {
                io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Self::timeout(),
                _ => Self::truncated(),
            };
        };
        let inner = match inner.downcast::<Self>() {
            Ok(own) => return *own,
            Err(inner) => inner,
        };
        match inner.downcast::<ureq::Error>().map(|error| *error) {
            Ok(ureq::Error::Timeout(_)) => Self::timeout(),
            Ok(ureq::Error::Other(inner)) => match inner.downcast::<Self>() {
                Ok(own) => *own,
                Err(_) => Self::truncated(),
            },
            _ => Self::truncated(),
        }
    }

    /// Returns what a fault of the place where the file is kept means.
    pub(crate) fn of_disk(_: io::Error) -> Self {
        Self::new(FetchCode::DiskFull, message::source::disk_full())
    }
}

impl From<FetchFault> for io::Error {
    /// A reader within another one passes a fault through as one of input.
    fn from(fault: FetchFault) -> Self {
        Self::other(fault)
    }
}

impl fmt::Display for FetchFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for FetchFault {}
