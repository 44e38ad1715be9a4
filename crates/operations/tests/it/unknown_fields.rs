//! 1. Unknown fields are stored as sent, for every type, and are removed only if a later document lacks them.

use crate::world::{World, language};
use domain::DocType;
use domain::feed::{Block, FeedLanguage, NewIndices};
use operations::feed::{blocks, indices};
use serde_json::{Value, json};

fn with_unknown_fields(future: &Value) -> Value {
    json!({
        "id": "1", "name": "Bota", "title": "Bota", "condition": "new", "availableForOrder": false,
        "level": 3, "future": future, "type": "MANUFACTURER", "priceInclTax_XYZ_t7": 3.5
    })
}

async fn stored(world: &World, doc_type: DocType) -> Vec<Value> {
    let storage = world.storage().await;
    let rows = storage
        .indices_of(&world.one.read_permit())
        .await
        .expect("reads");
    let index = rows.iter().find(|row| row.scope.doc_type == doc_type);
    let id = index.expect("an index").id;
    let documents = storage
        .live_documents(id, None, crate::world::PAGE)
        .await
        .expect("reads");
    documents
        .documents
        .iter()
        .map(|row| serde_json::from_str(&row.body).expect("JSON"))
        .collect()
}

#[tokio::test]
async fn unknown_fields_are_stored() {
    let world = World::new().await;
    let caller = world.feeder(&world.one).await;
    let wanted = NewIndices {
        types: DocType::ALL.to_vec(),
        languages: vec![FeedLanguage {
            code: "es".to_owned(),
            locale: None,
            name: None,
            default: true,
        }],
    };
    indices::create(&world.service, &caller, wanted)
        .await
        .expect("makes");
    let future = json!({"deep": [1, "two", {"three": 3.5}], "<b>": "<i>as it came</i>"});
    for doc_type in DocType::ALL {
        for document in [
            with_unknown_fields(&future),
            with_unknown_fields(&json!("changed")),
        ] {
            let block = Block {
                language: language("es").as_str().to_owned(),
                run_id: None,
                documents: vec![document.clone()].into(),
            };
            let report = blocks::upsert(&world.service, &caller, doc_type, block)
                .await
                .expect("stores");
            assert_eq!(report.accepted, 1, "{report:?}");
            assert_eq!(stored(&world, doc_type).await, [document], "{doc_type:?}");
        }
    }
}
