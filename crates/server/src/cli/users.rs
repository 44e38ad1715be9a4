//! The commands on users of the control panel.

use super::administer::{execute, print_list, print_one};
use super::args::Common;
use super::outcome::{CommandError, ExitStatus};
use super::user_args::{NewRole, PanelAddressArgs, UserCommand};
use crate::admin::{AdminRequest, DataAccess, UserRequest};
use crate::panel::{PanelAddresses, PanelUrl};
use serde_json::json;

/// Runs a command on users. What scripts need is alone on stdout: a token, an address or a list.
pub async fn run(common: &Common, command: UserCommand) -> Result<ExitStatus, CommandError> {
    match command {
        UserCommand::Create(new) => {
            let request = UserRequest::Create {
                account: new.account,
                email: new.email,
                role: new.role,
                stores: new.store,
            };
            link(common, &new.panel, request).await
        }
        UserCommand::Reset(user) => {
            let request = UserRequest::Reset { email: user.email };
            link(common, &user.panel, request).await
        }
        UserCommand::List(of) => {
            let request = UserRequest::List {
                account: of.account,
            };
            let users = execute(common, AdminRequest::Users(request)).await?;
            let columns = ["/id", "/email", "/name", "/lastSignInAt", "/deactivatedAt"];
            print_list(common, &users, &columns)
        }
        UserCommand::SignOut(sessions) => {
            let email = sessions.email;
            let shown = json!({ "email": email.as_deref().unwrap_or("all") });
            execute(common, AdminRequest::Users(UserRequest::SignOut { email })).await?;
            print_one(common, &shown, "/email")
        }
        UserCommand::Deactivate(user) => set_active(common, user.email, false).await,
        UserCommand::Activate(user) => set_active(common, user.email, true).await,
        UserCommand::Role(of) => {
            let NewRole(role) = of.role;
            let request = UserRequest::SetRole {
                email: of.email,
                account: of.account,
                role,
            };
            let user = execute(common, AdminRequest::Users(request)).await?;
            print_one(common, &user, "/email")
        }
    }
}

async fn set_active(
    common: &Common,
    email: String,
    active: bool,
) -> Result<ExitStatus, CommandError> {
    let request = UserRequest::SetActive { email, active };
    let user = execute(common, AdminRequest::Users(request)).await?;
    print_one(common, &user, "/email")
}

/// Prints the address of a new link.
async fn link(
    common: &Common,
    at: &PanelAddressArgs,
    request: UserRequest,
) -> Result<ExitStatus, CommandError> {
    let mut access = DataAccess::open(&common.data, &common.locations.read()?, false).await?;
    let made = match panel_url(&mut access, at).await {
        Ok(url) => {
            let made = access.execute(AdminRequest::Users(request)).await;
            made.map(|made| (made, url)).map_err(CommandError::from)
        }
        Err(error) => Err(error),
    };
    access.close().await;
    let (mut made, url) = made?;
    let link = url.link(made["token"].as_str().unwrap_or_default());
    made["link"] = json!(link);
    print_one(common, &made, "/link")
}

/// Returns the address of the control panel: the one that is named, or that of the running server, or of one with the
/// same settings.
///
/// Errors: if the server has no control panel, or would have none. No link is made then, which nobody could follow.
async fn panel_url(
    access: &mut DataAccess,
    at: &PanelAddressArgs,
) -> Result<PanelUrl, CommandError> {
    if let Some(named) = at.panel_url.first() {
        return Ok(named.clone());
    }
    if access.is_server() {
        let url = access.execute(AdminRequest::PanelAddress).await?;
        let url = url.as_str().and_then(|url| url.parse().ok());
        return url.ok_or_else(|| {
            CommandError::failed(
                "the running server has no control panel; --panel-url names another",
            )
        });
    }
    let public = at.public_url.as_deref();
    let all = PanelAddresses::new(&[], public, at.listen);
    let first = all.as_ref().map(PanelAddresses::first);
    let first = first.filter(|url| url.port() != 0).cloned();
    first.ok_or_else(|| {
        CommandError::usage(
            "no server runs that knows the address of its control panel; give --panel-url",
        )
    })
}
