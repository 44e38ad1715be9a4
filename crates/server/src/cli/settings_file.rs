//! The settings file: a flat TOML table whose keys are the names of the options.

use super::outcome::CommandError;
use clap::Command;
use domain::nearest::nearest;
use domain::without_byte_order_mark;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Environment variable with the path of the file.
const VARIABLE: &str = "FINDWELL_CONFIG";
/// Default path of the file.
const FILE_NAME: &str = "findwell.toml";

/// A parsed settings file.
#[derive(Debug, Default)]
pub struct SettingsFile {
    path: PathBuf,
    table: Table,
}

/// Reads the file named by the arguments or the environment, or else the default file if it exists.
pub fn find(arguments: &[OsString]) -> Result<SettingsFile, CommandError> {
    if let Some(path) = named(arguments).or_else(|| std::env::var_os(VARIABLE)) {
        return read(Path::new(&path));
    }
    let path = Path::new(FILE_NAME);
    if path.exists() {
        read(path)
    } else {
        Ok(SettingsFile::default())
    }
}

fn named(arguments: &[OsString]) -> Option<OsString> {
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy();
        if text == "--" {
            return None;
        }
        if text == "--config" {
            return rest.next().cloned();
        }
        if let Some(path) = text.strip_prefix("--config=") {
            return Some(OsStr::new(path).to_owned());
        }
    }
    None
}

fn read(path: &Path) -> Result<SettingsFile, CommandError> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| CommandError::usage(format!("the settings file {shown}: {error}")))?;
    let table = without_byte_order_mark(&text)
        .parse()
        .map_err(|error| CommandError::usage(format!("the settings file {shown}: {error}")))?;
    Ok(SettingsFile {
        path: path.to_owned(),
        table,
    })
}

/// Returns `command` with the values of `file` as defaults; the environment still takes precedence.
///
/// Errors: unknown keys, and values that are not text, numbers, booleans, dates or lists of these.
pub fn with_settings(command: Command, file: &SettingsFile) -> Result<Command, CommandError> {
    let known = options(&command);
    let mut values = Vec::new();
    for (key, value) in &file.table {
        let invalid = |reason: String| {
            let shown = file.path.display();
            Err(CommandError::usage(format!(
                "the settings file {shown}: {key} {reason}"
            )))
        };
        if !known.contains(key) {
            let near = nearest(key, known.iter().map(String::as_str));
            let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
            return invalid(format!("is not a known option{near}"));
        }
        match texts(value) {
            Some(texts) => values.push((key.clone(), texts)),
            None => {
                return invalid("must be text, a number, true, false or a list of these".into());
            }
        }
    }
    Ok(with_defaults(command, &values))
}

/// Returns the names of all options of the command and its subcommands.
fn options(command: &Command) -> BTreeSet<String> {
    let own = command.get_arguments().filter_map(|a| a.get_long());
    own.filter(|name| *name != "config")
        .map(str::to_owned)
        .chain(command.get_subcommands().flat_map(options))
        .collect()
}

fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Integer(number) => Some(vec![number.to_string()]),
        Value::Float(number) => Some(vec![number.to_string()]),
        Value::Boolean(flag) => Some(vec![flag.to_string()]),
        Value::Datetime(time) => Some(vec![time.to_string()]),
        Value::Array(items) => {
            let inner: Option<Vec<_>> = items.iter().map(texts).collect();
            Some(inner?.into_iter().flatten().collect())
        }
        Value::Table(_) => None,
    }
}

fn with_defaults(mut command: Command, values: &[(String, Vec<String>)]) -> Command {
    for (name, texts) in values {
        let id = command
            .get_arguments()
            .find(|argument| argument.get_long() == Some(name))
            .map(|argument| argument.get_id().clone());
        if let Some(id) = id {
            command = command.mut_arg(id, |argument| {
                argument.required(false).default_values(texts)
            });
        }
    }
    let below: Vec<String> = command
        .get_subcommands()
        .map(|sub| sub.get_name().to_owned())
        .collect();
    for name in below {
        command = command.mut_subcommand(name, |sub| with_defaults(sub, values));
    }
    command
}

#[cfg(test)]
mod tests {
    //! 1. The command line and the environment take precedence over the file, the file over the defaults.
    //! 2. Unknown keys and tables are rejected, with the nearest known key.

    use super::*;
    use crate::cli::args::{Cli, Command as Chosen};
    use clap::{CommandFactory, FromArgMatches};

    fn parse(file: &str, arguments: &[&str]) -> Result<Cli, String> {
        let file = SettingsFile {
            path: "test.toml".into(),
            table: file.parse().expect("TOML"),
        };
        let command = with_settings(Cli::command(), &file).map_err(|e| e.to_string())?;
        let matches = command
            .try_get_matches_from(arguments)
            .map_err(|e| e.to_string())?;
        Cli::from_arg_matches(&matches).map_err(|e| e.to_string())
    }

    #[test]
    fn the_file_takes_precedence_over_the_defaults_only() {
        let file = "listen = \"127.0.0.1:9\"\ndata = \"elsewhere\"\njson = true\nlanguage = [\"es\", \"en\"]";
        let listen = |cli: &Cli| match &cli.command {
            Chosen::Serve(serve) => serve.listen.to_string(),
            other => panic!("expected serve, got {other:?}"),
        };
        let cli = parse(file, &["findwell", "serve"]).expect("valid");
        assert_eq!(listen(&cli), "127.0.0.1:9");
        assert_eq!(cli.common.data, Path::new("elsewhere"));
        assert!(cli.common.json);
        let cli = parse(file, &["findwell", "serve", "--listen", "127.0.0.1:8"]).expect("valid");
        assert_eq!(listen(&cli), "127.0.0.1:8");
        let cli = parse("", &["findwell", "serve"]).expect("valid");
        assert_eq!(listen(&cli), "127.0.0.1:7700");
        let store = parse(file, &["findwell", "store", "create", "--name", "x"]);
        assert!(store.is_ok(), "a required option may come from the file");
    }

    #[test]
    fn unknown_keys_and_tables_are_rejected() {
        let unknown = parse("lisen = \"x\"", &["findwell", "serve"]).expect_err("a typo");
        assert!(unknown.contains("did you mean listen?"), "{unknown}");
        assert!(parse("config = \"x\"", &["findwell", "serve"]).is_err());
        assert!(parse("[listen]\nx = 1", &["findwell", "serve"]).is_err());
    }

    #[test]
    fn the_arguments_name_the_file() {
        let named = |texts: &[&str]| {
            let arguments: Vec<OsString> = texts.iter().map(OsString::from).collect();
            super::named(&arguments)
        };
        assert_eq!(named(&["f", "serve", "--config", "a"]), Some("a".into()));
        assert_eq!(named(&["f", "--config=b", "serve"]), Some("b".into()));
        assert_eq!(named(&["f", "serve", "--", "--config", "c"]), None);
    }
}
