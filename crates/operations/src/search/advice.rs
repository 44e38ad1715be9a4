//! Advice on synonym groups and rules: what they name that no document of their language has.

use crate::configuration::advised::AdvisedContent;
use crate::message;
use crate::search::ranking::{TypeQuery, rank};
use crate::snapshots::snapshot::{Configuration, StoreSnapshot};
use crate::{OperationError, Service};
use domain::document::DocType;
use domain::message::{list, quoted};
use domain::relevance::{Advice, Fuzziness, Percent};
use domain::rule::{Actions, BoostEntry, RuleContent, TermField};
use domain::search::{FilterField, FilterKind, FilterValue};
use domain::synonym::SynonymGroup;
use domain::visitor::{DocumentAccess, Visitor};
use domain::{Language, StoreId};
use engine::{Facet, FacetRequest, PinState, Request};
use query::rules::{Effects, PinFate, RulePin};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long advice may take to be determined.
const TIME: Duration = Duration::from_secs(1);
/// What is left of that time when no further record is begun.
const TIME_LEFT: Duration = Duration::from_millis(200);
/// Most pieces of advice on what is written at once.
const ADVICE_MAX: usize = 50;
/// Most ids that one piece of advice names.
const IDS_NAMED_MAX: usize = 20;
/// Most groups of attributes or features in which a value of any group is sought.
const GROUPS_MAX: usize = 100;

impl Service {
    /// Returns the advice on a record; none where it takes too long, or the store cannot be searched. It is a method,
    /// because what reads and changes the configuration does not know how it is searched.
    pub(crate) async fn advice_on(&self, store: &StoreId, content: AdvisedContent) -> Vec<Advice> {
        self.advice_on_all(store, vec![(String::new(), content)])
            .await
    }

    /// Returns the advice on several records, each with what its fields are preceded by; on as many as there is time for.
    pub(crate) async fn advice_on_all(
        &self,
        store: &StoreId,
        contents: Vec<(String, AdvisedContent)>,
    ) -> Vec<Advice> {
        if contents.is_empty() {
            return Vec::new();
        }
        let end = Instant::now() + TIME;
        let determining = async {
            // The rules of the state that is searched are not held while the work waits for its turn.
            let bare = {
                let snapshot = self.snapshots.of(store).await?;
                let languages = contents.iter().map(|(_, content)| content.language());
                without_records(&snapshot, languages.collect())
            };
            let work = move || advice(&bare, &contents, end - TIME_LEFT);
            self.search.scheduler.run(store, work).await
        };
        match timeout_at(end, determining).await {
            Ok(Ok(advice)) => advice,
            Ok(Err(error)) => {
                tracing::warn!(%store, ?error, "advice could not be determined");
                Vec::new()
            }
            Err(_) => Vec::new(),
        }
    }
}

/// Returns the products as they are found without synonyms and rules, by all words and without typos, whatever is sold out.
fn without_records(snapshot: &StoreSnapshot, languages: BTreeSet<&Language>) -> StoreSnapshot {
    let mut saved = snapshot.saved();
    saved.records = Arc::default();
    let bare = snapshot.with_saved(saved, languages);
    let mut configuration = Configuration::clone(&bare.configuration);
    let settings = &mut configuration.relevance.search_settings;
    settings.fuzziness = Fuzziness::None;
    settings.min_match_short = Percent(100);
    settings.min_match_long = Percent(100);
    settings.hide_out_of_stock = false;
    settings.score_cutoff = 0;
    bare.with_configuration(configuration)
}

fn advice(
    snapshot: &StoreSnapshot,
    contents: &[(String, AdvisedContent)],
    end: Instant,
) -> Result<Vec<Advice>, OperationError> {
    let mut all = Vec::new();
    let mut missing = BTreeSet::new();
    for (place, content) in contents {
        if all.len() >= ADVICE_MAX || Instant::now() >= end {
            break;
        }
        let mut own = Vec::new();
        let language = content.language();
        // Of several records in it, the first one says so.
        if !snapshot.store.languages.contains(language) && missing.insert(language) {
            let text = message::advice::language_missing(language.as_str());
            own.push(Advice::new("language", "info", "language_missing", text));
        }
        own.extend(on_content(snapshot, content)?);
        if !place.is_empty() {
            own.iter_mut()
                .for_each(|one| one.field = format!("{place}.{}", one.field));
        }
        all.extend(own);
    }
    all.truncate(ADVICE_MAX);
    Ok(all)
}

