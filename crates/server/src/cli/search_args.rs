//! The options that name a search cluster, and what they mean together (`docs/scale.md`).

use super::location_args::first_line;
use super::outcome::CommandError;
use clap::Args;
use operations::{
    AccessError, ClusterAccess, ClusterCredentials, SEARCH_FORMAT, SEARCH_PATIENCE, SEARCH_SHARDS,
};
use std::path::PathBuf;

/// What the names of indexes begin with, unless it is said.
const PREFIX: &str = "findwell";
/// What an address of a cluster begins with, before the scheme.
const OPENSEARCH: &str = "opensearch+";

/// The search cluster with the indexes, if they are not in the data directory.
#[derive(Clone, Debug, Default, Args)]
pub struct SearchArgs {
    /// Host of an OpenSearch cluster with the indexes, such as opensearch+https://search.example:9200; may be repeated; default: the data directory
    #[arg(
        long,
        global = true,
        env = "FINDWELL_SEARCH",
        value_delimiter = ',',
        value_name = "URL"
    )]
    pub search: Vec<String>,
    /// User of the search cluster, with --search-password-file
    #[arg(long, global = true, env = "FINDWELL_SEARCH_USER", value_name = "NAME")]
    pub search_user: Option<String>,
    /// File with the password of that user
    #[arg(
        long,
        global = true,
        env = "FINDWELL_SEARCH_PASSWORD_FILE",
        value_name = "FILE"
    )]
    pub search_password_file: Option<PathBuf>,
    /// File with an API key of the search cluster, instead of user and password
    #[arg(
        long,
        global = true,
        env = "FINDWELL_SEARCH_API_KEY_FILE",
        value_name = "FILE"
    )]
    pub search_api_key_file: Option<PathBuf>,
    /// File with the certificates of authorities that the search cluster is verified by; default: those of the system
    #[arg(
        long,
        global = true,
        env = "FINDWELL_SEARCH_CA_FILE",
        value_name = "FILE"
    )]
    pub search_ca_file: Option<PathBuf>,
    /// What the names of indexes in the search cluster begin with; each database needs its own; default: findwell
    #[arg(
        long,
        global = true,
        env = "FINDWELL_SEARCH_PREFIX",
        value_name = "PREFIX"
    )]
    pub search_prefix: Option<String>,
    /// Shards of each index that is created or rebuilt from now on, 1 to 64; default: 1
    #[arg(
        long,
        global = true,
        env = "FINDWELL_SEARCH_SHARDS",
        value_name = "NUMBER"
    )]
    pub search_shards: Option<u16>,
}

impl SearchArgs {
    /// Returns how the cluster is reached; none if there is none.
    ///
    /// Errors: addresses that are none, without repeating them, files that cannot be read, or options that do not fit
    /// each other.
    pub fn read(&self) -> Result<Option<ClusterAccess>, CommandError> {
        let hosts: Vec<&String> = self.search.iter().filter(|host| !host.is_empty()).collect();
        if hosts.is_empty() {
            return Ok(None);
        }
        let hosts = hosts.into_iter().map(|host| {
            let rest = host.strip_prefix(OPENSEARCH);
            let host = rest.map(|host| host.trim_end_matches('/').to_owned());
            host.ok_or_else(|| {
                CommandError::usage(
                    "--search must be an address such as opensearch+https://search.example:9200",
                )
            })
        });
        let access = ClusterAccess {
            hosts: hosts.collect::<Result<_, _>>()?,
            credentials: self.credentials()?,
            authorities: self.authorities()?,
            prefix: self.search_prefix.as_deref().unwrap_or(PREFIX).to_owned(),
            shards: self.search_shards.unwrap_or(SEARCH_SHARDS),
            format: SEARCH_FORMAT,
            patience: SEARCH_PATIENCE,
        };
        access.check().map_err(|error| {
            let option = match error {
                AccessError::Hosts | AccessError::Address | AccessError::Plain => "--search",
                AccessError::Prefix => "--search-prefix",
                AccessError::Shards => "--search-shards",
            };
            CommandError::usage(format!("{option}: {error}"))
        })?;
        Ok(Some(access))
    }

