//! The targets that a user may name: fields of documents, and parts of a price, a sale or a group.

use super::field;
use super::target::Target;
use domain::document::price::PriceField;
use domain::nearest::nearest;

/// Targets that are no field.
const OTHERS: [Target; 9] = [
    Target::Group,
    Target::SalePrice,
    Target::FormerPrice,
    Target::SaleStart,
    Target::SaleEnd,
    Target::SaleTimes,
    Target::Availability,
    Target::Gtin,
    Target::Extra,
];

/// What a user maps a column to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedTarget {
    /// The target.
    pub target: Target,
    /// Label of the attribute or feature.
    pub label: Option<String>,
    /// Where values are split.
    pub split: Option<char>,
}

impl MappedTarget {
    /// Parses a target such as `priceInclTax`, `attributes.Talla[|]` or `-`.
    ///
    /// Errors: the reason, with the nearest name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, split) = split_mark(text.trim());
        let (name, label) = match name.split_once('.') {
            Some((name, label)) if !label.trim().is_empty() => (name, Some(label.trim())),
            _ => (name, None),
        };
        let target = match (name, label) {
            ("attributes", Some(_)) => Some(Target::Attribute),
            ("features", Some(_)) => Some(Target::Feature),
            (_, Some(_)) => None,
            ("-", None) => Some(Target::Nothing),
            ("published", None) => Some(Target::Published),
            (name, None) => named(name),
        };
        let target = target.ok_or_else(|| unknown(text))?;
        Ok(Self {
            target,
            label: label.map(str::to_owned),
            split,
        })
    }
}

/// Takes `[x]` off the end.
fn split_mark(text: &str) -> (&str, Option<char>) {
    let inner = text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once('['));
    match inner {
        Some((name, mark)) if mark.chars().count() == 1 => (name, mark.chars().next()),
        _ => (text, None),
    }
}

fn named(name: &str) -> Option<Target> {
    if let Some(target) = OTHERS.iter().find(|target| target.name() == name) {
        return Some(target.clone());
    }
    let is_field = PriceField::parse(name).is_some() || field::names().any(|field| field == name);
    let target = match name {
        "title" => Some(Target::Name),
        "content" => Some(Target::Description),
        _ => field::target(domain::DocType::Products, name),
    };
    target.filter(|_| is_field || matches!(name, "title" | "content"))
}

fn unknown(text: &str) -> String {
    let names = OTHERS.iter().map(Target::name).chain(field::names());
    let names = names.chain(["published", "attributes.<label>", "features.<label>"]);
    match nearest(text, names) {
        Some(name) => format!("{text} is no field of documents; the nearest is {name}"),
        None => format!("{text} is no field of documents"),
    }
}

/// Returns the target that is nearest to the name of a column, if any is.
pub fn nearest_target(column: &str) -> Option<&'static str> {
    let key = crate::rows::columns::comparable(column);
    let rows = super::table::table().iter();
    let names = rows.flat_map(|row| row.plain.iter().map(|name| (*name, row.target.name())));
    let all: Vec<(&str, &str)> = names.collect();
    let found = nearest(&key, all.iter().map(|(name, _)| *name))?;
    all.iter()
        .find(|(name, _)| *name == found)
        .map(|(_, target)| *target)
}

#[cfg(test)]
mod tests {
    use super::{MappedTarget, Target};

    #[test]
    fn targets_are_parsed() {
        let parsed = MappedTarget::parse("attributes.Talla[|]").expect("a target");
        assert_eq!(parsed.target, Target::Attribute);
        assert_eq!(
            (parsed.label.as_deref(), parsed.split),
            (Some("Talla"), Some('|'))
        );
        for (text, target) in [
            ("priceInclTax", Target::Price),
            ("-", Target::Nothing),
            ("gtin", Target::Gtin),
            ("saleWindow", Target::SaleTimes),
            ("inStock", Target::Availability),
            ("isNew", Target::Field("isNew".to_owned())),
        ] {
            assert_eq!(
                MappedTarget::parse(text).map(|parsed| parsed.target),
                Ok(target)
            );
        }
        let error = MappedTarget::parse("prise").expect_err("no target");
        assert!(error.contains("prise"), "{error}");
        assert!(
            MappedTarget::parse("nam")
                .expect_err("none")
                .contains("nearest is name")
        );
    }
}
