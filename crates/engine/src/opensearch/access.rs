//! How a cluster is reached: its hosts, who we are, whose certificates are accepted, and how our indexes are called.

use std::fmt;
use std::time::Duration;

/// Most hosts of a cluster that are named.
const HOSTS_MAX: usize = 16;
/// How long shoppers wait.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// Longest prefix of the names of indexes.
const PREFIX_MAX: usize = 64;
/// Shards of an index, unless it is said.
pub const SHARDS: u16 = 1;
/// Most shards of an index.
const SHARDS_MAX: u16 = 64;

/// What is needed to reach a cluster.
#[derive(Clone)]
pub struct ClusterAccess {
    /// Addresses without a path, `https://search.example:9200`; tried one after the other.
    pub hosts: Vec<String>,
    /// Who we are; none for a cluster without security.
    pub credentials: Option<ClusterCredentials>,
    /// Certificates of authorities in PEM; none for those of the system.
    pub authorities: Option<Vec<u8>>,
    /// What the names of all our indexes begin with.
    pub prefix: String,
    /// Shards of each index that is created from now on, 1 to 64.
    pub shards: u16,
    /// Version of the form of the indexes: [`FORMAT`](crate::SEARCH_FORMAT), but where an upgrade is tried.
    pub format: u32,
    /// How long a search waits for the cluster, over all requests that it needs.
    pub patience: Duration,
}

/// Who we are, for the cluster.
#[derive(Clone)]
pub enum ClusterCredentials {
    /// Name and password of a user.
    Basic {
        /// The name.
        user: String,
        /// The password.
        password: String,
    },
    /// A key of the API, encoded as the cluster gave it.
    ApiKey(String),
}

/// Why an access is refused before anybody is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// No host, or more than 16.
    #[error("a cluster has 1 to 16 hosts")]
    Hosts,
    /// An address is not a scheme, a host and a port.
    #[error("the address of a host is `https://HOST:PORT` or `http://HOST:PORT`")]
    Address,
    /// A password or key would be sent without encryption.
    #[error("credentials are sent to https addresses and to this machine only")]
    Plain,
    /// The prefix is no name of an index.
    #[error(
        "the prefix of indexes has 1 to 64 of the characters a-z, 0-9, - and _, and begins with a letter"
    )]
    Prefix,
    /// A number of shards that no index has.
    #[error("an index has 1 to 64 shards")]
    Shards,
}

impl ClusterAccess {
    /// Checks what can be checked without the cluster.
    ///
    /// Errors: the first thing that is wrong.
    pub fn check(&self) -> Result<(), AccessError> {
        if self.hosts.is_empty() || self.hosts.len() > HOSTS_MAX {
            return Err(AccessError::Hosts);
        }
        for host in &self.hosts {
            let (is_secure, rest) =
                match (host.strip_prefix("https://"), host.strip_prefix("http://")) {
                    (Some(rest), _) => (true, rest),
                    (None, Some(rest)) => (false, rest),
                    (None, None) => return Err(AccessError::Address),
                };
            let is_name = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
            if rest.is_empty() || !rest.chars().all(is_name) {
                return Err(AccessError::Address);
            }
            if self.credentials.is_some() && !is_secure && !is_local(rest) {
                return Err(AccessError::Plain);
            }
        }
        if !(1..=SHARDS_MAX).contains(&self.shards) {
            return Err(AccessError::Shards);
        }
        let is_letter = |c: char| c.is_ascii_lowercase();
        let fits = |c: char| is_letter(c) || c.is_ascii_digit() || c == '-' || c == '_';
        let prefix = &self.prefix;
        let is_prefix = prefix.starts_with(is_letter) && prefix.chars().all(fits);
        match is_prefix && prefix.len() <= PREFIX_MAX {
            true => Ok(()),
            false => Err(AccessError::Prefix),
        }
    }
}

/// Whether an address without its scheme is one of this machine.
fn is_local(address: &str) -> bool {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    ["localhost", "127.0.0.1", "[::1]"].contains(&host)
}

impl fmt::Debug for ClusterAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ClusterAccess");
        let shown = shown
            .field("hosts", &self.hosts)
            .field("prefix", &self.prefix);
        shown.finish_non_exhaustive()
    }
}

impl fmt::Debug for ClusterCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClusterCredentials")
    }
}

#[cfg(test)]
mod tests {
    //! 1. ClusterCredentials are never sent in the clear to another machine. 2. Nothing secret is shown.

    use super::*;

    fn access(host: &str) -> ClusterAccess {
        ClusterAccess {
            hosts: vec![host.to_owned()],
            credentials: Some(ClusterCredentials::ApiKey("secret".to_owned())),
            authorities: None,
            prefix: "findwell".to_owned(),
            shards: SHARDS,
            format: crate::SEARCH_FORMAT,
            patience: PATIENCE,
        }
    }

    #[test]
    fn credentials_need_encryption() {
        for (host, expected) in [
            ("https://search.example:9200", Ok(())),
            ("http://127.0.0.1:9200", Ok(())),
            ("http://[::1]:9200", Ok(())),
            ("http://localhost:9200", Ok(())),
            ("http://search.example:9200", Err(AccessError::Plain)),
            ("http://localhost.example:9200", Err(AccessError::Plain)),
            ("search.example:9200", Err(AccessError::Address)),
            (
                "https://user:secret@search.example",
                Err(AccessError::Address),
            ),
            ("https://search.example/path", Err(AccessError::Address)),
        ] {
            assert_eq!(access(host).check(), expected, "{host}");
        }
        for prefix in ["", "Findwell", "-a", "a*", "a,b", &"a".repeat(65)] {
            let access = ClusterAccess {
                prefix: prefix.to_owned(),
                ..access("https://search.example")
            };
            assert_eq!(access.check(), Err(AccessError::Prefix), "{prefix}");
        }
        for shards in [0, 65] {
            let access = ClusterAccess {
                shards,
                ..access("https://search.example")
            };
            assert_eq!(access.check(), Err(AccessError::Shards), "{shards}");
        }
        let none = ClusterAccess {
            hosts: Vec::new(),
            ..access("")
        };
        assert_eq!(none.check(), Err(AccessError::Hosts));
    }

    #[test]
    fn secrets_are_not_shown() {
        assert!(!format!("{:?}", access("https://a")).contains("secret"));
    }
}
