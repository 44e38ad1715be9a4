//! Ended runs are deleted in portions with their scopes, in the order in which they ended; open ones stay.

use crate::world::{NOW, World, read_permit};
use domain::RunId;
use domain::feed::{RunMode, RunOrigin};
use storage::{NewRunRow, RunState};

#[tokio::test]
async fn ended_runs_are_deleted_in_portions() {
    let world = World::new().await;
    let [one, _] = world.indices().await;
    let mut runs = Vec::new();
    let mut feed = world.feed("s1").await;
    for (name, ended) in [
        ("c", Some(3)),
        ("a", Some(1)),
        ("b", Some(2)),
        ("open", None),
    ] {
        let new = NewRunRow {
            id: RunId::from(name),
            client_run_id: name.to_owned(),
            mode: RunMode::Incremental,
            at: NOW,
            origin: RunOrigin::Connector,
            by: None,
            process: None,
        };
        feed.open_run(&new, &[one]).await.expect("opens");
        let run = feed.run(&new.id).await.expect("reads").expect("a run");
        if let Some(hours) = ended {
            let end = feed.end_run(&run, RunState::Closed, None, NOW.plus_hours(hours));
            end.await.expect("ends");
        }
        runs.push(run);
    }
    feed.commit().await.expect("commits");
    let left = async || {
        let listed = world.storage.runs_of(&read_permit("s1"), 9).await;
        let listed = listed.expect("reads").into_iter();
        let mut left: Vec<String> = listed.map(|(run, _)| run.id.0).collect();
        left.sort_unstable();
        left
    };
    let portions: [(i64, u32, u64, &[&str]); 5] = [
        (0, 9, 0, &["a", "b", "c", "open"]),
        (2, 1, 1, &["b", "c", "open"]),
        (2, 9, 1, &["c", "open"]),
        (3, 9, 1, &["open"]),
        (99, 9, 0, &["open"]),
    ];
    for (hours, limit, gone, kept) in portions {
        let forgotten = world
            .storage
            .delete_ended_runs(NOW.plus_hours(hours), limit);
        assert_eq!(forgotten.await.expect("deletes"), gone);
        assert_eq!(left().await, kept);
    }
    let mut feed = world.feed("s1").await;
    for (run, scopes) in runs.iter().zip([0, 0, 0, 1]) {
        assert_eq!(feed.run_scopes(run).await.expect("reads").len(), scopes);
    }
}
