//! Pairs of operations on the documents, indexes and runs of one store.

use super::two::{NamedLocks, Step, Two, step};
use super::{both, either, outcome};
use crate::world::{NOW, index_of, new_indices, new_run, product, products, scope, scope_close};
use domain::declarations::Currencies;
use domain::feed::{Block, RunClose};
use domain::{Caller, DocType, RunId, access};
use operations::Service;
use operations::feed::{FeedCaller, blocks, declare, indices, runs};
use serde_json::json;
use storage::Storage;

/// A run that no document was seen by.
const UNSEEN_RUN: i64 = 99;

/// What all documents of an index may go by.
enum Removal {
    Clear,
    Purge,
}

impl Two {
    /// A block with one product, of a run if there is one.
    async fn block(&self, service: &Service, id: &str, run: Option<&RunId>) -> Step {
        let caller = self.world.feeder(&self.world.one).await;
        let block = Block {
            language: "es".to_owned(),
            run_id: run.cloned(),
            documents: vec![product(id, 1)].into(),
        };
        let service = service.clone();
        step("documents", async move {
            outcome(blocks::upsert(&service, &caller, DocType::Products, block).await)
        })
    }

    /// A portion of the sweep of the only index to sweep.
    async fn sweep(&self) -> Step {
        let storage = self.storage().await;
        let mut sweeps = storage.unswept().await.expect("reads");
        assert_eq!(sweeps.len(), 1);
        step("documents", async move {
            let swept = storage.sweep(&mut sweeps[0], 500, NOW).await;
            swept.map_or_else(|error| error.to_string(), |_| "ok".to_owned())
        })
    }

    /// Marks all documents as cleared or purged, like a server that ends before it sweeps them.
    async fn remove_all(&self, storage: &Storage, removal: Removal) {
        let store = &self.world.one.store;
        let permit = access::feed_as_operator(&Caller::operator(), store).expect("may");
        let mut feed = storage.begin_feed(&permit).await.expect("begins");
        let state = feed.index(&scope("es")).await.expect("reads");
        let mut state = state.expect("an index");
        match removal {
            Removal::Clear => feed.clear(&mut state).await.expect("clears"),
            Removal::Purge => {
                let (writes, count) = (state.writes, state.documents.unsigned_abs());
                let purged = feed.purge(&mut state, UNSEEN_RUN, writes, count).await;
                purged.expect("purges");
            }
        }
        feed.save_index(&state, NOW).await.expect("saves");
        feed.commit().await.expect("commits");
    }

    async fn live(&self) -> Vec<String> {
        self.world.live(&self.world.one).await
    }

    /// Runs a block with the document `a` and another step, which both succeed; `a` alone is live afterwards.
    async fn leave_a(self, swapped: bool, block: Step, other: Step) -> Result<(), String> {
        let done = self.run(swapped, block, other).await?;
        both(&done, "ok", "ok")?;
        let live = self.live().await;
        self.close().await;
        (live == ["a"])
            .then_some(())
            .ok_or(format!("{live:?} are live"))
    }

    async fn with_products(locks: NamedLocks, ids: &[&str]) -> Self {
        let two = Self::new(locks).await;
        two.world.indices(&["es"]).await;
        if !ids.is_empty() {
            let sent = two.world.send(&two.world.one, None, products(ids)).await;
            sent.expect("stored");
        }
        two
    }
}

/// A document that a block writes is not taken by a sweep that runs at the same time.
pub async fn blocks_and_sweeps(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::with_products(locks, &["a", "b"]).await;
    two.remove_all(&two.storage().await, Removal::Clear).await;
    let (sweep, block) = (two.sweep().await, two.block(&two.other, "a", None).await);
    two.leave_a(swapped, block, sweep).await
}

