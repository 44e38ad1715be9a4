//! 1. Every operation of the catalogue has a row here that states its access; every row has an operation.
//! 2. Each operation, called by every kind of caller, admits those the catalogue grants it to and rejects the others
//!    with the right error: no key, wrong kind, too small a scope, another store, another account, a stopped key.

use crate::harness::{Shop, TestClock, product};
use domain::{AccountId, KeyKind, Scope, StoreId, Timestamp};
use operations::catalogue::{Operation, RequiredAccess, all_operations};
use operations::keys::NewApiKey;
use serde_json::{Value, json};
use server::admin::AdminRequest;

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    /// Configuration keys of any store.
    Account,
    /// Configuration keys that may read the store.
    Reading,
    /// Configuration keys that may change the store, or propose to.
    Writing,
    /// No key at all: keys that may change the store are rejected too.
    Reserved,
    /// The connector key of a store.
    Feed,
    /// A search-only key of a store.
    Search,
    /// Users of the control panel; the operation has no path below `/api/v1`.
    Panel,
    /// The operator; the operation has no path.
    Operator,
}

use Row::{Account, Feed, Operator, Panel, Reading, Reserved, Search, Writing};

const ROWS: &[(&str, Row)] = &[
    ("get_account", Account),
    ("list_stores", Account),
    ("get_store", Reading),
    ("update_store", Writing),
    ("delete_store", Reserved),
    ("get_relevance", Reading),
    ("update_relevance", Writing),
    ("test_relevance", Reading),
    ("list_synonyms", Reading),
    ("get_synonym", Reading),
    ("create_synonym", Writing),
    ("update_synonym", Writing),
    ("delete_synonym", Writing),
    ("import_synonyms_csv", Writing),
    ("list_rules", Reading),
    ("get_rule", Reading),
    ("create_rule", Writing),
    ("update_rule", Writing),
    ("delete_rule", Writing),
    ("list_filters", Reading),
    ("get_filter", Reading),
    ("create_filter", Writing),
    ("update_filter", Writing),
    ("delete_filter", Writing),
    ("sync_filters", Writing),
    ("list_filter_values", Reading),
    ("get_widget", Reading),
    ("update_widget", Writing),
    ("list_revisions", Reading),
    ("get_revision", Reading),
    ("list_queries", Reading),
    ("get_search_summary", Reading),
    ("preview_watched", Reading),
    ("list_watched", Reading),
    ("set_watched", Writing),
    ("get_hidden_queries", Reading),
    ("set_hidden_queries", Writing),
    ("apply_changes", Writing),
    ("export_configuration", Reading),
    ("import_configuration", Writing),
    ("restore_revision", Writing),
    ("list_proposals", Reading),
    ("get_proposal", Reading),
    ("create_proposal", Writing),
    ("withdraw_proposal", Writing),
    ("apply_proposal", Panel),
    ("reject_proposal", Panel),
    ("search", Search),
    ("suggest", Search),
    ("get_widget_config", Search),
    ("send_events", Search),
    ("connect_feed", Feed),
    ("create_indices", Feed),
    ("issue_public_key", Feed),
    ("get_plan", Feed),
    ("declare_currencies", Feed),
    ("declare_price_tiers", Feed),
    ("declare_price_countries", Feed),
    ("declare_access_groups", Feed),
    ("upsert_documents", Feed),
    ("delete_documents", Feed),
    ("clear_products", Feed),
    ("open_run", Feed),
    ("get_run", Feed),
    ("touch_documents", Feed),
    ("close_run", Feed),
    ("abort_run", Feed),
    ("sign_in", Panel),
    ("look_at_link", Panel),
    ("use_link", Panel),
    ("get_me", Panel),
    ("update_me", Panel),
    ("change_password", Panel),
    ("confirm_password", Panel),
    ("sign_out", Panel),
    ("list_sessions", Panel),
    ("end_session", Panel),
    ("list_reached_stores", Panel),
    ("list_module_releases", Panel),
    ("list_members", Panel),
    ("set_member", Panel),
    ("remove_member", Panel),
    ("reset_member", Panel),
    ("invite_member", Panel),
    ("list_links", Panel),
    ("revoke_link", Panel),
    ("get_head", Panel),
    ("create_import", Panel),
    ("preview_import", Panel),
    ("start_import", Panel),
    ("cancel_import", Panel),
    ("get_import", Panel),
    ("list_imports", Panel),
    ("get_first_steps", Panel),
    ("preview", Reading),
    ("preview_explain", Reading),
    ("get_product", Reading),
    ("get_store_details", Panel),
    ("set_store_details", Panel),
    ("list_store_audit", Panel),
    ("list_account_audit", Panel),
    ("list_outlines", Panel),
    ("list_names", Panel),
    ("list_sources", Operator),
    ("get_source", Operator),
    ("create_source", Operator),
    ("update_source", Operator),
    ("delete_source", Operator),
    ("fetch_source", Operator),
    ("list_fetches", Operator),
    ("list_rejected", Panel),
    ("check_import", Reading),
    ("get_preview_key", Panel),
    ("create_user", Operator),
    ("list_users", Operator),
    ("reset_user", Operator),
    ("sign_out_users", Operator),
    ("set_user_active", Operator),
    ("set_user_role", Operator),
    ("create_account", Operator),
    ("list_accounts", Operator),
    ("set_account", Operator),
    ("create_store", Operator),
    ("list_all_stores", Operator),
    ("set_store", Operator),
    ("remove_store", Operator),
    ("remove_store_now", Operator),
    ("reopen_store", Operator),
    ("list_closed_stores", Operator),
    ("get_custom_code", Operator),
    ("set_custom_code", Operator),
    ("list_runs", Operator),
    ("release_run", Operator),
    ("create_key", Operator),
    ("list_keys", Operator),
    ("deactivate_key", Operator),
    ("clear_analytics", Operator),
    ("list_audit", Operator),
    ("import_documents", Operator),
    ("back_up", Operator),
    ("check", Operator),
    ("reindex", Operator),
];

