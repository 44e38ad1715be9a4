//! A new database with two tenants, and helpers to write documents.

use crate::place::Place;
use domain::access::{
    self, Feed, Identity, KeyIdentity, OperatorPermit, Read, Search, System, Write,
};
use domain::audit::{Actor, AuditEntry, AuditFilter, FieldChange};
use domain::feed::FeedScope;
use domain::store::{PlanLimits, Store, StoreStatus};
use domain::{AccountId, Caller, DocType, KeyKind, Language, Permit, StoreId, Timestamp};
use std::sync::Arc;
use storage::{AccountRow, AuditSubject, DocumentRow, FeedWrite, IndexState, NewStoreRow, Storage};

pub const NOW: Timestamp = Timestamp(1_763_650_000_000);

pub struct World {
    pub storage: Storage,
    pub place: Place,
}

impl World {
    /// A database with the accounts `a1` and `a2`, each with one store, `s1` and `s2`.
    pub async fn new() -> Self {
        let place = Place::new();
        let storage = Storage::open(&place.database).await;
        let storage = storage.expect("storage opens");
        let mut change = storage.administer(&operator()).await.expect("opens");
        for number in ["1", "2"] {
            let account = AccountId(format!("a{number}"));
            let row = AccountRow {
                id: account.clone(),
                name: format!("Account {number}"),
                created_at: NOW,
            };
            change.create_account(&row).await.expect("account");
            let store = store(&format!("s{number}"));
            change
                .create_store(&NewStoreRow { store, account })
                .await
                .expect("store");
        }
        change
            .commit(&entry(&[]), &AuditSubject::default(), NOW)
            .await
            .expect("commits");
        Self { storage, place }
    }

    /// Creates the index of Spanish products in both stores.
    pub async fn indices(&self) -> [IndexState; 2] {
        let mut created = Vec::new();
        for store in ["s1", "s2"] {
            let mut feed = self.feed(store).await;
            created.push(feed.create_index(&products(), NOW).await.expect("index"));
            feed.commit().await.expect("commits");
        }
        [created[0], created[1]]
    }

    /// The database as another server sees it.
    pub async fn other(&self) -> Storage {
        let other = Storage::open(&self.place.database).await;
        other.expect("storage opens")
    }

    pub async fn feed(&self, store: &str) -> FeedWrite {
        self.storage
            .begin_feed(&feed_permit(store))
            .await
            .expect("opens")
    }
}

pub fn store(id: &str) -> Store {
    Store {
        id: StoreId::from(id),
        name: format!("Store {id}"),
        url: String::new(),
        dev_url: String::new(),
        status: StoreStatus::Active,
        platform: "prestashop".to_owned(),
        languages: vec![Language::parse("es").expect("a code")],
        plan: PlanLimits::default(),
        purge_breaker: true,
        impact_gate: None,
        config_revision: 0,
        created_at: NOW,
    }
}

pub fn operator() -> OperatorPermit {
    access::operator(&Caller::operator()).expect("the operator may")
}

pub fn read_permit(store: &str) -> Permit<Read> {
    access::read(&Caller::operator(), &StoreId::from(store)).expect("the operator may")
}

/// Returns the permit of a public key of `store`.
pub fn search_permit(store: &str) -> Permit<Search> {
    let key = KeyIdentity {
        id: "public".into(),
        name: "public".to_owned(),
        kind: KeyKind::SearchOnly,
        scope: None,
        account: "a".into(),
        store: Some(store.into()),
        account_stores: Arc::from([StoreId::from(store)]),
    };
    let caller = Caller {
        identity: Identity::Key(Arc::new(key)),
        request_id: None,
        attempt: domain::WriteAttempt::default(),
    };
    access::search(&caller).expect("a public key may")
}

pub fn system_permit(store: &str) -> Permit<System> {
    access::system(&StoreId::from(store))
}

pub fn write_permit(store: &str) -> Permit<Write> {
    access::write(&Caller::operator(), &StoreId::from(store)).expect("the operator may")
}

pub fn feed_permit(store: &str) -> Permit<Feed> {
    access::feed_as_operator(&Caller::operator(), &StoreId::from(store)).expect("the operator may")
}

/// Selects the latest `limit` audit records about `store`.
pub fn latest_of(store: &StoreId, limit: u32) -> AuditFilter {
    AuditFilter {
        store: Some(store.clone()),
        limit,
        ..AuditFilter::default()
    }
}

pub fn products() -> FeedScope {
    FeedScope {
        doc_type: DocType::Products,
        language: Language::parse("es").expect("a code"),
    }
}

/// Returns an audit entry of changes of `paths`.
pub fn entry(paths: &[&str]) -> AuditEntry {
    AuditEntry {
        actor: Actor::named("command line"),
        operation: "test".to_owned(),
        resource: "test".to_owned(),
        summary: domain::message::value::missing(),
        changes: paths
            .iter()
            .map(|path| FieldChange {
                path: (*path).to_owned(),
                before: None,
                after: Some(1.into()),
            })
            .collect(),
        request_id: Some("r1".to_owned()),
    }
}

/// Returns a live row with this ordinal and sequence number.
pub fn row(ordinal: i64, seq: i64) -> DocumentRow {
    DocumentRow {
        ordinal,
        rev: 1000 + seq,
        hash: format!("sha1:{ordinal}"),
        body_hash: 7,
        text_hash: -7,
        seq,
        text_seq: seq,
        written: seq,
        seen_run: 0,
        deleted_at: None,
        received_at: None,
        clipped: false,
    }
}

/// Writes the documents `ids` into `index` of `store` in one transaction, and returns the counters after it.
pub async fn put(world: &World, store: &str, state: IndexState, ids: &[&str]) -> IndexState {
    let mut feed = world.feed(store).await;
    let mut next = state;
    let mut rows = Vec::new();
    let mut bodies = Vec::new();
    next.writes += 1;
    for id in ids {
        next.sequence += 1;
        let row = DocumentRow {
            written: next.writes,
            ..row(next.next_ordinal, next.sequence)
        };
        rows.push((*id, row));
        bodies.push((
            next.next_ordinal,
            format!("{{\"id\":\"{id}\",\"of\":\"{store}\"}}"),
        ));
        next.next_ordinal += 1;
        next.documents += 1;
    }
    let rows: Vec<(&str, &DocumentRow)> = rows.iter().map(|(id, row)| (*id, row)).collect();
    let bodies: Vec<(i64, &str)> = bodies
        .iter()
        .map(|(at, body)| (*at, body.as_str()))
        .collect();
    feed.put_documents(state.id, &rows).await.expect("rows");
    feed.put_bodies(state.id, &bodies).await.expect("bodies");
    feed.save_index(&next, NOW).await.expect("counters");
    feed.commit().await.expect("commits");
    next
}
