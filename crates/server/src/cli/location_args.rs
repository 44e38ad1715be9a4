//! The options that name where the data is, and what they mean together (`docs/scale.md`).

use super::outcome::CommandError;
use super::search_args::SearchArgs;
use clap::Args;
use operations::{DataLocations, DatabaseUrl};
use std::path::{Path, PathBuf};

/// Where the data is that is not in the data directory.
#[derive(Clone, Debug, Default, Args)]
pub struct LocationArgs {
    /// Database on a PostgreSQL server, such as postgres://findwell@db.example/findwell; default: a file in the data directory
    #[arg(long, global = true, env = "FINDWELL_DATABASE", value_name = "URL")]
    pub database: Option<String>,
    /// File with the password of the database and that of the search log; default: PGPASSWORD, then ~/.pgpass
    #[arg(
        long,
        global = true,
        env = "FINDWELL_DATABASE_PASSWORD_FILE",
        value_name = "FILE"
    )]
    pub database_password_file: Option<PathBuf>,
    /// Database of the search log on a PostgreSQL server, another one than --database; default: a file in the data directory
    #[arg(
        long,
        global = true,
        env = "FINDWELL_ANALYTICS_DATABASE",
        value_name = "URL"
    )]
    pub analytics_database: Option<String>,
    /// File of the master key, required with --database; default: master.key in the data directory
    #[arg(
        long,
        global = true,
        env = "FINDWELL_MASTER_KEY_FILE",
        value_name = "FILE"
    )]
    pub master_key_file: Option<PathBuf>,
    /// The search cluster.
    #[command(flatten)]
    pub search: SearchArgs,
}

impl LocationArgs {
    /// Returns where the data is.
    ///
    /// Errors: an address that is none, without repeating it, or options that do not fit each other.
    pub fn read(&self) -> Result<DataLocations, CommandError> {
        self.read_as("--database", "--analytics-database")
    }

    /// As [`LocationArgs::read`], for options with these names.
    pub fn read_as(&self, of_service: &str, of_log: &str) -> Result<DataLocations, CommandError> {
        let password = self.database_password_file.as_deref();
        let password = password.map(first_line).transpose()?;
        let url = |name: &str, text: &Option<String>| {
            let parsed = text.as_deref().filter(|text| !text.is_empty());
            let parsed = parsed.map(|text| DatabaseUrl::parse(text, password.as_deref()));
            let parsed = parsed.transpose();
            parsed.map_err(|error| CommandError::usage(format!("{name} {error}")))
        };
        let database = url(of_service, &self.database)?;
        let search_log = url(of_log, &self.analytics_database)?;
        if let (Some(database), Some(log)) = (&database, &search_log)
            && database.is_same_database(log)
        {
            let reason = format!("{of_log} must be another database than {of_service}");
            return Err(CommandError::usage(reason));
        }
        if database.is_some() && self.master_key_file.is_none() {
            return Err(CommandError::usage(
                "--database needs --master-key-file; a first key is created by \
                 (umask 077; head -c 32 /dev/urandom > master.key)",
            ));
        }
        let search = self.search.read()?;
        if search.is_some() && database.is_none() {
            return Err(CommandError::usage(
                "--search needs --database with an address on a PostgreSQL server",
            ));
        }
        Ok(DataLocations {
            database,
            search_log,
            master_key: self.master_key_file.clone(),
            search,
        })
    }
}

/// Reads a secret, which is the first line of a file.
pub(super) fn first_line(path: &Path) -> Result<String, CommandError> {
    let shown = path.display();
    let text = std::fs::read_to_string(path);
    let text =
        text.map_err(|error| CommandError::usage(format!("the password file {shown}: {error}")))?;
    match text.lines().next() {
        Some(secret) if !secret.is_empty() => Ok(secret.to_owned()),
        _ => Err(CommandError::usage(format!(
            "the password file {shown} is empty"
        ))),
    }
}

#[cfg(test)]
mod tests {
    //! 1. The locations are those of the options; a password comes from the first line of its file.
    //! 2. Options that do not fit each other are refused, and no text repeats an address or a password.

    use super::*;

    fn args(database: Option<&str>, log: Option<&str>, key: Option<&str>) -> LocationArgs {
        LocationArgs {
            database: database.map(str::to_owned),
            analytics_database: log.map(str::to_owned),
            master_key_file: key.map(PathBuf::from),
            ..LocationArgs::default()
        }
    }

    #[test]
    fn options_name_places() {
        let none = args(None, None, None).read().expect("valid");
        assert!(none.database.is_none() && none.search_log.is_none() && none.master_key.is_none());
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("password");
        std::fs::write(&file, "s3cret\nmore").expect("written");
        let mut both = args(
            Some("postgres://f@db.example/findwell"),
            Some("postgres://f@db.example/log"),
            Some("/run/key"),
        );
        both.database_password_file = Some(file.clone());
        let locations = both.read().expect("valid");
        assert_eq!(locations.master_key.as_deref(), Some(Path::new("/run/key")));
        let text = format!("{locations:?} {both:?}");
        assert!(
            text.contains("db.example:5432/log") && !text.contains("s3cret"),
            "{text}"
        );
        std::fs::write(&file, "\n").expect("written");
        assert!(both.read().is_err());
        std::fs::remove_file(&file).expect("removed");
        assert!(both.read().is_err());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let url = "postgres://f@db.example/findwell";
        for (args, expected) in [
            (args(Some(url), None, None), "--master-key-file"),
            (args(Some(url), Some(url), Some("k")), "another database"),
            (
                args(Some("postgres://f:s3cret@db/x"), None, Some("k")),
                "must not hold a password",
            ),
            (
                args(Some("s3cret"), None, Some("k")),
                "--database must be an address",
            ),
            (
                args(None, Some("postgres://f@db"), None),
                "--analytics-database names no database",
            ),
            (
                LocationArgs {
                    search: SearchArgs {
                        search: vec!["opensearch+http://127.0.0.1:9200".to_owned()],
                        ..SearchArgs::default()
                    },
                    ..args(None, None, None)
                },
                "--search needs --database",
            ),
        ] {
            let error = args.read().expect_err("refused").to_string();
            assert!(
                error.contains(expected) && !error.contains("s3cret"),
                "{error}"
            );
        }
    }
}
