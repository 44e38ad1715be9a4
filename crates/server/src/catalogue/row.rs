//! What each operation of the catalogue takes and answers: the types, an example of each, and the refusals of its own.

use crate::http::input::{Input, QueryInput};
use domain::declarations::{AccessGroups, Currencies, Declared, PriceCountries, PriceTiers};
use domain::feed::{
    Block, BlockReport, Clear, ClearReport, Connected, Deletion, DeletionReport, IndicesReport,
    NewIndices, NewRun, Nothing, PlanReport, PublicKeyIssued, PublicKeyRequest, RunClose,
    RunClosed, RunOpened, RunView, Touch, TouchReport,
};
use domain::filter::{Filter, FilterPatch, NewFilter, ValuesQuery};
use domain::relevance::RelevanceChange;
use domain::revision::RevisionQuery;
use domain::rule::{NewRule, RulePatch, RuleQuery, RuleView};
use domain::search::{SearchRequest, SuggestRequest};
use domain::store::{StorePatch, StoreSummary};
use domain::synonym::{NewSynonym, Synonym, SynonymImport, SynonymPatch, SynonymQuery};
use domain::widget::{Widget, WidgetPatch};
use operations::filters::{SyncReport, ValueCount};
use operations::me::Me;
use operations::records::Deleted;
use operations::relevance::RelevanceView;
use operations::revisions::{Revision, RevisionDetail};
use operations::search::SearchResponse;
use operations::simulator::{RelevanceTest, Simulation};
use operations::stores::StoreDetail;
use operations::suggest::Suggestions;
use operations::synonyms::ImportReport;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

/// One operation's types.
pub struct OperationRow {
    /// Id of the operation.
    pub id: &'static str,
    /// Its body.
    pub body: Option<Shape>,
    /// Its query parameters. An operation with a body that has them too answers a GET as well.
    pub query: Option<&'static Value>,
    /// An example of them, as an object; empty where there are none.
    pub query_example: &'static str,
    /// What `data` of its answer is.
    pub answer: fn(&mut SchemaGenerator) -> Schema,
    /// An example of it.
    pub example: &'static str,
    /// Whether the answer of a list carries `meta` when one page was asked for.
    pub pages: bool,
    /// The statuses of its success.
    pub successes: &'static [u16],
    /// Statuses of refusals that other operations of its kind do not have.
    pub refusals: &'static [u16],
}

/// A body.
pub struct Shape {
    /// Name of its type.
    pub name: String,
    /// The schema by which it is checked.
    pub schema: &'static Value,
    /// Whether it must be there.
    pub required: bool,
    /// An example of it.
    pub example: &'static str,
}

/// An operation whose answer is an `A`.
fn row<A: JsonSchema>(id: &'static str, example: &'static str) -> OperationRow {
    OperationRow {
        id,
        body: None,
        query: None,
        query_example: "{}",
        answer: SchemaGenerator::subschema_for::<A>,
        example,
        pages: false,
        successes: &[200],
        refusals: &[],
    }
}

impl OperationRow {
    fn takes<T: Input + JsonSchema>(self, example: &'static str) -> Self {
        let body = Shape {
            name: T::schema_name().into_owned(),
            schema: T::checker().schema(),
            required: true,
            example,
        };
        Self {
            body: Some(body),
            ..self
        }
    }

    fn may_take<T: Input + JsonSchema>(self, example: &'static str) -> Self {
        let mut row = self.takes::<T>(example);
        if let Some(body) = &mut row.body {
            body.required = false;
        }
        row
    }

    fn asks<T: QueryInput>(self, example: &'static str) -> Self {
        Self {
            query: Some(T::query_checker().schema()),
            query_example: example,
            ..self
        }
    }

    fn refuses(self, refusals: &'static [u16]) -> Self {
        Self { refusals, ..self }
    }
}

/// The text of an example in `docs/examples`.
macro_rules! example {
    ($name:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/examples/",
            $name,
            ".json"
        ))
    };
}

