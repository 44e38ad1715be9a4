//! Checks `defaultSearch`, what the widget shows before anything is typed. Keys that it does not know are kept.

use crate::first_characters;
use crate::form::check_query;
use crate::invalid::Invalid;
use crate::limits::SHOWN_CHARACTERS_MAX;
use crate::limits::{
    DEFAULT_SEARCH_LIMIT_MAX, FILTERS_MAX, VALUE_CHARACTERS_MAX, WIDGET_BYTES_MAX,
};
use crate::message::{self, Message};
use crate::search::{FilterChoice, FilterField, FilterValue, Sort};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Returns whether saved values are a search that the widget can make.
pub(super) fn fits(search: &Map<String, Value>) -> bool {
    checked(search.clone()).is_ok()
}

/// Checks a search and converts its limit to canonical form (`12.0` becomes `12`).
///
/// Errors: every invalid value, by its path.
pub(super) fn checked(mut search: Map<String, Value>) -> Result<Map<String, Value>, Vec<Invalid>> {
    let mut errors = Vec::new();
    let bytes = json!(search).to_string().len();
    if bytes > WIDGET_BYTES_MAX {
        let reason = message::text::bytes_at_most(WIDGET_BYTES_MAX, bytes);
        return Err(vec![Invalid::new("defaultSearch", reason)]);
    }
    for (name, value) in &mut search {
        let checked = match name.as_str() {
            "q" => query(value),
            "sort" => sort(value),
            "limit" => limit(value),
            "filters" => {
                errors.extend(filters(value));
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(reason) = checked {
            errors.push(Invalid::new(format!("defaultSearch.{name}"), reason));
        }
    }
    if errors.is_empty() {
        Ok(search)
    } else {
        Err(errors)
    }
}

fn query(value: &Value) -> Result<(), Message> {
    let Some(text) = value.as_str() else {
        return Err(message::value::must_be(message::kind::text()));
    };
    check_query(text)
}

fn sort(value: &Value) -> Result<(), Message> {
    match value.as_str().and_then(Sort::parse) {
        Some(_) => Ok(()),
        None => {
            let names = message::list(Sort::ALL.map(Sort::as_str));
            Err(message::value::one_of_got(names, shown(value)))
        }
    }
}

fn limit(value: &mut Value) -> Result<(), Message> {
    let bounds = 1.0..=f64::from(DEFAULT_SEARCH_LIMIT_MAX);
    match value.as_f64() {
        Some(limit) if limit.fract() == 0.0 && bounds.contains(&limit) => {
            *value = json!(limit as u32);
            Ok(())
        }
        _ => Err(message::number::whole_between(
            1,
            DEFAULT_SEARCH_LIMIT_MAX,
            shown(value),
        )),
    }
}

/// Returns the errors of all filters.
fn filters(value: &Value) -> Vec<Invalid> {
    let path = "defaultSearch.filters";
    let Some(filters) = value.as_object() else {
        return vec![Invalid::new(
            path,
            message::value::must_be(message::kind::object()),
        )];
    };
    if filters.len() > FILTERS_MAX {
        let got = filters.len();
        let reason = message::list::fields_at_most(FILTERS_MAX, got);
        return vec![Invalid::new(path, reason)];
    }
    let wrong = filters.iter().filter_map(|(name, value)| {
        let reason = filter(name, value).err()?;
        let name = first_characters(name, SHOWN_CHARACTERS_MAX);
        Some(Invalid::new(format!("{path}.{name}"), reason))
    });
    wrong.collect()
}

fn filter(name: &str, value: &Value) -> Result<(), Message> {
    let field = FilterField::parse(name).ok_or_else(FilterField::expected)?;
    let value = FilterValue::deserialize(value).map_err(|_| message::filter::texts_or_range())?;
    if let FilterValue::Any(values) = &value
        && let Some(long) = values
            .iter()
            .map(|value| value.chars().count())
            .find(|characters| !(1..=VALUE_CHARACTERS_MAX).contains(characters))
    {
        return Err(message::text::each_between(1, VALUE_CHARACTERS_MAX, long));
    }
    FilterChoice::new(field, value).map(|_| ())
}

/// Returns the start of a value, for an error.
fn shown(value: &Value) -> String {
    first_characters(&value.to_string(), SHOWN_CHARACTERS_MAX).to_owned()
}
