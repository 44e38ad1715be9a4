//! The mapping table: which column of which profile is taken as what (`docs/import.md` shows it).
//!
//! Sources: the product data specification of Google Merchant Center; WooCommerce's product exporter
//! (`class-wc-product-csv-exporter.php`); Shopify's product CSV in its older and newer headers; Magento's import and
//! export of `catalog_product`; Shopware's default profile "Product".

use super::profile::ColumnProfile;
use super::target::Target;
use crate::rows::columns::comparable;
use std::collections::HashSet;
use std::sync::LazyLock;

/// ColumnNames of columns, in the order in which they count.
type ColumnNames = &'static [&'static str];

/// A row of the table.
#[derive(Debug)]
pub struct TableRow {
    /// What the columns are taken as.
    pub target: Target,
    /// FileColumns of profile `google`.
    pub google: ColumnNames,
    /// FileColumns of profile `woocommerce`.
    pub woocommerce: ColumnNames,
    /// FileColumns of profile `shopify`.
    pub shopify: ColumnNames,
    /// FileColumns of profile `magento`.
    pub magento: ColumnNames,
    /// FileColumns of profile `shopware`.
    pub shopware: ColumnNames,
    /// FileColumns of profile `plain`, which count in every other one after its own.
    pub plain: ColumnNames,
}

impl TableRow {
    /// Returns the columns of a profile.
    pub fn names(&self, profile: ColumnProfile) -> ColumnNames {
        match profile {
            ColumnProfile::Google => self.google,
            ColumnProfile::Shopify => self.shopify,
            ColumnProfile::Woocommerce => self.woocommerce,
            ColumnProfile::Magento => self.magento,
            ColumnProfile::Shopware => self.shopware,
            ColumnProfile::Plain => self.plain,
            ColumnProfile::Findwell => &[],
        }
    }
}

macro_rules! table {
    ($($target:expr; $google:expr; $woocommerce:expr; $shopify:expr; $magento:expr; $shopware:expr; $plain:expr;)*) => {
        /// Returns the table, row by row.
        pub fn table() -> &'static [TableRow] {
            static TABLE: LazyLock<Vec<TableRow>> = LazyLock::new(|| vec![$(TableRow {
                target: $target,
                google: &$google,
                woocommerce: &$woocommerce,
                shopify: &$shopify,
                magento: &$magento,
                shopware: &$shopware,
                plain: &$plain,
            }),*]);
            &TABLE
        }
    };
}

fn field(name: &str) -> Target {
    Target::Field(name.to_owned())
}

