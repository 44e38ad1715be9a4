//! Compares the facets of a result with the counts of the reference.

use super::compare::{Compared, same};
use super::expected::{Expected, Value, group_of};
use domain::search::{FilterChoice, FilterField, FilterKind};
use domain::visitor::DocumentAccess;
use engine::{Facet, FacetRequest, Request, SearchResult};
use std::collections::{BTreeMap, BTreeSet};

pub fn compare_facets(found: &SearchResult, expected: &Expected, request: &Request) -> Compared {
    if !request.facets {
        return same("facets", &found.facets.len(), &0);
    }
    if let Some(wishes) = &request.facet_requests {
        return compare_requested(found, expected, request, wishes);
    }
    let shown: Vec<&FilterField> = found.facets.iter().map(|facet| &facet.field).collect();
    let wanted = shown_fields(expected, request);
    same("fields of facets", &shown, &wanted.iter().collect())?;
    for facet in &found.facets {
        let field = &facet.field;
        let compared = match field.kind() {
            FilterKind::Range => same("range", &facet.range, &expected.ranges.get(field).copied()),
            FilterKind::Flag | FilterKind::Values => compare_values(facet, expected, request),
        };
        compared.map_err(|difference| format!("{field}: {difference}"))?;
    }
    Ok(())
}

/// Compares requested facets: those with any value are returned, in the requested order.
fn compare_requested(
    found: &SearchResult,
    expected: &Expected,
    request: &Request,
    wishes: &[FacetRequest],
) -> Compared {
    let mut facets = found.facets.iter().peekable();
    for wish in wishes {
        let field = &wish.field;
        let facet = facets.next_if(|facet| facet.field == *field);
        let compared = match (field.kind(), facet) {
            (FilterKind::Range, facet) => {
                let range = facet.and_then(|facet| facet.range);
                same("range", &range, &expected.ranges.get(field).copied())
            }
            (FilterKind::Flag, None) => Ok(()),
            (FilterKind::Flag, Some(facet)) => compare_values(facet, expected, request),
            (FilterKind::Values, facet) => compare_grouped(wish, facet, expected, request),
        };
        compared.map_err(|difference| format!("wish of {field}: {difference}"))?;
    }
    same("facets without a wish", &facets.count(), &0)
}

fn compare_grouped(
    wish: &FacetRequest,
    facet: Option<&Facet>,
    expected: &Expected,
    request: &Request,
) -> Compared {
    let none = vec![0; wish.groups.len()];
    let groups = expected.groups.get(&wish.field).unwrap_or(&none);
    let shown = facet
        .map(|facet| facet.groups.as_slice())
        .unwrap_or_default();
    let shown: Vec<u64> = shown.iter().map(|group| group.count).collect();
    same("groups", &shown, groups)?;
    let chosen = |(id, text): &Value| {
        let own = request
            .choices
            .iter()
            .filter(|choice| *choice.field() == wish.field);
        own.into_iter().any(|choice| {
            matches!(choice, FilterChoice::Any(_, values) if values.contains(id) || values.contains(text))
        })
    };
    let counts = expected.counts.get(&wish.field).into_iter().flatten();
    let wanted: BTreeMap<&Value, u64> = counts
        .filter(|(value, _)| group_of(wish, value).is_none() || chosen(value))
        .map(|(value, count)| (value, *count))
        .collect();
    let values = facet
        .map(|facet| facet.values.as_slice())
        .unwrap_or_default();
    let counted: Vec<(Value, u64)> = values
        .iter()
        .filter(|value| value.count > 0)
        .map(|value| ((value.id.to_string(), value.label.to_string()), value.count))
        .collect();
    let counted: BTreeMap<&Value, u64> = counted
        .iter()
        .map(|(value, count)| (value, *count))
        .collect();
    same("values beside groups", &counted, &wanted)?;
    facet.map_or(Ok(()), |facet| compare_selected(facet, expected, request))?;
    for (group, members) in facet
        .iter()
        .flat_map(|facet| facet.groups.iter().zip(&wish.groups))
    {
        let carried = expected.carried.get(&wish.field).into_iter().flatten();
        let mut labels =
            carried.filter(|(id, text)| members.contains(id) || members.contains(text));
        let unlimited = request.visitor.access == DocumentAccess::Unrestricted || !expected.hides;
        let told = |label: &str| unlimited || labels.any(|(_, text)| *text == *label);
        same(
            "label of a group",
            &group.label.as_deref().is_none_or(told),
            &true,
        )?;
    }
    let carried = expected.carried.get(&wish.field).into_iter().flatten();
    let empty: BTreeSet<Value> = carried
        .filter(|value| wish.include_empty && group_of(wish, value).is_none())
        .filter(|value| !wanted.contains_key(value) && !chosen(value))
        .cloned()
        .collect();
    let shown: BTreeSet<Value> = values
        .iter()
        .filter(|value| value.count == 0 && !value.selected)
        .map(|value| (value.id.to_string(), value.label.to_string()))
        .collect();
    same("values without a product", &shown, &empty)
}

