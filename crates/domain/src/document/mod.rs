//! A catalogue document: parses one from JSON, or returns why it is rejected.

mod brief;
mod doc_type;
mod field_names;
mod fields;
pub mod price;

pub use doc_type::{CategoryNames, DocType, TypeFields};
pub use field_names::is_field;

use crate::form::OptionalUrl;
use crate::label_text::label_text;
use crate::limits::{DOCUMENT_ID_CHARACTERS_MAX, PRICE_FIELDS_MAX};
use crate::message::{self, Message, Translatable};
use crate::plain_text::plain_text;
use crate::time::Timestamp;
use crate::visitor::DocumentAccess;
use crate::{error_codes, first_characters};
use fields::SentFields;
use price::{PriceField, Prices};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// One category of a product.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CategoryRef {
    /// The shop's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Names from the root category down to it.
    pub path: Vec<String>,
}

/// One value of an attribute or a feature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupValue {
    /// Id of the group; empty if the feed sends none.
    pub group_id: String,
    /// Name of the group.
    pub group: String,
    /// Id of the value; empty if the feed sends none.
    pub id: String,
    /// The value as text.
    pub value: String,
}

/// The codes of a product, as sent.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of the feed")]
pub struct Codes {
    pub reference: Option<String>,
    pub ean13: Option<String>,
    pub upc: Option<String>,
    pub mpn: Option<String>,
    pub isbn: Option<String>,
    pub combination_references: Vec<String>,
    pub combination_eans: Vec<String>,
    pub combination_upcs: Vec<String>,
    pub combination_mpns: Vec<String>,
}

/// The numbers and flags of a product, which change often and are not analysed.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of the feed")]
pub struct Numbers {
    /// At most 1,000: documents with more are rejected, but older versions stored them.
    pub prices: Prices,
    pub currency: Option<String>,
    pub quantity: Option<f64>,
    pub in_stock: Option<bool>,
    pub out_of_stock: Option<bool>,
    pub sales_count: Option<f64>,
    pub rating: Option<f64>,
    pub rating_count: Option<f64>,
    pub feature_num: Option<f64>,
    pub date_add: Option<Timestamp>,
    /// Groups that may see it; `None` if everybody may, `["none"]` if nobody may.
    pub access_groups: Option<Vec<String>>,
}

impl Numbers {
    /// Returns whether it is in stock: `inStock`, or else a `quantity` above 0 (docs/relevance.md).
    pub fn available(&self) -> bool {
        self.in_stock
            .unwrap_or_else(|| self.quantity.is_some_and(|q| q > 0.0))
    }

    /// Returns whether `hideOutOfStock` hides it: `outOfStock`, or else not being in stock.
    pub fn hidden_when_out(&self) -> bool {
        self.out_of_stock.unwrap_or_else(|| !self.available())
    }
}

/// The texts of a document that are analysed.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of the feed")]
pub struct Texts {
    /// Name, or the title of a page.
    pub name: String,
    pub short_description: String,
    /// Description, or the content of a page.
    pub description: String,
    pub manufacturer: String,
    pub supplier: String,
    pub tags: Vec<String>,
    pub ai_description: String,
    pub ai_description_manual: String,
    /// Names indexed as `categories.name`: those of a product's categories, else `path` or `categoryName`.
    pub category_names: Vec<String>,
}

/// A document that can be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Its type.
    pub doc_type: DocType,
    /// The shop's id.
    pub id: String,
    /// When it was built, in milliseconds; `None` if the feed sends none.
    pub rev: Option<i64>,
    /// Hash of its content by the shop; empty if the feed sends none.
    pub hash: String,
    /// URL of its page.
    pub url: String,
    /// URL of its picture.
    pub image: String,
    /// Texts.
    pub texts: Texts,
    /// Codes.
    pub codes: Codes,
    /// Categories of a product.
    pub categories: Vec<CategoryRef>,
    /// Ids of its categories and of all their ancestors.
    pub category_ids: Vec<String>,
    /// Id of its brand; `None` if the feed sends none, or not as text.
    pub manufacturer_id: Option<String>,
    /// Values of its variants.
    pub attributes: Vec<GroupValue>,
    /// Values of its features.
    pub features: Vec<GroupValue>,
    /// Numbers and flags.
    pub numbers: Numbers,
    /// Everything sent except `rev` and `hash`, including unknown fields and all price fields; empty after
    /// [`Self::without_body`].
    pub body: Map<String, Value>,
}

/// Why one document of a block is rejected (docs/feed.md).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Rejection {
    /// Position in the block, from 0.
    pub index: usize,
    /// Id of the document, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `name_missing`, `title_missing`, `invalid_document` or `plan_limit`.
    pub code: &'static str,
    /// Field of the document that caused it, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The reason.
    pub message: String,
    /// Its key and values.
    pub translatable: Box<Translatable>,
}

impl Rejection {
    /// All codes.
    pub const CODES: [&'static str; 4] = [
        error_codes::NAME_MISSING,
        error_codes::TITLE_MISSING,
        error_codes::INVALID_DOCUMENT,
        error_codes::PLAN_LIMIT,
    ];
}

impl Document {
    /// Parses `value`, the document at position `index` of its block.
    ///
    /// Errors: the first reason to reject it.
    pub fn parse(doc_type: DocType, index: usize, value: Value) -> Result<Self, Rejection> {
        let Value::Object(body) = value else {
            let message = message::value::must_be(message::kind::object());
            return Err(Rejection {
                index,
                id: None,
                code: error_codes::INVALID_DOCUMENT,
                field: None,
                message: message.text,
                translatable: message.translatable,
            });
        };
        let id = body.get("id").and_then(Value::as_str);
        // An id that is too long is not returned as a whole.
        let id = id.map(|id| first_characters(id, DOCUMENT_ID_CHARACTERS_MAX).to_owned());
        Self::read(doc_type, body).map_err(|error| Rejection {
            index,
            id,
            code: error.code,
            field: error.field,
            message: error.message.text,
            translatable: error.message.translatable,
        })
    }

