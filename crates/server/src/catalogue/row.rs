//! The row of an operation: route, handler, types, examples and statuses.

use crate::App;
#[cfg(feature = "fuzzing")]
use crate::http::Failure;
use crate::http::attempts;
#[cfg(feature = "fuzzing")]
use crate::http::input::parse;
use crate::http::input::{Input, QueryInput};
use axum::Extension;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::routing::{MethodFilter, MethodRouter};
use domain::DocType;
use operations::catalogue::{self, Operation};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

/// Placeholder for the document type in a path.
const TYPE: &str = "{type}";

/// An operation of the API.
#[derive(Clone, Copy)]
pub struct OperationRow {
    /// Id of the operation.
    pub id: &'static str,
    /// HTTP method.
    pub method: &'static str,
    /// Path below `/api/v1`. `{type}` stands for every document type.
    pub path: &'static str,
    /// Request body.
    pub body: Option<BodyRow>,
    /// Query parameters. An operation with both a body and query parameters can also be called with GET.
    pub query: Option<QueryRow>,
    /// Schema of `data` in the response.
    pub response: fn(&mut SchemaGenerator) -> Schema,
    /// Example of `data` in the response.
    pub example: &'static str,
    /// Whether the response has `meta` if a page was requested.
    pub paged: bool,
    /// Whether a request can ask for `data` alone, as a file.
    pub bare: bool,
    /// Statuses of success.
    pub statuses: &'static [u16],
    /// Error statuses beyond those that follow from method, path and access.
    pub errors: &'static [u16],
    filter: MethodFilter,
    handler: Handler,
}

/// Binds the handler to a method: `|method| on(method, handler)`.
type Handler = fn(MethodFilter) -> MethodRouter<App>;

/// The request body of an operation.
#[derive(Clone, Copy)]
pub struct BodyRow {
    /// Whether the body is required.
    pub required: bool,
    /// Example of the body.
    pub example: &'static str,
    /// Parses and checks a body as far as possible without state.
    #[cfg(feature = "fuzzing")]
    pub reader: fn(&[u8]) -> Result<(), Failure>,
    name: fn() -> String,
    schema: fn() -> &'static Value,
}

impl BodyRow {
    const fn of<T: Input + JsonSchema>(required: bool, example: &'static str) -> Self {
        Self {
            required,
            example,
            #[cfg(feature = "fuzzing")]
            reader: read::<T>,
            name: schema_name::<T>,
            schema: body_schema::<T>,
        }
    }

    /// Returns the name of the schema.
    pub fn name(&self) -> String {
        (self.name)()
    }

    /// Returns the schema that checks the body.
    pub fn schema(&self) -> &'static Value {
        (self.schema)()
    }
}

/// The query parameters of an operation.
#[derive(Clone, Copy)]
pub struct QueryRow {
    /// Example of the parameters, as an object.
    pub example: &'static str,
    schema: fn() -> &'static Value,
}

impl QueryRow {
    /// Returns the schema that checks the parameters.
    pub fn schema(&self) -> &'static Value {
        (self.schema)()
    }
}

fn schema_name<T: JsonSchema>() -> String {
    T::schema_name().into_owned()
}

#[cfg(feature = "fuzzing")]
fn read<T: Input>(body: &[u8]) -> Result<(), Failure> {
    let (parts, ()) = axum::http::Request::new(()).into_parts();
    let errors = parse::<T>(&parts, body)?.semantic_errors();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Failure::invalid(errors))
    }
}

fn body_schema<T: Input>() -> &'static Value {
    T::checker().schema()
}

fn query_schema<T: QueryInput>() -> &'static Value {
    T::query_checker().schema()
}

/// Id, method and path of an operation; [`Route::handler`] completes the row.
pub struct Route {
    id: &'static str,
    method: &'static str,
    filter: MethodFilter,
    path: &'static str,
}

