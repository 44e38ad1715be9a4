//! The row of an operation, from which router, input schemas, OpenAPI description and metric labels are derived.
//!
//! A row stands beside its handler. The row of the same id in [`operations::catalogue`] has access and summary.

mod examples;
mod row;

pub(crate) use examples::example;
pub use row::{BodyRow, OperationRow, QueryRow, Route};

use crate::App;
use axum::Router;

/// Returns a router with the routes of `tables`.
pub fn router(tables: &[&'static [OperationRow]]) -> Router<App> {
    let rows = tables.iter().copied().flatten();
    rows.fold(Router::new(), |router, row| {
        let routes = row.routes().into_iter();
        routes.fold(router, |router, (path, methods)| {
            router.route(&path, methods)
        })
    })
}

/// Compiles the input schemas of `rows`, so that no request waits for it.
pub fn compile_inputs(rows: impl Iterator<Item = &'static OperationRow>) {
    for row in rows {
        if let Some(body) = &row.body {
            body.schema();
        }
        if let Some(query) = &row.query {
            query.schema();
        }
    }
}
