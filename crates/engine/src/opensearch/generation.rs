//! The indexes of the cluster: each one of ours is a row of generations, of which an alias names the one in use. Every format
//! has a row of its own, so that servers of two versions serve beside each other.
//!
//! A generation is never emptied: a new one takes its place in one step, so that no earlier write can come back.

use super::client::{Client, ClientError, Purpose};
use super::copies::Copies;
use super::mapping;
use crate::IndexSpec;
use domain::IndexId;
use domain::relevance::field::FieldId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Version of mapping and documents; an index of another one is not used.
pub const FORMAT: u32 = 3;

/// What a generation says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationMeta {
    format: u32,
    identity: String,
    doc_type: String,
    language: String,
    /// Whether it contains the substrings of the words of names.
    pub partial: bool,
    /// The averages of lengths that its similarities are made with.
    pub averages: FrozenAverages,
}

/// Average lengths by the name of the field, and the number of documents that they were computed from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrozenAverages {
    /// Number of documents.
    pub documents: u64,
    /// Average length by field, over the documents with a value; 0 where there are none.
    pub lengths: Vec<(String, f64)>,
}

impl FrozenAverages {
    /// Whether the number of documents has doubled or halved since they were computed.
    pub fn outdated(&self, documents: u64) -> bool {
        documents >= self.documents.saturating_mul(2).max(1) || documents * 2 <= self.documents
    }

    /// The average length of every text.
    pub fn all(&self) -> Vec<(FieldId, f64)> {
        let of = |field: FieldId| {
            let own = self.lengths.iter().find(|(name, _)| name == field.name());
            (field, own.map_or(0.0, |(_, length)| *length))
        };
        FieldId::texts().map(of).collect()
    }
}

impl GenerationMeta {
    /// What a new generation of `spec` says.
    pub fn new(client: &Client, spec: &IndexSpec) -> Self {
        Self {
            format: client.format,
            identity: spec.identity.clone(),
            doc_type: spec.doc_type.as_str().to_owned(),
            language: spec.language.base().to_owned(),
            partial: spec.partial,
            averages: FrozenAverages::default(),
        }
    }

    /// Whether a generation that says this is one of `spec`.
    fn fits(&self, client: &Client, spec: &IndexSpec) -> bool {
        let wanted = Self::new(client, spec);
        Self {
            partial: wanted.partial,
            averages: wanted.averages.clone(),
            ..self.clone()
        } == wanted
    }
}

/// A generation. Once it is retired, it is deleted with its last reader.
pub struct ClusterGeneration {
    /// The cluster.
    pub client: Arc<Client>,
    /// Its name in the cluster.
    pub name: String,
    /// Which of its copies are searched.
    pub copies: Copies,
    retired: AtomicBool,
    /// Whether a search has found neither it nor another one in its place.
    gone: AtomicBool,
}

impl ClusterGeneration {
    fn new(client: &Arc<Client>, name: String) -> Self {
        Self {
            client: Arc::clone(client),
            name,
            copies: Copies::default(),
            retired: AtomicBool::new(false),
            gone: AtomicBool::new(false),
        }
    }

    /// Creates an empty generation of the index `id`, which nothing names yet.
    pub fn create(
        client: &Arc<Client>,
        id: IndexId,
        meta: &GenerationMeta,
    ) -> Result<Self, ClientError> {
        let existing = names(client, id)?;
        let numbers = existing.iter().filter_map(|name| number(name));
        // A cluster that has lost its data gets no name again that somebody may still read.
        let next = numbers.max().map_or_else(seconds, |last| last + 1);
        let name = format!("{}-{next}", alias(client, id));
        let mut body = mapping::index(client.shards, &meta.averages.all(), &json!(meta));
        // Only this is written to: whoever is late makes no index of the name of one that is gone.
        body["aliases"] = json!({written(&name): {}});
        client.send(Purpose::write(), "PUT", &format!("/{name}"), Some(&body))?;
        Ok(Self::new(client, name))
    }

