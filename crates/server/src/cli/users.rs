//! The commands on users of the control panel.

use super::administer::{execute, print_list, print_one};
use super::args::Common;
use super::outcome::{CommandError, ExitStatus};
use super::user_args::{NewRole, UserCommand};
use crate::admin::{AdminRequest, UserRequest};
use crate::panel::PanelUrl;
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
            link(common, &new.panel_url, request).await
        }
        UserCommand::Reset(user) => {
            let request = UserRequest::Reset { email: user.email };
            link(common, &user.panel_url, request).await
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
    panel: &[PanelUrl],
    request: UserRequest,
) -> Result<ExitStatus, CommandError> {
    let panel = panel.first();
    let panel = panel.ok_or_else(|| CommandError::usage("--panel-url has no value"))?;
    let mut made = execute(common, AdminRequest::Users(request)).await?;
    let link = panel.link(made["token"].as_str().unwrap_or_default());
    made["link"] = json!(link);
    print_one(common, &made, "/link")
}
