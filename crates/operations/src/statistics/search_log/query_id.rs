//! Ids of responses: signed, so that events tell store, time and query of their search without anything stored.

use crate::OperationError;
use crate::runtime::ids;
use crate::runtime::seal::Seal;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::analytics::Surface;
use domain::limits::QUERY_ID_DAYS;
use domain::{Day, Language, StoreId, Timestamp};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

const PREFIX: &str = "q_";
const LANGUAGE_BYTES: usize = 5;
const CONTENT_BYTES: usize = 1 + 6 + LANGUAGE_BYTES + 8 + 8;
const MAC_BYTES: usize = 16;
/// How far the clock of the node that signed an id may be ahead.
const AHEAD_MS: i64 = 5 * 60 * 1000;

/// Flags of an id.
const COUNTS: u8 = 1;
const TRACKED: u8 = 2;
const FOUND: u8 = 4;
const SEARCHED: u8 = 8;
const UNCOUNTED: u8 = 16;

/// What the id of a response that counts tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueryRef {
    /// Time of the search.
    pub at: Timestamp,
    /// Language of the search.
    pub language: Language,
    /// Where the shopper searched.
    pub surface: Surface,
    /// Keyed digest of language and query.
    pub digest: i64,
    /// The visit, if the search had a session.
    pub visit: Option<Visit>,
    /// Whether it found products.
    pub found: bool,
    /// Whether it is not counted itself: a further page of a search that may have been, for example.
    pub is_uncounted: bool,
    /// Digest of the id itself.
    pub response: i64,
}

/// A query of a session, as keyed digests: the session in the upper 40 bits, the query in the lower ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Visit(pub u64);

impl Visit {
    const QUERY_BITS: u32 = 24;

    /// Returns the visit of a session with a query, both as digests.
    pub fn new(session: u64, digest: i64) -> Self {
        let query = digest.cast_unsigned() & ((1 << Self::QUERY_BITS) - 1);
        Self(session << Self::QUERY_BITS | query)
    }

    /// Returns the digest of the session.
    pub fn session(self) -> u64 {
        self.0 >> Self::QUERY_BITS
    }
}

/// Signs and verifies ids of responses.
pub(crate) struct QueryIds {
    ids: Hmac<Sha256>,
    queries: Hmac<Sha256>,
    sessions: Hmac<Sha256>,
}

impl QueryIds {
    /// Returns the signer of a data directory. Every node with the same key verifies its ids.
    ///
    /// Errors: if the derived keys cannot be used.
    pub fn new(seal: &Seal) -> Result<Self, OperationError> {
        let mac = |purpose| {
            Hmac::<Sha256>::new_from_slice(&seal.derived(purpose)).map_err(OperationError::internal)
        };
        Ok(Self {
            ids: mac("ids of responses")?,
            queries: mac("logged queries")?,
            sessions: mac("sessions of shoppers")?,
        })
    }

    /// Returns the digest of a query of a store.
    pub fn digest(&self, store: &StoreId, language: &Language, text: &str) -> i64 {
        let parts = [store.as_str(), language.as_str(), text].map(str::as_bytes);
        i64::from_be_bytes(first_bytes(&self.queries, &parts))
    }

    /// Returns the visit of a session with the query `digest`.
    pub fn visit(&self, store: &StoreId, session: &str, digest: i64) -> Visit {
        let parts = [store.as_str(), session].map(str::as_bytes);
        Visit::new(
            u64::from_be_bytes(first_bytes(&self.sessions, &parts)),
            digest,
        )
    }

