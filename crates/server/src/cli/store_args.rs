//! The arguments of the commands on accounts, on stores and on statistics of stores (`docs/cli.md`).

use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};
use domain::limits::GATE_PERCENT_MAX;
use domain::store::StoreStatus;
use domain::{AccountId, Day, Language, StoreId};
use operations::stores::GateChange;
use std::path::PathBuf;

/// The commands on accounts.
#[derive(Debug, Subcommand)]
pub enum AccountCommand {
    /// Create an account and print its id
    Create(NewAccount),
    /// Set how many stores the users of an account may have
    Set(AccountSettingsArgs),
}

/// Changes to an account.
#[derive(Debug, Args)]
pub struct AccountSettingsArgs {
    /// Account
    #[arg(value_name = "ID")]
    pub account: AccountId,
    /// Stores that its users may have
    #[arg(long, env = "FINDWELL_MAX_STORES", value_name = "N")]
    pub max_stores: u32,
}

/// A new account.
#[derive(Debug, Args)]
pub struct NewAccount {
    /// Name of the account
    #[arg(long, env = "FINDWELL_NAME")]
    pub name: String,
    /// Stores that its users may have
    #[arg(long, env = "FINDWELL_MAX_STORES", value_name = "N")]
    pub max_stores: Option<u32>,
}

/// The commands on stores.
#[derive(Debug, Subcommand)]
pub enum StoreCommand {
    /// Create a store; prints its id to stdout and its connector key to stderr
    Create(NewStoreArgs),
    /// List all stores
    List(StoreListArgs),
    /// Delete a store: it is closed at once, and removed after seven days; with --now a closed one is removed at once
    Delete(StoreDeletion),
    /// Open a store again that was deleted within the last seven days
    Reopen(ClosedStoreId),
    /// Change status, plan, purge breaker, address, platform or gate of a store
    Set(StoreSettingsArgs),
}

/// Changes to a store.
#[derive(Debug, Args)]
pub struct StoreSettingsArgs {
    /// Id of the store, as `store list` shows it
    #[arg(value_name = "ID")]
    pub id: StoreId,
    /// active, paused (only search works) or suspended (neither search nor feed works)
    #[arg(long, env = "FINDWELL_STATUS", value_parser = status)]
    pub status: Option<StoreStatus>,
    /// JSON file with the new limits of the store
    #[arg(long, env = "FINDWELL_PLAN", value_name = "FILE.json")]
    pub plan: Option<PathBuf>,
    /// on or off: whether a run that would delete many documents waits for a release
    #[arg(long, env = "FINDWELL_PURGE_BREAKER", value_name = "on|off", value_parser = switch)]
    pub purge_breaker: Option<bool>,
    /// Address of the shop, which its module does not change; empty: the next that the module reports
    #[arg(long, env = "FINDWELL_URL", value_name = "URL")]
    pub url: Option<String>,
    /// Platform of the shop, such as prestashop, which its module does not change; empty: the next that the module
    /// reports
    #[arg(long, env = "FINDWELL_PLATFORM", value_name = "NAME")]
    pub platform: Option<String>,
    /// Reject saves of relevance, synonyms and rules that change the first three results of more than N % of the watched
    /// queries, or empty one; off: save everything
    #[arg(long, env = "FINDWELL_IMPACT_GATE", value_name = "N|off", value_parser = gate)]
    pub impact_gate: Option<GateChange>,
    /// on or off: whether keys may save what the gate rejects, with a note
    #[arg(long, env = "FINDWELL_KEYS_MAY_FORCE", value_name = "on|off", value_parser = switch)]
    pub keys_may_force: Option<bool>,
}

/// A new store.
#[derive(Debug, Args)]
pub struct NewStoreArgs {
    /// Name of the store
    #[arg(long, env = "FINDWELL_NAME")]
    pub name: String,
    /// Account of the store; optional if there is only one
    #[arg(long, env = "FINDWELL_ACCOUNT", value_name = "ID")]
    pub account: Option<AccountId>,
    /// Language; may be repeated, the first one is the default
    #[arg(long, env = "FINDWELL_LANGUAGE", required = true, value_delimiter = ',',
          value_name = "CODE", value_parser = Language::parse)]
    pub language: Vec<Language>,
    /// JSON file with the limits of the store
    #[arg(long, env = "FINDWELL_PLAN", value_name = "FILE.json")]
    pub plan: Option<PathBuf>,
}

/// Which stores to list.
#[derive(Debug, Args)]
pub struct StoreListArgs {
    /// List the closed stores instead, which will be removed
    #[arg(long, env = "FINDWELL_CLOSED")]
    pub closed: bool,
}

/// A store to delete.
#[derive(Debug, Args)]
pub struct StoreDeletion {
    /// Store
    #[arg(value_name = "ID")]
    pub store: StoreId,
    /// Its name, exactly
    #[arg(long, env = "FINDWELL_NAME")]
    pub name: String,
    /// Remove a store that is closed already, in place of after seven days
    #[arg(long, env = "FINDWELL_NOW", value_parser = BoolishValueParser::new())]
    pub now: bool,
}

/// A closed store.
#[derive(Debug, Args)]
pub struct ClosedStoreId {
    /// Store
    #[arg(value_name = "ID")]
    pub store: StoreId,
}

/// Which statistics to delete.
#[derive(Debug, Args)]
pub struct AnalyticsToClear {
    /// Store of the statistics
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
    /// Only those of days before this one (UTC), such as 2027-01-31
    #[arg(long, env = "FINDWELL_BEFORE", value_name = "DATE", value_parser = day)]
    pub before: Option<Day>,
}

fn status(text: &str) -> Result<StoreStatus, &'static str> {
    StoreStatus::parse(text).ok_or("must be active, paused or suspended")
}

fn switch(text: &str) -> Result<bool, &'static str> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("must be on or off"),
    }
}

fn gate(text: &str) -> Result<GateChange, String> {
    let percent = text
        .parse()
        .ok()
        .filter(|percent| *percent <= GATE_PERCENT_MAX);
    match (text, percent) {
        ("off", _) => Ok(GateChange::Off),
        (_, Some(percent)) => Ok(GateChange::Percent(percent)),
        _ => Err(format!(
            "must be off or a whole number from 0 to {GATE_PERCENT_MAX}"
        )),
    }
}

fn day(text: &str) -> Result<Day, &'static str> {
    Day::parse(text).ok_or("must be a day such as 2027-01-31")
}