/// Of two sweeps of a purge, one gives each document a number of those that the purge reserved.
pub async fn sweeps(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::with_products(locks, &["a", "b", "c"]).await;
    let storage = two.storage().await;
    two.remove_all(&storage, Removal::Purge).await;
    let done = two
        .run(swapped, two.sweep().await, two.sweep().await)
        .await?;
    both(&done, "ok", "ok")?;
    let live = two.live().await;
    let left = two.selected("SELECT purge_last + 1 - purge_next FROM indices WHERE purge_last > 0");
    two.close().await;
    match (live.is_empty(), left.as_deref()) {
        (true, None | Some("0")) => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

/// A document that a block revives is not deleted as an old mark.
pub async fn blocks_and_marks(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::with_products(locks, &["a"]).await;
    let deleted = two.world.delete(&two.world.one, &["a"], Some(NOW.0)).await;
    deleted.expect("deleted");
    let storage = two.storage().await;
    let index = index_of(&storage, &two.world.one).await.id;
    let permit = access::system(&two.world.one.store);
    let marks = step("documents", async move {
        let deleted = storage.delete_marks((&permit, index), Some(NOW.plus_hours(1)), 99, 10);
        let deleted = deleted.await;
        deleted.map_or_else(|error| error.to_string(), |_| "ok".to_owned())
    });
    let block = two.block(&two.other, "a", None).await;
    two.leave_a(swapped, block, marks).await
}

/// Counters are repaired to what a block leaves.
pub async fn blocks_and_repairs(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::with_products(locks, &["a"]).await;
    let storage = two.storage().await;
    let index = index_of(&storage, &two.world.one).await.id;
    let repair = {
        let storage = two.storage().await;
        step("indices", async move {
            let repaired = storage.repair_counters(index).await;
            repaired.map_or_else(|error| error.to_string(), |()| "ok".to_owned())
        })
    };
    let block = two.block(&two.other, "b", None).await;
    let done = two.run(swapped, block, repair).await?;
    both(&done, "ok", "ok")?;
    let row = index_of(&storage, &two.world.one).await;
    two.close().await;
    match row.documents {
        2 => Ok(()),
        other => Err(format!("{other} documents are counted")),
    }
}

/// Of two old runs, two deletions of the oldest one delete each at most once.
pub async fn deletions_of_runs(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::with_products(locks, &[]).await;
    let (world, one) = (&two.world, &two.world.one);
    for name in ["c", "d"] {
        let run = world.open_run(one, name).await.expect("opens").run_id;
        let closed = world.close_run(one, &run, vec![scope_close(0, 0)]).await;
        closed.expect("closes");
    }
    let deletion = async || {
        let storage = two.storage().await;
        step("run_scopes", async move {
            let deleted = storage.delete_ended_runs(NOW.plus_hours(1), 1).await;
            deleted.map_or_else(|error| error.to_string(), |count| count.to_string())
        })
    };
    let (first, second) = (deletion().await, deletion().await);
    let done = two.run(swapped, first, second).await?;
    // In a file the second one begins when the first one has ended, and the oldest run is the other one then.
    let less = if two.is_on_server() { "0" } else { "1" };
    two.close().await;
    either(done, less, "1")
}

/// A run that two open with one id of the connector is one run.
pub async fn openings_of_a_run(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::with_products(locks, &[]).await;
    let opening = async |service: &Service| {
        let caller = two.world.feeder(&two.world.one).await;
        let service = service.clone();
        step("runs", async move {
            let opened = runs::open(&service, &caller, new_run("c")).await;
            opened.map_or_else(|error| error.to_string(), |run| run.run_id.0)
        })
    };
    let (first, second) = (opening(&two.world.service).await, opening(&two.other).await);
    let (first, second) = two.run(swapped, first, second).await?;
    two.close().await;
    (first == second)
        .then_some(())
        .ok_or(format!("{first}, {second}"))
}

fn closing(service: &Service, run: &RunId, caller: FeedCaller) -> Step {
    let close = RunClose {
        scopes: vec![scope_close(1, 0)],
        confirm_purge: false,
    };
    let (service, run) = (service.clone(), run.clone());
    step("runs", async move {
        let closed = runs::close(&service, &caller, &run, close).await;
        closed.map_or_else(
            |error| error.to_string(),
            |closed| serde_json::to_string(&closed).expect("JSON"),
        )
    })
}

/// A run that two close has one result, and purges once.
pub async fn closings_of_a_run(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::with_products(locks, &["b"]).await;
    let (world, one) = (&two.world, &two.world.one);
    let run = world.open_run(one, "c").await.expect("opens").run_id;
    let sent = world.send(one, Some(&run), products(&["a"])).await;
    sent.expect("stored");
    let first = closing(&world.service, &run, world.feeder(one).await);
    let second = closing(&two.other, &run, world.feeder(one).await);
    let (first, second) = two.run(swapped, first, second).await?;
    two.close().await;
    let is_one = first == second && first.contains("\"purged\":1");
    is_one.then_some(()).ok_or(format!("{first}, {second}"))
}

/// A block of a run is counted by its close, or comes too late.
pub async fn blocks_and_closings(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::with_products(locks, &[]).await;
    let (world, one) = (&two.world, &two.world.one);
    let run = world.open_run(one, "c").await.expect("opens").run_id;
    let block = two.block(&two.other, "a", Some(&run)).await;
    let close = closing(&world.service, &run, world.feeder(one).await);
    let (block, close) = two.run(swapped, block, close).await?;
    let live = two.live().await;
    two.close().await;
    let is_counted = close.contains("\"seen\":1");
    let agrees = match block.as_str() {
        "ok" => is_counted && live == ["a"],
        _ => !is_counted && live.is_empty(),
    };
    agrees
        .then_some(())
        .ok_or(format!("{block}, {close}, {live:?}"))
}

/// Of two lists of languages none is lost.
pub async fn languages(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::with_products(locks, &[]).await;
    let saving = async |service: &Service, codes: &'static [&'static str]| {
        let caller = two.world.feeder(&two.world.one).await;
        let service = service.clone();
        step("indices", async move {
            outcome(indices::create(&service, &caller, new_indices(codes)).await)
        })
    };
    let first = saving(&two.world.service, &["es", "en"]).await;
    let second = saving(&two.other, &["es", "fr"]).await;
    let done = two.run(swapped, first, second).await?;
    both(&done, "ok", "ok")?;
    let store = two
        .storage()
        .await
        .store(&two.world.one.read_permit())
        .await;
    let store = store.expect("reads").expect("a store");
    let mut codes: Vec<String> = store.languages.iter().map(ToString::to_string).collect();
    codes.sort();
    two.close().await;
    (codes == ["en", "es", "fr"])
        .then_some(())
        .ok_or(format!("{codes:?}"))
}

/// Two declarations have two revisions.
pub async fn declarations(swapped: bool, locks: NamedLocks) -> Result<(), String> {
    let two = Two::with_products(locks, &[]).await;
    let declaring = async |service: &Service, code: &str| {
        let caller = two.world.feeder(&two.world.one).await;
        let body = json!({"base": "EUR", "currencies": [{"code": code}]});
        let body: Currencies = serde_json::from_value(body).expect("a declaration");
        let service = service.clone();
        step("declarations", async move {
            let declared = declare::declare(&service, &caller, body).await;
            declared.map_or_else(|error| error.to_string(), |done| done.revision.to_string())
        })
    };
    let first = declaring(&two.world.service, "USD").await;
    let second = declaring(&two.other, "GBP").await;
    let done = two.run(swapped, first, second).await?;
    two.close().await;
    either(done, "1", "2")
}