/// Returns advice on what a record names that no product has.
fn on_content(
    snapshot: &StoreSnapshot,
    content: &AdvisedContent,
) -> Result<Vec<Advice>, OperationError> {
    let language = content.language();
    let index = snapshot.index(DocType::Products, language);
    // Whatever is named, nothing has it.
    if index.is_none_or(|index| index.facts().documents == 0) {
        return Ok(Vec::new());
    }
    let products = AllProducts::of(snapshot, language);
    match content {
        AdvisedContent::Synonym(group) => Ok(products.on_terms(group)?.into_iter().collect()),
        AdvisedContent::Rule(rule) => products.on_rule(rule),
    }
}

/// All products of one language, whatever a shopper may see, without synonyms and rules.
struct AllProducts<'a> {
    snapshot: &'a StoreSnapshot,
    language: &'a Language,
    visitor: Arc<Visitor>,
}

/// A value that a rule names.
struct NamedValue<'a> {
    path: String,
    field: String,
    value: &'a str,
    /// The fields of which one has to have the value.
    fields: Vec<FilterField>,
    /// Whether it may be named by its id, too.
    by_id: bool,
}

impl<'a> AllProducts<'a> {
    fn of(snapshot: &'a StoreSnapshot, language: &'a Language) -> Self {
        Self {
            snapshot,
            language,
            visitor: Arc::new(Visitor {
                access: DocumentAccess::Unrestricted,
                ..Visitor::default()
            }),
        }
    }

    fn request(&self) -> Request {
        Request {
            limit: 1,
            ids_only: true,
            visitor: Arc::clone(&self.visitor),
            ..Request::default()
        }
    }

    fn rank(
        &self,
        text: &str,
        effects: &Effects,
        request: &Request,
    ) -> Result<engine::SearchResult, OperationError> {
        let query = TypeQuery {
            language: self.language,
            doc_type: DocType::Products,
            text,
            effects,
        };
        Ok(rank(self.snapshot, query, request)?.found)
    }

    /// Returns advice on terms none of which finds a product.
    fn on_terms(&self, group: &SynonymGroup) -> Result<Option<Advice>, OperationError> {
        for term in &group.terms {
            let found = self.rank(term, &Effects::default(), &self.request())?;
            if found.total > 0 {
                return Ok(None);
            }
        }
        let text = message::advised::terms_not_indexed(self.language.as_str());
        Ok(Some(Advice::new(
            "terms",
            "warning",
            "terms_not_indexed",
            text,
        )))
    }

    fn on_rule(&self, rule: &RuleContent) -> Result<Vec<Advice>, OperationError> {
        match &rule.actions {
            Actions::Pin(ids) => self.on_products("actions.pin", ids),
            Actions::Hide(ids) => self.on_products("actions.hide", ids),
            Actions::Boost(entries) => self.on_values(self.boosted(entries)?),
            Actions::Filter(fields) => {
                let named = fields
                    .iter()
                    .flat_map(|(name, value)| filtered(name, value));
                self.on_values(named.collect())
            }
            Actions::Redirect(_) | Actions::Banner(_) => Ok(Vec::new()),
        }
    }

