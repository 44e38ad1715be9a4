//! What a store's own page shows of it (contract section 3).

use super::content;
use crate::feed::runs::{self, HeldPurge};
use crate::{OperationError, Revisioned, Service, records};
use domain::access::MayRead;
use domain::feed::FeedScope;
use domain::released;
use domain::store::{PlanLimits, Store, StoreSummary};
use domain::widget::Layout;
use domain::{DocType, Language, Permit, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;
use storage::ConnectorRow;
use tokio::time::timeout;

/// A store in full.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreDetail {
    /// What lists show.
    #[serde(flatten)]
    pub summary: StoreSummary,
    /// Address of the development environment; empty when there is none.
    pub dev_url: String,
    /// Its platform.
    pub platform: String,
    /// What is set for it elsewhere.
    pub config: StoreConfig,
    /// Its indices.
    pub indices: Vec<IndexView>,
    /// Purges that wait for the owner; left out when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held_purges: Vec<HeldPurge>,
    /// How much of everything it has.
    pub counters: Counters,
    /// Its widget in short.
    pub widget: WidgetSummary,
    /// What its connector said about itself; null when it was never seen.
    pub connector: Option<ConnectorView>,
}

/// What is set for a store elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StoreConfig {
    /// Its languages, the default one first.
    pub languages: Vec<Language>,
    /// Its base currency; left out until the shop has declared it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// What its plan limits.
    pub plan: PlanLimits,
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

/// How much of everything a store has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counters {
    /// Products, of the language that has most of them.
    pub products: i64,
    /// Synonym groups.
    pub synonyms: i64,
    /// Rules.
    pub rules: i64,
    /// Filters.
    pub filters: i64,
}

/// The looks of a store's widget in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WidgetSummary {
    /// Name of its theme.
    pub theme: String,
    /// How results are laid out.
    pub layout: Layout,
    /// Where it opens.
    pub position: String,
}

/// What a connector said about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorView {
    /// Its header as it came.
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
    /// The latest module for its platform; left out where none was released.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest_version: Option<&'static str>,
    /// Whether that one is newer.
    pub update_available: bool,
    /// When it was last seen.
    pub seen_at: Timestamp,
}

impl From<ConnectorRow> for ConnectorView {
    fn from(row: ConnectorRow) -> Self {
        let latest = released::latest(&row.client);
        let newer = latest.zip(row.module_version.as_deref());
        Self {
            update_available: newer.is_some_and(|(latest, own)| released::is_newer(latest, own)),
            latest_version: latest,
            client: row.client,
            module_version: row.module_version,
            platform_version: row.platform_version,
            php_version: row.php_version,
            seen_at: row.seen_at,
        }
    }
}

/// How long the detail of a store waits for its indexes to be opened.
const OPENING_MAX: Duration = Duration::from_secs(1);

pub(super) async fn of(
    service: &Service,
    permit: &Permit<impl MayRead>,
    store: Store,
) -> Result<(StoreDetail, Revisioned), OperationError> {
    // Opens what is not open yet; a store whose indexes are not open soon is shown all the same.
    let opening = service.indexing.snapshot(&store.id);
    if let Ok(Err(error)) = timeout(OPENING_MAX, opening).await {
        tracing::warn!(store = %store.id, ?error, "a store is shown without its indexes");
    }
    // All of one moment, and on one connection: whoever holds one never waits for another.
    let mut reading = records::reading(service, permit).await?;
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
    let detail = StoreDetail {
        summary: store.summary(),
        dev_url: store.dev_url,
        platform: store.platform,
        config: StoreConfig {
            languages: store.languages,
            currency: declarations.base_currency().map(str::to_owned),
            plan: store.plan,
        },
        held_purges: runs::held(&mut reading, service.clock.now()).await?,
        indices,
        counters: Counters {
            products: products.unwrap_or(0),
            synonyms: counts.synonyms,
            rules: counts.rules,
            filters: counts.filters,
        },
        widget: WidgetSummary {
            theme: widget.theme,
            layout: widget.layout,
            position: widget.position,
        },
        connector: connector.map(ConnectorView::from),
    };
    Ok((detail, revisioned))
}
