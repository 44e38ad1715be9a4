//! `findwell configuration`: prints, imports and copies configuration files.

use super::administer::execute;
use super::args::Common;
use super::configuration_args::{ConfigurationCommand, ImportOptions};
use super::outcome::{CommandError, ExitStatus};
use super::output;
use crate::admin::{AdminRequest, ConfigurationRequest, ImportWay};
use domain::limits::CONFIGURATION_FILE_BYTES_MAX;
use std::fs::File;
use std::io::{Read, stdin};
use std::path::Path;

/// Runs a command on configuration files.
pub async fn run(
    common: &Common,
    command: ConfigurationCommand,
) -> Result<ExitStatus, CommandError> {
    match command {
        ConfigurationCommand::Export(of) => {
            let request = ConfigurationRequest::Export {
                store: of.store,
                parts: of.parts,
            };
            let file = execute(common, AdminRequest::Configuration(request)).await?;
            let text = serde_json::to_string_pretty(&file);
            output::result(text.map_err(|error| CommandError::failed(error.to_string()))?)?;
            Ok(ExitStatus::Done)
        }
        ConfigurationCommand::Import(import) => {
            let request = ConfigurationRequest::Import {
                store: import.store,
                how: way(&import.how),
                file: read(&import.file)?,
            };
            imported(common, request).await
        }
        ConfigurationCommand::Copy(copy) => {
            let request = ConfigurationRequest::Copy {
                from: copy.from,
                store: copy.to,
                how: way(&copy.how),
            };
            imported(common, request).await
        }
    }
}

fn way(options: &ImportOptions) -> ImportWay {
    ImportWay {
        parts: options.parts.clone(),
        mode: options.mode,
        dry_run: options.dry_run,
    }
}

/// Prints the revision and, for each part, how many records were created, updated, deleted and unchanged.
async fn imported(
    common: &Common,
    request: ConfigurationRequest,
) -> Result<ExitStatus, CommandError> {
    let imported = execute(common, AdminRequest::Configuration(request)).await?;
    if common.json {
        output::json(&imported)?;
        return Ok(ExitStatus::Done);
    }
    for advice in imported["advice"].as_array().into_iter().flatten() {
        let text = advice["text"].as_str().unwrap_or_default();
        let field = advice["field"].as_str().unwrap_or_default();
        output::note(format_args!("{field}: {text}"));
    }
    output::result(format_args!("revision\t{}", imported["revision"]))?;
    for (part, counts) in imported["parts"].as_object().into_iter().flatten() {
        let count = |name: &str| counts[name].to_string();
        let names = ["created", "updated", "deleted", "unchanged"];
        let cells: Vec<String> = names
            .iter()
            .map(|name| format!("{} {name}", count(name)))
            .collect();
        output::result(format_args!("{part}\t{}", cells.join("\t")))?;
    }
    Ok(ExitStatus::Done)
}

/// Returns the text of a file, which the import parses.
fn read(path: &Path) -> Result<String, CommandError> {
    let failed =
        |reason: String| CommandError::failed(format!("the file {}: {reason}", path.display()));
    let mut bytes = Vec::new();
    let max = CONFIGURATION_FILE_BYTES_MAX as u64 + 1;
    let outcome = match path.as_os_str() == "-" {
        true => stdin().lock().take(max).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(max).read_to_end(&mut bytes)),
    };
    outcome.map_err(|error| failed(error.to_string()))?;
    if bytes.len() > CONFIGURATION_FILE_BYTES_MAX {
        let reason = format!("has more than {CONFIGURATION_FILE_BYTES_MAX} bytes");
        return Err(failed(reason));
    }
    String::from_utf8(bytes).map_err(|_| failed("is not UTF-8".to_owned()))
}
