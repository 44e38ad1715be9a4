//! The configuration that the widget on store pages reads, made of the same snapshot as searches.

use crate::search::field_label;
use crate::search::visitor;
use crate::snapshots::snapshot::StoreSnapshot;
use crate::statistics::shop_activity::page_seen;
use crate::{OperationError, Service};
use domain::declarations::Currencies;
use domain::document::DocType;
use domain::filter::{Filter, FilterType};
use domain::form::Label;
use domain::labels::Labels;
use domain::limits::WIDGET_CONFIG_BYTES_MAX;
use domain::search::Sort;
use domain::widget::custom_code::CodeKind;
use domain::widget::{ConfigQuery, WidgetDesign};
use domain::{Caller, Language, PageLanguage, StoreId, access};
use engine::FieldUse;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the widget of a store shows on a page in one language.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WidgetConfig {
    /// The store.
    pub store_id: StoreId,
    /// Number of the latest revision of its configuration.
    pub revision: i64,
    /// Language in which to search: that of the page, else its base, else the store's default.
    pub language: Language,
    /// Languages of the store, the default one first.
    pub languages: Vec<Language>,
    /// Language of the labels.
    pub labels_language: String,
    /// Texts by key, with placeholders such as `{n}`; they are no HTML.
    pub labels: BTreeMap<String, String>,
    /// How it looks and what it does.
    #[serde(flatten)]
    pub design: WidgetDesign,
    /// Currencies of the shop; left out until it has declared them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<ConfigCurrencies>,
    /// Orders that shoppers are offered, in this order.
    pub sorts: Vec<Sort>,
    /// Filters that shoppers are offered; left out if they are switched off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<ShownFilters>,
    /// The shop's own style sheet, loaded after those of the widget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_css: Option<CustomFile>,
    /// The shop's own script, loaded once before the first drawing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_js: Option<CustomFile>,
}

/// A file of custom code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CustomFile {
    /// Its address; without a host it is on the server of this response.
    pub url: String,
}

/// The currencies of a shop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConfigCurrencies {
    /// The currency of the prices without a suffix.
    pub base: String,
    /// The declared currencies.
    pub currencies: Vec<ConfigCurrency>,
}

/// How prices of one currency are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "WidgetCurrency")]
pub struct ConfigCurrency {
    /// Its ISO code.
    pub code: String,
    /// Digits after the point; left out if the shop has not declared them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimals: Option<u8>,
    /// Its symbol; left out if the shop has not declared one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
}

/// The filters that shoppers are offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ShownFilters {
    /// `automatic`: all facets of a response.
    Automatic(AutomaticFilters),
    /// The facets of these fields, in this order.
    Configured(Vec<ConfigFilter>),
}

/// Stands for all facets of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AutomaticFilters {
    /// All facets of a response.
    Automatic,
}

/// A configured filter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConfigFilter {
    /// The field to filter by.
    pub field: String,
    /// Its label.
    pub label: String,
    /// How it is shown.
    #[serde(rename = "type")]
    pub kind: FilterType,
}

/// Returns the configuration for a page of the caller's store, in the language of the page. `api` is the address of the
/// API, with or without a host.
///
/// Errors: `Forbidden` for a key of another kind and for a suspended store; if a filter is called as in the documents and
/// their index cannot be read.
pub async fn config(
    service: &Service,
    caller: &Caller,
    query: ConfigQuery,
    api: &str,
) -> Result<WidgetConfig, OperationError> {
    let permit = access::search(caller)?;
    let snapshot = service.snapshots.searchable(permit.store()).await?;
    let visitor = visitor::searching(service, &snapshot, caller, None).await;
    let asked = query.lang.as_ref().map(PageLanguage::language);
    let mut page = ConfigPage::new(&snapshot, asked);
    if page.names_groups() {
        let (state, language) = (Arc::clone(&snapshot), page.searched.clone());
        let fields = move || match state.index(DocType::Products, &language) {
            Some(index) => index.fields(&visitor).map_err(OperationError::unavailable),
            None => Ok(Arc::default()),
        };
        page.fields = service.search.scheduler.run(permit.store(), fields).await?;
    }
    let mut config = page.config();
    let files = [
        (CodeKind::Css, &snapshot.code().css),
        (CodeKind::Js, &snapshot.code().js),
    ];
    let [css, js] = files.map(|(kind, hash)| {
        let (store, extension) = (permit.store(), kind.extension());
        let hash = hash.as_ref()?;
        let url = format!("{api}/widget/custom/{store}/{hash}.{extension}");
        Some(CustomFile { url })
    });
    (config.custom_css, config.custom_js) = (css, js);
    Ok(config)
}

