//! Labels of facets: groups are called as in the shop, fixed fields in Spanish or English by the shopper's language.

use crate::responses::{FacetValueView, FacetView};
use domain::Language;
use domain::search::{FilterField, FilterKind};
use engine::{Facet, FacetValue};

/// Returns the facets with their labels.
pub(super) fn facets(facets: &[Facet], language: &Language) -> Vec<FacetView> {
    facets.iter().map(|facet| view(facet, language)).collect()
}

/// Returns one facet with its labels.
pub(super) fn view(facet: &Facet, language: &Language) -> FacetView {
    let kind = match facet.field.kind() {
        FilterKind::Range => "range",
        FilterKind::Flag => "boolean",
        FilterKind::Values => "list",
    };
    let values = facet.values.iter().map(|value| FacetValueView {
        id: value.id.to_string(),
        label: value_label(&facet.field, value, language),
        count: value.count,
        selected: value.selected,
    });
    FacetView {
        field: facet.field.to_string(),
        label: label(facet, language),
        kind,
        values: facet.range.is_none().then(|| values.collect()),
        min: facet.range.map(|(min, _)| min),
        max: facet.range.map(|(_, max)| max),
    }
}

fn label(facet: &Facet, language: &Language) -> String {
    let (english, spanish) = match &facet.field {
        FilterField::Price => ("Price", "Precio"),
        FilterField::Manufacturer => ("Brand", "Marca"),
        FilterField::Categories => ("Category", "Categoría"),
        FilterField::InStock => ("Availability", "Disponibilidad"),
        FilterField::Rating => ("Rating", "Valoración"),
        FilterField::Discount => ("Offers", "Ofertas"),
        FilterField::Supplier => ("Supplier", "Proveedor"),
        FilterField::Tags => ("Tags", "Etiquetas"),
        FilterField::FeatureNum => ("Value", "Valor"),
        FilterField::Attributes(group) | FilterField::Features(group) => {
            let named = Some(&facet.group).filter(|name| !name.is_empty());
            return named.unwrap_or(group).clone();
        }
    };
    in_language(language, english, spanish).to_owned()
}

/// Returns the label of one value.
pub(crate) fn value_label(field: &FilterField, value: &FacetValue, language: &Language) -> String {
    let (english, spanish) = match (field, &*value.id) {
        (FilterField::InStock, "true") => ("In stock", "En stock"),
        (FilterField::InStock, _) => ("Out of stock", "Sin stock"),
        (FilterField::Discount, "true") => ("With discount", "Con descuento"),
        (FilterField::Discount, _) => ("Without discount", "Sin descuento"),
        _ => return value.label.to_string(),
    };
    in_language(language, english, spanish).to_owned()
}

fn in_language<'a>(language: &Language, english: &'a str, spanish: &'a str) -> &'a str {
    if language.base() == "es" {
        spanish
    } else {
        english
    }
}
