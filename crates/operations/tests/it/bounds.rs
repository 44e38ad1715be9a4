//! 1. The synonyms, rules, filters and widget of a store take at most 16 MiB together; a change that makes them smaller
//!    always passes, and other stores are not affected.
//! 2. They are in at most 64 languages.
//! 3. The changes of a store take at most 64 MiB a day; then all fail until midnight UTC. The former state of a resource
//!    counts once for a revision, however often the revision writes to it.

use crate::world::{NOW, Tenant, World, language};
use domain::TriggerAlternatives;
use domain::audit::{Actor, AuditEntry, FieldChange};
use domain::form::{Label, ProductIds};
use domain::limits::{CHANGED_BYTES_PER_DAY, CONFIGURATION_BYTES_MAX};
use domain::relevance::{BoostMerging, RelevanceChange};
use domain::rule::{Actions, MatchKind, NewRule, Rule, RuleContent, RuleType, Trigger};
use domain::synonym::{NewSynonym, Synonym};
use domain::widget::custom_code::CodeKind;
use domain::{RuleId, SynonymId, access};
use operations::{OperationError, Precondition, records, relevance};
use serde_json::json;
use storage::{ConfigurationSize, ConfigurationWrite, Storage};

const DAY_MS: i64 = 86_400_000;

fn entry(text: Option<String>) -> AuditEntry {
    let change = text.map(|text| FieldChange {
        path: "x".to_owned(),
        before: None,
        after: Some(json!(text)),
    });
    AuditEntry {
        actor: Actor::named("test"),
        operation: "test".to_owned(),
        resource: "rules".to_owned(),
        summary: domain::message::value::missing(),
        changes: change.into_iter().collect(),
        request_id: None,
    }
}

/// A change that bypasses the operations, which would reject it.
async fn begin(world: &World, tenant: &Tenant, storage: &Storage) -> ConfigurationWrite {
    let caller = world.caller(&tenant.writer).await;
    let permit = access::write(&caller, &tenant.store).expect("may");
    let write = storage.begin(&permit).await.expect("begins");
    write.expect("a store")
}

/// Stores a rule whose trigger has so many bytes; returns the size of all records then.
async fn store_rule(world: &World, tenant: &Tenant, id: &str, bytes: usize) -> ConfigurationSize {
    let storage = world.storage().await;
    let mut write = begin(world, tenant, &storage).await;
    let hidden = ProductIds::parse("ids", vec!["p1".to_owned()]).expect("ids");
    let rule = Rule {
        id: id.into(),
        content: RuleContent {
            name: Label::parse("x").expect("a label"),
            language: language("es"),
            kind: RuleType::Hide,
            trigger: Trigger {
                query: "x".repeat(bytes),
                kind: MatchKind::Exact,
                alternatives: TriggerAlternatives::default(),
            },
            actions: Actions::Hide(hidden),
            priority: 1,
            active: false,
            start_date: None,
            end_date: None,
            time_zone: None,
        },
        created_at: NOW,
        updated_at: NOW,
    };
    write.save_rule(&rule).await.expect("is saved");
    write.commit(&entry(None), NOW).await.expect("commits");
    let size = storage.configuration_size(&tenant.read_permit()).await;
    size.expect("is measured")
}

async fn add_synonym(
    world: &World,
    tenant: &Tenant,
    code: &str,
    terms: &[&str],
) -> Result<SynonymId, OperationError> {
    let caller = world.caller(&tenant.writer).await;
    let new: NewSynonym =
        serde_json::from_value(json!({"language": code, "terms": terms})).expect("a group");
    let created = records::create::<Synonym>(&world.service, &caller, &tenant.store, new).await;
    created.map(|outcome| outcome.data.record.id)
}

async fn add_rule(world: &World, tenant: &Tenant, code: &str) -> Result<RuleId, OperationError> {
    let caller = world.caller(&tenant.writer).await;
    let new: NewRule = serde_json::from_value(json!({
        "name": "new",
        "language": code,
        "type": "HIDE",
        "trigger": {"query": "last", "match": "contains"},
        "actions": {"hide": ["p0"]},
    }))
    .expect("a rule");
    let created = records::create::<Rule>(&world.service, &caller, &tenant.store, new).await;
    created.map(|outcome| outcome.data.record.id)
}

async fn delete_synonym(world: &World, tenant: &Tenant, id: &SynonymId) {
    let caller = world.caller(&tenant.writer).await;
    let (service, store) = (&world.service, &tenant.store);
    let deleted = records::delete::<Synonym>(service, &caller, store, id, Precondition::None).await;
    deleted.expect("is deleted");
}

fn plan_limit(error: OperationError) -> serde_json::Value {
    assert_eq!(error.code(), "plan_limit");
    error.details().expect("details")
}

