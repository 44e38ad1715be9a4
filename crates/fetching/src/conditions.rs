//! What a request carries beside its address: credentials, and what the last response said of its version.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::source::SourceAuth;
use std::fmt;

/// Credentials of a source.
#[derive(Clone, PartialEq, Eq)]
pub enum Credentials {
    /// Name and password of HTTP's basic authentication.
    Basic {
        /// The name.
        user: String,
        /// The password.
        password: String,
    },
    /// A header.
    Header {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
}

impl Credentials {
    /// Returns what a request carries whose server is asked like `auth`, with its secret; none for no authentication.
    pub fn of(auth: &SourceAuth, secret: String) -> Option<Self> {
        match auth {
            SourceAuth::None => None,
            SourceAuth::Basic { user } => Some(Self::Basic {
                user: user.clone(),
                password: secret,
            }),
            SourceAuth::Header { name } => Some(Self::Header {
                name: name.clone(),
                value: secret,
            }),
        }
    }

    /// Returns name and value of the header that carries them.
    pub(crate) fn header(&self) -> (&str, String) {
        match self {
            Self::Basic { user, password } => {
                let encoded = STANDARD.encode(format!("{user}:{password}"));
                ("Authorization", format!("Basic {encoded}"))
            }
            Self::Header { name, value } => (name, value.clone()),
        }
    }
}

impl fmt::Debug for Credentials {
    /// Writes no secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials")
    }
}

/// What a response said of the version of its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// `ETag`, as it was sent.
    pub etag: Option<String>,
    /// `Last-Modified`, as it was sent.
    pub last_modified: Option<String>,
}

impl Validators {
    /// Returns whether there is something to compare by.
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}
