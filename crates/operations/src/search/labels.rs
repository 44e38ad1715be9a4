//! Names of the facets in the shopper's language: Spanish, else English.

use super::answer::{FacetValueView, FacetView};
use domain::Language;
use domain::search::FilterField;
use engine::Facet;

/// The facets with their names.
pub(super) fn facets(facets: &[Facet], language: &Language) -> Vec<FacetView> {
    facets.iter().map(|facet| view(facet, language)).collect()
}

fn view(facet: &Facet, language: &Language) -> FacetView {
    let kind = match facet.field {
        FilterField::Price => "range",
        FilterField::InStock => "boolean",
        FilterField::Manufacturer | FilterField::Categories => "list",
    };
    let values = facet.values.iter().map(|value| FacetValueView {
        id: value.id.clone(),
        label: match facet.field {
            FilterField::InStock => stock(&value.id, language).to_owned(),
            _ => value.label.clone(),
        },
        count: value.count,
        selected: value.selected,
    });
    FacetView {
        field: facet.field.as_str(),
        label: label(facet.field, language),
        kind,
        values: facet.range.is_none().then(|| values.collect()),
        min: facet.range.map(|(min, _)| min),
        max: facet.range.map(|(_, max)| max),
    }
}

fn label(field: FilterField, language: &Language) -> &'static str {
    let (english, spanish) = match field {
        FilterField::Price => ("Price", "Precio"),
        FilterField::Manufacturer => ("Brand", "Marca"),
        FilterField::Categories => ("Category", "Categoría"),
        FilterField::InStock => ("Availability", "Disponibilidad"),
    };
    if language.base() == "es" {
        spanish
    } else {
        english
    }
}

fn stock(state: &str, language: &Language) -> &'static str {
    match (state, language.base()) {
        ("true", "es") => "En stock",
        ("true", _) => "In stock",
        (_, "es") => "Sin stock",
        _ => "Out of stock",
    }
}