// target; google; woocommerce; shopify; magento; shopware; plain
table! {
    Target::Id; ["id"]; ["ID"]; ["Handle", "URL handle"]; ["sku"]; ["id"];
        ["id", "product_id", "item_id", "sku", "code", "handle"];
    Target::Group; ["item_group_id"]; ["Parent"]; []; []; ["parent_id"];
        ["item_group_id", "group_id", "parent_id", "parent_sku"];
    Target::Variations; []; []; []; ["configurable_variations"]; []; [];
    Target::Kind; []; ["Type"]; []; ["product_type"]; []; [];
    Target::Published; []; ["Published"]; ["Status", "Published", "Published on online store"];
        ["product_online"]; ["active"]; ["published", "active"];
    Target::Visibility; []; ["Visibility in catalog"]; []; ["visibility"]; []; [];
    Target::Name; ["title", "structured_title/content"]; ["Name"]; ["Title"]; ["name"]; ["name"];
        ["name", "title", "product_name"];
    Target::Description; ["description", "structured_description/content"]; ["Description"];
        ["Body (HTML)", "Description"]; ["description"]; ["description"];
        ["description", "long_description", "body", "body_html"];
    Target::ShortDescription; ["product_highlight"]; ["Short description"]; []; ["short_description"]; [];
        ["short_description", "summary", "excerpt"];
    Target::Url; ["link", "canonical_link"]; []; []; []; [];
        ["url", "link", "product_url", "permalink"];
    Target::Image; ["image_link"]; []; ["Image Src", "Product image URL"];
        ["base_image", "small_image"]; ["cover_media_url"];
        ["image", "image_url", "image_link", "image_src", "picture"];
    Target::Images; ["additional_image_link"]; ["Images"]; []; ["additional_images"]; [];
        ["images", "additional_images", "gallery"];
    Target::Price; ["price"]; ["Regular price"]; ["Variant Price", "Price"]; ["price"]; ["price_gross"];
        ["price", "regular_price", "price_incl_tax"];
    Target::PriceExclTax; []; []; []; []; ["price_net"]; ["price_excl_tax", "net_price"];
    Target::SalePrice; ["sale_price"]; ["Sale price"]; []; ["special_price"]; [];
        ["sale_price", "special_price"];
    Target::FormerPrice; []; []; ["Variant Compare At Price", "Compare-at price"]; []; [];
        ["compare_at_price", "original_price", "list_price", "old_price"];
    Target::SaleTimes; ["sale_price_effective_date"]; []; []; []; []; [];
    Target::SaleStart; []; ["Date sale price starts"]; []; ["special_price_from_date"]; []; ["sale_start"];
    Target::SaleEnd; []; ["Date sale price ends"]; []; ["special_price_to_date"]; []; ["sale_end"];
    Target::Availability; ["availability"]; ["In stock?"]; []; ["is_in_stock"]; [];
        ["availability", "in_stock", "is_in_stock", "stock_status"];
    Target::Quantity; []; ["Stock"]; ["Variant Inventory Qty", "Inventory quantity"]; ["qty"]; ["stock"];
        ["quantity", "qty", "stock", "inventory", "stock_quantity"];
    Target::Backorders; []; ["Backorders allowed?"];
        ["Variant Inventory Policy", "Continue selling when out of stock"]; ["allow_backorders"]; []; [];
    Target::StockCounted; []; ["Stock"]; ["Variant Inventory Tracker", "Inventory tracker"]; ["manage_stock"];
        []; [];
    Target::Manufacturer; ["brand"]; ["Brands"]; ["Vendor"]; ["manufacturer", "brand"]; ["manufacturer_name"];
        ["brand", "manufacturer", "vendor"];
    Target::Reference; []; ["SKU"]; ["Variant SKU", "SKU"]; ["sku"]; ["product_number"];
        ["sku", "reference", "ref", "product_number", "item_number"];
    Target::Gtin; ["gtin"]; ["GTIN, UPC, EAN, or ISBN"]; ["Variant Barcode", "Barcode"]; []; [];
        ["gtin", "ean", "ean13", "upc", "isbn", "barcode"];
    Target::Mpn; ["mpn"]; [];
        ["Google Shopping / MPN", "Google Shopping / Manufacturer part number (MPN)"]; []; [];
        ["mpn", "manufacturer_number", "manufacturer_part_number"];
    Target::Categories; ["product_type", "google_product_category"]; ["Categories"];
        ["Type", "Product Category"]; ["categories"]; ["categories"];
        ["category", "categories", "category_path", "product_type"];
    Target::Tags; []; ["Tags"]; ["Tags"]; []; []; ["tags", "keywords"];
    Target::Attribute; ["color", "size", "material", "pattern"]; []; []; []; [];
        ["color", "colour", "size", "material", "pattern"];
    Target::Feature;
        ["gender", "age_group", "condition", "size_type", "size_system", "energy_efficiency_class",
         "product_length", "product_width", "product_height", "product_weight"];
        []; ["Variant Grams", "Weight value (grams)"]; ["weight"]; [];
        ["weight", "length", "width", "height", "gender", "condition"];
    Target::ProductDetail; ["product_detail"]; []; []; []; []; [];
    Target::AdditionalAttributes; []; []; []; ["additional_attributes"]; []; [];
    field("dateAdd"); []; []; []; ["created_at"]; []; ["created_at", "date_added"];
    field("supplier"); []; []; []; []; []; ["supplier"];
    field("rating"); []; []; []; []; []; ["rating", "average_rating"];
    field("ratingCount"); []; []; []; []; []; ["rating_count", "review_count"];
    field("sales_count"); []; []; []; []; []; ["sales_count", "total_sales"];
}

/// FileColumns that are never stored: a shop's margin does not belong into a search service.
pub const NEVER_STORED: [&str; 8] = [
    "cost_of_goods_sold",
    "Cost per item",
    "Cost of goods",
    "cost",
    "purchase_price",
    "purchase_prices_net",
    "purchase_prices_gross",
    "auto_pricing_min_price",
];

/// The profiles of the table, in the order of its columns.
pub const TABLE_PROFILES: [ColumnProfile; 6] = [
    ColumnProfile::Google,
    ColumnProfile::Woocommerce,
    ColumnProfile::Shopify,
    ColumnProfile::Magento,
    ColumnProfile::Shopware,
    ColumnProfile::Plain,
];

/// Returns whether a column of this name is never stored.
pub fn is_never_stored(name: &str) -> bool {
    let key = comparable(name);
    NEVER_STORED.iter().any(|never| comparable(never) == key)
}

/// Returns whether a name stands in the table.
pub fn is_name(name: &str) -> bool {
    static KEYS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let rows = table().iter();
        let names = rows.flat_map(|row| TABLE_PROFILES.map(|profile| row.names(profile)));
        names.flatten().map(|name| comparable(name)).collect()
    });
    KEYS.contains(&comparable(name))
}

/// Returns whether a name is one of the id.
pub fn is_id_name(name: &str) -> bool {
    let key = comparable(name);
    let ids = table().iter().filter(|row| row.target == Target::Id);
    let mut names = ids.flat_map(|row| TABLE_PROFILES.map(|profile| row.names(profile)));
    names.any(|names| names.iter().any(|name| comparable(name) == key))
}
