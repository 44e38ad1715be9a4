//! 1. Search-only keys are remembered as last read for as long as that lasts, other keys never; a key that is gone is
//!    forgotten.
//! 2. What is remembered is used when a read takes too long or the database is away; other errors stay errors.
//! 3. While the database does not respond, one request at a time waits for it.

use super::*;
use domain::AccountId;
use std::future::{pending, ready};

const LASTS: Duration = Duration::from_secs(60);
const NOW: Timestamp = Timestamp(1_000_000);

fn row(kind: KeyKind) -> KeyRow {
    KeyRow {
        id: KeyId("k".to_owned()),
        account: AccountId::from("a"),
        store: None,
        kind,
        scope: None,
        name: "Shop pages".to_owned(),
        digest: "d".to_owned(),
        last_four: "four".to_owned(),
        readable: None,
        made_by: None,
        created_at: NOW,
        expires_at: None,
        deactivated_at: None,
        last_used_at: None,
        store_closed: false,
    }
}

#[test]
fn search_only_keys_are_remembered() {
    let keys = RememberedKeys::new(LASTS);
    let key = row(KeyKind::SearchOnly);
    keys.keep_key(&key.id, Some(&key), NOW);
    let after = |ms: i64| keys.key(&key.id, Timestamp(NOW.0 + ms));
    assert_eq!(after(59_999), Some(key.clone()));
    assert_eq!(after(60_000), None);
    assert_eq!(after(-1), None, "a clock that went back");
    keys.keep_key(&key.id, None, NOW);
    assert_eq!(after(0), None);
    keys.keep_key(&key.id, Some(&row(KeyKind::Connector)), NOW);
    assert_eq!(after(0), None);
    let none = RememberedKeys::new(Duration::ZERO);
    none.keep_key(&key.id, Some(&key), NOW);
    assert_eq!(none.key(&key.id, NOW), None);
    let longest = RememberedKeys::new(Duration::from_secs(3_600));
    longest.keep_key(&key.id, Some(&key), NOW);
    assert_eq!(longest.key(&key.id, Timestamp(NOW.0 + 300_000)), None);
}

#[tokio::test(start_paused = true)]
async fn what_is_remembered_is_used() {
    let keys = RememberedKeys::new(LASTS);
    let read = keys.read(Some(1), ready(Ok(2))).await;
    assert!(matches!(read, Ok(Recalled::Read(2))));
    let began = Instant::now();
    let slow = keys.read(Some(1), pending()).await;
    assert!(matches!(slow, Ok(Recalled::Remembered(1))));
    assert_eq!(began.elapsed(), PATIENCE);
    // The database is away: nobody waits, until one tries again.
    let again = keys.read(Some(1), pending()).await;
    assert!(matches!(again, Ok(Recalled::Remembered(1))));
    assert_eq!(began.elapsed(), PATIENCE);
    tokio::time::advance(PAUSE).await;
    let (one, other) = tokio::join!(keys.read(Some(1), pending()), async {
        let read = keys.read(Some(1), pending()).await;
        (read, began.elapsed())
    });
    assert!(matches!(one, Ok(Recalled::Remembered(1))));
    assert!(matches!(other.0, Ok(Recalled::Remembered(1))));
    assert_eq!(other.1, PATIENCE + PAUSE, "the other one did not wait");
    tokio::time::advance(PAUSE).await;
    let back = keys.read(Some(1), ready(Ok(3))).await;
    assert!(matches!(back, Ok(Recalled::Read(3))));
    assert!(keys.may_try() && keys.may_try());
}
