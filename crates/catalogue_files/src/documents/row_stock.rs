//! The stock of a row: availability goes before quantity.

use super::columns_taken::{TakenCell, first_text, of_target};
use super::facts::RowFacts;
use super::row_builder::{RowBuilder, RowContext};
use crate::mapping::profile::ColumnProfile;
use crate::mapping::target::Target;
use crate::report::codes;
use crate::report::findings::Findings;
use crate::values::numbers;
use crate::values::stock::{Stock, yes_or_no};
use crate::values::texts::text_of;
use serde_json::Value;

impl RowBuilder<'_> {
    /// Adds the stock of a row.
    pub(super) fn add_stock(
        &self,
        cells: &[TakenCell<'_>],
        row: RowContext,
        facts: &mut RowFacts,
        findings: &mut Findings,
    ) {
        let written = self.availability(cells, row, findings);
        let mut in_words = None;
        for cell in of_target(cells, &Target::Quantity) {
            match self.quantity(cell, row, findings) {
                Some(Ok(quantity)) => {
                    facts.quantity = Some(quantity);
                    break;
                }
                Some(Err(words)) => in_words = in_words.or(Some(words)),
                None => {}
            }
        }
        let counted = facts.quantity.map(|quantity| match quantity > 0.0 {
            true => Stock::Available,
            false if self.is_sold_without_stock(cells) => Stock::Orderable,
            false => Stock::Out,
        });
        let uncounted = self
            .is_uncounted(cells, &facts.quantity)
            .then_some(Stock::Available);
        facts.stock = written.or(in_words).or(uncounted).or(counted);
    }

    fn availability(
        &self,
        cells: &[TakenCell<'_>],
        row: RowContext,
        findings: &mut Findings,
    ) -> Option<Stock> {
        of_target(cells, &Target::Availability).find_map(|cell| {
            let text = text_of(cell.value)?;
            let stock = Stock::parse(&text);
            if stock.is_none() {
                let column = self.columns.name(cell.column);
                findings.warn(
                    codes::AVAILABILITY_UNREADABLE,
                    Some(column),
                    row.line,
                    &text,
                );
            }
            stock
        })
    }

    /// Returns a number, or words in place of one.
    fn quantity(
        &self,
        cell: &TakenCell<'_>,
        row: RowContext,
        findings: &mut Findings,
    ) -> Option<Result<f64, Stock>> {
        if let Value::Bool(flag) = cell.value {
            return Some(Err(if *flag { Stock::Available } else { Stock::Out }));
        }
        let text = text_of(cell.value)?;
        let is_number = numbers::parse(&text, self.decimal_rule(cell.column)).is_ok();
        if !is_number && let Some(words) = Stock::parse(&text) {
            return Some(Err(words));
        }
        self.number(cell, row, findings).map(Ok)
    }

    fn is_sold_without_stock(&self, cells: &[TakenCell<'_>]) -> bool {
        let text = first_text(cells, &Target::Backorders);
        text.is_some_and(|text| yes_or_no(&text) == Some(true))
    }

    /// Returns whether stock is not counted: an empty column of WooCommerce and Shopify, a 0 of Magento.
    fn is_uncounted(&self, cells: &[TakenCell<'_>], quantity: &Option<f64>) -> bool {
        let counted = first_text(cells, &Target::StockCounted);
        match self.taken.naming.profile {
            ColumnProfile::Magento => counted.is_some_and(|text| yes_or_no(&text) == Some(false)),
            ColumnProfile::Shopify => {
                counted.is_none() && self.taken.has(&[Target::StockCounted]) && quantity.is_some()
            }
            // An empty availability beside an empty stock says nothing.
            _ => false,
        }
    }
}
