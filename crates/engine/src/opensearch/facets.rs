//! Counts what facets show. Which facets, values and in which order is decided by `facet_policy`.
//!
//! Each field is counted under the filters of all others, by aggregations beside the query.

use super::facet_values::{FieldValues, NO_VALUES, values_shown};
use super::fields::{self, pair, value_prefix};
use super::filters::{FilterQueries, flag, number};
use super::prices::VisitorPrices;
use super::queries::{any, buckets, every, object, prefix, starting_with};
use super::search::Searcher;
use crate::facet_policy::{CountedField, CountedValue, FacetPolicy};
use crate::search_result::{Facet, FacetGroup};
use crate::{EngineError, FacetRequest, Request};
use domain::search::{FilterChoice, FilterField, FilterKind};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Values of one field, and fields of one index, that are read.
const BUCKETS_MAX: usize = 10_000;

/// What facets are counted of.
pub struct FacetCounter<'a> {
    /// The index.
    pub searcher: &'a Searcher,
    /// The request.
    pub request: &'a Request,
    /// Its filters.
    pub filters: &'a FilterQueries<'a>,
    /// The prices of the visitor.
    pub prices: &'a VisitorPrices,
    /// The documents that the visitor may see.
    pub visible: Value,
    /// The query, with the number of hits that is needed for scores to be computed.
    pub body: Value,
}

