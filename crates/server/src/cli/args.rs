//! The commands, and the arguments of those on the whole directory, on runs and on the audit trail (`docs/cli.md`).
//!
//! Each option is also an environment variable `FINDWELL_<OPTION>` and a key of the settings file.

use super::configuration_args::ConfigurationCommand;
use super::demo_args::DemoArgs;
use super::key_args::{KeyCommand, instant};
use super::location_args::LocationArgs;
use super::logging::LogFormat;
use super::mapping_args::MappingArgs;
use super::serving_args::ServeArgs;
use super::source_args::SourceCommand;
use super::store_args::{AccountCommand, AnalyticsToClear, StoreCommand};
use super::user_args::UserCommand;
use clap::builder::BoolishValueParser;
use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use domain::{DocType, KeyId, Language, RunId, StoreId, Timestamp};
use std::path::PathBuf;

/// The data directory by default.
pub const DATA: &str = "findwell-data";

/// Product search for online stores.
#[derive(Debug, Parser)]
#[command(name = "findwell", version, about, subcommand_required = true)]
#[command(
    after_help = "Every option can also be set in the environment (FINDWELL_LISTEN for --listen) and in a TOML file \
                  (listen = \"…\"); the command line takes precedence over the environment, the environment over the file."
)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub common: Common,
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// Settings file; default: findwell.toml in the working directory, if it exists
    #[arg(long, global = true, env = "FINDWELL_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Data directory
    #[arg(
        long,
        global = true,
        env = "FINDWELL_DATA",
        default_value = DATA,
        value_name = "DIR"
    )]
    pub data: PathBuf,
    /// Where the data is that is not in it.
    #[command(flatten)]
    pub locations: LocationArgs,
    /// What to log to stderr: error, warn, info, debug, trace, or a filter such as warn,access=debug
    #[arg(
        long,
        global = true,
        env = "FINDWELL_LOG",
        default_value = "warn,server=info",
        value_name = "FILTER"
    )]
    pub log: String,
    /// Log format: text or json
    #[arg(
        long,
        global = true,
        env = "FINDWELL_LOG_FORMAT",
        default_value = "text",
        value_name = "FORMAT",
        value_parser = log_format
    )]
    pub log_format: LogFormat,
    /// Print the result as JSON on stdout
    #[arg(long, global = true, env = "FINDWELL_JSON", value_parser = BoolishValueParser::new())]
    pub json: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server
    Serve(ServeArgs),
    /// Run a server with a small demo shop, or with the catalogue of a file
    Demo(Box<DemoArgs>),
    /// Manage accounts
    #[command(subcommand)]
    Account(AccountCommand),
    /// Manage stores
    #[command(subcommand)]
    Store(StoreCommand),
    /// Export, import and copy configurations
    #[command(subcommand)]
    Configuration(ConfigurationCommand),
    /// Manage API keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Manage users of the control panel
    #[command(subcommand)]
    User(UserCommand),
    /// Read the audit trail
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Manage the statistics of searches
    #[command(subcommand)]
    Analytics(AnalyticsCommand),
    /// Manage indexing runs
    #[command(subcommand)]
    Run(RunCommand),
    /// Manage the addresses from which catalogues are fetched
    #[command(subcommand)]
    Source(SourceCommand),
    /// Add or replace the documents of a file
    Import(Import),
    /// Rebuild indexes while they stay searchable
    Reindex(Reindex),
    /// Fill the indexes of this version in a search cluster, before its servers replace those of another version
    Prepare,
    /// Back up database and indexes, also while the server runs
    Backup(BackUp),
    /// Move the data to a PostgreSQL server, to another directory, or back, while no server runs
    Move(Move),
    /// Compare database and indexes
    Check(Check),
    /// Print the completions of a shell
    Completions(Completions),
    /// Write the manual pages of all commands into a folder
    Manual(Manual),
}

/// For which shell.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Where the manual pages go.
#[derive(Debug, Args)]
pub struct Manual {
    /// Folder; created if it is missing
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// The commands on runs.
#[derive(Debug, Subcommand)]
pub enum RunCommand {
    /// List the latest runs of a store
    List(RunsOf),
    /// Release held purges and print the ids of their runs
    Release(Release),
}

/// Which runs to list.
#[derive(Debug, Args)]
pub struct RunsOf {
    /// Store of the runs
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
}

/// What to release.
#[derive(Debug, Args)]
pub struct Release {
    /// Store of the runs
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
    /// Id of the run; default: all runs of the store
    #[arg(value_name = "RUN")]
    pub run: Option<RunId>,
}

/// The commands on the audit trail.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// List records of the audit trail, newest first
    List(AuditList),
}

/// Which records of the audit trail.
#[derive(Debug, Args)]
pub struct AuditList {
    /// Only records of this store
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: Option<StoreId>,
    /// Only records of writes with this key
    #[arg(long, env = "FINDWELL_KEY", value_name = "KEY-ID")]
    pub key: Option<KeyId>,
    /// Only records since this time, such as 2027-01-31T00:00:00Z
    #[arg(long, env = "FINDWELL_SINCE", value_name = "TIME", value_parser = instant)]
    pub since: Option<Timestamp>,
    /// Maximum number of records, 1 to 1000
    #[arg(long, env = "FINDWELL_LIMIT", default_value = "50", value_name = "N")]
    pub limit: u32,
}

/// The commands on the statistics of searches.
#[derive(Debug, Subcommand)]
pub enum AnalyticsCommand {
    /// Delete the statistics of a store and print how many rows they had
    Clear(AnalyticsToClear),
}

