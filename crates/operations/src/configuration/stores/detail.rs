//! The detail of a store (`docs/api.md`).

use super::content;
use crate::configuration::records;
use crate::feed::runs::{self, HeldPurge};
use crate::feed::sources::summaries;
use crate::message;
use crate::{OperationError, Revisioned, Service};
use domain::access::MayRead;
use domain::feed::FeedScope;
use domain::release::Version;
use domain::relevance::Advice;
use domain::source::SourceSummary;
use domain::store::{PlanLimits, Store, StoreSummary};
use domain::widget::Layout;
use domain::{DocType, Language, Permit, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;
use storage::{ConfigurationView, ConnectorRow, StorageError};
use tokio::time::timeout;

/// A store in full.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreDetail {
    /// Properties that lists contain, too.
    #[serde(flatten)]
    pub summary: StoreSummary,
    /// URL of the development environment; empty if there is none.
    pub dev_url: String,
    /// Its platform.
    pub platform: String,
    /// Settings that are made elsewhere.
    pub config: StoreConfig,
    /// Its indices.
    pub indices: Vec<IndexView>,
    /// Purges that wait for the owner; left out when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held_purges: Vec<HeldPurge>,
    /// Numbers of its products and records.
    pub counters: Counters,
    /// Summary of its widget.
    pub widget: WidgetSummary,
    /// Its connector; null if it was never seen.
    pub connector: Option<ConnectorView>,
    /// Since when the shop has opened no run and its connector was not seen, if that is twice the usual time between
    /// two runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feed_stopped_since: Option<Timestamp>,
    /// Addresses from which its catalogue is fetched, without them; left out when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceSummary>,
    /// What deserves a second look; left out when there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<Advice>,
}

/// Settings of a store that are made elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StoreConfig {
    /// Its languages, the default one first.
    pub languages: Vec<Language>,
    /// Its base currency; left out until the shop has declared it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Limits of its plan.
    pub plan: PlanLimits,
    /// How much of what is watched a ranking write may move; left out without a gate.
    #[serde(rename = "impactGate", skip_serializing_if = "Option::is_none")]
    pub impact_gate: Option<GateView>,
}

/// The gate of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateView {
    /// The largest share of watched queries whose first three may change, in percent.
    #[serde(rename = "maxChangedTop3Percent")]
    pub max_changed_top3_percent: u8,
    /// Whether keys may save what exceeds it, with a note.
    pub keys_may_force: bool,
    /// Number of the watched queries.
    pub watched: usize,
}

impl GateView {
    async fn of(
        store: &Store,
        reading: &mut ConfigurationView,
    ) -> Result<Option<Self>, StorageError> {
        let Some(gate) = store.impact_gate else {
            return Ok(None);
        };
        Ok(Some(Self {
            max_changed_top3_percent: gate.max_changed_top3_percent,
            keys_may_force: gate.keys_may_force,
            watched: reading.watched_queries().await?.len(),
        }))
    }

    fn advice(self) -> Option<Advice> {
        let text = message::advice::gate_without_watched();
        let field = "config.impactGate".to_owned();
        (self.watched == 0).then(|| Advice::new(field, "warning", "gate_without_watched", text))
    }
}

/// One index of a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IndexView {
    /// Type and language.
    #[serde(flatten)]
    pub scope: FeedScope,
    /// Documents that were acknowledged.
    pub documents: i64,
    /// Bytes of the search index on disk.
    pub bytes: u64,
    /// When a document was last written.
    pub updated_at: Timestamp,
    /// `ready` or `building`.
    pub state: &'static str,
}

/// Numbers of products and records of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counters {
    /// Products, in the language with most of them.
    pub products: i64,
    /// Synonym groups.
    pub synonyms: i64,
    /// Rules.
    pub rules: i64,
    /// Filters.
    pub filters: i64,
}

/// Summary of a store's widget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WidgetSummary {
    /// Name of its theme.
    pub theme: String,
    /// Layout of the results.
    pub layout: Layout,
    /// Where it opens.
    pub position: String,
}

/// A connector as it describes itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorView {
    /// Its client header.
    pub client: String,
    /// Version of the module.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module_version: Option<String>,
    /// Version of the platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform_version: Option<String>,
    /// Version of PHP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub php_version: Option<String>,
    /// The latest module for its platform; left out if none was released.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest_version: Option<String>,
    /// Whether that one is newer.
    pub update_available: bool,
    /// When it was last seen.
    pub seen_at: Timestamp,
}

impl ConnectorView {
    fn new(row: ConnectorRow, latest: Option<Version>) -> Self {
        let own = row.module_version.as_deref().and_then(Version::parse);
        Self {
            update_available: latest.zip(own).is_some_and(|(latest, own)| latest > own),
            latest_version: latest.map(|latest| latest.to_string()),
            client: row.client,
            module_version: row.module_version,
            platform_version: row.platform_version,
            php_version: row.php_version,
            seen_at: row.seen_at,
        }
    }
}

/// Longest wait of the detail of a store for its indexes.
const OPENING_MAX: Duration = Duration::from_secs(1);

pub(super) async fn of(
    service: &Service,
    permit: &Permit<impl MayRead>,
    store: Store,
) -> Result<(StoreDetail, Revisioned), OperationError> {
    // Opens the indexes if necessary; a store whose indexes do not open in time is returned all the same.
    let opening = service.snapshots.latest(&store.id);
    if let Ok(Err(error)) = timeout(OPENING_MAX, opening).await {
        tracing::warn!(store = %store.id, ?error, "the detail of a store lacks its indexes");
    }
    let now = service.clock.now();
    let feed_stopped_since = service.storage.silent_feed(permit, now).await?;
    let sources = summaries(service, permit).await?;
    // All of one moment, and on one connection: whoever holds one never waits for another.
    let mut reading = records::view(service, permit).await?;
    let indices: Vec<IndexView> = reading
        .indices()
        .await?
        .into_iter()
        .map(|row| {
            let statistics = service.indexing.statistics(row.id);
            IndexView {
                scope: row.scope,
                documents: row.documents,
                bytes: statistics.bytes,
                updated_at: row.updated_at,
                state: statistics.state,
            }
        })
        .collect();
    let products = indices
        .iter()
        .filter(|index| index.scope.doc_type == DocType::Products)
        .map(|index| index.documents)
        .max();
    let connector = reading.connector().await?;
    let revisioned = Revisioned::of(&content(&store), store.config_revision);
    let counts = reading.record_counts().await?;
    let widget = reading.widget().await?.effective();
    let declarations = reading.declarations().await?;
    let impact_gate = GateView::of(&store, &mut reading).await?;
    let detail = StoreDetail {
        summary: store.summary(),
        dev_url: store.dev_url,
        platform: store.platform,
        config: StoreConfig {
            languages: store.languages,
            currency: declarations.base_currency().map(str::to_owned),
            plan: store.plan,
            impact_gate,
        },
        advice: impact_gate.and_then(GateView::advice).into_iter().collect(),
        held_purges: runs::held(&mut reading, now).await?,
        indices,
        counters: Counters {
            products: products.unwrap_or(0),
            synonyms: counts.synonyms,
            rules: counts.rules,
            filters: counts.filters,
        },
        widget: WidgetSummary {
            theme: widget.design.theme,
            layout: widget.design.layout,
            position: widget.design.position,
        },
        feed_stopped_since,
        sources,
        connector: connector.map(|row| {
            let latest = service.feed.releases.latest_for(&row.client);
            ConnectorView::new(row, latest)
        }),
    };
    Ok((detail, revisioned))
}
