//! Makes facts of a row: what its cells say, by the targets of their columns.

use super::columns_taken::{ColumnsTaken, TakenCell, first_text, of_target};
use super::evidence::Evidence;
use super::facts::RowFacts;
use crate::bounds::{EXTRA_BYTES_MAX, EXTRA_KEYS_MAX, ID_CHARACTERS_MAX};
use crate::mapping::profile::ColumnProfile;
use crate::mapping::table::is_id_name;
use crate::mapping::target::Target;
use crate::report::codes;
use crate::report::findings::Findings;
use crate::report::result::RejectedRow;
use crate::rows::Row;
use crate::rows::columns::{FileColumns, comparable};
use crate::settings::ReadSettings;
use crate::values::addresses::{self, NoAddress};
use crate::values::codes::is_uuid;
use crate::values::stock::{words_key, yes_or_no};
use crate::values::texts::{label, text_of, texts_of};
use serde_json::{Map, Value};

/// Makes facts of rows.
pub struct RowBuilder<'a> {
    /// What the caller says.
    pub settings: &'a ReadSettings,
    /// What the file proves.
    pub evidence: &'a Evidence,
    /// The columns.
    pub columns: &'a FileColumns,
    /// Their uses.
    pub taken: &'a ColumnsTaken<'a>,
    /// The column of the id, where several are possible.
    pub id_column: Option<usize>,
}

/// Where a row is.
#[derive(Clone, Copy, Debug)]
pub struct RowContext {
    /// Its number.
    pub number: u64,
    /// Its line.
    pub line: u64,
}

/// What becomes of a row.
#[derive(Debug)]
pub enum BuiltRow {
    /// It says something.
    Facts(Box<RowFacts>),
    /// It is left out, by this code.
    Skipped(&'static str),
    /// It is rejected.
    Rejected(RejectedRow),
}

impl RowBuilder<'_> {
    /// Makes facts of a row.
    pub fn build(&self, row: &Row, findings: &mut Findings) -> BuiltRow {
        let context = RowContext {
            number: row.number,
            line: row.line,
        };
        if self.taken.naming.profile == ColumnProfile::Findwell {
            return self.whole(row);
        }
        let cells = self.taken.cells(row);
        let profile = self.taken.naming.profile;
        let view = self.store_view(row);
        let options = self.taken.naming.options;
        if view.is_some() && view != options.store_view {
            return BuiltRow::Skipped(codes::STORE_VIEW);
        }
        let Some(id) = self.id(&cells) else {
            return rejected(context, None, codes::ID_MISSING);
        };
        let mut facts = RowFacts {
            row: row.number,
            line: row.line,
            is_overlay: view.is_some(),
            ..RowFacts::default()
        };
        if let Err(code) = self.add_relation(&id, &cells, &mut facts) {
            return rejected(context, Some(id), code);
        }
        self.add_visibility(&cells, &mut facts);
        self.add_texts(&cells, &mut facts);
        self.add_url(row, &id, &cells, &mut facts, findings);
        self.add_prices(&cells, context, &mut facts, findings);
        self.add_stock(&cells, context, &mut facts, findings);
        self.add_codes(&cells, context, &mut facts, findings);
        if profile == ColumnProfile::Google && !facts.codes.contains_key("reference") {
            let is_generated = id.starts_with("shopify_") || is_uuid(&id);
            if !is_generated {
                facts.codes.insert("reference".to_owned(), id.clone());
            }
        }
        self.add_lists(&cells, context, &mut facts, findings);
        self.add_fields(&cells, context, &mut facts, findings);
        self.add_extra(row, &mut facts, findings);
        BuiltRow::Facts(Box::new(facts))
    }

    /// Takes an object as the document that it is.
    fn whole(&self, row: &Row) -> BuiltRow {
        let mut fields = Map::new();
        for (column, value) in &row.cells {
            let name = self.columns.name(*column);
            if !self.taken.is_dropped(*column, name) {
                fields.insert(name.to_owned(), value.clone());
            }
        }
        let id = fields.get("id").and_then(Value::as_str).map(str::to_owned);
        BuiltRow::Facts(Box::new(RowFacts {
            row: row.number,
            line: row.line,
            // A document without an id is rejected by the feed, alone.
            key: id.unwrap_or_else(|| format!("\0{}", row.number)),
            is_whole: true,
            fields,
            ..RowFacts::default()
        }))
    }

