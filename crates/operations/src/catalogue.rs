//! The table of all operations: id, required access, whether it writes, summary. Data, not a registry of functions.
//!
//! The server's catalogue has the row of the same id with route, handler, types and tool.

mod configuration;
mod feed;
mod operator;
mod panel;
mod search;

use domain::{RequiredRole, Scope};

/// Who may run an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredAccess {
    /// A configuration key with at least this scope. With [`Scope::Propose`], a key with [`Scope::Write`] saves what another
    /// only proposes.
    Configuration(Scope),
    /// A connector key.
    Feed,
    /// A search-only key.
    Search,
    /// Users of the control panel; anybody if no role is required.
    Panel,
    /// The operator, and users whose role suffices if one is named.
    Operator,
}

/// One operation.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Verb and resource; also the name of the tool, if there is one, and of the audit record.
    pub id: &'static str,
    /// Who may run it.
    pub access: RequiredAccess,
    /// What it requires of a user of the control panel; `None` if users may not run it, or if it needs no user.
    pub role: Option<RequiredRole>,
    /// Whether it changes data.
    pub writes: bool,
    /// One sentence for the OpenAPI description.
    pub summary: &'static str,
}

const VIEWER: Option<RequiredRole> = Some(RequiredRole::Viewer);
const EDITOR: Option<RequiredRole> = Some(RequiredRole::Editor);
const OWNER: Option<RequiredRole> = Some(RequiredRole::Owner);
const CONFIRMED: Option<RequiredRole> = Some(RequiredRole::ConfirmedOwner);
const READ: RequiredAccess = RequiredAccess::Configuration(Scope::Read);
const PROPOSE: RequiredAccess = RequiredAccess::Configuration(Scope::Propose);
const SEARCH: RequiredAccess = RequiredAccess::Search;
const FEED: RequiredAccess = RequiredAccess::Feed;

const fn read(id: &'static str, access: RequiredAccess, summary: &'static str) -> Operation {
    Operation {
        id,
        access,
        role: match access {
            RequiredAccess::Configuration(Scope::Read) => Some(RequiredRole::Viewer),
            RequiredAccess::Configuration(Scope::Propose | Scope::Write) => {
                Some(RequiredRole::Editor)
            }
            _ => None,
        },
        writes: false,
        summary,
    }
}

const fn write(id: &'static str, access: RequiredAccess, summary: &'static str) -> Operation {
    Operation {
        writes: true,
        ..read(id, access, summary)
    }
}

const fn operator(id: &'static str, writes: bool, summary: &'static str) -> Operation {
    Operation {
        writes,
        ..read(id, RequiredAccess::Operator, summary)
    }
}

const fn panel(
    id: &'static str,
    role: Option<RequiredRole>,
    writes: bool,
    summary: &'static str,
) -> Operation {
    Operation {
        role,
        writes,
        ..read(id, RequiredAccess::Panel, summary)
    }
}

impl Operation {
    /// The same operation, which users with this role may run, too.
    const fn by_users(self, role: RequiredRole) -> Self {
        Self {
            role: Some(role),
            ..self
        }
    }
}

/// The tables of all operations, by who calls them.
const TABLES: [&[Operation]; 5] = [
    configuration::ROWS,
    search::ROWS,
    feed::ROWS,
    panel::ROWS,
    operator::ROWS,
];

/// Returns all operations: configuration, search, feed, control panel, command line.
pub fn all_operations() -> impl Iterator<Item = &'static Operation> {
    TABLES.into_iter().flatten()
}

/// Returns the operation with this id.
pub fn operation(id: &str) -> Option<&'static Operation> {
    all_operations().find(|operation| operation.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_has_its_own_name() {
        for (at, operation) in all_operations().enumerate() {
            let twin = all_operations()
                .take(at)
                .find(|other| other.id == operation.id);
            assert!(twin.is_none(), "{} twice", operation.id);
            assert_eq!(
                self::operation(operation.id).map(|o| o.summary),
                Some(operation.summary)
            );
        }
    }
}
