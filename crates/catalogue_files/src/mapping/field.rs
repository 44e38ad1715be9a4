//! The fields of documents (`docs/feed.md`), by name.

use super::target::Target;
use crate::rows::columns::comparable;
use domain::DocType;
use domain::document::price::PriceField;

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldContent {
    Text,
    Code,
    Codes,
    Texts,
    Number,
    Flag,
    Time,
    Objects,
    Price,
}

impl FieldContent {
    /// Returns whether it is a list of texts or codes.
    pub fn is_list(self) -> bool {
        matches!(self, Self::Codes | Self::Texts)
    }
}

/// The fields of products that are stored as they are, with what they hold.
const FIELDS: [(&str, FieldContent); 29] = [
    ("ean13", FieldContent::Code),
    ("upc", FieldContent::Code),
    ("isbn", FieldContent::Code),
    ("combinationReferences", FieldContent::Codes),
    ("combinationEans", FieldContent::Codes),
    ("combinationUpcs", FieldContent::Codes),
    ("combinationMpns", FieldContent::Codes),
    ("manufacturerId", FieldContent::Text),
    ("supplier", FieldContent::Text),
    ("categoryIds", FieldContent::Texts),
    ("attributes", FieldContent::Objects),
    ("features", FieldContent::Objects),
    ("variants", FieldContent::Objects),
    ("inStock", FieldContent::Flag),
    ("outOfStock", FieldContent::Flag),
    ("isNew", FieldContent::Flag),
    ("onSale", FieldContent::Flag),
    ("availableForOrder", FieldContent::Flag),
    ("dateAdd", FieldContent::Time),
    ("rating", FieldContent::Number),
    ("ratingCount", FieldContent::Number),
    ("sales_count", FieldContent::Number),
    ("feature_num", FieldContent::Number),
    ("currency", FieldContent::Text),
    ("accessGroups", FieldContent::Texts),
    ("ai_description", FieldContent::Text),
    ("ai_description_manual", FieldContent::Text),
    ("path", FieldContent::Texts),
    ("categoryName", FieldContent::Text),
];

/// The fields that have a meaning beyond their text.
const TARGETS: [Target; 15] = [
    Target::Id,
    Target::Name,
    Target::Description,
    Target::ShortDescription,
    Target::Url,
    Target::Image,
    Target::Images,
    Target::Quantity,
    Target::Manufacturer,
    Target::Reference,
    Target::Mpn,
    Target::Categories,
    Target::Tags,
    Target::Price,
    Target::PriceExclTax,
];

/// Returns what a field holds that is stored as it is.
pub fn kind(name: &str) -> Option<FieldContent> {
    if PriceField::parse(name).is_some() {
        return Some(FieldContent::Price);
    }
    let field = FIELDS.iter().find(|(field, _)| *field == name);
    field.map(|(_, kind)| *kind)
}

/// Returns the target of a column that has the name of a field.
pub fn target(doc_type: DocType, column: &str) -> Option<Target> {
    let name = column.trim();
    if PriceField::parse(name).is_some() {
        return Some(price(name));
    }
    let key = comparable(name);
    let names = doc_type.fields();
    if key == names.name {
        return Some(Target::Name);
    }
    if key == names.description {
        return Some(Target::Description);
    }
    let meaning = TARGETS
        .iter()
        .find(|target| comparable(target.name()) == key);
    if let Some(target) = meaning.filter(|target| !is_price(target) || name == target.name()) {
        return Some(target.clone());
    }
    if key == "instock" {
        // Words are read too, as in the columns of other names.
        return Some(Target::Availability);
    }
    let field = FIELDS.iter().find(|(field, _)| comparable(field) == key);
    field.map(|(name, _)| Target::Field((*name).to_owned()))
}

fn is_price(target: &Target) -> bool {
    matches!(target, Target::Price | Target::PriceExclTax)
}

fn price(name: &str) -> Target {
    match name {
        "priceInclTax" => Target::Price,
        "priceExclTax" => Target::PriceExclTax,
        "originalPriceInclTax" => Target::FormerPrice,
        _ => Target::Field(name.to_owned()),
    }
}

/// Returns the names of all fields without those of price contexts.
pub fn names() -> impl Iterator<Item = &'static str> {
    let targets = TARGETS.iter().map(Target::name);
    targets.chain(FIELDS.iter().map(|(name, _)| *name))
}
