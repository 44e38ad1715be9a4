//! `Database`: where a database is, in a file of this machine or on a PostgreSQL server, and nothing secret in its texts.

use crate::dialect::Dialect;
use sqlx::any::AnyConnectOptions;
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

/// Name of the database file in the data directory.
pub(crate) const FILE_NAME: &str = "findwell.db";
/// Name of the file of the search log in the data directory.
pub(crate) const LOG_FILE_NAME: &str = "analytics.db";

/// Where a database is.
#[derive(Clone, Debug)]
pub enum Database {
    /// In this file, by SQLite; created if it is missing.
    File(PathBuf),
    /// On a PostgreSQL server, where it exists already.
    Url(DatabaseUrl),
}

impl Database {
    /// Returns the database in the directory `dir`.
    pub fn in_dir(dir: &Path) -> Self {
        Self::File(dir.join(FILE_NAME))
    }

    /// Returns the database of the search log in the directory `dir`.
    pub fn of_log_in_dir(dir: &Path) -> Self {
        Self::File(dir.join(LOG_FILE_NAME))
    }

    /// Returns whether there may be data: the file exists, or a server has to say.
    pub fn may_exist(&self) -> bool {
        match self {
            Self::File(path) => path.exists(),
            Self::Url(_) => true,
        }
    }

    /// Returns whether it is on a server, which others may share and which has backups of its own.
    pub fn is_on_server(&self) -> bool {
        matches!(self, Self::Url(_))
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::File(_) => Dialect::Sqlite,
            Self::Url(_) => Dialect::Postgres,
        }
    }
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Url(url) => url.fmt(f),
        }
    }
}

/// Why a text is no address of a database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseUrlError {
    /// It is no address of a PostgreSQL server.
    #[error("must be an address such as postgres://USER@HOST:5432/DATABASE")]
    NoAddress,
    /// It has a password, which everybody could read who sees the processes of the machine.
    #[error("must not hold a password; put that into a file or into PGPASSWORD")]
    Password,
    /// It names no database.
    #[error(
        "names no database; it stands after the host, as in postgres://USER@HOST:5432/DATABASE"
    )]
    NoDatabase,
    /// It has a parameter that is not supported.
    #[error("has the parameter {0}; host, sslmode, sslrootcert, sslcert and sslkey are possible")]
    Parameter(String),
    /// Its `sslmode` does not exist, or would send in clear whatever the server prefers.
    #[error("has an unknown sslmode; verify-full, verify-ca, require and disable are possible")]
    SslMode,
}

/// The address of a database on a PostgreSQL server, with the password for it. Its texts name server and database only.
#[derive(Clone)]
pub struct DatabaseUrl {
    /// Without the password.
    options: AnyConnectOptions,
    password: Option<String>,
}

/// Parameters of an address. The driver would log others together with their values.
const PARAMETERS: [&str; 5] = ["host", "sslmode", "sslrootcert", "sslcert", "sslkey"];
/// How a connection may be encrypted. What libpq calls `allow` and `prefer` is left to the server, so it protects nobody.
const SSL_MODES: [&str; 4] = ["verify-full", "verify-ca", "require", "disable"];

impl DatabaseUrl {
    /// Parses an address such as `postgres://findwell@db.example:5432/findwell?sslrootcert=/etc/ca.pem`.
    ///
    /// Without `sslmode`, the certificate of a server on another machine is verified (`verify-full`). Without `password`,
    /// the driver takes that of `PGPASSWORD` or of the user's `.pgpass`.
    pub fn parse(text: &str, password: Option<&str>) -> Result<Self, DatabaseUrlError> {
        sqlx::any::install_default_drivers();
        let mut options: AnyConnectOptions =
            text.parse().map_err(|_| DatabaseUrlError::NoAddress)?;
        let url = &mut options.database_url;
        if !matches!(url.scheme(), "postgres" | "postgresql") || url.cannot_be_a_base() {
            return Err(DatabaseUrlError::NoAddress);
        }
        let mut host = url.host_str().unwrap_or_default().to_owned();
        let mut ssl_mode = None;
        if url.password().is_some() {
            return Err(DatabaseUrlError::Password);
        }
        for (name, value) in url.query_pairs() {
            match &*name {
                "password" => return Err(DatabaseUrlError::Password),
                "host" => host = value.into_owned(),
                "sslmode" => ssl_mode = Some(value.into_owned()),
                other if !PARAMETERS.contains(&other) => {
                    return Err(DatabaseUrlError::Parameter(other.to_owned()));
                }
                _ => {}
            }
        }
        if url.path().trim_start_matches('/').is_empty() {
            return Err(DatabaseUrlError::NoDatabase);
        }
        match ssl_mode {
            Some(mode) if !SSL_MODES.contains(&mode.as_str()) => {
                return Err(DatabaseUrlError::SslMode);
            }
            None if !is_local(&host) => {
                url.query_pairs_mut().append_pair("sslmode", "verify-full");
            }
            _ => {}
        }
        Ok(Self {
            options,
            password: password.map(str::to_owned),
        })
    }

