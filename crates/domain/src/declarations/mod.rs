//! What a shop declares of its prices and customer groups (feed.md section 5): only what is declared counts.

mod bodies;

pub use bodies::{
    AccessGroup, AccessGroups, BaseGroup, Country, Currencies, Currency, PriceCountries, PriceTier,
    PriceTiers, TaxDisplay,
};

use crate::invalid::Invalid;
use crate::store::PlanLimits;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Which declaration is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclarationKind {
    /// Currencies with prices of their own.
    Currencies,
    /// Customer groups with prices of their own.
    PriceTiers,
    /// Countries with prices of their own.
    PriceCountries,
    /// Customer groups that see different documents.
    AccessGroups,
}

impl DeclarationKind {
    /// All of them, in the order of the feed.
    pub const ALL: [Self; 4] = [
        Self::Currencies,
        Self::PriceTiers,
        Self::PriceCountries,
        Self::AccessGroups,
    ];

    /// The word of the interface and of storage.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Currencies => "currencies",
            Self::PriceTiers => "price-tiers",
            Self::PriceCountries => "price-countries",
            Self::AccessGroups => "access-groups",
        }
    }

    /// The kind that [`Self::as_str`] names.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A declaration, which replaces the former one of its kind as a whole.
pub trait Declaration: Clone + PartialEq + Serialize + DeserializeOwned + JsonSchema {
    /// Which one it is.
    const KIND: DeclarationKind;

    /// Checks what a schema cannot say.
    ///
    /// Errors: everything that is wrong, by its path.
    fn check(&self) -> Result<(), Vec<Invalid>>;

    /// What it names: codes of currencies and countries, ids of groups.
    fn accepted(&self) -> Vec<String>;

    /// How much of the plan it uses.
    fn used(&self) -> u32;

    /// How much of it the plan allows; none without a limit.
    fn max(plan: &PlanLimits) -> Option<u32>;

    /// The place of its kind among all.
    fn slot(all: &mut Declarations) -> &mut Option<Self>;
}

/// What a store has declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// Its currencies.
    pub currencies: Option<Currencies>,
    /// Its price tiers.
    pub price_tiers: Option<PriceTiers>,
    /// Its countries with own prices.
    pub price_countries: Option<PriceCountries>,
    /// Its access groups.
    pub access_groups: Option<AccessGroups>,
}

impl Declarations {
    /// The base currency.
    pub fn base_currency(&self) -> Option<&str> {
        self.currencies
            .as_ref()
            .map(|declared| declared.base.as_str())
    }

    /// Price tiers in use, the base price counted.
    pub fn tiers_used(&self) -> u32 {
        self.price_tiers.as_ref().map_or(1, Declaration::used)
    }

    /// Currencies in use, the base one counted.
    pub fn currencies_used(&self) -> u32 {
        self.currencies.as_ref().map_or(1, Declaration::used)
    }

    /// Countries with own prices.
    pub fn countries_used(&self) -> u32 {
        self.price_countries.as_ref().map_or(0, Declaration::used)
    }
}

/// Answer of a declaration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Declared {
    /// What holds from now on: codes or ids.
    pub accepted: Vec<String>,
    /// How much of the plan it uses.
    pub used: u32,
    /// How much the plan allows; left out without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// Counts the changes of the store's declarations.
    pub revision: i64,
}
