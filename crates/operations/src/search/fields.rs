//! The fields by which a store's products can be filtered: those that the products have.

use domain::nearest::nearest;
use domain::search::FilterField;
use domain::visitor::Visitor;
use engine::{FilterFieldUse, Snapshot};

/// Most field names in an error message, the most frequent first; a store may have thousands.
const NAMES_MAX: usize = 40;

/// Returns the field called `name`, if a product of `index` that `visitor` may see has it. A field that only other
/// products have is unknown.
///
/// Without any product, every possible field is accepted: it matches nothing, like any filter then.
///
/// Errors: the reason, with the nearest name and the available fields.
pub(crate) fn admit(
    name: &str,
    index: Option<&dyn Snapshot>,
    visitor: &Visitor,
) -> Result<FilterField, String> {
    let index = index.filter(|index| index.facts().documents > 0);
    match (FilterField::parse(name), index) {
        (Some(field), None) => Ok(field),
        (Some(field), Some(index)) if index.carries(&field, visitor) => Ok(field),
        (_, Some(index)) => Err(unknown_field(name, index.filter_fields(visitor))),
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