/// Notes that a page of the caller's store asks for its configuration.
///
/// Errors: `Forbidden` for a key of another kind.
pub fn seen_on_page(service: &Service, caller: &Caller) -> Result<(), OperationError> {
    page_seen(service, &access::search(caller)?);
    Ok(())
}

/// A page of a store.
struct ConfigPage<'a> {
    snapshot: &'a StoreSnapshot,
    /// Language of the page.
    own: &'a Language,
    /// Language of its searches.
    searched: &'a Language,
    labels: Labels<'a>,
    /// The fields of products that anybody may see; none if no label needs them.
    fields: Arc<FieldUse>,
}

impl<'a> ConfigPage<'a> {
    fn new(snapshot: &'a StoreSnapshot, asked: Option<&'a Language>) -> Self {
        let store = &*snapshot.store;
        let own = asked.unwrap_or_else(|| store.default_language());
        let mut languages = store.languages.iter();
        let exact = languages.find(|language| *language == own);
        let base = || {
            let mut languages = store.languages.iter();
            languages.find(|language| language.as_str() == own.base())
        };
        Self {
            snapshot,
            own,
            searched: exact
                .or_else(base)
                .unwrap_or_else(|| store.default_language()),
            labels: snapshot.labels(own),
            fields: Arc::default(),
        }
    }

    fn config(&self) -> WidgetConfig {
        let store = &self.snapshot.store;
        let widget = self.snapshot.widget().effective();
        let currencies = self.snapshot.declarations.currencies.as_ref();
        let mut config = WidgetConfig {
            store_id: store.id.clone(),
            revision: store.config_revision,
            language: self.searched.clone(),
            languages: store.languages.clone(),
            labels_language: self.labels.language().to_owned(),
            labels: self.labels(0),
            sorts: widget.sorts(),
            filters: widget.shows_filters().then(|| self.filters()),
            currency: currencies.map(ConfigCurrencies::from),
            design: widget.design,
            custom_css: None,
            custom_js: None,
        };
        if widget.translations.is_some() {
            let bytes = serde_json::to_string(&config).map_or(0, |json| json.len());
            config.labels = self.labels(WIDGET_CONFIG_BYTES_MAX.saturating_sub(bytes));
        }
        config
    }

    /// Returns all texts, with at most `own_bytes_max` bytes of the store's own.
    fn labels(&self, own_bytes_max: usize) -> BTreeMap<String, String> {
        let all = self.labels.all(own_bytes_max).into_iter();
        all.map(|(key, text)| (key.to_owned(), text.to_owned()))
            .collect()
    }

    /// Returns the configured filters that are shown.
    fn active_filters(&self) -> impl Iterator<Item = &'a Filter> {
        let filters = self.snapshot.filters().iter();
        filters.filter(|filter| filter.content.active)
    }

    /// Returns whether a filter that is shown has no label of its own, but that of its group in the documents.
    fn names_groups(&self) -> bool {
        let named = |filter: &'a Filter| {
            filter.content.field.is_group() && self.configured_label(filter).is_none()
        };
        self.snapshot.widget().effective().shows_filters() && self.active_filters().any(named)
    }

    fn filters(&self) -> ShownFilters {
        if self.snapshot.filters().is_empty() {
            return ShownFilters::Automatic(AutomaticFilters::Automatic);
        }
        let active = self.active_filters().map(|filter| ConfigFilter {
            field: filter.content.field.to_string(),
            label: self.filter_label(filter),
            kind: filter.content.kind,
        });
        ShownFilters::Configured(active.collect())
    }

    /// Returns the filter's own label in the nearest language, else that of its field.
    fn filter_label(&self, filter: &Filter) -> String {
        let own = self.configured_label(filter).map(Label::to_string);
        own.unwrap_or_else(|| {
            let field = &filter.content.field;
            let group = self.fields.of(field).map_or("", |of| of.group.as_str());
            field_label(field, group, &self.labels)
        })
    }

    /// Returns the filter's own label in the nearest language.
    fn configured_label(&self, filter: &'a Filter) -> Option<&'a Label> {
        let label = filter.content.label.as_ref()?;
        let in_base = || {
            let mut texts = label.iter();
            texts.find(|(code, _)| code.as_str() == self.own.base())
        };
        label
            .get(self.own)
            .or_else(|| in_base().map(|(_, text)| text))
            .or_else(|| label.get(self.searched))
            .or_else(|| label.get(self.snapshot.store.default_language()))
    }
}

impl From<&Currencies> for ConfigCurrencies {
    fn from(declared: &Currencies) -> Self {
        let all = declared.currencies.iter().map(|currency| ConfigCurrency {
            code: currency.code.to_string(),
            decimals: currency.decimals,
            symbol: currency.symbol.clone(),
        });
        Self {
            base: declared.base.to_string(),
            currencies: all.collect(),
        }
    }
}
