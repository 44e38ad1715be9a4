//! The prices of a row: currencies, sales and their times.

use super::columns_taken::{TakenCell, of_target};
use super::facts::RowFacts;
use super::row_builder::{RowBuilder, RowContext};
use crate::mapping::profile::ColumnProfile;
use crate::mapping::target::Target;
use crate::report::codes;
use crate::report::findings::Findings;
use crate::values::currencies::WrittenCurrency;
use crate::values::dates::{self, DayEnd, DayOrder};
use crate::values::numbers::{self, DecimalRule, decimal_mark};
use crate::values::prices::WrittenPrice;
use crate::values::texts::text_of;
use domain::Timestamp;
use serde_json::Value;

/// An amount in the base currency, or in another one that is declared.
#[derive(Clone, Debug, PartialEq)]
struct Money {
    amount: f64,
    currency: Option<String>,
}

/// Whether a sale is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SaleState {
    On,
    Off,
}

impl RowBuilder<'_> {
    /// Adds the prices of a row.
    pub(super) fn add_prices(
        &self,
        cells: &[TakenCell<'_>],
        row: RowContext,
        facts: &mut RowFacts,
        findings: &mut Findings,
    ) {
        let mut first = |target: &Target| {
            of_target(cells, target).find_map(|cell| self.money(cell, row, findings))
        };
        let price = first(&Target::Price);
        let sale = first(&Target::SalePrice);
        let former = first(&Target::FormerPrice);
        let net = first(&Target::PriceExclTax);
        if let Some(net) = net {
            facts
                .prices
                .insert(with_currency("priceExclTax", &net), net.amount);
        }
        let Some(price) = price else {
            return;
        };
        let is_cheaper =
            |sale: &Money| sale.currency == price.currency && sale.amount < price.amount;
        let sale = sale.filter(is_cheaper);
        let is_on = sale.is_some() && self.sale_state(cells, row, findings) == SaleState::On;
        let original = with_currency("originalPriceInclTax", &price);
        let current = with_currency("priceInclTax", &price);
        match (sale, former) {
            (Some(sale), _) if is_on => {
                facts.prices.insert(current, sale.amount);
                facts.prices.insert(original, price.amount);
            }
            (_, former) => {
                facts.prices.insert(current, price.amount);
                let same = |former: &Money| former.currency == price.currency;
                if let Some(former) = former.filter(same)
                    && former.amount > price.amount
                {
                    facts.prices.insert(original, former.amount);
                }
            }
        }
    }

    fn money(
        &self,
        cell: &TakenCell<'_>,
        row: RowContext,
        findings: &mut Findings,
    ) -> Option<Money> {
        let column = self.columns.name(cell.column);
        let text = text_of(cell.value)?;
        let mut warn = |code| findings.warn(code, Some(column), row.line, &text);
        if let Value::Number(number) = cell.value {
            let amount = number.as_f64().filter(|amount| *amount >= 0.0);
            if amount.is_none() {
                warn(codes::PRICE_UNREADABLE);
            }
            return amount.map(|amount| Money {
                amount,
                currency: None,
            });
        }
        let read = WrittenPrice::parse(&text).and_then(|price| {
            let amount = price.amount(self.decimal_rule(cell.column))?;
            Ok((amount, price.currency))
        });
        let Ok((read, currency)) = read else {
            warn(codes::PRICE_UNREADABLE);
            return None;
        };
        let currency = match self.currency(&currency) {
            Ok(currency) => currency,
            Err(code) => {
                warn(code);
                return None;
            }
        };
        if read.is_guess {
            findings.ambiguous(column, &text);
        }
        Some(Money {
            amount: read.value,
            currency,
        })
    }

    /// Returns the declared currency, none for the base.
    fn currency(&self, written: &WrittenCurrency) -> Result<Option<String>, &'static str> {
        let base = self.settings.base_currency.as_deref();
        match written {
            WrittenCurrency::None => Ok(None),
            WrittenCurrency::Code(code) if Some(code.as_str()) == base => Ok(None),
            WrittenCurrency::Code(code) if self.settings.currencies.contains(code) => {
                Ok(Some(code.clone()))
            }
            WrittenCurrency::Code(_) => Err(codes::CURRENCY_UNDECLARED),
            WrittenCurrency::Symbol(all) if base.is_some_and(|base| all.contains(&base)) => {
                Ok(None)
            }
            WrittenCurrency::Symbol(_) | WrittenCurrency::Unknown => Err(codes::CURRENCY_UNKNOWN),
        }
    }

    /// Returns how the numbers of a column are read.
    pub(super) fn decimal_rule(&self, column: usize) -> DecimalRule {
        let fallback = match self.taken.naming.profile {
            ColumnProfile::Google | ColumnProfile::Magento => '.',
            _ => decimal_mark(&self.settings.language),
        };
        DecimalRule {
            option: self.taken.naming.options.decimal,
            proven: self.evidence.decimal_of(column),
            fallback: Some(fallback),
        }
    }

    /// Returns the first number of a target that can be read.
    pub(super) fn number(
        &self,
        cell: &TakenCell<'_>,
        row: RowContext,
        findings: &mut Findings,
    ) -> Option<f64> {
        if let Value::Number(number) = cell.value {
            return number.as_f64();
        }
        let column = self.columns.name(cell.column);
        let text = text_of(cell.value)?;
        match numbers::parse(&text, self.decimal_rule(cell.column)) {
            Ok(read) => {
                if read.is_guess {
                    findings.ambiguous(column, &text);
                }
                Some(read.value)
            }
            Err(_) => {
                findings.warn(codes::NUMBER_UNREADABLE, Some(column), row.line, &text);
                None
            }
        }
    }

    fn sale_state(
        &self,
        cells: &[TakenCell<'_>],
        row: RowContext,
        findings: &mut Findings,
    ) -> SaleState {
        let times = self.sale_times(cells);
        let (start, end) = match times {
            Ok(times) => times,
            Err(cell) => {
                let text = text_of(cell.value).unwrap_or_default();
                let column = self.columns.name(cell.column);
                findings.warn(codes::DATE_UNREADABLE, Some(column), row.line, &text);
                return SaleState::Off;
            }
        };
        let now = self.settings.now;
        let is_over = end.is_some_and(|end| end < now);
        for change in [start, end].into_iter().flatten() {
            if change > now && !is_over {
                findings.sale_changes(change);
            }
        }
        let is_later = start.is_some_and(|start| start > now);
        if is_over || is_later {
            SaleState::Off
        } else {
            SaleState::On
        }
    }

    /// Returns start and end of the sale.
    ///
    /// Errors: the cell that cannot be read, or that ends before it starts.
    fn sale_times<'b, 'c>(
        &self,
        cells: &'c [TakenCell<'b>],
    ) -> Result<(Option<Timestamp>, Option<Timestamp>), &'c TakenCell<'b>> {
        if let Some(cell) = of_target(cells, &Target::SaleTimes).next() {
            let text = text_of(cell.value).unwrap_or_default();
            let both = text.split_once('/').and_then(|(start, end)| {
                let start = self.date(start, DayEnd::Start, cell)?;
                let end = self.date(end, DayEnd::End, cell)?;
                (start <= end).then_some((Some(start), Some(end)))
            });
            return both.ok_or(cell);
        }
        let start = self.date_of(cells, &Target::SaleStart, DayEnd::Start)?;
        let end = self.date_of(cells, &Target::SaleEnd, DayEnd::End)?;
        let end_cell = cells
            .iter()
            .find(|cell| cell.column_use.target == Target::SaleEnd);
        match (start, end, end_cell) {
            (Some(start), Some(end), Some(cell)) if end < start => Err(cell),
            _ => Ok((start, end)),
        }
    }

    /// Returns the date of the first cell of a target.
    ///
    /// Errors: the cell, if it cannot be read.
    fn date_of<'b, 'c>(
        &self,
        cells: &'c [TakenCell<'b>],
        target: &Target,
        end: DayEnd,
    ) -> Result<Option<Timestamp>, &'c TakenCell<'b>> {
        let mut cells = cells.iter();
        let Some(cell) = cells.find(|cell| cell.column_use.target == *target) else {
            return Ok(None);
        };
        let text = text_of(cell.value).unwrap_or_default();
        self.date(&text, end, cell).map(Some).ok_or(cell)
    }

    /// Parses a date of a cell.
    pub(super) fn date(&self, text: &str, end: DayEnd, cell: &TakenCell<'_>) -> Option<Timestamp> {
        let order = match self.taken.naming.profile {
            ColumnProfile::Magento => Some(DayOrder::MonthFirst),
            _ => self.evidence.day_order_of(cell.column),
        };
        dates::parse(text, end, order)
    }
}

fn with_currency(field: &str, money: &Money) -> String {
    match &money.currency {
        None => field.to_owned(),
        Some(code) => format!("{field}_{code}"),
    }
}