/// A selected value without products has its label only if a visible product has the value; else the request is echoed.
fn compare_selected(facet: &Facet, expected: &Expected, request: &Request) -> Compared {
    let carried = expected.carried.get(&facet.field);
    let uncounted = facet
        .values
        .iter()
        .filter(|value| value.count == 0 && value.selected);
    for value in uncounted {
        let own = (value.id.to_string(), value.label.to_string());
        let named = carried.is_some_and(|carried| carried.contains(&own));
        let sent = request.choices.iter().any(|choice| {
            matches!(choice, FilterChoice::Any(field, sent) if *field == facet.field && sent.contains(&own.0))
        });
        let told = named || (sent && own.0 == own.1) || facet.field.kind() == FilterKind::Flag;
        same(
            "selected value that may be told",
            &(told, &own),
            &(true, &own),
        )?;
    }
    Ok(())
}

/// The fields whose facets are returned, in order.
fn shown_fields(expected: &Expected, request: &Request) -> Vec<FilterField> {
    let chosen: Vec<&FilterField> = request.choices.iter().map(FilterChoice::field).collect();
    let has_values = |field: &FilterField| {
        let chosen = chosen.contains(&field);
        match field {
            FilterField::Discount => {
                let discounted = ("true".to_owned(), "true".to_owned());
                let counted = expected.counts.get(field);
                chosen || counted.is_some_and(|counted| counted.contains_key(&discounted))
            }
            FilterField::Supplier | FilterField::Tags => chosen,
            FilterField::FeatureNum => chosen && expected.ranges.contains_key(field),
            field if field.kind() == FilterKind::Range => expected.ranges.contains_key(field),
            field => chosen || expected.counts.contains_key(field),
        }
    };
    let fixed = FilterField::FIXED.into_iter().filter(has_values);
    let groups = expected
        .carriers
        .iter()
        .filter(|(field, _)| field.is_group());
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

fn compare_values(facet: &Facet, expected: &Expected, request: &Request) -> Compared {
    let counts = facet.values.iter().map(|value| value.count);
    let falling = counts.clone().zip(counts.skip(1)).all(|(a, b)| a >= b);
    // The two states of a flag keep their order.
    let ordered = falling || facet.field.kind() == FilterKind::Flag;
    same("falling counts", &ordered, &true)?;
    let mut counted: BTreeMap<Value, u64> = BTreeMap::new();
    for value in &facet.values {
        // A selected value is returned even if its count is 0.
        same("shown", &(value.count > 0 || value.selected), &true)?;
        if value.count > 0 {
            counted.insert((value.id.to_string(), value.label.to_string()), value.count);
        }
    }
    compare_selected(facet, expected, request)?;
    let wanted = expected
        .counts
        .get(&facet.field)
        .cloned()
        .unwrap_or_default();
    same("counts", &counted, &wanted)?;
    for choice in &request.choices {
        if let FilterChoice::Any(field, wanted) = choice
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