#[tokio::test]
async fn a_configuration_takes_at_most_16_mib() {
    let world = World::new().await;
    let (one, two) = (&world.one, &world.two);
    let max = CONFIGURATION_BYTES_MAX;
    let before = store_rule(&world, one, "large", 1).await.bytes;
    // The text of the group `["aa","bb"]` has 11 bytes.
    let bytes = usize::try_from(max - before - 11).expect("fits") + 1;
    let size = store_rule(&world, one, "large", bytes).await;
    assert_eq!((size.bytes, size.languages), (max - 11, 1));
    let refused = add_synonym(&world, one, "es", &["aa", "bbb"]).await;
    let details = plan_limit(refused.expect_err("one byte too many"));
    assert_eq!(details, json!({"max": max, "bytes": max + 1}));
    let last = add_synonym(&world, one, "es", &["aa", "bb"]).await;
    let last = last.expect("the last bytes");
    plan_limit(add_rule(&world, one, "es").await.expect_err("is full"));
    add_rule(&world, two, "es").await.expect("has room");

    // A configuration that exceeds the limit already, as some that are older than it.
    let size = store_rule(&world, one, "larger", 1_000).await;
    assert!(size.bytes > max);
    plan_limit(add_rule(&world, one, "es").await.expect_err("is too full"));
    delete_synonym(&world, one, &last).await;
    let caller = world.caller(&one.writer).await;
    let service = &world.service;
    for id in ["larger", "large"] {
        let id = RuleId::from(id);
        let deleted =
            records::delete::<Rule>(service, &caller, &one.store, &id, Precondition::None);
        deleted.await.expect("is deleted");
    }
    add_rule(&world, one, "es").await.expect("has room again");
    world.service.close().await;
}

#[tokio::test]
async fn records_are_in_64_languages() {
    let world = World::new().await;
    let one = &world.one;
    let letters = "abcdefgh".chars();
    let codes = letters.flat_map(|a| "abcdefgh".chars().map(move |b| format!("{a}{b}")));
    let mut last = None;
    for code in codes {
        let created = add_synonym(&world, one, &code, &["aa", "bb"]).await;
        last = Some(created.expect("is created"));
    }
    let refused = add_synonym(&world, one, "zz", &["aa", "bb"]).await;
    let details = plan_limit(refused.expect_err("the 65th"));
    assert_eq!(details, json!({"max": 64, "languages": 65}));
    plan_limit(add_rule(&world, one, "zz").await.expect_err("the 65th"));
    add_rule(&world, one, "aa").await.expect("is known");
    let more = add_synonym(&world, one, "ab", &["cc", "dd"]).await;
    more.expect("is known");
    let other = add_synonym(&world, &world.two, "zz", &["aa", "bb"]).await;
    other.expect("is the first");
    delete_synonym(&world, one, &last.expect("the last")).await;
    add_rule(&world, one, "zz").await.expect("is the 64th");
    world.service.close().await;
}

/// Saves a boost of the tenant; if that is rejected, returns the seconds until the next try.
async fn save(world: &World, tenant: &Tenant, boost: u32) -> Option<u64> {
    let caller = world.caller(&tenant.writer).await;
    let change: RelevanceChange =
        serde_json::from_value(json!({"boosts": {"name": boost}})).expect("a change");
    let (service, store) = (&world.service, &tenant.store);
    let (mode, any) = (BoostMerging::Merge, Precondition::None);
    match relevance::update(service, &caller, store, change, mode, any).await {
        Ok(_) => None,
        Err(OperationError::TooMany { retry_after_s, .. }) => Some(retry_after_s),
        Err(error) => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn changes_of_a_day_take_at_most_64_mib() {
    let world = World::new().await;
    let (one, two) = (&world.one, &world.two);
    assert_eq!(save(&world, one, 7).await, None);
    let storage = world.storage().await;
    let mut write = begin(&world, one, &storage).await;
    // Leaves room for a change of no bytes only.
    let empty = write.changed_today(&entry(Some(String::new())), NOW).await;
    let room = CHANGED_BYTES_PER_DAY - empty.expect("is measured") - 856;
    let room = usize::try_from(room).expect("fits");
    let large = entry(Some("x".repeat(room)));
    write.commit(&large, NOW).await.expect("commits");
    assert_eq!(save(&world, one, 7).await, None, "changes nothing");
    let left_ms = DAY_MS - NOW.0.rem_euclid(DAY_MS);
    let left_s = u64::try_from(left_ms / 1_000).expect("fits");
    assert_eq!(save(&world, one, 8).await, Some(left_s));
    assert_eq!(save(&world, one, 7).await, Some(left_s));
    assert_eq!(save(&world, two, 8).await, None);
    world.clock.advance_ms(left_ms - 1);
    assert_eq!(save(&world, one, 8).await, Some(1));
    world.clock.advance_ms(1);
    assert_eq!(save(&world, one, 8).await, None);
    let caller = world.caller(&one.writer).await;
    let (view, _) = relevance::get(&world.service, &caller, &one.store)
        .await
        .expect("reads");
    assert_eq!(json!(view)["boosts"]["name"], 8.0);
    world.service.close().await;
}

#[tokio::test]
async fn former_custom_code_counts_once() {
    let world = World::new().await;
    let storage = world.storage().await;
    let mut write = begin(&world, &world.one, &storage).await;
    let style = "x".repeat(10_000);
    let saved = write.save_custom_code(CodeKind::Css, Some(("aa", &style)));
    saved.await.expect("saves");
    let entry = entry(None);
    let once = write.changed_today(&entry, NOW).await.expect("is measured");
    let saved = write.save_custom_code(CodeKind::Js, Some(("bb", "run()")));
    saved.await.expect("saves");
    let twice = write.changed_today(&entry, NOW).await.expect("is measured");
    assert_eq!(once, twice);
    drop(write);
    world.service.close().await;
}
