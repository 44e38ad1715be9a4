//! The arguments of a call: the store, the id of a record, and the input of the operation.

use crate::App;
use crate::http::Failure;
use crate::http::input::{Input, QueryInput};
use crate::http::record::RecordId;
use crate::validation::Checker;
use crate::validation::strict_json;
use domain::access::{self, Denied};
use domain::{Caller, ErrorList, Invalid, StoreId};
use operations::OperationError;
use operations::records::require;
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Stores that are named to a caller who has to choose.
const STORES_NAMED_MAX: usize = 20;

/// What the arguments as a whole are called.
const ARGUMENTS: &str = "arguments";

/// The arguments that have not been taken yet.
#[derive(Debug)]
pub struct Arguments {
    left: JsonObject,
    /// What is wrong with how they are written: where anything is, nothing else is looked at, as over REST.
    unreadable: ErrorList,
    /// What was wrong with those that were taken as parts.
    wrong: ErrorList,
}

impl Arguments {
    /// The arguments of a call, and what is wrong with how they are written.
    pub fn new(given: JsonObject, unreadable: ErrorList) -> Self {
        Self {
            left: given,
            unreadable,
            wrong: ErrorList::default(),
        }
    }

    /// The store: the one that is named, or the only one that the key reaches.
    ///
    /// Errors: 403 and 404 as over REST; 400 when it must be named, with the stores there are.
    pub fn store(&mut self, caller: &Caller, writes: bool) -> Result<StoreId, Failure> {
        let named = self.text("storeId")?;
        let store = named.map_or_else(|| only_store(caller), |id| Ok(StoreId(id)))?;
        let allowed = if writes {
            access::write(caller, &store).map(drop)
        } else {
            access::read(caller, &store).map(drop)
        };
        allowed.map_err(denied)?;
        Ok(store)
    }

    /// The record of the store that is named.
    ///
    /// Errors: 404 when there is none; 400 when it is not named.
    pub async fn record<Id: RecordId>(
        &mut self,
        app: &App,
        caller: &Caller,
        store: &StoreId,
    ) -> Result<Id, Failure> {
        let named = self.text(Id::PARAMETER)?;
        let id = named.ok_or_else(|| invalid(Id::PARAMETER, "is required"))?;
        require(&app.service, caller, store, Id::KIND, &id).await?;
        Ok(Id::from(id))
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, Failure> {
        match self.left.shift_remove(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(invalid(name, "must be text")),
        }
    }

    /// The arguments that only tools have, apart from the input of the operation; none when they are wrong, which is
    /// told together with what is wrong with the input.
    pub fn part<T: Input>(&mut self) -> Option<T> {
        let checker = T::checker();
        let mut part = JsonObject::new();
        for (name, _) in checker.properties() {
            part.extend(self.left.shift_remove_entry(name));
        }
        let typed = checker.typed(Value::Object(part), ARGUMENTS);
        typed
            .map_err(|wrong| self.wrong = std::mem::take(&mut self.wrong).and(wrong))
            .ok()
    }

    /// The input that an operation takes as a body.
    pub fn input<T: Input>(self) -> Result<T, Failure> {
        self.typed(T::checker(), T::semantic_errors)
    }

    /// The input that an operation takes as query parameters.
    pub fn query<T: QueryInput>(self) -> Result<T, Failure> {
        self.typed(T::query_checker(), |_| Vec::new())
    }

    /// No input.
    ///
    /// Errors: 400 for every argument that is left.
    pub fn nothing(self) -> Result<(), Failure> {
        let mut unknown = ErrorList::default();
        for name in self.left.keys() {
            unknown.push_with(|| {
                let shown: String = name.chars().take(80).collect();
                Invalid::new(shown, "is not an argument of this tool")
            });
        }
        none_of(self.unreadable)?;
        none_of(self.wrong.and(unknown))
    }

    fn typed<T: DeserializeOwned>(
        self,
        checker: &Checker,
        check: impl FnOnce(T) -> Vec<Invalid>,
    ) -> Result<T, Failure> {
        let Self {
            mut left,
            unreadable,
            wrong,
        } = self;
        none_of(unreadable.and(read_texts(&mut left, checker)))?;
        match checker.typed_and(Value::Object(left), ARGUMENTS, check) {
            Ok(typed) => none_of(wrong).map(|()| typed),
            Err(more) => Err(Failure::invalid(wrong.and(more))),
        }
    }
}

/// Nothing, if nothing is wrong.
///
/// Errors: 400 for everything that is.
fn none_of(wrong: ErrorList) -> Result<(), Failure> {
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::invalid(wrong))
    }
}

/// Reads JSON text where the schema wants an object or a list: some clients pass nested arguments as text.
///
/// What begins like JSON and is none is told.
fn read_texts(arguments: &mut JsonObject, checker: &Checker) -> ErrorList {
    let mut wrong = ErrorList::default();
    for (name, value) in arguments {
        let kind = checker.property(name).and_then(|schema| schema.get("type"));
        let nested = kind.is_some_and(|kind| kind == "object" || kind == "array");
        let Some(text) = value.as_str().filter(|_| nested) else {
            continue;
        };
        if !text.trim_start().starts_with(['{', '[']) {
            continue;
        }
        match strict_json::parse(text.as_bytes()) {
            Ok(read) => *value = read,
            Err(unreadable) => wrong = wrong.and(unreadable.invalid_in(name)),
        }
    }
    wrong
}

fn only_store(caller: &Caller) -> Result<StoreId, Failure> {
    let stores = caller.key().map_or(&[][..], |key| &key.account_stores);
    match stores {
        [only] => Ok(only.clone()),
        [] => Err(invalid(
            "storeId",
            "is required, and the key reaches no store",
        )),
        several => {
            let named = several.iter().take(STORES_NAMED_MAX);
            let named: Vec<&str> = named.map(|store| store.0.as_str()).collect();
            let more = several.len().saturating_sub(STORES_NAMED_MAX);
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            let named = named.join(", ");
            let reason =
                format!("is required, because the key reaches several stores: {named}{more}");
            Err(invalid("storeId", &reason))
        }
    }
}

/// What the key may not do.
pub fn denied(denied: Denied) -> Failure {
    OperationError::from(denied).into()
}

fn invalid(field: &str, reason: &str) -> Failure {
    Failure::invalid(vec![Invalid::new(field, reason)])
}
