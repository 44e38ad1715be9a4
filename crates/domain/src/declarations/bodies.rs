//! The bodies of the four declarations, their limits and their checks.

use super::codes::{CountryCode, CurrencyCode, PriceGroupId};
use super::names::Names;
use super::{Declaration, DeclarationKind, Declarations};
use crate::invalid::Invalid;
use crate::limits::{
    ACCESS_GROUP_ID_CHARACTERS_MAX, ACCESS_GROUPS_MAX, CURRENCIES_MAX, CURRENCY_DECIMALS_MAX,
    CURRENCY_SYMBOL_CHARACTERS_MAX, PRICE_COUNTRIES_MAX, PRICE_TIERS_MAX,
};
use crate::message::{self, Message};
use crate::published_schema;
use crate::store::PlanLimits;
use crate::visitor::DocumentAccess;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

/// Request of `POST /feed/currencies`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Currencies {
    /// The currency of the prices without a suffix.
    pub base: CurrencyCode,
    /// The currencies with their own prices; may include the base currency.
    #[schemars(length(max = CURRENCIES_MAX))]
    pub currencies: Vec<Currency>,
}

impl Currencies {
    /// Returns the declaration of a shop with one currency.
    pub fn only(code: CurrencyCode) -> Self {
        let currency = Currency {
            code: code.clone(),
            decimals: None,
            symbol: None,
        };
        Self {
            base: code,
            currencies: vec![currency],
        }
    }
}

/// One currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Currency {
    /// Its ISO code.
    pub code: CurrencyCode,
    /// Digits after the point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u8", range(min = 0, max = CURRENCY_DECIMALS_MAX))]
    pub decimals: Option<u8>,
    /// Its symbol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(max = CURRENCY_SYMBOL_CHARACTERS_MAX))]
    pub symbol: Option<String>,
}

/// Request of `POST /feed/price-tiers`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceTiers {
    /// The group whose prices have no suffix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BaseGroup")]
    pub base: Option<BaseGroup>,
    /// The groups with their own prices.
    #[schemars(length(max = PRICE_TIERS_MAX))]
    pub tiers: Vec<PriceTier>,
}

/// The group of the base prices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BaseGroup {
    /// Its id.
    pub group_id: PriceGroupId,
    /// Its names.
    #[serde(default, skip_serializing_if = "Names::is_empty")]
    pub names: Names,
}

/// A group with its own prices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PriceTier {
    /// Its id.
    pub group_id: PriceGroupId,
    /// Its names.
    #[serde(default, skip_serializing_if = "Names::is_empty")]
    pub names: Names,
    /// Whether its customers see prices with or without tax.
    #[serde(default)]
    pub tax_display: TaxDisplay,
}

/// Whether prices are shown with tax.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TaxDisplay {
    /// With tax.
    #[default]
    Incl,
    /// Without tax.
    Excl,
}

/// Request of `POST /feed/price-countries`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceCountries {
    /// The country of the prices without a suffix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "CountryCode")]
    pub base: Option<CountryCode>,
    /// The countries with their own prices, without the base country.
    #[schemars(length(max = PRICE_COUNTRIES_MAX))]
    pub countries: Vec<Country>,
}

/// A country with its own prices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Country {
    /// Its ISO code.
    pub iso: CountryCode,
    /// Its names.
    #[serde(default, skip_serializing_if = "Names::is_empty")]
    pub names: Names,
}

/// Request of `POST /feed/access-groups`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-published" = {
    "if": published_schema::object_schema(json!({"enabled": {"const": true}}), &[]),
    "then": published_schema::object_schema(json!({}), &["visitorGroup"])
}))]
pub struct AccessGroups {
    /// Whether groups see different documents.
    pub enabled: bool,
    /// The group of shoppers who are not logged in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = ACCESS_GROUP_ID_CHARACTERS_MAX))]
    pub visitor_group: Option<String>,
    /// All groups of the shop.
    #[serde(default)]
    #[schemars(length(max = ACCESS_GROUPS_MAX))]
    pub groups: Vec<AccessGroup>,
}

/// A customer group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AccessGroup {
    /// Its id.
    #[schemars(length(min = 1, max = ACCESS_GROUP_ID_CHARACTERS_MAX), extend("x-published" = {"not": {"const": DocumentAccess::NOBODY}}))]
    pub id: String,
    /// Its names.
    #[serde(default, skip_serializing_if = "Names::is_empty")]
    pub names: Names,
}

/// Collects the errors of the entries of a list.
struct EntryErrors<'a> {
    list: &'static str,
    key: &'static str,
    known: BTreeSet<&'a str>,
    errors: Vec<Invalid>,
}

impl<'a> EntryErrors<'a> {
    fn new(list: &'static str, key: &'static str) -> Self {
        Self {
            list,
            key,
            known: BTreeSet::new(),
            errors: Vec::new(),
        }
    }

