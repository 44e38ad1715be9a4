//! What the whole file, or its first rows, prove about its columns: marks of numbers, order of dates, currencies, the id,
//! and which rows are the products of others.

use super::columns_taken::{ColumnsTaken, TakenCell, first_text, of_target};
use crate::bounds::{EVIDENCE_ROWS, ID_FILLED_PERCENT};
use crate::mapping::column_use::RANK_OF_FIELDS;
use crate::mapping::profile::ColumnProfile;
use crate::mapping::target::Target;
use crate::rows::Row;
use crate::rows::columns::{FileColumns, comparable};
use crate::values::categories;
use crate::values::currencies::WrittenCurrency;
use crate::values::dates::{DayOrder, proven_order};
use crate::values::lists::{at_mark, code_values};
use crate::values::numbers::WrittenNumber;
use crate::values::prices::WrittenPrice;
use crate::values::texts::text_of;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What the file proves.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Rows that were read.
    pub rows: u64,
    decimals: HashMap<usize, [u64; 2]>,
    day_orders: HashMap<usize, DayOrder>,
    first_steps: FirstSteps,
    currencies: BTreeMap<String, u64>,
    filled: HashMap<usize, u64>,
    counted: u64,
    /// Ids of products by their sku, where variants name it.
    ids_by_sku: HashMap<Box<str>, Box<str>>,
    /// Ids of products that have variants.
    parents: HashSet<Box<str>>,
    /// Skus of products by those of their variants.
    parents_of: HashMap<Box<str>, Box<str>>,
}

/// The first step of all paths of categories.
#[derive(Debug, Default)]
enum FirstSteps {
    #[default]
    None,
    Shared(String),
    Different,
}

/// Targets whose numbers prove a decimal mark, and those with dates.
const PRICES: [Target; 4] = [
    Target::Price,
    Target::SalePrice,
    Target::FormerPrice,
    Target::PriceExclTax,
];
const DATES: [Target; 3] = [Target::SaleStart, Target::SaleEnd, Target::SaleTimes];

impl Evidence {
    /// Adds a row.
    pub fn add(&mut self, row: &Row, taken: &ColumnsTaken<'_>, columns: &FileColumns) {
        self.rows += 1;
        let profile = taken.naming.profile;
        let cells = taken.cells(row);
        for cell in &cells {
            if PRICES.contains(&cell.column_use.target) {
                self.add_price(cell);
            }
        }
        self.add_relations(profile, &cells, columns);
        if self.counted == EVIDENCE_ROWS {
            return;
        }
        self.counted += 1;
        for cell in &cells {
            self.add_early(cell, profile);
        }
        let mut seen = HashSet::new();
        for (column, _) in &row.cells {
            if seen.insert(*column) {
                *self.filled.entry(*column).or_default() += 1;
            }
        }
    }

    fn add_price(&mut self, cell: &TakenCell<'_>) {
        let Some(price) = text_of(cell.value).and_then(|text| WrittenPrice::parse(&text).ok())
        else {
            return;
        };
        if let WrittenCurrency::Code(code) = price.currency {
            *self.currencies.entry(code).or_default() += 1;
        }
        if self.counted < EVIDENCE_ROWS && cell.value.is_string() {
            self.add_number(cell.column, &price.number);
        }
    }

    fn add_number(&mut self, column: usize, number: &WrittenNumber) {
        if let Some(mark) = number.proves() {
            let counts = self.decimals.entry(column).or_default();
            counts[usize::from(mark == ',')] += 1;
        }
    }

    fn add_early(&mut self, cell: &TakenCell<'_>, profile: ColumnProfile) {
        let target = &cell.column_use.target;
        if *target == Target::Categories {
            for path in text_of(cell.value)
                .map(|text| categories::parse(&text, profile, cell.column_use.split).paths)
                .unwrap_or_default()
            {
                self.first_steps.add(&path[0]);
            }
        } else if DATES.contains(target) {
            let text = text_of(cell.value).unwrap_or_default();
            if let Some(order) = proven_order(&text) {
                self.day_orders.entry(cell.column).or_insert(order);
            }
        } else if matches!(target, Target::Quantity | Target::Field(_))
            && let Some(text) = cell.value.as_str()
            && let Ok((number, "")) = WrittenNumber::parse(text)
        {
            self.add_number(cell.column, &number);
        }
    }