    fn credentials(&self) -> Result<Option<ClusterCredentials>, CommandError> {
        match (
            &self.search_user,
            &self.search_password_file,
            &self.search_api_key_file,
        ) {
            (None, None, None) => Ok(None),
            (Some(user), Some(file), None) => Ok(Some(ClusterCredentials::Basic {
                user: user.clone(),
                password: first_line(file)?,
            })),
            (None, None, Some(file)) => Ok(Some(ClusterCredentials::ApiKey(first_line(file)?))),
            _ => Err(CommandError::usage(
                "--search takes --search-user with --search-password-file, or --search-api-key-file",
            )),
        }
    }

    fn authorities(&self) -> Result<Option<Vec<u8>>, CommandError> {
        let file = self.search_ca_file.as_ref();
        let read = file.map(|file| {
            std::fs::read(file).map_err(|error| {
                let shown = file.display();
                CommandError::usage(format!("--search-ca-file {shown}: {error}"))
            })
        });
        read.transpose()
    }
}

#[cfg(test)]
mod tests {
    //! 1. The cluster is that of the options; secrets come from the first lines of files and are shown nowhere.
    //! 2. Options that do not fit each other, and addresses that are none, are refused.

    use super::*;

    fn args(host: &str) -> SearchArgs {
        SearchArgs {
            search: vec![host.to_owned()],
            ..SearchArgs::default()
        }
    }

    #[test]
    fn options_name_a_cluster() {
        assert!(SearchArgs::default().read().expect("none").is_none());
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("password");
        std::fs::write(&file, "s3cret\n").expect("written");
        let args = SearchArgs {
            search: vec![
                "opensearch+https://a.example:9200/".to_owned(),
                "opensearch+https://b.example:9200".to_owned(),
            ],
            search_user: Some("findwell".to_owned()),
            search_password_file: Some(file),
            search_prefix: Some("shop-a".to_owned()),
            ..SearchArgs::default()
        };
        let access = args.read().expect("valid").expect("a cluster");
        let hosts = ["https://a.example:9200", "https://b.example:9200"];
        assert_eq!(
            (access.hosts.as_slice(), &*access.prefix),
            (&hosts.map(str::to_owned)[..], "shop-a")
        );
        assert!(access.credentials.is_some());
        let text = format!("{access:?} {args:?}");
        assert!(!text.contains("s3cret"), "{text}");
        let access = args_of_loopback().read().expect("valid");
        assert_eq!(access.expect("a cluster").prefix, PREFIX);
    }

    fn args_of_loopback() -> SearchArgs {
        args("opensearch+http://127.0.0.1:9200")
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let with_user = SearchArgs {
            search_user: Some("findwell".to_owned()),
            ..args("opensearch+https://a.example")
        };
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("key");
        std::fs::write(&file, "s3cret\n").expect("written");
        let plain = SearchArgs {
            search_api_key_file: Some(file),
            ..args("opensearch+http://a.example")
        };
        let with_key = SearchArgs {
            search_api_key_file: Some("/nowhere".into()),
            ..args("opensearch+https://a.example")
        };
        let with_prefix = SearchArgs {
            search_prefix: Some("Shop".to_owned()),
            ..args_of_loopback()
        };
        let with_shards = SearchArgs {
            search_shards: Some(65),
            ..args_of_loopback()
        };
        for (args, expected) in [
            (args("https://a.example"), "opensearch+https://"),
            (args("opensearch+ftp://a.example"), "address"),
            (plain, "https"),
            (args("opensearch+https://u:s3cret@a.example"), "address"),
            (with_user, "--search-password-file"),
            (with_key, "/nowhere"),
            (with_prefix, "--search-prefix: "),
            (with_shards, "--search-shards: an index has 1 to 64 shards"),
        ] {
            let error = args.read().expect_err("refused").to_string();
            assert!(
                error.contains(expected) && !error.contains("s3cret"),
                "{error}"
            );
        }
    }
}