    fn take(&mut self, at: usize, value: &'a str, names: Option<&Names>) {
        if !self.known.insert(value) {
            self.reject(at, message::value::named_twice());
        }
        if let Some(names) = names {
            let path = format!("{}[{at}].names", self.list);
            self.errors.extend(names.errors(&path));
        }
    }

    fn reject(&mut self, at: usize, reason: Message) {
        let path = format!("{}[{at}].{}", self.list, self.key);
        self.errors.push(Invalid::new(path, reason));
    }

    fn end(self) -> Result<(), Vec<Invalid>> {
        if self.errors.is_empty() {
            Ok(())
        } else {
            Err(self.errors)
        }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Declaration for Currencies {
    const KIND: DeclarationKind = DeclarationKind::Currencies;

    fn check(&self) -> Result<(), Vec<Invalid>> {
        let mut entries = EntryErrors::new("currencies", "code");
        for (at, currency) in self.currencies.iter().enumerate() {
            entries.take(at, currency.code.as_str(), None);
        }
        entries.end()
    }

    fn accepted(&self) -> Vec<String> {
        self.currencies.iter().map(|c| c.code.to_string()).collect()
    }

    fn used(&self) -> u32 {
        let others = self.currencies.iter().filter(|c| c.code != self.base);
        1 + number(others.count())
    }

    fn max(plan: &PlanLimits) -> Option<u32> {
        plan.max_currencies
    }

    fn slot(all: &mut Declarations) -> &mut Option<Self> {
        &mut all.currencies
    }
}

impl Declaration for PriceTiers {
    const KIND: DeclarationKind = DeclarationKind::PriceTiers;

    fn check(&self) -> Result<(), Vec<Invalid>> {
        let mut entries = EntryErrors::new("tiers", "groupId");
        if let Some(base) = &self.base {
            entries.errors.extend(base.names.errors("base.names"));
        }
        for (at, tier) in self.tiers.iter().enumerate() {
            entries.take(at, tier.group_id.as_str(), Some(&tier.names));
        }
        entries.end()
    }

    fn accepted(&self) -> Vec<String> {
        self.tiers
            .iter()
            .map(|tier| tier.group_id.to_string())
            .collect()
    }

    fn used(&self) -> u32 {
        1 + number(self.tiers.len())
    }

    fn max(plan: &PlanLimits) -> Option<u32> {
        plan.max_price_tiers
    }

    fn slot(all: &mut Declarations) -> &mut Option<Self> {
        &mut all.price_tiers
    }
}

impl Declaration for PriceCountries {
    const KIND: DeclarationKind = DeclarationKind::PriceCountries;

    fn check(&self) -> Result<(), Vec<Invalid>> {
        let mut entries = EntryErrors::new("countries", "iso");
        for (at, country) in self.countries.iter().enumerate() {
            entries.take(at, country.iso.as_str(), Some(&country.names));
            if self.base.as_ref() == Some(&country.iso) {
                entries.reject(at, message::declaration::base_country());
            }
        }
        entries.end()
    }

    fn accepted(&self) -> Vec<String> {
        self.countries.iter().map(|c| c.iso.to_string()).collect()
    }

    fn used(&self) -> u32 {
        number(self.countries.len())
    }

    fn max(plan: &PlanLimits) -> Option<u32> {
        plan.max_price_countries
    }

    fn slot(all: &mut Declarations) -> &mut Option<Self> {
        &mut all.price_countries
    }
}

impl Declaration for AccessGroups {
    const KIND: DeclarationKind = DeclarationKind::AccessGroups;

    fn check(&self) -> Result<(), Vec<Invalid>> {
        let mut entries = EntryErrors::new("groups", "id");
        for (at, group) in self.groups.iter().enumerate() {
            entries.take(at, &group.id, Some(&group.names));
            if group.id == DocumentAccess::NOBODY {
                entries.reject(at, message::declaration::nobody());
            }
        }
        let named = |id: &String| self.groups.iter().any(|group| group.id == *id);
        let reason = match &self.visitor_group {
            None if self.enabled => Some(message::declaration::visitor_group()),
            Some(id) if !self.groups.is_empty() && !named(id) => {
                Some(message::declaration::of_groups())
            }
            _ => None,
        };
        if let Some(reason) = reason {
            entries.errors.push(Invalid::new("visitorGroup", reason));
        }
        entries.end()
    }

    fn accepted(&self) -> Vec<String> {
        self.groups.iter().map(|group| group.id.clone()).collect()
    }

    fn used(&self) -> u32 {
        number(self.groups.len())
    }

    fn max(_plan: &PlanLimits) -> Option<u32> {
        None
    }

    fn slot(all: &mut Declarations) -> &mut Option<Self> {
        &mut all.access_groups
    }
}
