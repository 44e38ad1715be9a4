//! The actions of rules: one key of `actions` for each type.

use super::RuleType;
use super::address::check_address;
use super::boost::{BoostEntry, BoostInput};
use crate::invalid::Invalid;
use crate::limits::{
    DOCUMENT_ID_CHARACTERS_MAX, FILTER_VALUES_MAX, FILTERS_MAX, RULE_BOOSTS_MAX, RULE_PRODUCTS_MAX,
    URL_CHARACTERS_MAX, VALUE_CHARACTERS_MAX,
};
use crate::published_schema;
use crate::search::{FilterChoice, FilterField, FilterKind, FilterValue, RangeValue};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

/// The checked actions of a rule. In JSON it is an object with the key of its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Actions {
    /// Multiplies scores.
    Boost(Vec<BoostEntry>),
    /// Ids of products for the first positions, in order.
    Pin(Vec<String>),
    /// Ids of products to hide.
    Hide(Vec<String>),
    /// URL that the shopper is redirected to.
    Redirect(String),
    /// A picture.
    Banner(Banner),
    /// Filters of the results, by field.
    Filter(#[schemars(with = "RuleFilters")] BTreeMap<String, FilterValue>),
}

/// Gives the schema of the filters of a rule a name, because some client generators need one.
enum RuleFilters {}

impl JsonSchema for RuleFilters {
    fn schema_name() -> Cow<'static, str> {
        "RuleFilters".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, FilterValue>::json_schema(generator)
    }
}

/// A picture that is shown with the results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Banner {
    /// URL of the picture.
    #[schemars(length(min = 1, max = URL_CHARACTERS_MAX), extend("x-published" = published_schema::address()))]
    pub image_url: String,
    /// URL that it links to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = URL_CHARACTERS_MAX), extend("x-published" = published_schema::address()))]
    pub link: Option<String>,
    /// Its position; `top` if left out.
    #[serde(default)]
    pub position: BannerPosition,
}

/// The position of a banner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BannerPosition {
    /// Above the results.
    #[default]
    Top,
    /// Below the results.
    Bottom,
}

/// `actions` as sent: exactly the key of the rule's type.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActionsInput {
    /// Of a BOOST rule: the multipliers of scores.
    #[serde(default)]
    #[schemars(with = "Vec<BoostInput>", length(min = 1, max = RULE_BOOSTS_MAX))]
    pub boost: Option<Vec<BoostInput>>,
    /// Of a PIN rule: ids of products for the first positions.
    #[serde(default)]
    #[schemars(
        with = "Vec<String>",
        length(min = 1, max = RULE_PRODUCTS_MAX),
        inner(length(min = 1, max = DOCUMENT_ID_CHARACTERS_MAX)),
        extend("x-published" = published_schema::ids())
    )]
    pub pin: Option<Vec<String>>,
    /// Of a HIDE rule: ids of products to hide.
    #[serde(default)]
    #[schemars(
        with = "Vec<String>",
        length(min = 1, max = RULE_PRODUCTS_MAX),
        inner(length(min = 1, max = DOCUMENT_ID_CHARACTERS_MAX)),
        extend("x-published" = published_schema::ids())
    )]
    pub hide: Option<Vec<String>>,
    /// Of a REDIRECT rule: an http or https URL, or a path that starts with one slash.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = URL_CHARACTERS_MAX), extend("x-published" = published_schema::address()))]
    pub redirect: Option<String>,
    /// Of a BANNER rule: a picture.
    #[serde(default)]
    #[schemars(with = "Banner")]
    pub banner: Option<Banner>,
    /// Of a FILTER rule: a value or values by field.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, FilterInput>", extend("minProperties" = 1, "maxProperties" = FILTERS_MAX, "x-published" = published_schema::filters_of_rule()))]
    pub filter: Option<BTreeMap<String, FilterInput>>,
}

/// The values of one field of a FILTER rule.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FilterInput {
    /// One id or text.
    One(#[schemars(length(min = 1, max = VALUE_CHARACTERS_MAX))] String),
    /// A flag.
    Flag(bool),
    /// Several ids or texts: any of them.
    Any(
        #[schemars(length(min = 1, max = FILTER_VALUES_MAX), inner(length(min = 1, max = VALUE_CHARACTERS_MAX)))]
         Vec<String>,
    ),
    /// A range, its ends included.
    Range(RangeValue),
}

impl ActionsInput {
    /// Checks the actions of a rule of type `kind`; returns `None` and adds to `errors` if they are invalid.
    pub(super) fn check(self, kind: RuleType, errors: &mut Vec<Invalid>) -> Option<Actions> {
        self.check_parts(kind, errors);
        match kind {
            RuleType::Boost => boosts(self.boost?, errors).map(Actions::Boost),
            RuleType::Pin => products("pin", self.pin?, errors).map(Actions::Pin),
            RuleType::Hide => products("hide", self.hide?, errors).map(Actions::Hide),
            RuleType::Redirect => {
                let address = self.redirect?;
                address_at("redirect", &address, errors).then_some(Actions::Redirect(address))
            }
            RuleType::Banner => {
                let banner = self.banner?;
                let image = address_at("banner.imageUrl", &banner.image_url, errors);
                let link = banner.link.as_deref();
                let link = link.is_none_or(|link| address_at("banner.link", link, errors));
                (image && link).then_some(Actions::Banner(banner))
            }
            RuleType::Filter => filters(self.filter?, errors).map(Actions::Filter),
        }
    }

