//! The arguments of the commands on users of the control panel (`docs/cli.md`).

use super::serving_args::LISTEN;
use super::web_names;
use crate::panel::PanelUrl;
use clap::{Args, Subcommand};
use domain::{AccountId, Role, StoreId};
use std::net::SocketAddr;

/// The commands on users.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Print a link with which somebody joins an account
    Create(NewUser),
    /// List users
    List(UsersOf),
    /// Print a link with which a user sets a new password
    Reset(ResetOf),
    /// End all sessions of a user, or of all users
    SignOut(Sessions),
    /// Deactivate a user
    Deactivate(OneUser),
    /// Activate a user again
    Activate(OneUser),
    /// Change the role of a user in an account, or end it
    Role(RoleOf),
}

/// A user to invite.
#[derive(Debug, Args)]
pub struct NewUser {
    /// E-mail address of the user
    #[arg(long, env = "FINDWELL_EMAIL")]
    pub email: String,
    /// owner, editor or viewer
    #[arg(long, env = "FINDWELL_ROLE", value_parser = role)]
    pub role: Role,
    /// Account of the user; optional if there is only one
    #[arg(long, env = "FINDWELL_ACCOUNT", value_name = "ID")]
    pub account: Option<AccountId>,
    /// Store that the user can reach; may be repeated; default: all of the account
    #[arg(long, env = "FINDWELL_STORE", value_delimiter = ',', value_name = "ID")]
    pub store: Vec<StoreId>,
    /// Where the link leads
    #[command(flatten)]
    pub panel: PanelAddressArgs,
}

/// Whose password to replace.
#[derive(Debug, Args)]
pub struct ResetOf {
    /// E-mail address of the user
    #[arg(value_name = "EMAIL")]
    pub email: String,
    /// Where the link leads
    #[command(flatten)]
    pub panel: PanelAddressArgs,
}

/// Where the control panel is. A running server knows; these are its settings, for when none runs.
#[derive(Debug, Args)]
pub struct PanelAddressArgs {
    /// Address of the control panel, for the link; the first one counts; default: that of the running server, or of one
    /// with these settings
    #[arg(
        long,
        env = "FINDWELL_PANEL_URL",
        value_delimiter = ',',
        value_name = "URL"
    )]
    pub panel_url: Vec<PanelUrl>,
    /// Address of the server as shops and their pages call it, as of serve
    #[arg(
        long,
        env = "FINDWELL_PUBLIC_URL",
        value_parser = web_names::public_url,
        value_name = "URL"
    )]
    pub public_url: Option<String>,
    /// Address and port to listen on, as of serve
    #[arg(
        long,
        env = "FINDWELL_LISTEN",
        default_value = LISTEN,
        value_name = "ADDRESS"
    )]
    pub listen: SocketAddr,
}

/// Which users to list.
#[derive(Debug, Args)]
pub struct UsersOf {
    /// Only the members of this account
    #[arg(long, env = "FINDWELL_ACCOUNT", value_name = "ID")]
    pub account: Option<AccountId>,
}

/// One user.
#[derive(Debug, Args)]
pub struct OneUser {
    /// E-mail address of the user
    #[arg(value_name = "EMAIL")]
    pub email: String,
}

/// Whose sessions to end.
#[derive(Debug, Args)]
pub struct Sessions {
    /// E-mail address of the user
    #[arg(
        value_name = "EMAIL",
        required_unless_present = "all",
        conflicts_with = "all"
    )]
    pub email: Option<String>,
    /// The sessions of all users
    #[arg(long, env = "FINDWELL_ALL")]
    pub all: bool,
}

/// The role of a user in an account.
#[derive(Debug, Args)]
pub struct RoleOf {
    /// E-mail address of the user
    #[arg(value_name = "EMAIL")]
    pub email: String,
    /// The account
    #[arg(long, env = "FINDWELL_ACCOUNT", value_name = "ID")]
    pub account: AccountId,
    /// owner, editor, viewer or none
    #[arg(long, env = "FINDWELL_ROLE", value_parser = role_or_none)]
    pub role: NewRole,
}

/// A role, or none.
#[derive(Clone, Copy, Debug)]
pub struct NewRole(pub Option<Role>);

fn role(text: &str) -> Result<Role, &'static str> {
    Role::parse(text).ok_or("must be owner, editor or viewer")
}

fn role_or_none(text: &str) -> Result<NewRole, &'static str> {
    match text {
        "none" => Ok(NewRole(None)),
        text => Role::parse(text)
            .map(|role| NewRole(Some(role)))
            .ok_or("must be owner, editor, viewer or none"),
    }
}
