//! Last uses of keys, and client headers of connectors, kept in memory until they are written to storage.

use domain::{KeyId, StoreId, Timestamp};
use parking_lot::Mutex;
use std::collections::HashMap;

const MINUTE_MS: i64 = 60_000;

/// Pending uses by key, and the last stored client header of each store.
#[derive(Default)]
pub(crate) struct LastUses {
    keys: Mutex<HashMap<KeyId, Timestamp>>,
    clients: Mutex<HashMap<StoreId, (String, Timestamp)>>,
}

impl LastUses {
    /// Records a use of a key.
    pub fn note(&self, key: &KeyId, at: Timestamp) {
        self.keys.lock().insert(key.clone(), minute(at));
    }

    /// Returns the pending use of a key.
    pub fn of(&self, key: &KeyId) -> Option<Timestamp> {
        self.keys.lock().get(key).copied()
    }

    /// Returns all pending uses.
    pub fn pending(&self) -> Vec<(KeyId, Timestamp)> {
        let keys = self.keys.lock();
        keys.iter().map(|(key, at)| (key.clone(), *at)).collect()
    }

    /// Drops uses that were written; a later use in the meantime stays.
    pub fn forget_written(&self, uses: &[(KeyId, Timestamp)]) {
        let mut keys = self.keys.lock();
        for (key, at) in uses {
            if keys.get(key) == Some(at) {
                keys.remove(key);
            }
        }
    }

    /// Returns whether the client header of a store has to be written: it changed, or the minute did.
    pub fn needs_write(&self, store: &StoreId, client: &str, at: Timestamp) -> bool {
        let clients = self.clients.lock();
        !clients
            .get(store)
            .is_some_and(|(text, seen)| text == client && *seen == minute(at))
    }

    /// Records that the client header of a store was written.
    pub fn written(&self, store: &StoreId, client: String, at: Timestamp) {
        let seen = (client, minute(at));
        self.clients.lock().insert(store.clone(), seen);
    }
}

fn minute(at: Timestamp) -> Timestamp {
    Timestamp(at.0 - at.0.rem_euclid(MINUTE_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_written_once_a_minute() {
        let uses = LastUses::default();
        let store = StoreId::from("s1");
        let at = |ms: i64| Timestamp(120_000 + ms);
        for (client, ms) in [
            ("prestashop/1", 0),
            ("prestashop/2", 59_999),
            ("prestashop/2", 60_000),
        ] {
            assert!(uses.needs_write(&store, client, at(ms)));
            assert!(
                uses.needs_write(&store, client, at(ms)),
                "nothing was written"
            );
            uses.written(&store, client.to_owned(), at(ms));
            assert!(!uses.needs_write(&store, client, at(ms)));
        }
        assert!(!uses.needs_write(&store, "prestashop/2", at(119_999)));
    }

    #[test]
    fn a_use_stays_until_it_was_written() {
        let uses = LastUses::default();
        let at = |ms: i64| Timestamp(120_000 + ms);
        uses.note(&"k1".into(), at(59_999));
        uses.note(&"k2".into(), at(0));
        assert_eq!(uses.of(&"k1".into()), Some(at(0)));
        let first = uses.pending();
        assert_eq!(first.len(), 2);
        uses.note(&"k2".into(), at(60_000));
        uses.forget_written(&first);
        assert_eq!(uses.of(&"k1".into()), None);
        assert_eq!(uses.pending(), [("k2".into(), at(60_000))]);
    }
}