    /// Checks that the key of `kind` is there, and no other.
    fn check_parts(&self, kind: RuleType, errors: &mut Vec<Invalid>) {
        let given = [
            self.boost.is_some(),
            self.pin.is_some(),
            self.hide.is_some(),
            self.redirect.is_some(),
            self.banner.is_some(),
            self.filter.is_some(),
        ];
        for (part, given) in RuleType::ALL.into_iter().zip(given) {
            let reason = match (part == kind, given) {
                (true, false) => format!("is required for a rule of type {}", kind.as_str()),
                (false, true) => format!("does not belong to a rule of type {}", kind.as_str()),
                _ => continue,
            };
            errors.push(Invalid::new(format!("actions.{}", part.part()), reason));
        }
    }
}

fn boosts(entries: Vec<BoostInput>, errors: &mut Vec<Invalid>) -> Option<Vec<BoostEntry>> {
    count_at("boost", entries.len(), RULE_BOOSTS_MAX, errors)?;
    let known = errors.len();
    let mut checked = Vec::with_capacity(entries.len());
    for (at, entry) in entries.into_iter().enumerate() {
        let mut own = Vec::new();
        checked.extend(entry.check(&mut own));
        errors.extend(
            own.into_iter()
                .map(|one| one.under(&format!("actions.boost[{at}]"))),
        );
    }
    (errors.len() == known).then_some(checked)
}

fn products(part: &str, ids: Vec<String>, errors: &mut Vec<Invalid>) -> Option<Vec<String>> {
    count_at(part, ids.len(), RULE_PRODUCTS_MAX, errors)?;
    let known = errors.len();
    let mut seen = HashSet::new();
    for (at, id) in ids.iter().enumerate() {
        let characters = id.chars().count();
        let reason = if id.trim().is_empty() {
            "must not be empty".to_owned()
        } else if characters > DOCUMENT_ID_CHARACTERS_MAX {
            format!("must have at most {DOCUMENT_ID_CHARACTERS_MAX} characters, got {characters}")
        } else if !seen.insert(id) {
            "is given twice".to_owned()
        } else {
            continue;
        };
        errors.push(Invalid::new(format!("actions.{part}[{at}]"), reason));
    }
    (errors.len() == known).then_some(ids)
}

fn filters(
    fields: BTreeMap<String, FilterInput>,
    errors: &mut Vec<Invalid>,
) -> Option<BTreeMap<String, FilterValue>> {
    count_at("filter", fields.len(), FILTERS_MAX, errors)?;
    let known = errors.len();
    let mut checked = BTreeMap::new();
    for (name, value) in fields {
        match filter(&name, value) {
            Ok(value) => {
                checked.insert(name, value);
            }
            Err(reason) => errors.push(Invalid::new(format!("actions.filter.{name}"), reason)),
        }
    }
    (errors.len() == known).then_some(checked)
}

/// Checks a filter of the field `name` and converts it to the form that is stored.
fn filter(name: &str, value: FilterInput) -> Result<FilterValue, String> {
    let field = FilterField::parse(name).ok_or_else(FilterField::expected)?;
    let value = match value {
        FilterInput::One(only) => FilterValue::Any(vec![only]),
        FilterInput::Flag(flag) if field.kind() == FilterKind::Flag => {
            FilterValue::Any(vec![flag.to_string()])
        }
        FilterInput::Flag(_) => return Err("must be text or a list of texts".to_owned()),
        FilterInput::Any(values) => FilterValue::Any(values),
        FilterInput::Range(range) => FilterValue::Range(range),
    };
    let characters = |value: &String| (1..=VALUE_CHARACTERS_MAX).contains(&value.chars().count());
    if let FilterValue::Any(values) = &value
        && !values.iter().all(characters)
    {
        return Err(format!(
            "must name values of 1 to {VALUE_CHARACTERS_MAX} characters"
        ));
    }
    FilterChoice::new(field, value.clone()).map(|_| value)
}

fn count_at(part: &str, count: usize, max: usize, errors: &mut Vec<Invalid>) -> Option<()> {
    if (1..=max).contains(&count) {
        return Some(());
    }
    let reason = format!("must have between 1 and {max} items, got {count}");
    errors.push(Invalid::new(format!("actions.{part}"), reason));
    None
}

fn address_at(path: &str, address: &str, errors: &mut Vec<Invalid>) -> bool {
    let checked = check_address(address);
    let good = checked.is_ok();
    errors.extend(
        checked
            .err()
            .map(|reason| Invalid::new(format!("actions.{path}"), reason)),
    );
    good
}
