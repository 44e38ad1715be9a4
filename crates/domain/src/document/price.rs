//! The grammar of price fields, and the lookup of a visitor's price.

use std::collections::BTreeMap;

/// Which of the four prices a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PriceKind {
    /// Current price, including tax.
    InclTax,
    /// Current price, without tax.
    ExclTax,
    /// Original price before a discount, including tax.
    OriginalInclTax,
    /// Original price before a discount, without tax.
    OriginalExclTax,
}

const KINDS: [(&str, PriceKind); 4] = [
    ("priceInclTax", PriceKind::InclTax),
    ("priceExclTax", PriceKind::ExclTax),
    ("originalPriceInclTax", PriceKind::OriginalInclTax),
    ("originalPriceExclTax", PriceKind::OriginalExclTax),
];

/// A parsed price field.
///
/// Shape: kind, then `_USD`, then `_t4`, then `_cfr`, each of the three optional.
/// Source: docs/feed.md, "Documents".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PriceField {
    /// Which price.
    pub kind: PriceKind,
    /// Extra currency; `None` for the base currency.
    pub currency: Option<String>,
    /// Group of its price tier; `None` for the base price.
    pub tier: Option<String>,
    /// Country; `None` for the default country.
    pub country: Option<String>,
}

impl PriceField {
    /// Returns the field for base currency, tier and country.
    pub fn base(kind: PriceKind) -> Self {
        Self {
            kind,
            currency: None,
            tier: None,
            country: None,
        }
    }

    /// Parses `name`; `None` if it is no price field.
    pub fn parse(name: &str) -> Option<Self> {
        let mut parts = name.split('_');
        let head = parts.next()?;
        let kind = KINDS.iter().find(|(text, _)| *text == head)?.1;
        let mut field = Self::base(kind);
        for part in parts {
            let later = field.country.is_some();
            if is_currency(part) && field.currency.is_none() && field.tier.is_none() && !later {
                field.currency = Some(part.to_owned());
            } else if let Some(tier) = part.strip_prefix('t')
                && is_digits(tier)
                && field.tier.is_none()
                && !later
            {
                field.tier = Some(tier.to_owned());
            } else if let Some(country) = part.strip_prefix('c')
                && is_country(country)
                && !later
            {
                field.country = Some(country.to_owned());
            } else {
                return None;
            }
        }
        Some(field)
    }
}

impl std::fmt::Display for PriceField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let head = KINDS
            .iter()
            .find(|(_, kind)| *kind == self.kind)
            .map_or("", |(text, _)| text);
        f.write_str(head)?;
        if let Some(currency) = &self.currency {
            write!(f, "_{currency}")?;
        }
        if let Some(tier) = &self.tier {
            write!(f, "_t{tier}")?;
        }
        if let Some(country) = &self.country {
            write!(f, "_c{country}")?;
        }
        Ok(())
    }
}

fn is_currency(part: &str) -> bool {
    part.len() == 3 && part.bytes().all(|b| b.is_ascii_uppercase())
}

fn is_digits(part: &str) -> bool {
    !part.is_empty() && part.len() <= 20 && part.bytes().all(|b| b.is_ascii_digit())
}

fn is_country(part: &str) -> bool {
    part.len() == 2 && part.bytes().all(|b| b.is_ascii_lowercase())
}

/// All prices of a document by field.
pub type Prices = BTreeMap<PriceField, f64>;

/// For whom prices are looked up. The default is the anonymous visitor in the base context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PriceContext {
    /// A declared extra currency; `None` for the base currency.
    pub currency: Option<String>,
    /// A declared tier; `None` for the base prices.
    pub tier: Option<String>,
    /// A declared country; `None` for the default country.
    pub country: Option<String>,
    /// Whether the tier shows prices without tax.
    pub without_tax: bool,
}

/// What a visitor pays, the original price, and the field it was found in.
#[derive(Clone, Debug, PartialEq)]
pub struct VisitorPrice<F = PriceField> {
    /// The price.
    pub price: f64,
    /// The original price, if it is higher.
    pub original: Option<f64>,
    /// The field of the price.
    pub field: F,
}