    /// Returns whether both name the same database of the same server, as far as the addresses show that.
    pub fn is_same_database(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }

    /// Returns the options of a connection with `parameters` of the driver.
    pub(crate) fn options<'a>(
        &self,
        parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> AnyConnectOptions {
        let mut options = self.options.clone();
        let password = self.password.as_deref();
        let password = password.map(|password| ("password", password));
        options
            .database_url
            .query_pairs_mut()
            .extend_pairs(parameters)
            .extend_pairs(password);
        options
    }
}

/// Returns whether `host` is this machine or a folder with the socket of a server on it.
fn is_local(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.is_empty()
        || host == "localhost"
        || host.starts_with('/')
        || host.to_ascii_lowercase().starts_with("%2f")
        || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = &self.options.database_url;
        let named = url.query_pairs().find(|(name, _)| name == "host");
        let host = named.map_or_else(
            || url.host_str().unwrap_or("localhost").to_owned(),
            |(_, host)| host.into_owned(),
        );
        let port = url.port().unwrap_or(5432);
        let name = url.path().trim_start_matches('/');
        write!(f, "postgres://{host}:{port}/{name}")
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    //! 1. An address names server and database; its texts never hold the password or the user.
    //! 2. A password, an unknown parameter and a mode that encrypts by chance are refused.
    //! 3. A server on another machine is verified unless the address says otherwise.

    use super::*;

    fn url(text: &str) -> Result<DatabaseUrl, DatabaseUrlError> {
        DatabaseUrl::parse(text, Some("s3cr:t/@"))
    }

    #[test]
    fn texts_hold_no_secret() {
        let url = url("postgres://ann@db.example/shop?sslrootcert=/etc/ca.pem").expect("valid");
        assert_eq!(url.to_string(), "postgres://db.example:5432/shop");
        let database = Database::Url(url.clone());
        for text in [
            format!("{url:?}"),
            format!("{database:?}"),
            database.to_string(),
        ] {
            assert!(!text.contains("s3cr") && !text.contains("ann"), "{text}");
        }
        let options = url.options([("application_name", "x")]);
        let mut pairs = options.database_url.query_pairs();
        let password = pairs.find(|(name, _)| name == "password");
        assert_eq!(password.expect("for the driver").1, "s3cr:t/@");
    }

    #[test]
    fn addresses_are_checked() {
        for (text, error) in [
            ("findwell", DatabaseUrlError::NoAddress),
            ("mysql://a@b/c", DatabaseUrlError::NoAddress),
            ("postgres:c", DatabaseUrlError::NoAddress),
            ("postgres://ann:pw@b/c", DatabaseUrlError::Password),
            ("postgres://ann@b/c?password=pw", DatabaseUrlError::Password),
            ("postgres://ann@b", DatabaseUrlError::NoDatabase),
            (
                "postgres://ann@b/c?sslmode=prefer",
                DatabaseUrlError::SslMode,
            ),
            (
                "postgres://ann@b/c?options=-c",
                DatabaseUrlError::Parameter("options".to_owned()),
            ),
        ] {
            assert_eq!(url(text).expect_err(text), error);
            assert!(!error.to_string().contains("pw"));
        }
    }

    #[test]
    fn other_machines_are_verified() {
        for (text, mode) in [
            ("postgres://ann@db.example/c", Some("verify-full")),
            ("postgresql://10.0.0.7/c", Some("verify-full")),
            ("postgres://db/c?sslmode=disable", Some("disable")),
            ("postgres://localhost/c", None),
            ("postgres://127.0.0.1:5433/c", None),
            ("postgres://[::1]/c", None),
            ("postgres://ann@%2Frun%2Fpostgresql/c", None),
            ("postgres:///c?host=/run/postgresql", None),
        ] {
            let url = url(text).expect(text);
            let pairs = url.options.database_url.query_pairs();
            let found = pairs.filter(|(name, _)| name == "sslmode").last();
            let found = found.map(|(_, mode)| mode.into_owned());
            assert_eq!(found.as_deref(), mode, "{text}");
        }
    }
}