    /// Learns which products have which variants.
    fn add_relations(
        &mut self,
        profile: ColumnProfile,
        cells: &[TakenCell<'_>],
        columns: &FileColumns,
    ) {
        let names_sku = profile == ColumnProfile::Woocommerce
            || of_target(cells, &Target::Group).any(|cell| columns.key(cell.column) == "parentsku")
            || columns.has("parentsku");
        if names_sku
            && let Some(id) = first_text(cells, &Target::Id)
            && first_text(cells, &Target::Group).is_none()
        {
            if let Some(sku) = first_text(cells, &Target::Reference) {
                self.ids_by_sku.insert(sku.into(), id.clone().into());
            }
            self.parents.insert(id.into());
        }
        for cell in of_target(cells, &Target::Variations) {
            let parent = first_text(cells, &Target::Id).unwrap_or_default();
            for sku in variations(&text_of(cell.value).unwrap_or_default())
                .filter_map(|pairs| sku_of(&pairs))
            {
                self.parents_of.insert(sku.into(), parent.clone().into());
            }
        }
    }

    /// Returns the decimal mark that most cells of a column prove.
    pub fn decimal_of(&self, column: usize) -> Option<char> {
        match self.decimals.get(&column) {
            None => None,
            Some([dots, commas]) if dots >= commas => Some('.'),
            Some(_) => Some(','),
        }
    }

    /// Returns the order of day and month that a column proves.
    pub fn day_order_of(&self, column: usize) -> Option<DayOrder> {
        self.day_orders.get(&column).copied()
    }

    /// Returns the first step that all categories share.
    pub fn shared_category(&self) -> Option<&str> {
        match &self.first_steps {
            FirstSteps::Shared(step) => Some(step),
            FirstSteps::None | FirstSteps::Different => None,
        }
    }

    /// Returns the currency that most prices name.
    pub fn commonest_currency(&self) -> Option<&str> {
        let all = self.currencies.iter();
        all.max_by_key(|(_, count)| **count)
            .map(|(code, _)| code.as_str())
    }

    /// Returns the column of the id where several are possible: the first one that nearly all rows fill.
    pub fn id_column(&self, taken: &ColumnsTaken<'_>, columns: &FileColumns) -> Option<usize> {
        let all = 0..columns.names().len();
        let ids = all.filter_map(|column| {
            let uses = taken.uses(column).iter();
            let id = uses
                .filter(|taken| taken.target == Target::Id)
                .min_by_key(|taken| taken.rank)?;
            Some((id.rank, column))
        });
        let mut ids: Vec<(u32, usize)> = ids.collect();
        ids.sort_unstable();
        let filled = |column: &usize| self.filled.get(column).copied().unwrap_or(0);
        let is_full = |column: &usize| filled(column) * 100 >= self.counted * ID_FILLED_PERCENT;
        let chosen = ids
            .iter()
            .find(|(rank, column)| *rank < RANK_OF_FIELDS || is_full(column));
        let fullest = ids.iter().max_by_key(|(_, column)| filled(column));
        chosen.or(fullest).map(|(_, column)| *column)
    }

    /// Returns the id of the product that a variant names by id or sku; none if it is not in the file.
    pub fn product_of(&self, name: &str) -> Option<&str> {
        if let Some(id) = name.strip_prefix("id:") {
            return self.parents.get(id.trim()).map(AsRef::as_ref);
        }
        let id = self.ids_by_sku.get(name).or_else(|| self.parents.get(name));
        id.map(AsRef::as_ref)
    }

    /// Returns the sku of the product whose variations name this sku.
    pub fn parent_of_sku(&self, sku: &str) -> Option<&str> {
        self.parents_of.get(sku).map(AsRef::as_ref)
    }
}

impl FirstSteps {
    fn add(&mut self, step: &str) {
        match self {
            Self::None => *self = Self::Shared(step.to_owned()),
            Self::Shared(shared) if shared != step => *self = Self::Different,
            Self::Shared(_) | Self::Different => {}
        }
    }
}

/// Returns the variations of a cell of Magento, each as pairs of code and value.
pub fn variations(text: &str) -> impl Iterator<Item = Vec<(String, String)>> {
    let parts = at_mark(text, '|').into_iter();
    parts.map(|part| code_values(&part))
}

/// Returns the sku of a variation.
pub fn sku_of(pairs: &[(String, String)]) -> Option<String> {
    let sku = pairs.iter().find(|(code, _)| comparable(code) == "sku");
    sku.map(|(_, sku)| sku.trim().to_owned())
}
