//! The row of one operation: its route, its handler, what it takes and returns, and its tool.

use crate::App;
use crate::http::input::{Input, QueryInput};
use crate::mcp::ToolRow;
use axum::Extension;
use axum::routing::{MethodFilter, MethodRouter};
use domain::DocType;
use operations::catalogue::{self, Operation};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

/// Part of a path that stands for each type of documents.
const TYPE: &str = "{type}";

/// An operation as the interface shows it.
#[derive(Clone, Copy)]
pub struct OperationRow {
    /// Id of the operation, and name of its tool.
    pub id: &'static str,
    /// Method of its route.
    pub method: &'static str,
    /// Path of its route, below `/api/v1`. `{type}` stands for each type of documents.
    pub path: &'static str,
    /// Its body.
    pub body: Option<BodyRow>,
    /// Its query parameters. An operation with a body that has them too answers a GET as well.
    pub query: Option<QueryRow>,
    /// What `data` of its answer is.
    pub response: fn(&mut SchemaGenerator) -> Schema,
    /// An example of it.
    pub example: &'static str,
    /// Whether the answer of a list carries `meta` when one page was asked for.
    pub paged: bool,
    /// The statuses of its success.
    pub statuses: &'static [u16],
    /// Statuses of refusals that other operations of its kind do not have.
    pub errors: &'static [u16],
    /// Its tool, where agents need it.
    pub tool: Option<ToolRow>,
    filter: MethodFilter,
    handler: Handler,
}

/// Makes the route of a handler for a method.
type Handler = fn(MethodFilter) -> MethodRouter<App>;

/// A body.
#[derive(Clone, Copy)]
pub struct BodyRow {
    /// Whether it must be there.
    pub required: bool,
    /// An example of it.
    pub example: &'static str,
    name: fn() -> String,
    schema: fn() -> &'static Value,
}

impl BodyRow {
    const fn of<T: Input + JsonSchema>(required: bool, example: &'static str) -> Self {
        Self {
            required,
            example,
            name: schema_name::<T>,
            schema: body_schema::<T>,
        }
    }

    /// Name of its type.
    pub fn name(&self) -> String {
        (self.name)()
    }

    /// The schema by which it is checked.
    pub fn schema(&self) -> &'static Value {
        (self.schema)()
    }
}

/// Query parameters.
#[derive(Clone, Copy)]
pub struct QueryRow {
    /// An example of them, as an object.
    pub example: &'static str,
    schema: fn() -> &'static Value,
}

impl QueryRow {
    /// The schema by which they are checked.
    pub fn schema(&self) -> &'static Value {
        (self.schema)()
    }
}

fn schema_name<T: JsonSchema>() -> String {
    T::schema_name().into_owned()
}

fn body_schema<T: Input>() -> &'static Value {
    T::checker().schema()
}

fn query_schema<T: QueryInput>() -> &'static Value {
    T::query_checker().schema()
}

/// Id, method and path of an operation, whose handler follows.
pub struct Route {
    id: &'static str,
    method: &'static str,
    filter: MethodFilter,
    path: &'static str,
}

impl Route {
    /// An operation that is called with GET.
    pub const fn get(id: &'static str, path: &'static str) -> Self {
        Self::new(id, "GET", MethodFilter::GET, path)
    }

    /// An operation that is called with POST.
    pub const fn post(id: &'static str, path: &'static str) -> Self {
        Self::new(id, "POST", MethodFilter::POST, path)
    }

    /// An operation that is called with PUT.
    pub const fn put(id: &'static str, path: &'static str) -> Self {
        Self::new(id, "PUT", MethodFilter::PUT, path)
    }

    /// An operation that is called with DELETE.
    pub const fn delete(id: &'static str, path: &'static str) -> Self {
        Self::new(id, "DELETE", MethodFilter::DELETE, path)
    }

    const fn new(
        id: &'static str,
        method: &'static str,
        filter: MethodFilter,
        path: &'static str,
    ) -> Self {
        Self {
            id,
            method,
            filter,
            path,
        }
    }

    /// The row of the operation that `handler` answers, without body and query parameters.
    pub const fn handler(self, handler: Handler) -> OperationRow {
        OperationRow {
            id: self.id,
            method: self.method,
            path: self.path,
            body: None,
            query: None,
            response: SchemaGenerator::subschema_for::<()>,
            example: "null",
            paged: false,
            statuses: &[200],
            errors: &[],
            tool: None,
            filter: self.filter,
            handler,
        }
    }
}

impl OperationRow {
    /// With a body.
    pub const fn body<T: Input + JsonSchema>(self, example: &'static str) -> Self {
        Self {
            body: Some(BodyRow::of::<T>(true, example)),
            ..self
        }
    }

    /// With a body that may be left out.
    pub const fn optional_body<T: Input + JsonSchema>(self, example: &'static str) -> Self {
        Self {
            body: Some(BodyRow::of::<T>(false, example)),
            ..self
        }
    }

    /// With query parameters.
    pub const fn query<T: QueryInput>(self, example: &'static str) -> Self {
        let schema = query_schema::<T>;
        Self {
            query: Some(QueryRow { example, schema }),
            ..self
        }
    }

    /// With an answer whose `data` is an `A`.
    pub const fn returns<A: JsonSchema>(self, example: &'static str) -> Self {
        Self {
            response: SchemaGenerator::subschema_for::<A>,
            example,
            ..self
        }
    }

    /// With pages, when they are asked for.
    pub const fn paged(self) -> Self {
        Self {
            paged: true,
            ..self
        }
    }

    /// With these statuses of success.
    pub const fn statuses(self, statuses: &'static [u16]) -> Self {
        Self { statuses, ..self }
    }

    /// With these refusals of its own.
    pub const fn errors(self, errors: &'static [u16]) -> Self {
        Self { errors, ..self }
    }

    /// With a tool.
    pub const fn tool(self, tool: ToolRow) -> Self {
        Self {
            tool: Some(tool),
            ..self
        }
    }

    /// The operation: who may run it, and what it does.
    pub fn operation(&self) -> &'static Operation {
        let operation = catalogue::operation(self.id);
        operation.expect("every row has its operation, and a test compares them")
    }

    /// The paths that its path stands for: one of each type of documents, where it is of a type, because a type that
    /// does not exist is an unknown path.
    pub fn paths(&self) -> Vec<(String, Option<DocType>)> {
        if !self.path.contains(TYPE) {
            return vec![(self.path.to_owned(), None)];
        }
        let of_type =
            |doc_type: DocType| (self.path.replace(TYPE, doc_type.as_str()), Some(doc_type));
        DocType::ALL.map(of_type).to_vec()
    }

    /// Its routes. The handler of a path of a type finds the type among the extensions.
    pub fn routes(&self) -> Vec<(String, MethodRouter<App>)> {
        let methods = || (self.handler)(self.filter);
        let route = |(path, doc_type)| match doc_type {
            None => (path, methods()),
            Some(doc_type) => (path, methods().layer(Extension::<DocType>(doc_type))),
        };
        self.paths().into_iter().map(route).collect()
    }

    /// Whether it answers a GET with query parameters beside its own method.
    pub fn has_get_variant(&self) -> bool {
        self.body.is_some() && self.query.is_some()
    }
}