    /// Returns advice on ids that no product has.
    fn on_products(&self, path: &str, ids: &[String]) -> Result<Vec<Advice>, OperationError> {
        let mut effects = Effects::default();
        effects.pins.extend(ids.iter().map(|id| RulePin {
            product: id.clone(),
            rule: "".into(),
            fate: PinFate::Wanted,
        }));
        let found = self.rank("", &effects, &self.request())?;
        let unknown: Vec<&String> = (ids.iter().zip(&found.pins))
            .filter(|(_, state)| matches!(state, PinState::Unknown))
            .map(|(id, _)| id)
            .collect();
        if unknown.is_empty() {
            return Ok(Vec::new());
        }
        let named = list(unknown.iter().take(IDS_NAMED_MAX).map(|id| quoted(id)));
        let language = self.language.as_str();
        let text = match unknown.len().saturating_sub(IDS_NAMED_MAX) {
            0 => message::advised::products_not_indexed(language, named),
            more => message::advised::products_not_indexed_and_more(language, named, more),
        };
        Ok(vec![Advice::new(
            path,
            "warning",
            "product_not_indexed",
            text,
        )])
    }

    /// Returns the values that entries of a BOOST rule name.
    fn boosted<'b>(
        &self,
        entries: &'b [BoostEntry],
    ) -> Result<Vec<NamedValue<'b>>, OperationError> {
        let mut named = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let BoostEntry::Term { field, value, .. } = entry else {
                continue;
            };
            let fields = match field {
                TermField::Of(field) => vec![field.clone()],
                TermField::AnyAttribute => {
                    self.groups(|field| matches!(field, FilterField::Attributes(_)))?
                }
                TermField::AnyFeature => {
                    self.groups(|field| matches!(field, FilterField::Features(_)))?
                }
            };
            named.push(NamedValue {
                path: format!("actions.boost[{at}].value"),
                field: field.to_string(),
                value,
                by_id: fields.iter().any(|field| field.kind() == FilterKind::Flag),
                fields,
            });
        }
        Ok(named)
    }

    /// Returns the fields of groups that products have.
    fn groups(
        &self,
        is_of: impl Fn(&FilterField) -> bool,
    ) -> Result<Vec<FilterField>, OperationError> {
        let Some(index) = self.snapshot.index(DocType::Products, self.language) else {
            return Ok(Vec::new());
        };
        let fields = index.fields(&self.visitor);
        let fields = fields.map_err(OperationError::unavailable)?;
        let own = fields.all().iter().map(|of| of.field.clone()).filter(is_of);
        Ok(own.collect())
    }

    /// Returns advice on values that no product has.
    fn on_values(&self, named: Vec<NamedValue<'_>>) -> Result<Vec<Advice>, OperationError> {
        let mut fields: Vec<FilterField> = Vec::new();
        for field in named.iter().flat_map(|one| &one.fields) {
            if !fields.contains(field) {
                fields.push(field.clone());
            }
        }
        if fields.len() > GROUPS_MAX {
            return Ok(Vec::new());
        }
        let wanted: Vec<FacetRequest> = (fields.into_iter())
            .map(|field| FacetRequest {
                field,
                groups: Vec::new(),
                include_empty: false,
            })
            .collect();
        let request = Request {
            facets: true,
            facet_requests: Some(wanted.into()),
            ..self.request()
        };
        let facets = self.rank("", &Effects::default(), &request)?.facets;
        let unknown = named.into_iter().filter(|one| !one.is_in(&facets));
        let advice = unknown.map(|one| {
            let text = message::advised::value_not_indexed(quoted(one.value), one.field);
            Advice::new(one.path, "warning", "value_not_indexed", text)
        });
        Ok(advice.collect())
    }
}

/// Returns the values that a field of a FILTER rule names.
fn filtered<'a>(name: &'a str, value: &'a FilterValue) -> Vec<NamedValue<'a>> {
    let (Some(field), FilterValue::Any(values)) = (FilterField::parse(name), value) else {
        return Vec::new();
    };
    let named = values.iter().map(|value| NamedValue {
        path: format!("actions.filter.{name}"),
        field: name.to_owned(),
        value,
        fields: vec![field.clone()],
        by_id: true,
    });
    named.collect()
}

impl NamedValue<'_> {
    fn is_in(&self, facets: &[Facet]) -> bool {
        let own = facets
            .iter()
            .filter(|facet| self.fields.contains(&facet.field));
        own.flat_map(|facet| &facet.values)
            .any(|value| *value.label == *self.value || (self.by_id && *value.id == *self.value))
    }
}
