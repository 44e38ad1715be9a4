//! 1. A text is found in records without regard to the case of any letter, accented ones too, and not across two fields.

use crate::world::{NOW, World, entry, read_permit, write_permit};
use domain::audit::{AuditQuery, AuditSelection};
use storage::AuditScope;

async fn found(world: &World, text: &str) -> u64 {
    let selection = AuditSelection {
        query: AuditQuery {
            text: Some(text.to_owned()),
            ..AuditQuery::default()
        },
        since: None,
        until: None,
    };
    let scope = AuditScope::Store(read_permit("s1"));
    let page = world.storage.audit_page(&scope, &selection).await;
    page.expect("reads").1
}

#[tokio::test]
async fn letters_of_both_cases_are_found() {
    let world = World::new().await;
    for name in ["ÁNGELA Ñúñez", "Jörg 100%"] {
        let change = world.storage.begin(&write_permit("s1")).await;
        let change = change.expect("opens").expect("a store");
        let mut entry = entry(&[]);
        entry.actor.name = name.to_owned();
        change.commit(&entry, NOW).await.expect("commits");
    }
    for (text, count) in [
        ("ángela", 1),
        ("ÁNGELA", 1),
        ("ÑÚÑEZ", 1),
        ("jörg", 1),
        ("JÖRG 100%", 1),
        ("1%0", 0),
        ("test", 2),
        ("test test", 0),
        ("angela", 0),
    ] {
        assert_eq!(found(&world, text).await, count, "{text}");
    }
}