    /// The generation in use, with what it says about itself; none if there is none, or only one of another specification.
    pub fn in_use(
        client: &Arc<Client>,
        spec: &IndexSpec,
    ) -> Result<Option<(Self, GenerationMeta)>, ClientError> {
        let Some(name) = name_in_use(client, spec.id)? else {
            return Ok(None);
        };
        // It may have been closed by a change of its similarities that was interrupted.
        opens(client, &name)?;
        let mappings = client.send(Purpose::write(), "GET", &format!("/{name}/_mapping"), None)?;
        let meta = &mappings[&name]["mappings"]["_meta"];
        let meta: Option<GenerationMeta> = serde_json::from_value(meta.clone()).ok();
        let own = meta.filter(|meta| meta.fits(client, spec));
        Ok(own.map(|meta| (Self::new(client, name), meta)))
    }

    /// Makes it the one in use, in one step, and deletes those that came before it. With `former`, only if that is the one in
    /// use, which is not deleted: it is still read.
    ///
    /// Errors: another one is in use.
    pub fn use_from_now_on(&self, id: IndexId, former: Option<&str>) -> Result<(), ClientError> {
        let alias = alias(&self.client, id);
        let removed = match former {
            Some(former) => json!({"index": former, "alias": alias, "must_exist": true}),
            None => {
                json!({"index": format!("{alias}-*"), "alias": alias, "must_exist": false})
            }
        };
        let body = json!({"actions": [
            {"remove": removed},
            {"add": {"index": self.name, "alias": alias}},
        ]});
        let sent = (self.client).send(Purpose::write(), "POST", "/_aliases", Some(&body));
        match sent {
            // The response to a first attempt may have been lost.
            Err(error) if error.is_missing() => {
                if !self.is_in_use()? {
                    return Err(ClientError::Overtaken);
                }
            }
            other => drop(other?),
        }
        let Some(own) = number(&self.name) else {
            return Ok(());
        };
        // What was interrupted, and what ended with the process that had to delete it.
        for name in names(&self.client, id)? {
            if number(&name).is_some_and(|number| number < own) && Some(&*name) != former {
                delete(&self.client, &name)?;
            }
        }
        Ok(())
    }

    /// Whether the cluster would open it again if it was closed.
    pub fn reopens(&self) -> Result<bool, ClientError> {
        opens(&self.client, &self.name)
    }

    /// Changes its similarities to those of `meta`. It refuses searches meanwhile, which are sent again.
    pub fn set_averages(&self, meta: &GenerationMeta) -> Result<(), ClientError> {
        let path = |action: &str| format!("/{}/{action}", self.name);
        let similarities = mapping::similarities(&meta.averages.all());
        let settings = json!({"index": {"similarity": similarities}});
        let send = |method, action: &str, body: Option<&Value>| {
            self.client
                .send(Purpose::write(), method, &path(action), body)
        };
        let changed =
            send("POST", "_close", None).and_then(|_| send("PUT", "_settings", Some(&settings)));
        // It may be closed though the cluster did not say so.
        send("POST", "_open", None)?;
        changed?;
        send("PUT", "_mapping", Some(&json!({"_meta": meta})))?;
        Ok(())
    }

    /// Deletes it once nothing reads it, unless it is in use.
    pub fn retire(&self) {
        self.retired.store(true, Ordering::Relaxed);
    }

    /// Notes whether neither it nor another one in its place exists.
    pub fn note_gone(&self, gone: bool) {
        self.gone.store(gone, Ordering::Relaxed);
    }

    /// Whether neither it nor another one in its place was found.
    pub fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// Whether the alias of its index names it.
    fn is_in_use(&self) -> Result<bool, ClientError> {
        let alias = self.name.rsplit_once('-').map_or("", |(alias, _)| alias);
        Ok(named_by(&self.client, alias)?.as_ref() == Some(&self.name))
    }

    fn delete_unless_in_use(&self) -> Result<(), ClientError> {
        // Whoever gave up a swap does not know whether the cluster has done it.
        match self.is_in_use()? {
            true => Ok(()),
            false => delete(&self.client, &self.name),
        }
    }
}