impl Route {
    /// A GET operation.
    pub const fn get(id: &'static str, path: &'static str) -> Self {
        Self::new(id, "GET", MethodFilter::GET, path)
    }

    /// A POST operation.
    pub const fn post(id: &'static str, path: &'static str) -> Self {
        Self::new(id, "POST", MethodFilter::POST, path)
    }

    /// A PUT operation.
    pub const fn put(id: &'static str, path: &'static str) -> Self {
        Self::new(id, "PUT", MethodFilter::PUT, path)
    }

    /// A DELETE operation.
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

    /// Returns the row of the operation, without input. `handler` is `|method| on(method, function)`.
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
            bare: false,
            statuses: &[200],
            errors: &[],
            filter: self.filter,
            handler,
        }
    }
}

impl OperationRow {
    /// Adds a required body.
    pub const fn body<T: Input + JsonSchema>(self, example: &'static str) -> Self {
        Self {
            body: Some(BodyRow::of::<T>(true, example)),
            ..self
        }
    }

    /// Adds an optional body.
    pub const fn optional_body<T: Input + JsonSchema>(self, example: &'static str) -> Self {
        Self {
            body: Some(BodyRow::of::<T>(false, example)),
            ..self
        }
    }

    /// Adds query parameters.
    pub const fn query<T: QueryInput>(self, example: &'static str) -> Self {
        let schema = query_schema::<T>;
        Self {
            query: Some(QueryRow { example, schema }),
            ..self
        }
    }

    /// Sets the type of `data` in the response.
    pub const fn returns<T: JsonSchema>(self, example: &'static str) -> Self {
        Self {
            response: SchemaGenerator::subschema_for::<T>,
            example,
            ..self
        }
    }

    /// Says that a request can ask for `data` alone, as a file.
    pub const fn also_bare(self) -> Self {
        Self { bare: true, ..self }
    }

    /// Says that clients may request pages of the list.
    pub const fn paged(self) -> Self {
        Self {
            paged: true,
            ..self
        }
    }

    /// Replaces the status of success, which is 200.
    pub const fn statuses(self, statuses: &'static [u16]) -> Self {
        Self { statuses, ..self }
    }

    /// Adds error statuses.
    pub const fn errors(self, errors: &'static [u16]) -> Self {
        Self { errors, ..self }
    }

    /// Returns the operation with its access and summary.
    pub fn operation(&self) -> &'static Operation {
        let operation = catalogue::operation(self.id);
        operation.expect("every row has an operation; a test compares the tables")
    }

    /// Returns the paths below `/api/v1`: one for each document type if the path has a type, so that an unknown type is
    /// an unknown path.
    pub fn paths(&self) -> Vec<(String, Option<DocType>)> {
        if !self.path.contains(TYPE) {
            return vec![(self.path.to_owned(), None)];
        }
        let of_type =
            |doc_type: DocType| (self.path.replace(TYPE, doc_type.as_str()), Some(doc_type));
        DocType::ALL.map(of_type).to_vec()
    }

    /// Returns the routes. A handler gets the document type of its path as an `Extension<DocType>`.
    pub fn routes(&self) -> Vec<(String, MethodRouter<App>)> {
        let moves_results = attempts::can_move_results(self);
        let methods = || {
            let methods = (self.handler)(self.filter);
            match attempts::can_run_dry(self) {
                true => methods.layer(from_fn(move |request: Request, next: Next| {
                    attempts::attempted(moves_results, request, next)
                })),
                false => methods,
            }
        };
        let route = |(path, doc_type)| match doc_type {
            None => (path, methods()),
            Some(doc_type) => (path, methods().layer(Extension::<DocType>(doc_type))),
        };
        self.paths().into_iter().map(route).collect()
    }

    /// Whether the operation can also be called with GET and query parameters.
    pub fn has_get_variant(&self) -> bool {
        self.method == "POST" && self.body.is_some() && self.query.is_some()
    }
}
