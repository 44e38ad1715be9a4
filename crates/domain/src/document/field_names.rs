//! The names of the fields that documents may have (docs/feed.md, "Documents"); others are stored and not searched.

use super::price::PriceField;

/// The fields of all types, without those of prices.
const FIELDS: [&str; 53] = [
    "id",
    "rev",
    "hash",
    "url",
    "image",
    "images",
    "extra",
    "variants",
    "name",
    "title",
    "reference",
    "ean13",
    "upc",
    "mpn",
    "isbn",
    "combinationReferences",
    "combinationEans",
    "combinationUpcs",
    "combinationMpns",
    "short_description",
    "description",
    "content",
    "ai_description",
    "ai_description_manual",
    "manufacturer",
    "manufacturerId",
    "supplier",
    "categories",
    "categoryIds",
    "categoryName",
    "tags",
    "attributes",
    "features",
    "inStock",
    "quantity",
    "outOfStock",
    "condition",
    "isNew",
    "onSale",
    "availableForOrder",
    "dateAdd",
    "rating",
    "ratingCount",
    "sales_count",
    "feature_num",
    "currency",
    "accessGroups",
    "parentId",
    "path",
    "level",
    "position",
    "productCount",
    "type",
];

/// Returns whether documents have a field of this name.
pub fn is_field(name: &str) -> bool {
    FIELDS.contains(&name) || PriceField::parse(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::is_field;

    #[test]
    fn fields_and_prices_are_told_from_other_names() {
        for name in ["name", "priceInclTax_USD_t4", "images", "categoryName"] {
            assert!(is_field(name), "{name}");
        }
        for name in ["brand", "price", "Name", ""] {
            assert!(!is_field(name), "{name}");
        }
    }
}