    fn store_view(&self, row: &Row) -> Option<String> {
        if self.taken.naming.profile != ColumnProfile::Magento {
            return None;
        }
        let mut cells = row.cells.iter();
        let cell = cells.find(|(column, _)| self.columns.key(*column) == "storeviewcode");
        cell.and_then(|(_, value)| text_of(value))
    }

    fn id(&self, cells: &[TakenCell<'_>]) -> Option<String> {
        let chosen = self.id_column;
        let mut ids = of_target(cells, &Target::Id)
            .filter(|cell| chosen.is_none_or(|column| cell.column == column));
        let id = ids.find_map(|cell| text_of(cell.value))?;
        (id.chars().count() <= ID_CHARACTERS_MAX).then_some(id)
    }

    /// Finds the product that the row is a variant of.
    fn add_relation(
        &self,
        id: &str,
        cells: &[TakenCell<'_>],
        facts: &mut RowFacts,
    ) -> Result<(), &'static str> {
        let group = first_text(cells, &Target::Group);
        let product = match self.taken.naming.profile {
            ColumnProfile::Shopify => Some(id.to_owned()),
            ColumnProfile::Magento => self.evidence.parent_of_sku(id).map(str::to_owned),
            ColumnProfile::Woocommerce => match group {
                Some(name) => {
                    let product = self
                        .evidence
                        .product_of(&name)
                        .ok_or(codes::PARENT_MISSING)?;
                    Some(product.to_owned())
                }
                None if is_variation(cells) => return Err(codes::PARENT_MISSING),
                None => None,
            },
            _ => group.map(|name| match self.evidence.product_of(&name) {
                Some(product) => product.to_owned(),
                None => name,
            }),
        };
        let product = product.filter(|product| product.chars().count() <= ID_CHARACTERS_MAX);
        facts.is_variant = product.is_some();
        let profile = self.taken.naming.profile;
        facts.are_options_features = profile == ColumnProfile::Woocommerce && !facts.is_variant;
        facts.key = product.unwrap_or_else(|| id.to_owned());
        if facts.key != id {
            id.clone_into(&mut facts.row_id);
        }
        Ok(())
    }

    fn add_visibility(&self, cells: &[TakenCell<'_>], facts: &mut RowFacts) {
        let mut published = of_target(cells, &Target::Published);
        facts.is_hidden = published.any(|cell| {
            let text = text_of(cell.value).unwrap_or_default();
            match self.taken.naming.profile {
                ColumnProfile::Woocommerce | ColumnProfile::Magento | ColumnProfile::Shopware => {
                    text != "1"
                }
                _ => yes_or_no(&text) == Some(false),
            }
        });
        facts.is_hidden_alone = of_target(cells, &Target::Visibility).any(|cell| {
            let text = words_key(&text_of(cell.value).unwrap_or_default());
            match self.taken.naming.profile {
                ColumnProfile::Magento => !text.contains("search"),
                _ => !matches!(text.as_str(), "visible" | "search"),
            }
        });
    }

    fn add_texts(&self, cells: &[TakenCell<'_>], facts: &mut RowFacts) {
        let names = self.settings.doc_type.fields();
        let name = first_text(cells, &Target::Name).map(|text| label(&text));
        facts.set_text(names.name, name);
        let is_woocommerce = self.taken.naming.profile == ColumnProfile::Woocommerce;
        let long = |target: &Target| {
            let cell = of_target(cells, target).next()?;
            let text = texts_of(cell.value).join("\n");
            Some(if is_woocommerce {
                text.replace("\\n", "\n")
            } else {
                text
            })
        };
        facts.set_text(names.description, long(&Target::Description));
        facts.set_text("short_description", long(&Target::ShortDescription));
        let brand = of_target(cells, &Target::Manufacturer).find_map(|cell| {
            let text = text_of(cell.value)?;
            let first = match is_woocommerce {
                true => crate::values::lists::at_commas(&text).into_iter().next()?,
                false => text,
            };
            Some(label(&first)).filter(|brand| !brand.is_empty())
        });
        facts.set_text("manufacturer", brand);
    }

    fn add_url(
        &self,
        row: &Row,
        id: &str,
        cells: &[TakenCell<'_>],
        facts: &mut RowFacts,
        findings: &mut Findings,
    ) {
        let context = RowContext {
            number: row.number,
            line: row.line,
        };
        let given = of_target(cells, &Target::Url).find_map(|cell| {
            let text = text_of(cell.value)?;
            self.address(&text, "", cell, context, findings)
        });
        let url = given.or_else(|| self.templated(row, id, findings));
        facts.set_text("url", url);
    }

    fn templated(&self, row: &Row, id: &str, findings: &mut Findings) -> Option<String> {
        let default = match self.taken.naming.profile {
            ColumnProfile::Woocommerce => Some("{base}/?p={ID}"),
            ColumnProfile::Shopify => Some("{base}/products/{Handle}"),
            ColumnProfile::Magento => Some("{base}/{url_key}.html"),
            ColumnProfile::Shopware => Some("{base}/detail/{id}"),
            _ => None,
        };
        let template = self
            .taken
            .naming
            .options
            .url_template
            .as_deref()
            .or(default)?;
        let cell = |name: &str| {
            let key = comparable(name);
            let mut cells = row.cells.iter();
            let found = cells.find(|(column, _)| self.columns.key(*column) == key);
            let text = found.and_then(|(_, value)| text_of(value));
            text.or_else(|| is_id_name(name).then(|| id.to_owned()))
        };
        match addresses::fill(template, self.settings.base_url.as_deref(), cell) {
            Ok(url) => Some(url),
            Err(NoAddress::BaseMissing) => {
                findings.base_missing();
                None
            }
            Err(NoAddress::Unreadable) => None,
        }
    }

    /// Resolves the address of a cell.
    pub(super) fn address(
        &self,
        text: &str,
        folder: &str,
        cell: &TakenCell<'_>,
        row: RowContext,
        findings: &mut Findings,
    ) -> Option<String> {
        match addresses::resolve(text, self.settings.base_url.as_deref(), folder) {
            Ok(address) => Some(address),
            Err(NoAddress::BaseMissing) => {
                findings.base_missing();
                None
            }
            Err(NoAddress::Unreadable) => {
                let column = self.columns.name(cell.column);
                findings.warn(codes::URL_UNREADABLE, Some(column), row.line, text);
                None
            }
        }
    }

    fn add_extra(&self, row: &Row, facts: &mut RowFacts, findings: &mut Findings) {
        let mut bytes = 2;
        for (column, value) in &row.cells {
            if !self.taken.is_extra(*column) {
                continue;
            }
            let name = self.columns.name(*column);
            let size = name.len() + value.to_string().len() + 6;
            if facts.extra.len() == EXTRA_KEYS_MAX || bytes + size > EXTRA_BYTES_MAX {
                findings.warn(codes::EXTRA_CUT, None, row.line, name);
                return;
            }
            bytes += size;
            facts.extra.entry(name).or_insert_with(|| value.clone());
        }
    }
}

/// Returns whether WooCommerce says that a row is a variant.
fn is_variation(cells: &[TakenCell<'_>]) -> bool {
    let kind = first_text(cells, &Target::Kind).unwrap_or_default();
    kind.split(',')
        .any(|kind| kind.trim().eq_ignore_ascii_case("variation"))
}

fn rejected(row: RowContext, id: Option<String>, code: &'static str) -> BuiltRow {
    BuiltRow::Rejected(RejectedRow {
        line: row.line,
        row: row.number,
        id,
        code: code.to_owned(),
        field: None,
        column: None,
        message: codes::text(code).to_owned(),
    })
}