impl FacetCounter<'_> {
    /// Returns the request that comes before the values are counted: for the fields of automatic facets, or for values that
    /// are shown without a document that matches; none if there is nothing to know.
    pub fn first(&self) -> Option<Value> {
        match &self.request.facet_requests {
            Some(requested) => self.aggregating(&self.of_visible(), self.shown(requested)),
            None => self.aggregating(&self.body, self.fields()),
        }
    }

    /// Returns the facets of the request, from the response to [`FacetCounter::first`].
    pub fn facets(&self, first: Option<Value>) -> Result<Vec<Facet>, EngineError> {
        let policy = FacetPolicy::new(self.request);
        let first = first.map_or(Value::Null, |mut found| found["aggregations"].take());
        let requested = match &self.request.facet_requests {
            Some(requested) => requested.to_vec(),
            None => self.automatic(&policy, &first),
        };
        if requested.is_empty() {
            return Ok(Vec::new());
        }
        let is_known = self.request.facet_requests.is_some();
        let (shown, counted) = match is_known {
            true => {
                let shown = values_shown(&requested, &first);
                let counts = self.counts(&requested, &shown);
                let counted = self.aggregating(&self.body, counts);
                let mut found = self.searcher.search_all(counted.as_slice())?;
                (shown, found.pop())
            }
            false => {
                // Automatic facets have no groups, so that their counts do not depend on what is shown.
                let counts = self.counts(&requested, &[]);
                let shown = self.aggregating(&self.of_visible(), self.shown(&requested));
                let counted = self.aggregating(&self.body, counts);
                let has_shown = shown.is_some();
                let bodies: Vec<Value> = shown.into_iter().chain(counted).collect();
                let mut found = self.searcher.search_all(&bodies)?.into_iter();
                let shown = has_shown.then(|| found.next()).flatten();
                let shown = shown.map_or(Value::Null, |mut found| found["aggregations"].take());
                (values_shown(&requested, &shown), found.next_back())
            }
        };
        let counted = counted.unwrap_or_default();
        let counted = &counted["aggregations"];
        let values = self.values(&requested, counted)?;
        let facets = requested
            .iter()
            .zip(values.into_iter().zip(shown))
            .enumerate();
        let facets = facets
            .map(|(at, (own, values))| self.facet(&policy, own, &counted[at.to_string()], values));
        Ok(facets.flatten().collect())
    }

    /// Returns the values that are counted, those without a name by what other documents call them.
    fn values(
        &self,
        requested: &[FacetRequest],
        counted: &Value,
    ) -> Result<Vec<FieldValues>, EngineError> {
        let counted = requested.iter().enumerate().map(|(at, own)| {
            let mut values = FieldValues::default();
            values.add(&own.field, &counted[at.to_string()], true);
            values
        });
        let mut counted: Vec<FieldValues> = counted.collect();
        let (mut nameless, mut of_fields) = (Vec::new(), Map::new());
        for (at, (own, values)) in requested.iter().zip(&counted).enumerate() {
            let before = nameless.len();
            let name = own.field.to_string();
            nameless.extend(values.nameless().map(|id| pair(&name, id)));
            if nameless.len() > before {
                of_fields.insert(at.to_string(), values_of(&own.field));
            }
        }
        // Only a value whose label is not its id is in this field.
        let named = json!({"size": 0, "query": {"terms": {fields::VALUE_IDS: nameless}}});
        let Some(request) = self.aggregating(&named, of_fields) else {
            return Ok(counted);
        };
        let found = self
            .searcher
            .search_all(&[request])?
            .pop()
            .unwrap_or_default();
        for (at, (own, values)) in requested.iter().zip(&mut counted).enumerate() {
            let mut others = FieldValues::default();
            let found = json!({"values": found["aggregations"][at.to_string()]});
            others.add(&own.field, &found, false);
            values.name(&others);
        }
        Ok(counted)
    }

    fn of_visible(&self) -> Value {
        json!({"size": 0, "query": self.visible})
    }

    /// The filters by a field of a group, whose own filter its count ignores.
    fn chosen(&self) -> impl Iterator<Item = &FilterField> {
        let choices = self.request.choices.iter().map(FilterChoice::field);
        choices.filter(|field| field.is_group())
    }

    /// What the fields of automatic facets depend on.
    fn fields(&self) -> Map<String, Value> {
        let terms = json!({"terms": {"field": fields::CARRIED, "size": BUCKETS_MAX}});
        let mut all = Map::new();
        let mut put = |name: String, filter: Value| {
            let terms = object([("fields", terms.clone())]);
            all.insert(name, object([("filter", filter), ("aggs", terms)]));
        };
        put("all".to_owned(), self.others(None));
        for (at, field) in self.chosen().enumerate() {
            put(at.to_string(), self.others(Some(field)));
        }
        all
    }

    /// Returns the automatic facets.
    fn automatic(&self, policy: &FacetPolicy<'_>, found: &Value) -> Vec<FacetRequest> {
        let mut carried: BTreeMap<FilterField, u32> = BTreeMap::new();
        for (name, documents) in buckets(&found["all"]["fields"]) {
            if let Some(field) = FilterField::parse(name) {
                carried.insert(field, documents as u32);
            }
        }
        for (at, field) in self.chosen().enumerate() {
            let name = field.to_string();
            let own = buckets(&found[at.to_string()]["fields"]).find(|(own, _)| *own == name);
            carried.insert(
                field.clone(),
                own.map_or(0, |(_, documents)| documents as u32),
            );
        }
        let groups = policy.groups(carried.iter().map(|(field, documents)| (*documents, field)));
        let fields = policy.fixed_fields().into_iter().chain(groups);
        let of = fields.map(|field| FacetRequest {
            field,
            groups: Vec::new(),
            include_empty: false,
        });
        of.collect()
    }

    /// Documents that meet all filters but that of `field`.
    fn others(&self, field: Option<&FilterField>) -> Value {
        let choices = self.request.choices.iter();
        let others = choices.filter(|choice| Some(choice.field()) != field);
        every(others.map(|choice| self.filters.choice(choice)).collect())
    }

    /// What is counted of the documents that match.
    fn counts(&self, requested: &[FacetRequest], shown: &[FieldValues]) -> Map<String, Value> {
        let mut all = Map::new();
        for (at, own) in requested.iter().enumerate() {
            let field = &own.field;
            let mut counts = match field.kind() {
                FilterKind::Values => {
                    object([("values", values_of(field)), ("groups", groups_of(field))])
                }
                FilterKind::Flag => {
                    let states = [false, true].map(|state| flag(field, state, self.prices));
                    json!({"states": {"filters": {"filters": states}}})
                }
                FilterKind::Range if *field == FilterField::Price => self.prices.bounds(),
                FilterKind::Range => {
                    let own = number(field);
                    json!({"min": {"min": {"field": own}}, "max": {"max": {"field": own}}})
                }
            };
            if !own.groups.is_empty() && field.kind() == FilterKind::Values {
                let shown = shown.get(at).unwrap_or(&NO_VALUES);
                let members = self.members(own, shown).into_iter().map(|ids| {
                    let values = ids.into_iter().map(|id| value_of(field, id));
                    any(values.collect())
                });
                counts["members"] = json!({"filters": {"filters": members.collect::<Vec<_>>()}});
            }
            let others = self.others(Some(field));
            let own = object([("filter", others), ("aggs", counts)]);
            all.insert(at.to_string(), own);
        }
        all
    }

    /// The ids of the values of each group; a value belongs to the first one that means it.
    fn members<'v>(&self, own: &FacetRequest, shown: &'v FieldValues) -> Vec<Vec<&'v str>> {
        let mut groups: Vec<Vec<&str>> = vec![Vec::new(); own.groups.len()];
        for (id, value) in &shown.values {
            let is_meant = |text: &String| self.filters.means(&own.field, text, (id, &value.label));
            if let Some(group) = own
                .groups
                .iter()
                .position(|texts| texts.iter().any(is_meant))
            {
                groups[group].push(id);
            }
        }
        groups
    }

    /// What is read of the documents that the visitor may see: values that are shown without a document that matches.
    fn shown(&self, requested: &[FacetRequest]) -> Map<String, Value> {
        let mut all = Map::new();
        for (at, own) in requested.iter().enumerate() {
            let field = &own.field;
            if field.kind() != FilterKind::Values {
                continue;
            }
            let texts = self
                .selected(field)
                .into_iter()
                .chain(own.groups.iter().flatten());
            let meant: Vec<Value> = texts.map(|text| self.filters.value(field, text)).collect();
            let filter = match own.include_empty {
                true => super::queries::everything(),
                false if meant.is_empty() => continue,
                false => any(meant),
            };
            let aggregations = json!({"values": values_of(field), "groups": groups_of(field)});
            let own = object([("filter", filter), ("aggs", aggregations)]);
            all.insert(at.to_string(), own);
        }
        all
    }

    /// The texts that are selected in `field`.
    fn selected(&self, field: &FilterField) -> Vec<&String> {
        let choices = self
            .request
            .choices
            .iter()
            .filter(|choice| choice.field() == field);
        let texts = choices.flat_map(|choice| match choice {
            FilterChoice::Any(_, texts) => texts.as_slice(),
            FilterChoice::Range(..) => &[],
        });
        texts.collect()
    }

    /// Returns a request for `aggregations`; none for none.
    fn aggregating(&self, body: &Value, aggregations: Map<String, Value>) -> Option<Value> {
        if aggregations.is_empty() {
            return None;
        }
        let mut body = body.clone();
        body["track_total_hits"] = false.into();
        body["aggs"] = Value::Object(aggregations);
        Some(body)
    }

    fn facet(
        &self,
        policy: &FacetPolicy<'_>,
        own: &FacetRequest,
        counted: &Value,
        (values, shown): (FieldValues, FieldValues),
    ) -> Option<Facet> {
        let field = own.field.clone();
        match field.kind() {
            FilterKind::Flag => {
                let states = &counted["states"]["buckets"];
                let documents =
                    [0, 1].map(|state| states[state]["doc_count"].as_u64().unwrap_or(0));
                policy.flag(field, documents)
            }
            FilterKind::Range => policy.range(field, bounds(counted)),
            FilterKind::Values => self.of_values(policy, own, counted, (values, shown)),
        }
    }

    fn of_values(
        &self,
        policy: &FacetPolicy<'_>,
        own: &FacetRequest,
        counted: &Value,
        (mut all, others): (FieldValues, FieldValues),
    ) -> Option<Facet> {
        let field = &own.field;
        let selected = self.selected(field);
        let groups = own.groups.iter().enumerate().map(|(at, texts)| {
            let documents = counted["members"]["buckets"][at]["doc_count"]
                .as_u64()
                .unwrap_or(0);
            self.group(policy, field, (texts, &others), documents)
        });
        let groups: Vec<FacetGroup> = groups.collect();
        let is_selected = |id: &str, label: &str| {
            selected
                .iter()
                .any(|text| self.filters.means(field, text, (id, label)))
        };
        for (id, value) in others.values {
            if own.include_empty || is_selected(&id, &value.label) {
                all.values.entry(id).or_insert(value);
            }
        }
        if all.group.is_empty() {
            all.group = others.group;
        }
        let values = all.values.iter().map(|(id, value)| CountedValue {
            id,
            label: &value.label,
            count: value.count as u32,
        });
        let counted = CountedField {
            field: field.clone(),
            values: values.collect(),
            group: all.group,
        };
        match self.request.facet_requests {
            Some(_) => policy.requested(own, counted, groups),
            None => policy.automatic(counted),
        }
    }

    fn group(
        &self,
        policy: &FacetPolicy<'_>,
        field: &FilterField,
        (texts, shown): (&[String], &FieldValues),
        documents: u64,
    ) -> FacetGroup {
        let members = texts.iter().flat_map(|text| {
            let values = shown.values.iter();
            values.filter(move |(id, value)| self.filters.means(field, text, (id, &value.label)))
        });
        let members = members.map(|(id, value)| (id, &value.label));
        policy.group(field, members, documents as u32)
    }
}

/// Documents with the value of this id.
fn value_of(field: &FilterField, id: &str) -> Value {
    prefix(fields::VALUES, &pair(&field.to_string(), &pair(id, "")))
}

fn values_of(field: &FilterField) -> Value {
    json!({"terms": {"field": fields::VALUES, "size": BUCKETS_MAX, "include": starting_with(&value_prefix(field))}})
}

/// The commonest name of the group of a field.
fn groups_of(field: &FilterField) -> Value {
    json!({"terms": {"field": fields::GROUPS, "size": 1, "include": starting_with(&value_prefix(field))}})
}

/// The lowest and the highest number, over one field or over the cases of prices.
fn bounds(counted: &Value) -> Option<(f64, f64)> {
    let of = |own: &Value| Some((own["min"]["value"].as_f64()?, own["max"]["value"].as_f64()?));
    let cases = (0..2).map(|at| &counted[format!("case{at}")]);
    let all = std::iter::once(counted).chain(cases).filter_map(of);
    all.reduce(|(low, high), (least, most)| (low.min(least), high.max(most)))
}