/// Opens the index `name`, if it is closed; returns whether the cluster would. One with more shards than its limit allows, as
/// after the loss of a node, refuses even where the index is open.
fn opens(client: &Client, name: &str) -> Result<bool, ClientError> {
    match client.send(Purpose::write(), "POST", &format!("/{name}/_open"), None) {
        Ok(_) => Ok(true),
        Err(ClientError::Refused {
            status: 400,
            reason,
            ..
        }) => {
            tracing::warn!(index = name, reason, "the cluster opens no index");
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

impl Drop for ClusterGeneration {
    fn drop(&mut self) {
        if self.retired.load(Ordering::Relaxed)
            && let Err(error) = self.delete_unless_in_use()
        {
            // The next opening deletes what is left.
            tracing::warn!(index = self.name, %error, "a former index was not deleted");
        }
    }
}

/// The name of the generation in use, whatever it says about itself.
pub fn name_in_use(client: &Client, id: IndexId) -> Result<Option<String>, ClientError> {
    named_by(client, &alias(client, id))
}

/// The name of the generation that an alias names.
fn named_by(client: &Client, alias: &str) -> Result<Option<String>, ClientError> {
    let path = format!("/_alias/{alias}");
    match client.send(Purpose::write(), "GET", &path, None) {
        Err(error) if error.is_missing() => Ok(None),
        found => Ok(found?
            .as_object()
            .and_then(|all| all.keys().next().cloned())),
    }
}

/// Deletes all generations of an index, those of other formats among them.
pub fn discard(client: &Client, id: IndexId) -> Result<(), ClientError> {
    matching(client, &format!("{}-{id}-f*", client.prefix))?
        .iter()
        .try_for_each(|name| delete(client, name))
}

/// Deletes the generations of formats before that of `client` which are not in `used`; returns their number.
pub fn discard_earlier(client: &Client, used: &[u32]) -> Result<usize, ClientError> {
    let mut deleted = 0;
    for name in matching(client, &format!("{}-*", client.prefix))? {
        let of = format_of(&client.prefix, &name);
        if of.is_some_and(|of| of < client.format && !used.contains(&of)) {
            delete(client, &name)?;
            deleted += 1;
        }
    }
    Ok(deleted)
}

/// The alias of a generation that is written to.
pub fn written(name: &str) -> String {
    format!("{name}-write")
}

/// Seconds since 1970.
#[expect(
    clippy::disallowed_methods,
    reason = "a number that was never given needs a clock, and no result depends on it"
)]
fn seconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(1, |since| since.as_secs())
}

/// The number of the generation of this name.
fn number(name: &str) -> Option<u64> {
    name.rsplit_once('-')?.1.parse().ok()
}

/// The format of the generation of this name; none if it is not one of ours.
fn format_of(prefix: &str, name: &str) -> Option<u32> {
    let rest = name.strip_prefix(prefix)?.strip_prefix('-')?;
    let (index, rest) = rest.split_once("-f")?;
    let (format, number) = rest.split_once('-')?;
    (index.parse::<u64>().is_ok() && number.parse::<u64>().is_ok())
        .then(|| format.parse().ok())
        .flatten()
}

/// The alias of the generation in use.
pub fn alias(client: &Client, id: IndexId) -> String {
    format!("{}-{id}-f{}", client.prefix, client.format)
}

/// The names of all generations of an index in the format of `client`.
fn names(client: &Client, id: IndexId) -> Result<Vec<String>, ClientError> {
    matching(client, &format!("{}-*", alias(client, id)))
}

/// The names of the indexes that match `pattern`.
fn matching(client: &Client, pattern: &str) -> Result<Vec<String>, ClientError> {
    let path = format!("/_cat/indices/{pattern}?format=json&h=index&expand_wildcards=all");
    let found = client.send(Purpose::write(), "GET", &path, None)?;
    let all = found.as_array().map_or(&[][..], Vec::as_slice);
    let names = all.iter().filter_map(|own| own["index"].as_str());
    Ok(names.map(str::to_owned).collect())
}

fn delete(client: &Client, name: &str) -> Result<(), ClientError> {
    match client.send(Purpose::write(), "DELETE", &format!("/{name}"), None) {
        Err(error) if !error.is_missing() => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    //! 1. The format of a generation is read from its name; what others have called so that it begins alike is none of ours.

    use super::format_of;

    #[test]
    fn a_name_has_a_format() {
        for (name, expected) in [
            ("shop-7-f3-12", Some(3)),
            ("shop-7-f12-1", Some(12)),
            ("shop-7-12", None),
            ("shop-a-7-f3-12", None),
            ("shop-7-f3-12-write", None),
            ("shops-7-f3-12", None),
            ("shop-7-fx-12", None),
            ("shop-check-f3-1", None),
        ] {
            assert_eq!(format_of("shop", name), expected, "{name}");
        }
    }
}
