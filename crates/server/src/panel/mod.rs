//! The control panel: its pages, and the calls of their scripts under `/panel/api`.
//!
//! The calls on a store are those of the configuration API with the same handlers; only who asks is found otherwise, by
//! a session in place of a key. What no key may do has paths of its own.

mod addresses;
mod calls;
mod connect;
mod cookies;
mod extract;
mod files;
mod gate;
pub mod headers;
mod modules;
mod options;
mod page_rows;
mod pages;
mod preview;
mod tables;

pub use addresses::{PanelAddresses, PanelUrl};
pub use options::{Panel, PanelOptions};

use crate::App;
use crate::catalogue::OperationRow;
use crate::rest;
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get};
use files::PanelFiles;
use gate::{Entry, Gate};
use operations::catalogue::Operation;
use options::{API, PATH};
use page_rows::PAGES;
use pages::ReadyPage;
use std::sync::Arc;

/// Returns the paths of the panel.
pub fn paths(app: &App, panel: Panel) -> Router<App> {
    let panel = Arc::new(panel);
    let gated = |methods: MethodRouter<App>, entry, operation: Option<&'static Operation>| {
        let gate = Gate {
            app: app.clone(),
            panel: Arc::clone(&panel),
            entry,
            operation,
        };
        methods.route_layer(from_fn_with_state(gate, gate::check))
    };
    let mut router = Router::new();
    for row in shared_rows().chain(calls::rows()) {
        let operation = row.operation();
        let entry = if operation.role.is_some() {
            Entry::SessionCall
        } else {
            Entry::Call
        };
        for (path, methods) in row.routes() {
            let methods = gated(methods, entry, Some(operation));
            router = router.route(&format!("{API}{path}"), methods);
        }
    }
    let files = Arc::new(PanelFiles::new());
    for page in PAGES {
        let ready = ReadyPage::new(page, &files, &panel, app.clone());
        let methods = get(pages::show).with_state(ready);
        router = router.route(
            &format!("{PATH}{}", page.path),
            gated(methods, Entry::File, None),
        );
    }
    let preview = get(preview::page).with_state(Arc::clone(&panel));
    router = router
        .route("/panel/preview", gated(preview, Entry::File, None))
        .route(
            "/panel/preview/{name}",
            gated(get(preview::file), Entry::File, None),
        );
    let file = get(files::file).with_state(files);
    router.route(
        "/panel/assets/{digest}/{*name}",
        gated(file, Entry::File, None),
    )
}

/// Returns the operations of the configuration API on one store.
fn shared_rows() -> impl Iterator<Item = &'static OperationRow> {
    let rows = rest::TABLES.iter().copied().flatten();
    rows.filter(|row| row.path.starts_with("/stores/{"))
}

/// Returns method, path below `/panel/api` and id of every call of the panel.
pub fn routes() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    shared_rows()
        .chain(calls::rows())
        .map(|row| (row.method, row.path, row.id))
}

/// Returns the rows of the panel's own calls.
pub fn call_rows() -> impl Iterator<Item = &'static OperationRow> {
    calls::rows()
}

#[cfg(test)]
mod tests {
    //! 1. Every operation of the panel has a call, and every call an operation.
    //! 2. No two calls have the same route.
    //! 3. Every call but sign-in and links needs a session.

    use super::*;
    use crate::catalogue;
    use operations::catalogue::{RequiredAccess, all_operations};
    use std::collections::BTreeSet;

    #[test]
    fn every_operation_of_the_panel_has_its_call() {
        let ids: BTreeSet<&str> = routes().map(|(_, _, id)| id).collect();
        for operation in all_operations() {
            let expected = match operation.access {
                RequiredAccess::Panel => true,
                RequiredAccess::Operator => operation.role.is_some(),
                _ => continue,
            };
            assert_eq!(ids.contains(operation.id), expected, "{}", operation.id);
        }
        let all: Vec<_> = routes().map(|(method, path, _)| (method, path)).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }

    #[test]
    fn calls_without_a_session_are_few() {
        let open = shared_rows().chain(calls::rows());
        let open: Vec<&str> = open
            .filter(|row| row.operation().role.is_none())
            .map(|row| row.id)
            .collect();
        assert_eq!(open, ["sign_in", "look_at_link", "use_link"]);
        catalogue::compile_inputs(calls::rows());
    }
}
