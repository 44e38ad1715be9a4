//! The command line: parses arguments, environment and settings file, and runs the command.

mod about_itself;
mod administer;
mod args;
mod audit;
mod backup;
mod check;
mod configuration;
mod configuration_args;
mod demo;
mod demo_args;
mod import;
mod key_args;
mod location_args;
mod logging;
mod mapping_args;
mod moving;
mod outcome;
mod output;
mod prepare;
mod process_limits;
mod progress_bar;
mod redaction;
mod reindex;
mod runs;
mod search_args;
mod serving_args;
mod settings_file;
mod source_args;
mod sources;
mod stop_signals;
mod store_args;
mod trace_args;
mod user_args;
mod users;
mod web_names;

use args::{AnalyticsCommand, AuditCommand, Cli, Command, RunCommand};
use clap::FromArgMatches;
use key_args::KeyCommand;
use outcome::{CommandError, ExitStatus};
use std::ffi::OsString;
use std::process::ExitCode;
use store_args::{AccountCommand, StoreCommand};

/// Runs the command in `arguments`, whose first element is the program name.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    let cli = match parse(&arguments) {
        Ok(cli) => cli,
        Err(ending) => return ending.report(),
    };
    process_limits::set_umask();
    let traces = match &cli.command {
        Command::Serve(serve) => Some(&serve.traces),
        Command::Demo(demo) => Some(&demo.serving.traces),
        _ => None,
    };
    let log = logging::start(&cli.common.log, cli.common.log_format, traces);
    let started = log.and_then(|log| {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build();
        let failed = |error| CommandError::failed(format!("cannot start the runtime: {error}"));
        Ok((runtime.map_err(failed)?, log))
    });
    let (runtime, _log) = match started {
        Ok(started) => started,
        Err(ending) => return ending.report(),
    };
    match runtime.block_on(execute(cli)) {
        Ok(status) => status.into(),
        Err(ending) => ending.report(),
    }
}

/// Parses the arguments. Missing options come from the environment, then the settings file, then the defaults.
fn parse(arguments: &[OsString]) -> Result<Cli, CommandError> {
    let file = settings_file::find(arguments)?;
    let command = settings_file::with_settings(args::command(), &file)?;
    let matches = command.try_get_matches_from(arguments)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    if let Some(data) = demo_args::data_of_file(&matches, &cli.common.data) {
        cli.common.data = data;
    }
    Ok(cli)
}

async fn execute(cli: Cli) -> Result<ExitStatus, CommandError> {
    let Cli { common, command } = cli;
    match command {
        Command::Serve(serve) => {
            process_limits::raise_open_files();
            administer::serve(&common, &serve).await
        }
        Command::Demo(demo) => {
            process_limits::raise_open_files();
            demo::run(&common, &demo).await
        }
        Command::Account(AccountCommand::Set(set)) => administer::set_account(&common, set).await,
        Command::Account(AccountCommand::Create(new)) => {
            administer::create_account(&common, new).await
        }
        Command::Configuration(command) => configuration::run(&common, command).await,
        Command::Store(StoreCommand::Create(new)) => administer::create_store(&common, new).await,
        Command::Store(StoreCommand::List(of)) => administer::list_stores(&common, &of).await,
        Command::Store(StoreCommand::Delete(deletion)) => {
            administer::delete_store(&common, deletion).await
        }
        Command::Store(StoreCommand::Reopen(closed)) => {
            administer::reopen_store(&common, closed).await
        }
        Command::Store(StoreCommand::Set(settings)) => {
            administer::set_store(&common, settings).await
        }
        Command::Analytics(AnalyticsCommand::Clear(of)) => {
            administer::clear_analytics(&common, of).await
        }
        Command::Source(command) => sources::run(&common, command).await,
        Command::Run(RunCommand::List(of)) => runs::list(&common, of).await,
        Command::Run(RunCommand::Release(release)) => runs::release(&common, release).await,
        Command::Key(KeyCommand::Create(new)) => administer::create_key(&common, new).await,
        Command::Key(KeyCommand::List(of)) => administer::list_keys(&common, of.store).await,
        Command::Key(KeyCommand::Deactivate(key)) => {
            administer::deactivate_key(&common, key.id).await
        }
        Command::User(command) => users::run(&common, command).await,
        Command::Audit(AuditCommand::List(wanted)) => audit::list(&common, wanted).await,
        Command::Import(import) => import::run(&common, import).await,
        Command::Reindex(reindex) => reindex::run(&common, reindex).await,
        Command::Prepare => prepare::run(&common).await,
        Command::Backup(backup) => backup::run(&common, backup).await,
        Command::Move(to) => moving::run(&common, to).await,
        Command::Check(wanted) => check::run(&common, wanted).await,
        Command::Completions(of) => about_itself::completions(&of),
        Command::Manual(to) => about_itself::manual(&to),
    }
}
