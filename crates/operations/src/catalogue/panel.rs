//! The operations of users of the control panel: sign-in, links, members.

use super::{CONFIRMED, EDITOR, OWNER, Operation, VIEWER, panel};

pub(super) const ROWS: &[Operation] = &[
    panel(
        "sign_in",
        None,
        true,
        "Starts a session with e-mail address and password.",
    ),
    panel("look_at_link", None, false, "What a one-time link is for."),
    panel(
        "use_link",
        None,
        true,
        "Uses a one-time link and starts a session.",
    ),
    panel(
        "get_me",
        VIEWER,
        false,
        "The signed-in user with accounts and roles.",
    ),
    panel(
        "update_me",
        VIEWER,
        true,
        "Updates one's own name and language.",
    ),
    panel(
        "change_password",
        VIEWER,
        true,
        "Replaces one's own password and ends the other sessions.",
    ),
    panel(
        "confirm_password",
        VIEWER,
        true,
        "Gives the password again, for ten minutes.",
    ),
    panel(
        "sign_out",
        VIEWER,
        true,
        "Ends the session, or all of one's own.",
    ),
    panel("list_sessions", VIEWER, false, "One's own sessions."),
    panel(
        "end_session",
        VIEWER,
        true,
        "Ends one of one's own sessions.",
    ),
    panel(
        "list_reached_stores",
        VIEWER,
        false,
        "The stores of all accounts that the user reaches.",
    ),
    panel(
        "list_members",
        VIEWER,
        false,
        "Members of an account with their roles.",
    ),
    panel(
        "set_member",
        CONFIRMED,
        true,
        "Replaces role and stores of a member.",
    ),
    panel(
        "remove_member",
        CONFIRMED,
        true,
        "Removes a member from an account.",
    ),
    panel(
        "reset_member",
        CONFIRMED,
        true,
        "Makes a link with which a member sets a new password.",
    ),
    panel(
        "invite_member",
        CONFIRMED,
        true,
        "Makes a link with which somebody joins an account.",
    ),
    panel(
        "list_links",
        OWNER,
        false,
        "Open links of an account, without their tokens.",
    ),
    panel("get_head", VIEWER, false, "The latest changes of a store."),
    panel(
        "preview",
        VIEWER,
        false,
        "Ranks a query under a draft, beside what is saved.",
    ),
    panel(
        "preview_explain",
        VIEWER,
        false,
        "Explains products under a draft, or why they are missing.",
    ),
    panel(
        "preview_watched",
        VIEWER,
        false,
        "What moves in the results of watched queries under a draft.",
    ),
    panel("list_watched", VIEWER, false, "The watched queries."),
    panel("set_watched", EDITOR, true, "Replaces the watched queries."),
    panel(
        "apply_changes",
        EDITOR,
        true,
        "Saves a draft of the configuration as one revision.",
    ),
    panel(
        "restore_revision",
        EDITOR,
        true,
        "Restores the configuration, or parts of it, to a former revision.",
    ),
    panel("revoke_link", OWNER, true, "Revokes a link of an account."),
];
