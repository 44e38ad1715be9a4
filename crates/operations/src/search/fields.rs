//! The fields by which a store's products can be filtered: those that the products have.

use crate::OperationError;
use crate::message;
use domain::message::list;
use domain::nearest::nearest;
use domain::search::{FilterChoice, FilterField};
use domain::visitor::Visitor;
use domain::{Invalid, Message};
use engine::{FieldUse, FilterFieldUse, Snapshot};
use std::sync::Arc;

/// Most field names in an error message, the most frequent first; a store may have thousands.
const NAMES_MAX: usize = 40;

/// The fields by which the products of an index can be filtered, as one visitor sees them: those in which a product
/// that the visitor may see has a value. Without any product, every possible field is one: it matches nothing, like any
/// filter then.
pub(crate) struct FilterableFields(Option<Arc<FieldUse>>);

impl FilterableFields {
    /// Reads the fields of `index`. May block.
    ///
    /// Errors: `Unavailable` if the index cannot be read.
    pub fn of(index: Option<&dyn Snapshot>, visitor: &Visitor) -> Result<Self, OperationError> {
        let index = index.filter(|index| index.facts().documents > 0);
        let fields = index.map(|index| index.fields(visitor)).transpose();
        fields.map(Self).map_err(OperationError::unavailable)
    }

    /// Returns the field called `name`.
    ///
    /// Errors: the reason, with the nearest name and the available fields.
    pub fn admit(&self, name: &str) -> Result<FilterField, Message> {
        match (FilterField::parse(name), &self.0) {
            (Some(field), None) => Ok(field),
            (Some(field), Some(fields)) if fields.of(&field).is_some() => Ok(field),
            (_, Some(fields)) => Err(unknown_field(name, fields.all().to_vec())),
            (None, None) => {
                let fixed = FilterField::FIXED.map(|field| field.to_string());
                let reason = unknown(name, &fixed);
                Err(message::filterable::fixed(reason, list(&fixed)))
            }
        }
    }

    /// Checks that the fields of `choices` are among them.
    ///
    /// Errors: `Invalid` with all that are not.
    pub fn require(&self, choices: &[FilterChoice]) -> Result<(), OperationError> {
        let unknown = choices.iter().filter_map(|choice| {
            let name = choice.field().to_string();
            let reason = self.admit(&name).err()?;
            Some(Invalid::new(format!("filters.{name}"), reason))
        });
        match Vec::from_iter(unknown) {
            unknown if unknown.is_empty() => Ok(()),
            unknown => Err(OperationError::Invalid(unknown)),
        }
    }
}

fn unknown_field(name: &str, mut fields: Vec<FilterFieldUse>) -> Message {
    fields.sort_by(|a, b| {
        let place = |of: &FilterFieldUse| (of.field.is_group(), std::cmp::Reverse(of.documents));
        place(a).cmp(&place(b)).then_with(|| a.field.cmp(&b.field))
    });
    let left_out = fields.len().saturating_sub(NAMES_MAX);
    fields.truncate(NAMES_MAX);
    let names: Vec<String> = fields.iter().map(|of| of.field.to_string()).collect();
    let reason = unknown(name, &names);
    let named = fields
        .iter()
        .zip(&names)
        .map(|(of, name)| match name.ends_with(&of.group) {
            true => name.clone(),
            false => format!("{name} ({})", of.group),
        });
    match left_out {
        0 => message::filterable::of_store(reason, list(named)),
        more => message::filterable::of_store_and_more(reason, list(named), more),
    }
}

/// Returns the reason for an unknown name, with the nearest of `names`.
fn unknown(name: &str, names: &[String]) -> Message {
    match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => message::value::unknown_field_near(near),
        None => message::value::unknown_field(),
    }
}
