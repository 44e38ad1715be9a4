//! The messages of this crate, each a key with values and an English text (`domain::message`).

mod audit;
mod errors;
mod search;

pub(crate) use audit::{audited, drafted, proposed, resource, saved};
pub(crate) use domain::message::{advice, draft, file, number, source, text, value};
pub(crate) use errors::{
    access, change, conflict, feed, gate, key, limit, noun, people, proposal, proposal_state, rate,
    role, state, store,
};
pub(crate) use search::{advised, filterable, missing, present, verdict};

use domain::message::{MessageRow, MessageValue};
use domain::{Message, Role};

/// All messages of this crate.
pub const MESSAGES: [&[MessageRow]; 3] = [errors::MESSAGES, audit::MESSAGES, search::MESSAGES];

/// Returns the name of a role.
pub(crate) fn of_role(named: Role) -> Message {
    match named {
        Role::Owner => role::owner(),
        Role::Editor => role::editor(),
        Role::Viewer => role::viewer(),
    }
}

/// Returns the name of a resource such as `relevance` or `rules/<id>`.
pub(crate) fn of_resource(name: &str) -> MessageValue {
    match name.split_once('/') {
        None if name == "relevance" => resource::relevance().into(),
        None if name == "store" => resource::store().into(),
        None if name == "widget" => resource::widget().into(),
        Some(("widget", "custom")) => resource::custom_code().into(),
        Some(("synonyms", id)) => resource::synonym(id).into(),
        Some(("rules", id)) => resource::rule(id).into(),
        Some(("filters", id)) => resource::filter(id).into(),
        _ => name.into(),
    }
}