    fn read(doc_type: DocType, mut body: Map<String, Value>) -> Result<Self, DocumentError> {
        // `null` is the same as leaving the field out.
        body.retain(|_, value| !value.is_null());
        let fields = SentFields(&body);
        let id = fields.id()?;
        let names = doc_type.fields();
        let name = fields.text(names.name)?;
        if plain_text(&name).is_empty() {
            return Err(DocumentError {
                code: names.name_missing,
                field: None,
                message: message::document::name_empty(names.name),
            });
        }
        let categories = fields.categories()?;
        let texts = Texts {
            name,
            short_description: fields.text("short_description")?,
            description: fields.text(names.description)?,
            manufacturer: label_text(&fields.text("manufacturer")?),
            supplier: label_text(&fields.text("supplier")?),
            tags: fields.labels("tags")?,
            ai_description: fields.text("ai_description")?,
            ai_description_manual: fields.text("ai_description_manual")?,
            category_names: category_names(names.category_names, &fields, &categories)?,
        };
        let document = Self {
            doc_type,
            id,
            rev: fields.whole("rev")?,
            hash: fields.hash()?,
            url: address(&fields, "url")?,
            image: address(&fields, "image")?,
            texts,
            codes: codes(&fields)?,
            categories,
            category_ids: fields.texts("categoryIds")?,
            manufacturer_id: body
                .get("manufacturerId")
                .and_then(Value::as_str)
                .map(str::to_owned),
            attributes: fields.group_values("attributes", ["groupId", "group"])?,
            features: fields.group_values("features", ["featureId", "feature"])?,
            numbers: numbers(&fields)?,
            body: Map::new(),
        };
        body.remove("rev");
        body.remove("hash");
        Ok(Self { body, ..document })
    }

    /// Drops `body`, which is most of the memory of a document.
    #[must_use]
    pub fn without_body(self) -> Self {
        Self {
            body: Map::new(),
            ..self
        }
    }

    /// Parses a stored document, which was accepted before.
    ///
    /// Errors: the reason, if the stored text is damaged or was written by a newer version.
    pub fn from_stored(doc_type: DocType, body: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
        Self::parse(doc_type, 0, value).map_err(|rejection| rejection.message)
    }
}

/// Why a document is rejected, without its position in the block.
#[derive(Debug)]
pub(crate) struct DocumentError {
    pub code: &'static str,
    pub field: Option<String>,
    pub message: Message,
}

impl DocumentError {
    pub(crate) fn invalid(field: impl Into<String>, message: Message) -> Self {
        Self {
            code: error_codes::INVALID_DOCUMENT,
            field: Some(field.into()),
            message,
        }
    }
}

fn category_names(
    source: CategoryNames,
    fields: &SentFields<'_>,
    categories: &[CategoryRef],
) -> Result<Vec<String>, DocumentError> {
    Ok(match source {
        CategoryNames::Categories => categories.iter().map(|c| c.name.clone()).collect(),
        CategoryNames::List(name) => fields.labels(name)?,
        CategoryNames::Single(name) => Some(label_text(&fields.text(name)?))
            .filter(|name| !name.is_empty())
            .into_iter()
            .collect(),
    })
}

fn address(fields: &SentFields<'_>, name: &str) -> Result<String, DocumentError> {
    OptionalUrl::parse(fields.text(name)?)
        .map(String::from)
        .map_err(|reason| DocumentError::invalid(name, reason))
}

fn codes(fields: &SentFields<'_>) -> Result<Codes, DocumentError> {
    Ok(Codes {
        reference: fields.code("reference")?,
        ean13: fields.code("ean13")?,
        upc: fields.code("upc")?,
        mpn: fields.code("mpn")?,
        isbn: fields.code("isbn")?,
        combination_references: fields.codes("combinationReferences")?,
        combination_eans: fields.codes("combinationEans")?,
        combination_upcs: fields.codes("combinationUpcs")?,
        combination_mpns: fields.codes("combinationMpns")?,
    })
}

fn numbers(fields: &SentFields<'_>) -> Result<Numbers, DocumentError> {
    let mut prices = Prices::new();
    for name in fields.0.keys() {
        if let Some(field) = PriceField::parse(name)
            && let Some(price) = fields.not_negative(name)?
            && prices.len() < PRICE_FIELDS_MAX
        {
            prices.insert(field, price);
        }
    }
    Ok(Numbers {
        prices,
        currency: Some(fields.text("currency")?).filter(|c| !c.is_empty()),
        quantity: fields.number("quantity")?,
        in_stock: fields.flag("inStock")?,
        out_of_stock: fields.flag("outOfStock")?,
        sales_count: fields.number("sales_count")?,
        rating: fields.not_negative("rating")?,
        rating_count: fields.not_negative("ratingCount")?,
        feature_num: fields.number("feature_num")?,
        date_add: fields.time("dateAdd")?,
        access_groups: access_groups(fields)?,
    })
}

/// Reads the groups that may see a document. Shops send an empty list if no group is allowed.
fn access_groups(fields: &SentFields<'_>) -> Result<Option<Vec<String>>, DocumentError> {
    if !fields.0.contains_key("accessGroups") {
        return Ok(None);
    }
    let mut groups = fields.texts("accessGroups")?;
    if groups.is_empty() {
        groups.push(DocumentAccess::NOBODY.to_owned());
    }
    groups.sort_unstable();
    groups.dedup();
    Ok(Some(groups))
}

#[cfg(test)]
mod tests;