    /// Returns the id of a response; of one that does not count, no event will count.
    ///
    /// Errors: if the system provides no random numbers.
    pub fn sign(
        &self,
        store: &StoreId,
        query: &QueryRef,
        counts: bool,
    ) -> Result<String, OperationError> {
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        let flags = flag(counts, COUNTS)
            | flag(query.visit.is_some(), TRACKED)
            | flag(query.found, FOUND)
            | flag(query.surface == Surface::Search, SEARCHED)
            | flag(query.is_uncounted, UNCOUNTED);
        let visit = match query.visit {
            Some(Visit(visit)) => visit.to_be_bytes(),
            // Equal searches of the same millisecond must not share an id.
            None => ids::bytes()?,
        };
        let mut language = [0; LANGUAGE_BYTES];
        for (byte, letter) in language.iter_mut().zip(query.language.as_str().bytes()) {
            *byte = letter;
        }
        let mut bytes = Vec::with_capacity(CONTENT_BYTES + MAC_BYTES);
        bytes.push(flags);
        bytes.extend_from_slice(&query.at.0.to_be_bytes()[2..]);
        bytes.extend_from_slice(&language);
        bytes.extend_from_slice(&query.digest.to_be_bytes());
        bytes.extend_from_slice(&visit);
        let mac: [u8; MAC_BYTES] = first_bytes(&self.ids, &[store.as_str().as_bytes(), &bytes]);
        bytes.extend_from_slice(&mac);
        Ok(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Returns what an id tells; `None` if no event of it counts: it was not signed here for `store`, is older than
    /// seven days, or belongs to a search that does not count.
    pub fn verify(&self, store: &StoreId, id: &str, now: Timestamp) -> Option<QueryRef> {
        let bytes = URL_SAFE_NO_PAD.decode(id.strip_prefix(PREFIX)?).ok()?;
        let (content, signature) = bytes.split_at_checked(CONTENT_BYTES)?;
        if signature.len() != MAC_BYTES {
            return None;
        }
        let mac = keyed(&self.ids, &[store.as_str().as_bytes(), content]);
        mac.verify_truncated_left(signature).ok()?;
        let (flags, content) = content.split_first()?;
        let (at, content) = content.split_first_chunk::<6>()?;
        let (language, content) = content.split_first_chunk::<LANGUAGE_BYTES>()?;
        let (digest, content) = content.split_first_chunk()?;
        let (visit, _) = content.split_first_chunk()?;
        let at = at.iter().fold(0, |sum, byte| sum << 8 | i64::from(*byte));
        let age = now.0.saturating_sub(at);
        let valid = -AHEAD_MS..QUERY_ID_DAYS * Day::MS;
        if flags & COUNTS == 0 || !valid.contains(&age) {
            return None;
        }
        let language = language
            .iter()
            .take_while(|byte| **byte != 0)
            .copied()
            .collect();
        let (response, _) = signature.split_first_chunk()?;
        Some(QueryRef {
            at: Timestamp(at),
            language: Language::parse(&String::from_utf8(language).ok()?).ok()?,
            surface: if flags & SEARCHED == 0 {
                Surface::Suggest
            } else {
                Surface::Search
            },
            digest: i64::from_be_bytes(*digest),
            visit: (flags & TRACKED != 0).then(|| Visit(u64::from_be_bytes(*visit))),
            found: flags & FOUND != 0,
            is_uncounted: flags & UNCOUNTED != 0,
            response: i64::from_be_bytes(*response),
        })
    }
}

/// Authenticates `parts`, each with its length, so that no two lists are the same text.
fn keyed(key: &Hmac<Sha256>, parts: &[&[u8]]) -> Hmac<Sha256> {
    let mut mac = key.clone();
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac
}

fn first_bytes<const COUNT: usize>(key: &Hmac<Sha256>, parts: &[&[u8]]) -> [u8; COUNT] {
    let code = keyed(key, parts).finalize().into_bytes();
    let mut first = [0; COUNT];
    for (byte, of_code) in first.iter_mut().zip(code) {
        *byte = of_code;
    }
    first
}

/// Returns a digest of what an event says, for one response.
pub(crate) fn event_digest(parts: &[&str]) -> i64 {
    use sha2::Digest;
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    let digest: [u8; 32] = hasher.finalize().into();
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    i64::from_be_bytes(first)
}

#[cfg(test)]
mod tests {
    //! 1. An id tells what was signed, for seven days, to every holder of the key, in at most 64 characters.
    //! 2. A changed, foreign or uncounted one tells nothing.

    use super::*;

    const NOW: Timestamp = Timestamp(1_763_650_000_000);
    const DAY_MS: i64 = Day::MS;

    fn ids(dir: &std::path::Path) -> QueryIds {
        QueryIds::new(&Seal::open(&dir.join("master.key"), true).expect("a key").0).expect("keys")
    }

    fn query(language: &str, visit: Option<Visit>) -> QueryRef {
        QueryRef {
            at: NOW,
            language: Language::parse(language).expect("a code"),
            surface: Surface::Search,
            digest: -7,
            visit,
            found: true,
            is_uncounted: visit.is_none(),
            response: 0,
        }
    }

    #[test]
    fn an_id_tells_what_was_signed() {
        let dir = tempfile::tempdir().expect("a directory");
        let (ids, store) = (ids(dir.path()), StoreId::from("s1"));
        for query in [query("es", Some(Visit(u64::MAX))), query("en-gb", None)] {
            let id = ids.sign(&store, &query, true).expect("signed");
            assert!(id.len() <= 64, "{id}");
            let after_a_restart = self::ids(dir.path());
            let mut told = after_a_restart.verify(&store, &id, NOW).expect("valid");
            assert_ne!(told.response, 0);
            told.response = 0;
            assert_eq!(told, query);
            let at = |ms| ids.verify(&store, &id, Timestamp(NOW.0 + ms)).is_some();
            assert!(at(7 * DAY_MS - 1) && !at(7 * DAY_MS) && at(-AHEAD_MS) && !at(-AHEAD_MS - 1));
        }
        let again = |ids: &QueryIds| ids.sign(&store, &query("es", None), true).expect("signed");
        assert_ne!(again(&ids), again(&ids), "of two shoppers");
    }

    #[test]
    fn other_ids_tell_nothing() {
        let dir = tempfile::tempdir().expect("a directory");
        let other = tempfile::tempdir().expect("a directory");
        let (ids, store) = (ids(dir.path()), StoreId::from("s1"));
        let id = ids.sign(&store, &query("es", None), true).expect("signed");
        assert_eq!(ids.verify(&StoreId::from("s2"), &id, NOW), None);
        assert_eq!(self::ids(other.path()).verify(&store, &id, NOW), None);
        let uncounted = ids.sign(&store, &query("es", None), false).expect("signed");
        assert_eq!(ids.verify(&store, &uncounted, NOW), None);
        for at in 0..id.len() {
            let mut changed = id.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII");
            assert_eq!(ids.verify(&store, &changed, NOW), None, "{changed}");
            assert_eq!(ids.verify(&store, &id[..at], NOW), None);
        }
        for odd in ["", "q_", "q_ñ", &format!("{id}AAAA"), &"A".repeat(64)] {
            assert_eq!(ids.verify(&store, odd, NOW), None, "{odd}");
        }
    }

    #[test]
    fn digests_differ_by_store_language_text_and_session() {
        let dir = tempfile::tempdir().expect("a directory");
        let ids = ids(dir.path());
        let es = Language::parse("es").expect("a code");
        let en = Language::parse("en").expect("a code");
        let of = |store: &str, language, text| ids.digest(&StoreId::from(store), language, text);
        let one = of("s1", &es, "bota");
        assert_eq!(one, of("s1", &es, "bota"));
        assert!(
            [
                of("s2", &es, "bota"),
                of("s1", &en, "bota"),
                of("s1", &es, "bot")
            ]
            .iter()
            .all(|other| *other != one)
        );
        let visit = |session| ids.visit(&StoreId::from("s1"), session, one);
        assert_eq!(visit("a").session(), visit("a").session());
        assert_ne!(visit("a").session(), visit("b").session());
        assert_ne!(event_digest(&["a", "b"]), event_digest(&["ab", ""]));
    }
}
