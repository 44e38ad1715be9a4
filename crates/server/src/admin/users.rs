//! The requests of the command line about users of the control panel, and their execution.

use super::outcome::{AdminFailure, to_json};
use domain::{AccountId, Caller, Role, StoreId, StoreReach};
use operations::Service;
use operations::people::{Invitation, commands};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request about users.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are those of the operations")]
pub enum UserRequest {
    /// Makes a link with which somebody joins an account.
    Create {
        account: Option<AccountId>,
        email: String,
        role: Role,
        stores: Vec<StoreId>,
    },
    /// Lists the users of one account or of all.
    List { account: Option<AccountId> },
    /// Makes a link with which a user sets a new password.
    Reset { email: String },
    /// Ends the sessions of one user or of all.
    SignOut { email: Option<String> },
    /// Deactivates a user or activates it again.
    SetActive { email: String, active: bool },
    /// Replaces the role of a user in an account, or ends it.
    SetRole {
        email: String,
        account: AccountId,
        role: Option<Role>,
    },
}

/// Executes `request` as the operator.
pub async fn execute(
    service: &Service,
    operator: &Caller,
    request: UserRequest,
) -> Result<Value, AdminFailure> {
    match request {
        UserRequest::Create {
            account,
            email,
            role,
            stores,
        } => {
            let stores = (!stores.is_empty()).then_some(StoreReach::Only(stores));
            let invitation = Invitation {
                email,
                role,
                stores,
            };
            to_json(commands::create(service, operator, account, invitation).await)
        }
        UserRequest::List { account } => to_json(commands::list(service, operator, account).await),
        UserRequest::Reset { email } => to_json(commands::reset(service, operator, &email).await),
        UserRequest::SignOut { email } => {
            to_json(commands::sign_out(service, operator, email.as_deref()).await)
        }
        UserRequest::SetActive { email, active } => {
            to_json(commands::set_active(service, operator, &email, active).await)
        }
        UserRequest::SetRole {
            email,
            account,
            role,
        } => to_json(commands::set_role(service, operator, &email, &account, role).await),
    }
}
