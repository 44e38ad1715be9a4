//! What a column is taken as.

/// What a column is taken as.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Id of the document.
    Id,
    /// Id of the product that the row is a variant of.
    Group,
    /// Skus of the variants of the row, with their options.
    Variations,
    /// What kind of product the row is.
    Kind,
    /// Whether the product is shown at all.
    Published,
    /// Where the product is shown.
    Visibility,
    /// Name, or the title of a page.
    Name,
    /// Description, or the content of a page.
    Description,
    /// Short description.
    ShortDescription,
    /// Address of its page.
    Url,
    /// Address of its picture.
    Image,
    /// Addresses of further pictures.
    Images,
    /// Price.
    Price,
    /// Price without tax.
    PriceExclTax,
    /// Price while there is a sale.
    SalePrice,
    /// Price before a discount.
    FormerPrice,
    /// Start of the sale.
    SaleStart,
    /// End of the sale.
    SaleEnd,
    /// Start and end of the sale.
    SaleTimes,
    /// Availability in words.
    Availability,
    /// Quantity in stock.
    Quantity,
    /// Whether it is sold without stock.
    Backorders,
    /// Whether stock is counted.
    StockCounted,
    /// Brand.
    Manufacturer,
    /// The shop's code.
    Reference,
    /// EAN, UPC or ISBN.
    Gtin,
    /// The manufacturer's code.
    Mpn,
    /// Categories.
    Categories,
    /// Tags.
    Tags,
    /// Values of an attribute of variants.
    Attribute,
    /// Values of a feature.
    Feature,
    /// The name of the n-th attribute.
    AttributeName(u32),
    /// The values of the n-th attribute.
    AttributeValue(u32),
    /// Features as `section:name:value`.
    ProductDetail,
    /// Features as `code=value`.
    AdditionalAttributes,
    /// A field of documents, by its name.
    Field(String),
    /// Kept in `extra`.
    Extra,
    /// Left out.
    Nothing,
}

impl Target {
    /// Returns the field of documents, or the name in mappings.
    pub fn name(&self) -> &str {
        match self {
            Self::Id => "id",
            Self::Group | Self::Variations => "group",
            Self::Kind => "kind",
            Self::Published | Self::Visibility => "published",
            Self::Name => "name",
            Self::Description => "description",
            Self::ShortDescription => "short_description",
            Self::Url => "url",
            Self::Image => "image",
            Self::Images => "images",
            Self::Price => "priceInclTax",
            Self::PriceExclTax => "priceExclTax",
            Self::SalePrice => "salePrice",
            Self::FormerPrice => "formerPrice",
            Self::SaleStart => "saleStart",
            Self::SaleEnd => "saleEnd",
            Self::SaleTimes => "saleWindow",
            Self::Availability => "availability",
            Self::Quantity => "quantity",
            Self::Backorders => "backorders",
            Self::StockCounted => "stockCounted",
            Self::Manufacturer => "manufacturer",
            Self::Reference => "reference",
            Self::Gtin => "gtin",
            Self::Mpn => "mpn",
            Self::Categories => "categories",
            Self::Tags => "tags",
            Self::Attribute | Self::AttributeName(_) | Self::AttributeValue(_) => "attributes",
            Self::Feature | Self::ProductDetail | Self::AdditionalAttributes => "features",
            Self::Field(name) => name,
            Self::Extra => "extra",
            Self::Nothing => "-",
        }
    }

    /// Returns whether its columns are joined to one list.
    pub fn is_list(&self) -> bool {
        match self {
            Self::Images
            | Self::Tags
            | Self::Attribute
            | Self::Feature
            | Self::ProductDetail
            | Self::AdditionalAttributes
            | Self::AttributeValue(_) => true,
            Self::Field(name) => super::field::kind(name).is_some_and(|kind| kind.is_list()),
            _ => false,
        }
    }
}
