//! The codes of a row, and the fields that are stored as they are.

use super::columns_taken::{TakenCell, of_target};
use super::facts::RowFacts;
use super::row_builder::{RowBuilder, RowContext};
use super::row_lists::is_objects;
use crate::mapping::field::{self, FieldContent};
use crate::mapping::target::Target;
use crate::report::codes;
use crate::report::findings::Findings;
use crate::values::codes::{gtin_field, is_damaged};
use crate::values::dates::DayEnd;
use crate::values::lists;
use crate::values::stock::yes_or_no;
use crate::values::texts::text_of;
use serde_json::Value;

impl RowBuilder<'_> {
    /// Adds the codes of a row.
    pub(super) fn add_codes(
        &self,
        cells: &[TakenCell<'_>],
        row: RowContext,
        facts: &mut RowFacts,
        findings: &mut Findings,
    ) {
        for target in [Target::Reference, Target::Gtin, Target::Mpn] {
            for cell in of_target(cells, &target) {
                if cell.value.is_number() && cell.column_use.is_field_name() {
                    // The feed rejects it: leading zeros are lost already.
                    let name = target.name().to_owned();
                    facts.fields.insert(name, cell.value.clone());
                    break;
                }
                if let Some(code) = self.code(cell, row, findings) {
                    let field = match target {
                        Target::Gtin => gtin_field(&code),
                        _ => target.name(),
                    };
                    facts.codes.insert(field.to_owned(), code);
                    break;
                }
            }
        }
    }

    /// Returns the code of a cell.
    fn code(
        &self,
        cell: &TakenCell<'_>,
        row: RowContext,
        findings: &mut Findings,
    ) -> Option<String> {
        let text = text_of(cell.value)?;
        let column = self.columns.name(cell.column);
        if is_damaged(&text) {
            findings.warn(codes::CODE_DAMAGED, Some(column), row.line, &text);
            return None;
        }
        if cell.value.is_number() {
            findings.warn(codes::CODE_IS_NUMBER, Some(column), row.line, &text);
        }
        Some(text)
    }

    /// Adds the fields that are stored as they are.
    pub(super) fn add_fields(
        &self,
        cells: &[TakenCell<'_>],
        row: RowContext,
        facts: &mut RowFacts,
        findings: &mut Findings,
    ) {
        for cell in cells {
            let Target::Field(name) = &cell.column_use.target else {
                continue;
            };
            let Some(kind) = field::kind(name) else {
                continue;
            };
            if kind == FieldContent::Code && !cell.value.is_number() {
                if !facts.codes.contains_key(name)
                    && let Some(code) = self.code(cell, row, findings)
                {
                    facts.codes.insert(name.clone(), code);
                }
                continue;
            }
            let value = self.field_value(cell, kind, row, findings);
            if kind.is_list()
                && let Some(Value::Array(list)) = facts.fields.get_mut(name)
            {
                if let Some(Value::Array(more)) = value {
                    list.extend(more);
                }
            } else if let Some(value) = value
                && !facts.fields.contains_key(name)
            {
                facts.fields.insert(name.clone(), value);
            }
        }
    }

    /// Returns the value of a field: what JSON gives as it is, and text as what the field holds.
    fn field_value(
        &self,
        cell: &TakenCell<'_>,
        kind: FieldContent,
        row: RowContext,
        findings: &mut Findings,
    ) -> Option<Value> {
        let Some(text) = cell.value.as_str() else {
            return Some(cell.value.clone());
        };
        let column = self.columns.name(cell.column);
        match kind {
            FieldContent::Text | FieldContent::Code => Some(Value::String(text.trim().to_owned())),
            FieldContent::Texts | FieldContent::Codes => {
                let values = match cell.column_use.split {
                    Some(mark) => lists::at_mark(text, mark),
                    None => lists::at_commas(text),
                };
                Some(Value::Array(
                    values.into_iter().map(Value::String).collect(),
                ))
            }
            FieldContent::Number | FieldContent::Price => {
                let number = self.number(cell, row, findings)?;
                serde_json::Number::from_f64(number).map(Value::Number)
            }
            FieldContent::Flag => {
                let flag = yes_or_no(text);
                if flag.is_none() {
                    findings.warn(codes::AVAILABILITY_UNREADABLE, Some(column), row.line, text);
                }
                flag.map(Value::Bool)
            }
            FieldContent::Time => {
                let time = self.date(text, DayEnd::Start, cell);
                if time.is_none() {
                    findings.warn(codes::DATE_UNREADABLE, Some(column), row.line, text);
                }
                time.map(|time| Value::String(time.to_string()))
            }
            FieldContent::Objects => serde_json::from_str(text).ok().filter(is_objects),
        }
    }
}