/// All of them.
pub fn all() -> Vec<OperationRow> {
    [
        configuration(),
        records(),
        facets(),
        search(),
        feed_setup(),
        feed_documents(),
        feed_runs(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn configuration() -> Vec<OperationRow> {
    let store = example!("configuration/store.response");
    let relevance = example!("configuration/relevance.response");
    vec![
        row::<Me>("get_account", example!("configuration/me.response")),
        row::<Vec<StoreSummary>>("list_stores", example!("configuration/stores.response")),
        row::<StoreDetail>("get_store", store),
        row::<StoreDetail>("update_store", store)
            .takes::<StorePatch>(example!("configuration/store.request")),
        row::<Deleted>("delete_store", example!("configuration/deleted.response")),
        row::<RelevanceView>("get_relevance", relevance),
        row::<RelevanceView>("update_relevance", relevance)
            .takes::<RelevanceChange>(example!("configuration/relevance.request")),
        row::<Simulation>(
            "test_relevance",
            example!("configuration/relevance-test.response"),
        )
        .takes::<RelevanceTest>(example!("configuration/relevance-test.request")),
    ]
}

fn records() -> Vec<OperationRow> {
    let synonym = example!("configuration/synonym.response");
    let rule = example!("configuration/rule.response");
    let deleted = example!("configuration/deleted.response");
    vec![
        OperationRow {
            pages: true,
            ..row::<Vec<Synonym>>("list_synonyms", example!("configuration/synonyms.response"))
        }
        .asks::<SynonymQuery>(example!("configuration/synonyms.query")),
        row::<Synonym>("get_synonym", synonym),
        OperationRow {
            successes: &[201],
            ..row::<Synonym>("create_synonym", synonym)
        }
        .takes::<NewSynonym>(example!("configuration/synonym.request"))
        .refuses(&[409]),
        row::<Synonym>("update_synonym", synonym)
            .takes::<SynonymPatch>(example!("configuration/synonym-change.request"))
            .refuses(&[409]),
        row::<Deleted>("delete_synonym", deleted),
        row::<ImportReport>(
            "import_synonyms_csv",
            example!("configuration/import.response"),
        )
        .takes::<SynonymImport>(example!("configuration/import.request")),
        row::<Vec<RuleView>>("list_rules", example!("configuration/rules.response"))
            .asks::<RuleQuery>(r#"{"lang": "en"}"#),
        row::<RuleView>("get_rule", rule),
        OperationRow {
            successes: &[201],
            ..row::<RuleView>("create_rule", rule)
        }
        .takes::<NewRule>(example!("configuration/rule.request")),
        row::<RuleView>("update_rule", rule)
            .takes::<RulePatch>(example!("configuration/rule-change.request")),
        row::<Deleted>("delete_rule", deleted),
    ]
}

fn facets() -> Vec<OperationRow> {
    let filter = example!("configuration/filter.response");
    let widget = example!("configuration/widget.response");
    vec![
        row::<Vec<Filter>>("list_filters", example!("configuration/filters.response")),
        row::<Filter>("get_filter", filter),
        OperationRow {
            successes: &[201],
            ..row::<Filter>("create_filter", filter)
        }
        .takes::<NewFilter>(example!("configuration/filter.request"))
        .refuses(&[409]),
        row::<Filter>("update_filter", filter)
            .takes::<FilterPatch>(example!("configuration/filter-change.request")),
        row::<Deleted>("delete_filter", example!("configuration/deleted.response")),
        row::<SyncReport>("sync_filters", example!("configuration/sync.response"))
            .may_take::<Nothing>("{}"),
        row::<Vec<ValueCount>>(
            "list_filter_values",
            example!("configuration/values.response"),
        )
        .asks::<ValuesQuery>(r#"{"field": "manufacturer", "lang": "en"}"#),
        row::<Widget>("get_widget", widget),
        row::<Widget>("update_widget", widget)
            .takes::<WidgetPatch>(example!("configuration/widget.request")),
        OperationRow {
            pages: true,
            ..row::<Vec<Revision>>(
                "list_revisions",
                example!("configuration/revisions.response"),
            )
        }
        .asks::<RevisionQuery>(r#"{"page": 1, "limit": 20}"#),
        row::<RevisionDetail>("get_revision", example!("configuration/revision.response")),
    ]
}

fn search() -> Vec<OperationRow> {
    vec![
        row::<SearchResponse>("search", example!("search/search.response"))
            .takes::<SearchRequest>(example!("search/search.request"))
            .asks::<SearchRequest>(example!("search/search.query")),
        row::<Suggestions>("suggest", example!("search/suggest.response"))
            .takes::<SuggestRequest>(example!("search/suggest.request"))
            .asks::<SuggestRequest>(example!("search/suggest.request")),
    ]
}

fn feed_setup() -> Vec<OperationRow> {
    vec![
        row::<Connected>("connect_feed", example!("feed/connect.response")),
        row::<IndicesReport>("create_indices", example!("feed/indices.response"))
            .takes::<NewIndices>(example!("feed/indices.request")),
        row::<PublicKeyIssued>("issue_public_key", example!("feed/public-key.response"))
            .takes::<PublicKeyRequest>(example!("feed/public-key.request")),
        row::<PlanReport>("get_plan", example!("feed/plan.response")),
        row::<Declared>("declare_currencies", example!("feed/currencies.response"))
            .takes::<Currencies>(example!("feed/currencies.request")),
        row::<Declared>("declare_price_tiers", example!("feed/price-tiers.response"))
            .takes::<PriceTiers>(example!("feed/price-tiers.request")),
        row::<Declared>(
            "declare_price_countries",
            example!("feed/price-countries.response"),
        )
        .takes::<PriceCountries>(example!("feed/price-countries.request")),
        row::<Declared>(
            "declare_access_groups",
            example!("feed/access-groups.response"),
        )
        .takes::<AccessGroups>(example!("feed/access-groups.request")),
    ]
}

fn feed_documents() -> Vec<OperationRow> {
    vec![
        row::<BlockReport>("upsert_documents", example!("feed/bulk.response"))
            .takes::<Block>(example!("feed/bulk.request"))
            .refuses(&[409, 410]),
        row::<DeletionReport>("delete_documents", example!("feed/delete.response"))
            .takes::<Deletion>(example!("feed/delete.request"))
            .refuses(&[409]),
        row::<ClearReport>("clear_products", example!("feed/clear.response"))
            .may_take::<Clear>(example!("feed/clear.request"))
            .refuses(&[409]),
    ]
}

fn feed_runs() -> Vec<OperationRow> {
    vec![
        OperationRow {
            successes: &[200, 201],
            ..row::<RunOpened>("open_run", example!("feed/runs.response"))
        }
        .takes::<NewRun>(example!("feed/runs.request"))
        .refuses(&[409, 410]),
        row::<RunView>("get_run", example!("feed/run.response")).refuses(&[410]),
        row::<TouchReport>("touch_documents", example!("feed/touch.response"))
            .takes::<Touch>(example!("feed/touch.request"))
            .refuses(&[409, 410]),
        row::<RunClosed>("close_run", example!("feed/close.response"))
            .takes::<RunClose>(example!("feed/close.request"))
            .refuses(&[410]),
        row::<RunView>("abort_run", example!("feed/abort.response"))
            .may_take::<Nothing>("{}")
            .refuses(&[410]),
    ]
}