/// A file to import.
#[derive(Debug, Args)]
pub struct Import {
    /// Store of the documents
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
    /// Language of the documents; default: that of the store
    #[arg(long, env = "FINDWELL_LANGUAGE", value_name = "CODE", value_parser = Language::parse)]
    pub language: Option<Language>,
    /// products, categories, brands or pages
    #[arg(
        long = "type",
        id = "type",
        env = "FINDWELL_TYPE",
        default_value = "products",
        value_parser = doc_type
    )]
    pub doc_type: DocType,
    /// Store nothing; show what an import would read
    #[arg(long, env = "FINDWELL_PREVIEW", value_parser = BoolishValueParser::new())]
    pub preview: bool,
    /// Remove the documents of this type and language that are not in the file
    #[arg(long, env = "FINDWELL_COMPLETE", value_parser = BoolishValueParser::new())]
    pub complete: bool,
    /// What the columns mean.
    #[command(flatten)]
    pub mapping: MappingArgs,
    /// Catalogue as CSV, JSON, NDJSON, RSS or Atom, plain, gzip or zip; - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// The target of a backup.
#[derive(Debug, Args)]
pub struct BackUp {
    /// Target directory; must be empty or missing
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// Where the data is moved to.
#[derive(Debug, Args)]
pub struct Move {
    /// Empty database on a PostgreSQL server, such as postgres://findwell@db.example/findwell, or directory without data
    #[arg(long, env = "FINDWELL_TO", value_name = "URL|DIR")]
    pub to: String,
    /// Empty database for the search log; default: it stays where it is
    #[arg(long, env = "FINDWELL_TO_ANALYTICS_DATABASE", value_name = "URL")]
    pub to_analytics_database: Option<String>,
    /// File with the password of these databases; default: that of --database-password-file
    #[arg(long, env = "FINDWELL_TO_DATABASE_PASSWORD_FILE", value_name = "FILE")]
    pub to_database_password_file: Option<PathBuf>,
    /// File of the master key there, required with an address; written if it is missing
    #[arg(long, env = "FINDWELL_TO_MASTER_KEY_FILE", value_name = "FILE")]
    pub to_master_key_file: Option<PathBuf>,
}

/// Options of a check.
#[derive(Debug, Args)]
pub struct Check {
    /// Repair counters, and rebuild damaged indexes
    #[arg(long, env = "FINDWELL_REPAIR", value_parser = BoolishValueParser::new())]
    pub repair: bool,
}

/// Which indexes to rebuild.
#[derive(Debug, Args)]
pub struct Reindex {
    /// Only the indexes of this store
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: Option<StoreId>,
}

fn log_format(text: &str) -> Result<LogFormat, &'static str> {
    LogFormat::parse(text).ok_or("must be text or json")
}

pub(super) fn doc_type(text: &str) -> Result<DocType, &'static str> {
    DocType::parse(text).ok_or("must be products, categories, brands or pages")
}

/// Returns the parser of the command line.
///
/// A negative number is the value of the option before it, which says what it takes, and no unknown option.
pub fn command() -> clap::Command {
    with_negative_numbers(Cli::command())
}

fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        let takes_value = argument.get_action().takes_values();
        argument.allow_negative_numbers(takes_value)
    });
    command.mut_subcommands(with_negative_numbers)
}

#[cfg(test)]
mod tests {
    //! 1. Every option has an environment variable.
    //! 2. A negative number is reported as a bad value of the option that it was given to, whatever the command.

    use super::{Cli, command};
    use clap::CommandFactory;
    use clap::error::{ContextKind, ErrorKind};
    use std::any::TypeId;

    /// Returns whether an argument is a number that is never negative.
    fn is_number(argument: &clap::Arg) -> bool {
        let parsed = argument.get_value_parser().type_id();
        [
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
        ]
        .into_iter()
        .any(|number| parsed == number)
    }

    #[test]
    fn a_negative_number_is_a_bad_value_of_its_option() {
        fn check(command: &clap::Command, path: &[&str], seen: &mut usize) {
            for sub in command.get_subcommands() {
                check(sub, &[path, &[sub.get_name()]].concat(), seen);
            }
            for option in command.get_arguments().filter(|option| is_number(option)) {
                let name = format!("--{}", option.get_long().expect("an option"));
                for line in [
                    vec![name.clone(), "-1".to_owned()],
                    vec![format!("{name}=-1")],
                ] {
                    let words = path.iter().map(|word| (*word).to_owned()).chain(line);
                    let error = super::command().try_get_matches_from(words);
                    let error = error.expect_err("a negative number");
                    let about = error.get(ContextKind::InvalidArg).map(ToString::to_string);
                    assert_eq!(error.kind(), ErrorKind::ValueValidation, "{path:?} {error}");
                    assert!(
                        about.is_some_and(|about| about.starts_with(&name)),
                        "{error}"
                    );
                }
                *seen += 1;
            }
        }
        let mut seen = 0;
        check(&command(), &["findwell"], &mut seen);
        assert!(seen > 10, "{seen}");
    }

    #[test]
    fn every_option_has_an_environment_variable_of_its_name() {
        fn check(command: &clap::Command) {
            for argument in command.get_arguments() {
                let Some(name) = argument.get_long() else {
                    continue;
                };
                let variable = argument.get_env().and_then(|env| env.to_str());
                let expected = format!("FINDWELL_{}", name.to_uppercase().replace('-', "_"));
                assert_eq!(variable, Some(expected.as_str()), "{name}");
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
        Cli::command().debug_assert();
    }
}
