//! Engines that differ from the embedded one.
//!
//! 1. A document that the engine rejects is logged, counted and found by a check with its reason. It holds up nothing: the
//!    watermark passes it, and the other documents of its batch are found.
//! 2. A repair puts right what else a check finds, and leaves a rejected document, also after a restart; once it changes,
//!    it is found, even if only its price does. Until then nobody finds what it was before.
//! 3. The indexes of an engine without files are not in a backup, which says so; a check does not verify them.
//! 4. An index that keeps no numbers in memory is never loaded, is given whole documents, and is searched after a start
//!    while it is behind storage; how far it is behind is known.
//! 5. An index that servers share and that is not there is filled before anybody searches it, and never searched in part.

use crate::fake_engine::{Behaviour, Call, FakeEngine, REASON};
use crate::world::{World, index_of, open_over, product, products, total};
use domain::Caller;
use operations::check::{self, FindingKind};
use operations::{Service, backup};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;
use tracing::Dispatch;
use tracing::subscriber::{DefaultGuard, set_default};

const PATIENCE: Duration = Duration::from_secs(30);

/// A second subscriber of the process. While there is only one, the first thread that comes to a line of the log decides
/// for all whether anybody listens, and another test's thread has no subscriber.
static ANOTHER: LazyLock<Dispatch> =
    LazyLock::new(|| Dispatch::new(tracing_subscriber::registry()));

/// The log of this thread, on which everything async of a test runs.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn begin() -> (Self, DefaultGuard) {
        LazyLock::force(&ANOTHER);
        let log = Self::default();
        let written = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(move || written.clone());
        (log, set_default(subscriber.finish()))
    }

    fn lines_with(&self, text: &str) -> Vec<String> {
        let bytes = self.0.lock().expect("no test panicked").clone();
        let all = String::from_utf8(bytes).expect("a text");
        let lines = all.lines().filter(|line| line.contains(text));
        lines.map(str::to_owned).collect()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no test panicked").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

async fn fed(world: &World, documents: Vec<Value>) {
    let sent = world.send(&world.one, None, documents).await;
    assert_eq!(sent.expect("stored").rejected.len(), 0);
}

async fn searchable(world: &World, service: &Service) {
    let waited = service.wait_until_searchable(&world.one.store, PATIENCE);
    let searchable = waited.await.expect("storage answers");
    assert!(searchable, "the index stays behind");
}

/// Kind, documents and whether it was repaired, of each finding.
async fn found(service: &Service, repair: bool) -> Vec<(FindingKind, Vec<String>, bool)> {
    let found = check::run(service, &Caller::operator(), repair).await;
    let found = found.expect("checked").into_iter().map(|finding| {
        assert_eq!(
            finding.kind == FindingKind::Rejected,
            finding.text.contains(REASON),
            "{finding:?}"
        );
        (finding.kind, finding.documents, finding.repaired)
    });
    found.collect()
}

#[tokio::test]
async fn a_rejected_document_is_reported_and_holds_up_nothing() {
    let (log, _logging) = Log::begin();
    let (engine, behaviour) = FakeEngine::new(rejecting("bad"));
    let world = World::over(engine).await;
    let service = &world.service;
    world.indices(&["es"]).await;
    fed(&world, products(&["a", "bad", "b"])).await;
    searchable(&world, service).await;
    let row = index_of(&world.storage().await, &world.one).await;
    let watermark = || service.indexing().statistics(row.id).watermark;
    assert_eq!(
        (watermark(), total(service, &world.one).await),
        (row.sequence, 2)
    );
    assert_eq!(service.statistics().await.rejected_by_engine, 1);
    let lines = log.lines_with("the engine rejects a document");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains(REASON) && lines[0].contains("\"bad\""),
        "{lines:?}"
    );

    let rejected = |repaired| (FindingKind::Rejected, vec!["bad".to_owned()], repaired);
    assert_eq!(found(service, false).await, [rejected(false)]);
    assert_eq!(found(service, true).await, [rejected(false)]);
    // There was nothing to repair, so no index was built.
    assert_eq!(service.statistics().await.rejected_by_engine, 1);

    *behaviour.loses.lock().expect("no test panicked") = Some("lost");
    fed(&world, products(&["c", "lost"])).await;
    searchable(&world, service).await;
    *behaviour.loses.lock().expect("no test panicked") = None;
    for repair in [false, true] {
        let missing = (FindingKind::Missing, vec!["lost".to_owned()], repair);
        assert_eq!(found(service, repair).await, [missing, rejected(false)]);
    }
    assert_eq!(total(service, &world.one).await, 4);
    assert_eq!(service.statistics().await.rejected_by_engine, 2);

    // What it was before is not found either.
    *behaviour.rejects.lock().expect("no test panicked") = Some("a");
    fed(&world, vec![json!({"id": "a", "name": "Worse"})]).await;
    searchable(&world, service).await;
    assert_eq!(total(service, &world.one).await, 3);

    *behaviour.rejects.lock().expect("no test panicked") = None;
    fed(&world, vec![product("a", 1)]).await;
    fed(&world, vec![json!({"id": "bad", "name": "Another name"})]).await;
    searchable(&world, service).await;
    assert_eq!(total(service, &world.one).await, 5);
    assert_eq!(found(service, false).await, []);
    service.close().await;
}