impl PriceContext {
    /// Returns the fields to look up the visitor's price in, by precedence, each with the field of its original price.
    ///
    /// A visitor with a tier gets currency + tier + country if the document has it, else currency + tier, else no
    /// price; one without a tier gets currency + country, else currency. Source: docs/feed.md, "Documents".
    pub fn fields(&self) -> Vec<[PriceField; 2]> {
        let kinds = if self.without_tax {
            [PriceKind::ExclTax, PriceKind::OriginalExclTax]
        } else {
            [PriceKind::InclTax, PriceKind::OriginalInclTax]
        };
        let at = |country: Option<&String>| {
            kinds.map(|kind| PriceField {
                kind,
                currency: self.currency.clone(),
                tier: self.tier.clone(),
                country: country.cloned(),
            })
        };
        let in_country = self.country.as_ref().map(|country| at(Some(country)));
        in_country.into_iter().chain([at(None)]).collect()
    }
}

/// Returns the price of a document for a visitor, which is used to sort, filter and count, and is shown.
pub fn visitor_price(prices: &Prices, context: &PriceContext) -> Option<VisitorPrice> {
    price_in(context.fields(), |field| prices.get(field).copied())
}

/// Returns the first price of `fields`, the [`PriceContext::fields`] in any representation, read with `value`.
pub fn price_in<F>(
    fields: impl IntoIterator<Item = [F; 2]>,
    value: impl Fn(&F) -> Option<f64>,
) -> Option<VisitorPrice<F>> {
    fields.into_iter().find_map(|[field, former]| {
        let price = value(&field)?;
        let original = value(&former).filter(|original| *original > price);
        Some(VisitorPrice {
            price,
            original,
            field,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prices(pairs: &[(&str, f64)]) -> Prices {
        pairs
            .iter()
            .map(|(n, v)| (PriceField::parse(n).expect("a price field"), *v))
            .collect()
    }

    #[test]
    fn every_price_field_is_parsed_and_formatted_alike() {
        for name in [
            "priceInclTax",
            "priceExclTax",
            "priceInclTax_USD",
            "priceInclTax_t4",
            "priceInclTax_USD_t4",
            "originalPriceInclTax_cfr",
            "priceInclTax_USD_cfr",
            "originalPriceExclTax_USD_t4_cfr",
        ] {
            assert_eq!(
                PriceField::parse(name).map(|f| f.to_string()).as_deref(),
                Some(name)
            );
        }
        for other in [
            "price",
            "priceInclTax_usd",
            "priceInclTax_t",
            "priceInclTax_t4_USD",
            "priceInclTax_cFR",
            "priceInclTax_",
            "priceInclTax_cfr_t4",
        ] {
            assert_eq!(PriceField::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_tier_never_falls_back_to_another_tier() {
        let prices = prices(&[("priceInclTax", 10.0), ("priceInclTax_cfr", 9.0)]);
        let tier = PriceContext {
            tier: Some("4".to_owned()),
            ..PriceContext::default()
        };
        assert_eq!(visitor_price(&prices, &tier), None);
        let france = PriceContext {
            country: Some("fr".to_owned()),
            ..PriceContext::default()
        };
        assert_eq!(visitor_price(&prices, &france).map(|p| p.price), Some(9.0));
        let spain = PriceContext {
            country: Some("es".to_owned()),
            ..PriceContext::default()
        };
        assert_eq!(visitor_price(&prices, &spain).map(|p| p.price), Some(10.0));
    }

    #[test]
    fn an_original_price_counts_only_if_it_is_higher() {
        let higher = prices(&[("priceInclTax", 10.0), ("originalPriceInclTax", 12.0)]);
        let lower = prices(&[("priceInclTax", 10.0), ("originalPriceInclTax", 10.0)]);
        let base = PriceContext::default();
        assert_eq!(
            visitor_price(&higher, &base).and_then(|p| p.original),
            Some(12.0)
        );
        assert_eq!(visitor_price(&lower, &base).and_then(|p| p.original), None);
    }
}
