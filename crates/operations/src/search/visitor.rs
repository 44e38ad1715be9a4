//! The shopper of a search: the claims of the visitor token, as far as the store has declared them (`docs/feed.md`).

mod token;

use crate::Service;
use crate::feed::public_key;
use crate::snapshots::snapshot::StoreSnapshot;
use domain::access::{self, Search};
use domain::declarations::{AccessGroups, Declarations, TaxDisplay};
use domain::document::price::PriceContext;
use domain::visitor::{DocumentAccess, Visitor};
use domain::{Caller, KeyId, Permit};
use serde::Deserialize;
use std::sync::Arc;

/// Claims of a shopper. Missing and undeclared claims have no effect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Claims {
    /// Ids of the shopper's groups; the visitor group if left out.
    #[serde(default)]
    pub groups: Option<Vec<String>>,
    /// Group whose prices apply.
    #[serde(default)]
    pub tier: Option<String>,
    /// Country code.
    #[serde(default)]
    pub country: Option<String>,
    /// Currency code.
    #[serde(default)]
    pub currency: Option<String>,
}

impl Claims {
    /// Returns the visitor with these claims in a store with these declarations.
    pub fn resolve(&self, declared: &Declarations) -> Visitor {
        Visitor {
            prices: self.prices(declared),
            access: declared
                .access_groups
                .as_ref()
                .filter(|groups| groups.enabled)
                .map_or(DocumentAccess::Unrestricted, |groups| self.access(groups)),
        }
    }

    fn prices(&self, declared: &Declarations) -> PriceContext {
        let currency = self.currency.as_ref().filter(|code| {
            let is_declared = |declared: &&domain::declarations::Currencies| {
                declared.base.as_str() != **code
                    && declared
                        .currencies
                        .iter()
                        .any(|c| c.code.as_str() == **code)
            };
            declared.currencies.as_ref().filter(is_declared).is_some()
        });
        let tiers = declared.price_tiers.iter().flat_map(|d| &d.tiers);
        let tier = self
            .tier
            .as_ref()
            .and_then(|id| tiers.into_iter().find(|tier| tier.group_id.as_str() == *id));
        let country = self.country.as_ref().filter(|iso| {
            let mut countries = declared.price_countries.iter().flat_map(|d| &d.countries);
            countries.any(|country| country.iso.as_str() == **iso)
        });
        PriceContext {
            currency: currency.cloned(),
            tier: tier.map(|tier| tier.group_id.to_string()),
            country: country.cloned(),
            without_tax: tier.is_some_and(|tier| tier.tax_display == TaxDisplay::Excl),
        }
    }

    /// Returns the declared groups; without any, the visitor sees only what is open to all.
    fn access(&self, declared: &AccessGroups) -> DocumentAccess {
        let known = |id: &&String| declared.groups.iter().any(|group| group.id == **id);
        DocumentAccess::Groups(match &self.groups {
            Some(claimed) => claimed.iter().filter(known).cloned().collect(),
            None => declared
                .visitor_group
                .iter()
                .filter(known)
                .cloned()
                .collect(),
        })
    }
}

/// Returns the visitor of a search, by the public key and the optional token.
///
/// An invalid or expired token, or one with a key of no installation, means an anonymous visitor and is never an error.
pub(crate) async fn searching(
    service: &Service,
    snapshot: &StoreSnapshot,
    caller: &Caller,
    token: Option<&str>,
) -> Arc<Visitor> {
    let claims = match (access::search(caller), caller.key(), token) {
        (Ok(permit), Some(key), Some(token)) => claims(service, &permit, &key.id, token).await,
        _ => None,
    };
    Arc::new(claims.unwrap_or_default().resolve(&snapshot.declarations))
}

async fn claims(
    service: &Service,
    permit: &Permit<Search>,
    key: &KeyId,
    token: &str,
) -> Option<Claims> {
    let now = service.clock.now();
    let unsigned = token::VisitorToken::parse(token, now)?;
    match public_key::secrets(service, permit, key, now).await {
        Ok(secrets) => unsigned.claims_signed_by(&secrets),
        Err(error) => {
            // The page goes on with what anybody sees.
            let store = permit.store();
            tracing::warn!(%store, ?error, "the secret of a visitor token cannot be read");
            None
        }
    }
}

#[cfg(test)]
mod tests;