/// The expected access to an operation.
fn row(operation: &Operation) -> Row {
    let row = ROWS.iter().find(|(id, _)| *id == operation.id);
    row.unwrap_or_else(|| panic!("{} has no row: state who may call it", operation.id))
        .1
}

#[test]
fn the_rows_agree_with_the_catalogue() {
    for operation in all_operations() {
        let access = match row(operation) {
            Account | Reading => RequiredAccess::Configuration(Scope::Read),
            Writing | Reserved => RequiredAccess::Configuration(Scope::Propose),
            Feed => RequiredAccess::Feed,
            Search => RequiredAccess::Search,
            Panel => RequiredAccess::Panel,
            Operator => RequiredAccess::Operator,
        };
        assert_eq!(operation.access, access, "{}", operation.id);
    }
    for (id, _) in ROWS {
        let known = all_operations().any(|operation| operation.id == *id);
        assert!(known, "{id} is no operation");
    }
    assert_eq!(ROWS.len(), all_operations().count());
}

/// All kinds of callers, each with a name for messages; the anonymous one has no key.
struct Callers(Vec<(&'static str, Option<String>)>);

impl Callers {
    fn of(shop: &Shop) -> Self {
        let (config, read, write) = (
            KeyKind::Configuration,
            Some(Scope::Read),
            Some(Scope::Write),
        );
        let second = shop.new_store("Second");
        let (other_account, their_store) = another_account(shop);
        let bound = |store: &StoreId, scope| shop.new_key(store, config, scope);
        let stopped = bound(&shop.store, write);
        let id = shop.api("GET", "/me").key(&stopped).send().ok().data()["key"]["id"].clone();
        let key = id.as_str().expect("an id").into();
        shop.admin(AdminRequest::DeactivateKey { key });
        let expired = expiring(shop);
        shop.clock.advance_ms(3_600_000);
        let all = [
            ("anonymous", None),
            ("a connector", Some(shop.connector.clone())),
            ("a shopper", Some(shop.public.clone())),
            ("a reader", Some(shop.read_key.clone())),
            ("a writer", Some(shop.write_key.clone())),
            (
                "a reader of the account",
                Some(shop.account_key(&shop.account, Scope::Read)),
            ),
            (
                "a writer of the account",
                Some(shop.account_key(&shop.account, Scope::Write)),
            ),
            ("a reader of another store", Some(bound(&second, read))),
            ("a writer of another store", Some(bound(&second, write))),
            (
                "a writer of another account's store",
                Some(bound(&their_store, write)),
            ),
            (
                "a writer of another account",
                Some(shop.account_key(&other_account, Scope::Write)),
            ),
            ("a deactivated key", Some(stopped)),
            ("an expired key", Some(expired)),
        ];
        Self(all.into())
    }
}

fn another_account(shop: &Shop) -> (AccountId, StoreId) {
    let store = shop.foreign_store();
    let name = "Stranger".to_owned();
    let account = shop.admin(AdminRequest::CreateAccount {
        name,
        max_stores: None,
    });
    (account["id"].as_str().expect("an id").into(), store)
}

/// A write key that is valid for another hour.
fn expiring(shop: &Shop) -> String {
    let key = shop.admin(AdminRequest::CreateKey(NewApiKey {
        store: Some(shop.store.clone()),
        account: None,
        kind: KeyKind::Configuration,
        scope: Some(Scope::Write),
        name: None,
        expires: Some(shop.clock.now().plus_hours(1)),
    }));
    let key = key["key"].as_str().expect("a key").to_owned();
    shop.api("GET", "/me").key(&key).send().ok();
    key
}

/// The error a caller gets; `None` if it passes the access check.
fn expected(row: Row, caller: &str) -> Option<&'static str> {
    let of_configuration = matches!(row, Account | Reading | Writing | Reserved);
    match caller {
        "anonymous" => Some("401 key_missing"),
        "a deactivated key" | "an expired key" => Some("401 key_invalid"),
        "a connector" if row == Feed => None,
        "a shopper" if row == Search => None,
        "a connector" | "a shopper" if of_configuration => Some("401 key_kind"),
        _ if !of_configuration => Some("403 key_kind"),
        _ if row == Account => None,
        reader if matches!(row, Writing | Reserved) && reader.starts_with("a reader") => {
            Some("403 scope_missing")
        }
        "a writer of another account" => Some("404 not_found"),
        other if other.contains("another") => Some("403 store_mismatch"),
        _ if row == Reserved => Some("403 reserved"),
        _ => None,
    }
}

/// Replaces the placeholders of a path; records that it names are created.
fn existing(shop: &Shop, path: &str) -> String {
    let record = |collection: &str, body: &Value| {
        let created = shop.own("POST", collection).json(body).send().ok();
        created.data()["id"].as_str().expect("an id").to_owned()
    };
    let mut path = path
        .replace("{id}", shop.store.as_str())
        .replace("{type}", "products")
        .replace("{runId}", "run_x");
    if !path.contains('{') {
        return path;
    }
    let revisions = shop.own("GET", "/revisions").send().ok();
    let number = revisions.json["meta"]["total"].to_string();
    if path.contains("{synId}") {
        let terms = json!({"terms": [format!("one{number}"), "two"]});
        path = path.replace("{synId}", &record("/synonyms", &terms));
    }
    if path.contains("{ruleId}") {
        let rule = json!({
            "name": "n", "type": "HIDE", "actions": {"hide": ["1"]}, "trigger": {"query": "x", "match": "exact"}
        });
        path = path.replace("{ruleId}", &record("/rules", &rule));
    }
    if path.contains("{filterId}") {
        let filter = json!({ "field": format!("features.{number}") });
        path = path.replace("{filterId}", &record("/filters", &filter));
    }
    if path.contains("{proposalId}") {
        let draft = json!({"draft": {"relevance": {"boosts": {"name": 7}}}});
        path = path.replace("{proposalId}", &record("/proposals", &draft));
    }
    if path.contains("{productId}") {
        let documents = json!([product(&number, "Chair")]);
        shop.bulk("products", "es", &documents).ok();
        path = path.replace("{productId}", &number);
    }
    path.replace("{n}", &number)
}

#[test]
fn every_operation_admits_the_callers_that_the_catalogue_grants_it_to() {
    let start = Timestamp(1_763_650_000_000);
    let shop = Shop::open_at(TestClock::fixed(start));
    let callers = Callers::of(&shop);
    for operation in all_operations() {
        let row = row(operation);
        let Some((method, path)) = server::route(operation.id) else {
            assert!(matches!(row, Operator | Panel), "{}", operation.id);
            continue;
        };
        // Failed attempts are counted by the minute.
        shop.clock.advance_ms(60_000);
        for (caller, key) in &callers.0 {
            let call = shop.api(method, &existing(&shop, path));
            let reply = match key {
                Some(key) => call.key(key).send(),
                None => call.send(),
            };
            let denied = matches!(reply.status, 401 | 403 | 404 | 405);
            let error = denied.then(|| format!("{} {}", reply.status, reply.code()));
            let expected = match (operation.id, caller) {
                // The proposal was made with the key of the writer.
                ("withdraw_proposal", &"a writer of the account") => Some("403 reserved"),
                (_, caller) => expected(row, caller),
            };
            assert_eq!(error.as_deref(), expected, "{} by {caller}", operation.id);
        }
    }
}