#[tokio::test]
async fn a_document_rejected_before_a_restart_is_not_called_repaired() {
    let (engine, _) = FakeEngine::new(rejecting("bad"));
    let world = World::over(Arc::clone(&engine) as Arc<_>).await;
    world.indices(&["es"]).await;
    fed(&world, products(&["a", "bad"])).await;
    searchable(&world, &world.service).await;
    world.service.close().await;

    let service = open_over(&world.dir, &world.clock, engine).await;
    let bad = |kind| (kind, vec!["bad".to_owned()], false);
    assert_eq!(found(&service, false).await, [bad(FindingKind::Missing)]);
    assert_eq!(found(&service, true).await, [bad(FindingKind::Rejected)]);
    assert_eq!(total(&service, &world.one).await, 1);
    service.close().await;
}

#[tokio::test]
async fn a_rejected_document_is_written_whole_when_only_its_price_changes() {
    let (engine, behaviour) = FakeEngine::new(rejecting("bad"));
    let world = World::over(engine).await;
    world.indices(&["es"]).await;
    fed(&world, products(&["a", "bad"])).await;
    searchable(&world, &world.service).await;
    *behaviour.rejects.lock().expect("no test panicked") = None;
    let mut priced = product("bad", 1);
    priced["priceInclTax"] = json!(9.5);
    priced["hash"] = json!("sha1:priced");
    fed(&world, vec![priced]).await;
    searchable(&world, &world.service).await;
    assert_eq!(total(&world.service, &world.one).await, 2);
    assert_eq!(found(&world.service, false).await, []);
    world.service.close().await;
}

fn rejecting(id: &'static str) -> Behaviour {
    Behaviour {
        is_local: true,
        rejects: Mutex::new(Some(id)),
        ..Behaviour::default()
    }
}

#[tokio::test]
async fn a_backup_leaves_out_indexes_without_files() {
    let (log, _logging) = Log::begin();
    let (engine, _) = FakeEngine::new(Behaviour::default());
    let world = World::over(engine).await;
    world.indices(&["es", "en"]).await;
    fed(&world, products(&["a"])).await;
    searchable(&world, &world.service).await;
    let to = world.dir.path().with_extension("backup");
    let created = backup::create(&world.service, &Caller::operator(), to.clone()).await;
    let created = created.expect("a backup");
    assert_eq!((created.indexes, created.left_out), (0, 4));
    assert!(to.join("findwell.db").exists());
    assert!(!to.join("indexes").exists());
    assert_eq!(log.lines_with("no index is in the backup").len(), 1);
    std::fs::remove_dir_all(to).expect("removed");

    assert_eq!(found(&world.service, false).await, []);
    assert_eq!(log.lines_with("no checksums are compared").len(), 1);
    world.service.close().await;
}

#[tokio::test]
async fn an_index_without_numbers_in_memory_is_searched_while_it_is_behind() {
    let (engine, behaviour) = FakeEngine::new(Behaviour::default());
    let world = World::over(Arc::clone(&engine) as Arc<_>).await;
    world.indices(&["es"]).await;
    fed(&world, products(&["a", "b"])).await;
    searchable(&world, &world.service).await;
    let mut priced = product("a", 1);
    priced["priceInclTax"] = json!(9.5);
    priced["hash"] = json!("sha1:priced");
    fed(&world, vec![priced]).await;
    searchable(&world, &world.service).await;
    behaviour.fail(&[Call::Apply]);
    fed(&world, products(&["c"])).await;
    world.service.close().await;

    let service = open_over(&world.dir, &world.clock, engine).await;
    assert_eq!(total(&service, &world.one).await, 2);
    let row = index_of(&world.storage().await, &world.one).await;
    let statistics = service.indexing().statistics(row.id);
    assert_eq!(statistics.state, "building");
    assert!(statistics.watermark < row.sequence);
    behaviour.fail(&[]);
    searchable(&world, &service).await;
    assert_eq!(total(&service, &world.one).await, 3);
    assert_eq!(found(&service, false).await, []);
    let [loads, in_brief] =
        [&behaviour.loads, &behaviour.in_brief].map(|count| count.load(Ordering::SeqCst));
    assert_eq!((loads, in_brief), (0, 0));
    service.close().await;
}

#[tokio::test]
async fn a_shared_index_is_filled_before_it_is_searched() {
    let (engine, behaviour) = FakeEngine::new(Behaviour {
        is_shared: true,
        ..Behaviour::default()
    });
    let world = World::over(Arc::clone(&engine) as Arc<_>).await;
    world.indices(&["es"]).await;
    fed(&world, products(&["a", "b"])).await;
    searchable(&world, &world.service).await;
    assert_eq!(behaviour.count(Call::Rebuild), 0);
    world.service.close().await;

    // As a server of another version finds it, first one that cannot write.
    behaviour.indexes.lock().expect("no test panicked").clear();
    behaviour.fail(&[Call::Apply]);
    let service = open_over(&world.dir, &world.clock, Arc::clone(&engine) as Arc<_>).await;
    let row = index_of(&world.storage().await, &world.one).await;
    let indexing = service.indexing();
    assert_eq!(indexing.statistics(row.id).state, "closed");
    assert_eq!(behaviour.count(Call::Complete), 0);
    service.close().await;

    behaviour.fail(&[]);
    let renewed = behaviour.count(Call::Renew);
    let service = open_over(&world.dir, &world.clock, engine).await;
    assert_eq!(total(&service, &world.one).await, 2);
    assert_eq!(behaviour.count(Call::Complete), 1);
    assert_eq!(behaviour.count(Call::Renew), renewed);
    assert_eq!(found(&service, false).await, []);
    service.close().await;
}
