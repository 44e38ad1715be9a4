//! The fields by which a store's products can be filtered: those that the products have.

use crate::OperationError;
use domain::Invalid;
use domain::nearest::nearest;
use domain::search::{FilterChoice, FilterField};
use domain::visitor::Visitor;
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
    pub fn admit(&self, name: &str) -> Result<FilterField, String> {
        match (FilterField::parse(name), &self.0) {
            (Some(field), None) => Ok(field),
            (Some(field), Some(fields)) if fields.of(&field).is_some() => Ok(field),
            (_, Some(fields)) => Err(unknown_field(name, fields.all().to_vec())),
            (None, None) => {
                let fixed = FilterField::FIXED.map(|field| field.to_string());
                let reason = unknown(name, &fixed);
                let fixed = fixed.join(", ");
                Err(format!(
                    "{reason}; products can be filtered by {fixed}, attributes.<group> and features.<group>"
                ))
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

fn unknown_field(name: &str, mut fields: Vec<FilterFieldUse>) -> String {
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
    let named: Vec<String> = named.collect();
    let more = match left_out {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    let named = named.join(", ");
    format!("{reason}; the products of this store can be filtered by {named}{more}")
}

/// Returns the reason for an unknown name, with the nearest of `names`.
fn unknown(name: &str, names: &[String]) -> String {
    match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("is not a known field; did you mean \"{near}\"?"),
        None => "is not a known field".to_owned(),
    }
}
