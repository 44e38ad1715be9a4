//! What an import has to know about its store, and the currency that it may declare.

use super::permit;
use crate::feed::declare::declare_permitted;
use crate::{OperationError, Service};
use domain::declarations::{Currencies, CurrencyCode, DeclarationOrigin, Declared};
use domain::{Caller, Language, StoreId};
use serde::{Deserialize, Serialize};

/// What an import has to know about its store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportStore {
    /// Languages, the default one first.
    pub languages: Vec<String>,
    /// Address of the shop; empty if it is not given.
    pub url: String,
    /// Base currency that is declared.
    pub base_currency: Option<String>,
    /// All currencies that are declared.
    pub currencies: Vec<String>,
}

/// Returns what an import has to know about its store.
///
/// Errors: `NotFound` for an unknown store; `Forbidden` if it is suspended.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<ImportStore, OperationError> {
    let permit = permit(caller, store)?;
    let store = crate::feed::readable_store(service, &permit).await?;
    let mut feed = service.storage.begin_feed(&permit).await?;
    let (declared, _) = feed.declarations().await?;
    let currencies = declared.currencies.as_ref();
    let codes = currencies.iter().flat_map(|all| &all.currencies);
    Ok(ImportStore {
        languages: store.languages.iter().map(Language::to_string).collect(),
        url: store.url,
        base_currency: declared.base_currency().map(str::to_owned),
        currencies: codes
            .map(|currency| currency.code.as_str().to_owned())
            .collect(),
    })
}

/// Declares the currency of an import as the only one, as `POST /feed/currencies` does.
pub async fn declare_currency(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    code: &str,
) -> Result<Declared, OperationError> {
    let permit = permit(caller, store)?;
    let parsed = CurrencyCode::parse(code);
    let code = parsed.map_err(|reason| OperationError::invalid("currency", reason))?;
    let declaration = Currencies::only(code);
    declare_permitted(service, permit, declaration, DeclarationOrigin::Import).await
}
