//! Uses of keys and clients that connectors named, kept in memory until they are worth a write.

use domain::{KeyId, StoreId, Timestamp};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

const MINUTE_MS: i64 = 60_000;

/// Uses that storage does not know yet, by key; and the last client header of each store.
#[derive(Clone, Default)]
pub(crate) struct LastUses {
    keys: Arc<Mutex<HashMap<KeyId, Timestamp>>>,
    clients: Arc<Mutex<HashMap<StoreId, (String, Timestamp)>>>,
}

impl LastUses {
    /// Notes that a key was used.
    pub fn note(&self, key: &KeyId, at: Timestamp) {
        self.keys.lock().insert(key.clone(), minute(at));
    }

    /// When a key was used, as far as storage does not know it yet.
    pub fn of(&self, key: &KeyId) -> Option<Timestamp> {
        self.keys.lock().get(key).copied()
    }

    /// Takes all uses out, for writing them down.
    pub fn take(&self) -> Vec<(KeyId, Timestamp)> {
        self.keys.lock().drain().collect()
    }

    /// Whether the client header of a store is worth a write: it is another one, or another minute.
    pub fn is_news(&self, store: &StoreId, client: &str, at: Timestamp) -> bool {
        let mut clients = self.clients.lock();
        let known = clients
            .get(store)
            .is_some_and(|(text, seen)| text == client && *seen == minute(at));
        if !known {
            clients.insert(store.clone(), (client.to_owned(), minute(at)));
        }
        !known
    }
}

fn minute(at: Timestamp) -> Timestamp {
    Timestamp(at.0 - at.0.rem_euclid(MINUTE_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_news_once_a_minute() {
        let uses = LastUses::default();
        let store = StoreId::from("s1");
        let at = |ms: i64| Timestamp(120_000 + ms);
        assert!(uses.is_news(&store, "prestashop/1", at(0)));
        assert!(!uses.is_news(&store, "prestashop/1", at(59_999)));
        assert!(uses.is_news(&store, "prestashop/2", at(59_999)));
        assert!(uses.is_news(&store, "prestashop/2", at(60_000)));
        uses.note(&"k1".into(), at(59_999));
        assert_eq!(uses.of(&"k1".into()), Some(at(0)));
        assert_eq!(uses.take().len(), 1);
        assert_eq!(uses.of(&"k1".into()), None);
    }
}
