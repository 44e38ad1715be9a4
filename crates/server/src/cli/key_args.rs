//! The arguments of the commands on keys (`docs/cli.md`).

use clap::{Args, Subcommand};
use domain::{AccountId, KeyId, KeyKind, Scope, StoreId, Timestamp};

/// The commands on keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Create a key and print it; it is never shown again
    Create(NewKeyArgs),
    /// List keys
    List(KeysOf),
    /// Deactivate a key
    Deactivate(OneKey),
}

/// A new key.
#[derive(Debug, Args)]
pub struct NewKeyArgs {
    /// Store that the key is bound to
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: Option<StoreId>,
    /// Account whose stores the key can access, instead of one store
    #[arg(long, env = "FINDWELL_ACCOUNT", value_name = "ID")]
    pub account: Option<AccountId>,
    /// configuration, connector or search-only
    #[arg(long, env = "FINDWELL_KIND", value_parser = key_kind)]
    pub kind: KeyKind,
    /// Scope of a configuration key: config:read (default), config:propose or config:write
    #[arg(long, env = "FINDWELL_SCOPE", value_parser = scope)]
    pub scope: Option<Scope>,
    /// Name of the key
    #[arg(long, env = "FINDWELL_NAME")]
    pub name: Option<String>,
    /// Expiry time, such as 2027-01-31T00:00:00Z
    #[arg(long, env = "FINDWELL_EXPIRES", value_name = "TIME", value_parser = instant)]
    pub expires: Option<Timestamp>,
}

/// Which keys to list.
#[derive(Debug, Args)]
pub struct KeysOf {
    /// Only the keys of this store
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: Option<StoreId>,
}

/// One key.
#[derive(Debug, Args)]
pub struct OneKey {
    /// Id of the key, as `key list` shows it
    #[arg(value_name = "KEY-ID")]
    pub id: KeyId,
}

fn key_kind(text: &str) -> Result<KeyKind, &'static str> {
    KeyKind::parse(text).ok_or("must be configuration, connector or search-only")
}

fn scope(text: &str) -> Result<Scope, &'static str> {
    Scope::parse(text).ok_or("must be config:read, config:propose or config:write")
}

/// Parses a time.
pub fn instant(text: &str) -> Result<Timestamp, &'static str> {
    Timestamp::parse(text).ok_or("must be a time such as 2027-01-31T00:00:00Z")
}
