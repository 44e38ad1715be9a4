//! The declarations of a shop's prices and customer groups (docs/feed.md, "Declarations"); what is not declared is
//! ignored.

mod bodies;
mod codes;
mod names;

pub use bodies::{
    AccessGroup, AccessGroups, BaseGroup, Country, Currencies, Currency, PriceCountries, PriceTier,
    PriceTiers, TaxDisplay,
};

pub use codes::{CountryCode, CurrencyCode, PriceGroupId};
pub use names::Names;

use crate::invalid::Invalid;
use crate::store::PlanLimits;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The kinds of declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclarationKind {
    /// Currencies with their own prices.
    Currencies,
    /// Customer groups with their own prices.
    PriceTiers,
    /// Countries with their own prices.
    PriceCountries,
    /// Customer groups that see different documents.
    AccessGroups,
}

impl DeclarationKind {
    /// All kinds, in the order of the feed.
    pub const ALL: [Self; 4] = [
        Self::Currencies,
        Self::PriceTiers,
        Self::PriceCountries,
        Self::AccessGroups,
    ];

    /// Returns the name used by the API and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Currencies => "currencies",
            Self::PriceTiers => "price-tiers",
            Self::PriceCountries => "price-countries",
            Self::AccessGroups => "access-groups",
        }
    }

    /// Returns the kind with this name, the inverse of [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Who makes a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclarationOrigin {
    /// The shop, by its connector.
    Connector,
    /// An import, by the currency of its file.
    Import,
    /// The owner, in the settings of the store.
    Settings,
}

impl DeclarationOrigin {
    /// Returns the name used in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Connector => "connector",
            Self::Import => "import",
            Self::Settings => "settings",
        }
    }
}

/// A declaration, which replaces the previous one of its kind as a whole.
pub trait Declaration: Clone + PartialEq + Serialize + DeserializeOwned + JsonSchema {
    /// Its kind.
    const KIND: DeclarationKind;

    /// Checks what the schema cannot express.
    ///
    /// Errors: every invalid value, by its path.
    fn check(&self) -> Result<(), Vec<Invalid>>;

    /// Returns the declared codes of currencies or countries, or ids of groups.
    fn accepted(&self) -> Vec<String>;

    /// Returns how much of the plan it uses.
    fn used(&self) -> u32;

    /// Returns how much the plan allows; `None` without a limit.
    fn max(plan: &PlanLimits) -> Option<u32>;

    /// Returns the slot of its kind in `all`.
    fn slot(all: &mut Declarations) -> &mut Option<Self>;
}

/// The declarations of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// Its currencies.
    pub currencies: Option<Currencies>,
    /// Its price tiers.
    pub price_tiers: Option<PriceTiers>,
    /// Its countries with their own prices.
    pub price_countries: Option<PriceCountries>,
    /// Its access groups.
    pub access_groups: Option<AccessGroups>,
}

impl Declarations {
    /// Returns the base currency.
    pub fn base_currency(&self) -> Option<&str> {
        self.currencies
            .as_ref()
            .map(|declared| declared.base.as_str())
    }

    /// Returns the number of price tiers in use, including the base price.
    pub fn tiers_used(&self) -> u32 {
        self.price_tiers.as_ref().map_or(1, Declaration::used)
    }

    /// Returns the number of currencies in use, including the base currency.
    pub fn currencies_used(&self) -> u32 {
        self.currencies.as_ref().map_or(1, Declaration::used)
    }

    /// Returns the number of countries with their own prices.
    pub fn countries_used(&self) -> u32 {
        self.price_countries.as_ref().map_or(0, Declaration::used)
    }
}

/// Response to a declaration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Declared {
    /// The codes or ids in effect from now on.
    pub accepted: Vec<String>,
    /// How much of the plan they use.
    pub used: u32,
    /// How much the plan allows; left out without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// Counts the changes of the store's declarations.
    pub revision: i64,
}
