//! Compares the facets of an answer with the counts of the reference.

use super::answer::{Answer, Value};
use super::compare::{Compared, same};
use domain::search::{Choice, FilterField, FilterKind};
use engine::{Facet, Found, Request};
use std::collections::BTreeMap;

pub fn compare_facets(found: &Found, answer: &Answer, request: &Request) -> Compared {
    if !request.facets {
        return same("facets", &found.facets.len(), &0);
    }
    let shown: Vec<&FilterField> = found.facets.iter().map(|facet| &facet.field).collect();
    let expected = shown_fields(answer, request);
    same("fields of facets", &shown, &expected.iter().collect())?;
    for facet in &found.facets {
        let field = &facet.field;
        let compared = match field.kind() {
            FilterKind::Range => same("range", &facet.range, &answer.ranges.get(field).copied()),
            FilterKind::Flag | FilterKind::Values => compare_values(facet, answer, request),
        };
        compared.map_err(|difference| format!("{field}: {difference}"))?;
    }
    Ok(())
}

/// The fields whose facets are shown, in their order.
fn shown_fields(answer: &Answer, request: &Request) -> Vec<FilterField> {
    let chosen: Vec<&FilterField> = request.choices.iter().map(Choice::field).collect();
    let has_values = |field: &FilterField| {
        let chosen = chosen.contains(&field);
        match field {
            FilterField::Discount => {
                let discounted = ("true".to_owned(), "true".to_owned());
                let counted = answer.counts.get(field);
                chosen || counted.is_some_and(|counted| counted.contains_key(&discounted))
            }
            FilterField::Supplier | FilterField::Tags => chosen,
            FilterField::FeatureNum => chosen && answer.ranges.contains_key(field),
            field if field.kind() == FilterKind::Range => answer.ranges.contains_key(field),
            field => chosen || answer.counts.contains_key(field),
        }
    };
    let fixed = FilterField::FIXED.into_iter().filter(has_values);
    let groups = answer.carriers.iter().filter(|(field, _)| field.is_group());
    let mut groups: Vec<(&FilterField, &u64)> = groups.collect();
    groups.sort_by(|(a, few), (b, many)| many.cmp(few).then(a.cmp(b)));
    let groups = groups.into_iter().take(15).map(|(field, _)| field.clone());
    let mut shown: Vec<FilterField> = fixed.chain(groups).collect();
    for field in chosen {
        if field.is_group() && !shown.contains(field) {
            shown.push(field.clone());
        }
    }
    shown
}

fn compare_values(facet: &Facet, answer: &Answer, request: &Request) -> Compared {
    let counts = facet.values.iter().map(|value| value.count);
    let falling = counts.clone().zip(counts.skip(1)).all(|(a, b)| a >= b);
    // The two states of a flag keep their order.
    let ordered = falling || facet.field.kind() == FilterKind::Flag;
    same("falling counts", &ordered, &true)?;
    let mut counted: BTreeMap<Value, u64> = BTreeMap::new();
    for value in &facet.values {
        // What was chosen is shown even where it counts nothing.
        same("shown", &(value.count > 0 || value.selected), &true)?;
        if value.count > 0 {
            counted.insert((value.id.to_string(), value.label.to_string()), value.count);
        }
    }
    let expected = answer.counts.get(&facet.field).cloned().unwrap_or_default();
    same("counts", &counted, &expected)?;
    for choice in &request.choices {
        if let Choice::Any(field, wanted) = choice
            && *field == facet.field
        {
            let selected = |text: &String| {
                let mut values = facet.values.iter().filter(|value| value.selected);
                values.any(|value| *value.id == **text || *value.label == **text)
            };
            same("selected", &wanted.iter().all(selected), &true)?;
        }
    }
    Ok(())
}
