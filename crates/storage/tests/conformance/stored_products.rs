//! 1. A product is returned with its run, when it was received and whether it was cut, and its text; one that was deleted,
//!    or is of another store, is not.

use crate::world::{NOW, World, products, put, read_permit, row};
use domain::RunId;
use domain::feed::{RunMode, RunOrigin};
use storage::{DocumentRow, NewRunRow};

#[tokio::test]
async fn a_stored_product_is_read() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let one = put(&world, "s1", one, &["a", "b"]).await;
    put(&world, "s2", two, &["c"]).await;
    let new = NewRunRow {
        id: RunId("run_1".to_owned()),
        client_run_id: "1".to_owned(),
        mode: RunMode::Incremental,
        at: NOW,
        origin: RunOrigin::Connector,
        by: None,
        process: None,
    };
    let mut feed = world.feed("s1").await;
    feed.open_run(&new, &[one]).await.expect("opens");
    let run = feed.run(&new.id).await.expect("reads").expect("a run");
    let seen = DocumentRow {
        written: one.writes,
        seen_run: run.number,
        received_at: Some(NOW),
        clipped: true,
        ..row(0, 1)
    };
    let gone = DocumentRow {
        deleted_at: Some(NOW),
        ..row(1, 2)
    };
    let rows = [("a", &seen), ("b", &gone)];
    feed.put_documents(one.id, &rows).await.expect("rows");
    feed.commit().await.expect("commits");
    let permit = read_permit("s1");
    let read = async |id: &str| {
        world
            .storage
            .stored_product(&permit, id)
            .await
            .expect("reads")
    };
    let found = read("a").await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].language, products().language);
    assert_eq!(found[0].run, Some(new.id));
    assert_eq!((found[0].received_at, found[0].clipped), (Some(NOW), true));
    let text = world.storage.product_text(&permit, &found[0]).await;
    assert_eq!(
        text.expect("reads").as_deref(),
        Some(r#"{"id":"a","of":"s1"}"#)
    );
    for missing in ["b", "c", "d"] {
        assert_eq!(read(missing).await, [], "{missing}");
    }
    let theirs = world
        .storage
        .product_text(&read_permit("s2"), &found[0])
        .await;
    assert_eq!(theirs.expect("reads"), None);
    let language = products().language;
    let texts = world
        .storage
        .product_texts(&permit, &language, &["a", "b", "c"]);
    let texts = texts.await.expect("reads");
    assert_eq!(texts.keys().collect::<Vec<_>>(), ["a"]);
}
