//! The arguments of a call: store, id of a record, and input of the operation.

use super::lenient;
use crate::http::Failure;
use crate::http::input::{Input, QueryInput};
use crate::http::record::RecordId;
use crate::message;
use crate::validation::Checker;
use domain::access::{self, Denied};
use domain::first_characters;
use domain::limits::SHOWN_CHARACTERS_MAX;
use domain::message::list;
use domain::{Caller, ErrorList, Invalid, Message, ProposalId, StoreId};
use operations::records::require;
use operations::{OperationError, Service};
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Stores that an error lists for a caller who must choose one.
const STORES_LISTED_MAX: usize = 20;

/// Argument with the number of a revision.
pub const REVISION: &str = "n";

/// Argument with the id of a product.
const PRODUCT: &str = "productId";

/// Field name of the arguments as a whole in errors.
const ARGUMENTS: &str = "arguments";

/// The arguments of a call that have not been read yet.
#[derive(Debug, Default)]
pub struct Arguments {
    left: JsonObject,
    /// Errors in the JSON of the arguments. If there are any, nothing else is checked, as over REST.
    unreadable: ErrorList,
    /// Errors in the arguments read by [`Arguments::of_tool`].
    wrong: ErrorList,
}

impl Arguments {
    /// Takes the arguments of a call, and the errors in their JSON.
    pub fn new(arguments: JsonObject, unreadable: ErrorList) -> Self {
        Self {
            left: arguments,
            unreadable,
            wrong: ErrorList::default(),
        }
    }

    /// Reads the store: `storeId`, or the only store that the key can access.
    ///
    /// Errors: 403 and 404 as over REST; 400 if `storeId` is required, with the stores to choose from.
    pub fn store(&mut self, caller: &Caller, writes: bool) -> Result<StoreId, Failure> {
        let id = self.text("storeId")?;
        let store = id.map_or_else(|| only_store(caller), |id| Ok(StoreId(id)))?;
        let allowed = if writes {
            access::change(caller, &store).map(drop)
        } else {
            access::read(caller, &store).map(drop)
        };
        allowed.map_err(denied)?;
        Ok(store)
    }

    /// Reads the id of a record of the store.
    ///
    /// Errors: 404 if the record does not exist; 400 if the argument is missing.
    pub async fn record<Id: RecordId>(
        &mut self,
        service: &Service,
        caller: &Caller,
        store: &StoreId,
    ) -> Result<Id, Failure> {
        let id = self.text(Id::PARAMETER)?;
        let id = id.ok_or_else(|| invalid(Id::PARAMETER, message::value::required()))?;
        require(service, caller, store, Id::KIND, &id).await?;
        Ok(Id::from(id))
    }

    /// Reads the number of a revision, as a number or as text.
    ///
    /// Errors: 400 if the argument is missing or neither.
    pub fn revision(&mut self) -> Result<String, Failure> {
        if let Some(Value::Number(number)) = self.left.get(REVISION) {
            let number = number.to_string();
            self.left.shift_remove(REVISION);
            return Ok(number);
        }
        let number = self.text(REVISION)?;
        number.ok_or_else(|| invalid(REVISION, message::value::required()))
    }

    /// Reads the id of a product, as text or as a number.
    ///
    /// Errors: 400 if the argument is missing or neither.
    pub fn product(&mut self) -> Result<String, Failure> {
        if let Some(Value::Number(number)) = self.left.get(PRODUCT) {
            let id = number.to_string();
            self.left.shift_remove(PRODUCT);
            return Ok(id);
        }
        let id = self.text(PRODUCT)?;
        id.ok_or_else(|| invalid(PRODUCT, message::value::required()))
    }

    /// Reads the id of a proposal.
    ///
    /// Errors: 400 if the argument is missing.
    pub fn proposal(&mut self) -> Result<ProposalId, Failure> {
        let id = self.text("proposalId")?;
        let id = id.ok_or_else(|| invalid("proposalId", message::value::required()))?;
        Ok(ProposalId(id))
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, Failure> {
        match self.left.shift_remove(name) {
            None | Some(Value::Null) => Ok(None),
            // No id has this character, and not every database accepts one.
            Some(Value::String(text)) if text.contains('\0') => {
                Err(invalid(name, message::text::nul()))
            }
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(invalid(
                name,
                message::value::must_be(message::kind::text()),
            )),
        }
    }

    /// Reads arguments that only the tool has. Returns `None` if they are invalid; the errors are reported together with
    /// those of the input.
    pub fn of_tool<T: Input>(&mut self) -> Option<T> {
        let checker = T::checker();
        let mut part = JsonObject::new();
        for (name, _) in checker.properties() {
            part.extend(self.left.shift_remove_entry(name));
        }
        let unreadable = lenient::read(&mut part, checker);
        self.unreadable = std::mem::take(&mut self.unreadable).and(unreadable);
        let typed = checker.typed(Value::Object(part), ARGUMENTS);
        typed
            .map_err(|wrong| self.wrong = std::mem::take(&mut self.wrong).and(wrong))
            .ok()
    }

    /// Reads the rest as the body of the operation.
    pub fn input<T: Input>(self) -> Result<T, Failure> {
        self.typed(T::checker(), T::semantic_errors)
    }

    /// Reads the rest as the query parameters of the operation.
    pub fn query<T: QueryInput>(self) -> Result<T, Failure> {
        self.typed(T::query_checker(), |_| Vec::new())
    }

    /// Checks that no argument is left.
    ///
    /// Errors: 400 for every argument that is.
    pub fn nothing(self) -> Result<(), Failure> {
        let mut unknown = ErrorList::default();
        for name in self.left.keys() {
            unknown.push_with(|| {
                let shown = first_characters(name, SHOWN_CHARACTERS_MAX);
                Invalid::new(shown, message::tool::no_argument())
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
        none_of(unreadable.and(lenient::read(&mut left, checker)))?;
        match checker.typed_and(Value::Object(left), ARGUMENTS, check) {
            Ok(typed) => none_of(wrong).map(|()| typed),
            Err(more) => Err(Failure::invalid(wrong.and(more))),
        }
    }
}

/// Fails with 400 if there are errors.
fn none_of(wrong: ErrorList) -> Result<(), Failure> {
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::invalid(wrong))
    }
}

fn only_store(caller: &Caller) -> Result<StoreId, Failure> {
    let stores = caller.key().map_or(&[][..], |key| &key.account_stores);
    match stores {
        [only] => Ok(only.clone()),
        [] => Err(invalid("storeId", message::tool::no_store())),
        several => {
            let named = several.iter().take(STORES_LISTED_MAX);
            let named = list(named.map(|store| store.0.as_str()));
            let reason = match several.len().saturating_sub(STORES_LISTED_MAX) {
                0 => message::tool::several_stores(named),
                more => message::tool::several_stores_and_more(named, more),
            };
            Err(invalid("storeId", reason))
        }
    }
}

/// Turns a missing permission into an error response.
pub fn denied(denied: Denied) -> Failure {
    OperationError::from(denied).into()
}

fn invalid(field: &str, reason: Message) -> Failure {
    Failure::invalid(vec![Invalid::new(field, reason)])
}
